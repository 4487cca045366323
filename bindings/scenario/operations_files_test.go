package scenario

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/keys"
)

// TestFilesEqual: both report problems with files, names and passwords alike, and make the same wallets from seeds and
// keys. Errors that the reference reports only after seconds of work are among the recorded errors.
func TestFilesEqual(t *testing.T) {
	t.Parallel()
	d := newDaemon(t)
	mine(t, d, 3, at(t, nobody, 0, 0))
	p := newPair(t, d)
	for _, params := range []object{
		{"filename": "a/b", "language": "English"},
		{"filename": "w", "language": "Klingon"},
		{"filename": "w"},
		{"filename": "/etc/w", "language": "English"},
	} {
		p.same("create_wallet", params)
	}
	for _, params := range []object{{"filename": "a/b"}, {"filename": "../x"}} {
		p.same("open_wallet", params)
	}
	for _, method := range []string{"close_wallet", "stop_wallet", "store", "change_wallet_password"} {
		p.same(method, nil)
	}
	p.same("create_wallet", object{"filename": "w", "password": "p ü", "language": "English"})
	p.same("get_height", nil)
	p.same("create_wallet", object{"filename": "w.keys", "language": "English"})
	p.same("store", nil)
	for _, params := range []object{
		nil, {"old_password": "x", "new_password": "y"}, {"old_password": "p ü", "new_password": "q"},
		{"old_password": "p ü"}, {"old_password": "q", "new_password": "r"},
	} {
		p.same("change_wallet_password", params)
	}
	p.same("close_wallet", object{"autosave_current": false})
	p.same("get_height", nil)
	p.same("open_wallet", object{"filename": "w.keys", "password": "r"}) // opens wallet w
	p.same("get_height", nil)
	p.same("refresh", nil)
	p.same("get_height", nil) // blocks older than the wallet need not be read
	sameSeeds(p)
	sameKeys(p)
	p.same("stop_wallet", nil)
}

// sameSeeds compares wallets from seeds.
func sameSeeds(p *pair) {
	t := p.t
	words := seed(t, alice)
	for _, params := range []object{{"seed": ""}, {"seed": words, "filename": "a/b"}, {"seed": words, "filename": "w"},
		{"seed": "one two", "filename": "s"},
		{"seed": strings.Replace(words, " ", " x", 1), "filename": "s"}} {
		p.same("restore_deterministic_wallet", params)
	}
	p.same("restore_deterministic_wallet", object{
		"seed": words, "seed_offset": "pass", "restore_height": 2, "language": "Deutsch", "filename": "one",
	})
	p.same("query_key", object{"key_type": "mnemonic"})
	p.same("get_address", nil)
}

// sameKeys compares wallets from keys.
func sameKeys(p *pair) {
	t := p.t
	k, err := keys.FromSeed([32]byte{alice, 1, 2, 3, 5, 8, 13, 21})
	require.NoError(t, err)
	secret, ok := k.SpendSecret()
	require.True(t, ok)
	view := k.ViewSecret()
	viewKey, spendKey, address := hex.EncodeToString(view[:]), hex.EncodeToString(secret[:]), at(t, alice, 0, 0)
	for _, params := range []object{
		{"viewkey": viewKey},
		{"address": address},
		{"viewkey": viewKey, "address": address, "filename": "a/b"},
		{"viewkey": viewKey, "address": address, "filename": "w"},
	} {
		p.same("generate_from_keys", params)
	}
	p.same("generate_from_keys", object{
		"viewkey": viewKey, "spendkey": spendKey, "address": address, "filename": "german", "language": "German",
		"restore_height": 1,
	})
	for _, kind := range []string{"mnemonic", "view_key", "spend_key"} {
		p.same("query_key", object{"key_type": kind})
	}
	p.same("generate_from_keys", object{"viewkey": viewKey, "address": address, "filename": "watch"})
	for _, kind := range []string{"mnemonic", "view_key", "spend_key"} {
		p.same("query_key", object{"key_type": kind})
	}
	// The reference accepts keys that do not belong to the address: such a wallet never finds an output.
	mismatch := object{"viewkey": spendKey, "address": address, "filename": "wrong"}
	do(t, p.reference, "generate_from_keys", mismatch)
	require.Equal(t,
		peers.Error{Code: -1, Message: "failed to generate new wallet: view key does not match standard address"},
		refusal(t, p.ours, "generate_from_keys", mismatch))
}
