package scenario

import (
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/keys"
)

// TestNewerOperationsEqual compares the operations that releases after 0.18.0.0 added: background sync, the lookahead
// and the default priority.
func TestNewerOperationsEqual(t *testing.T) {
	t.Parallel()
	if !peers.Require(t).Release.AtLeast(laterRelease[:]...) {
		return // the reference does not have them, which unlike lists
	}
	d := newMined(t)
	p := &pair{t, newReference(t, d), newGlim(t, d.URL, options{lookahead: near})}
	// Without a wallet, 0.18.5.1 ends at set_subaddress_lookahead.
	p.same("get_default_fee_priority", nil)
	p.same("setup_background_sync", object{"background_sync_type": "off", "wallet_password": ""})
	p.same("start_background_sync", nil)
	p.same("stop_background_sync", object{"wallet_password": ""})

	words := seed(t, alice)
	for _, c := range p.both() {
		restore(t, c, "w", alice)
		do(t, c, "label_account", object{"account_index": 0, "label": "first"})
		do(t, c, "store", nil)
	}
	p.same("change_wallet_password", object{"new_password": "own"})
	p.same("refresh", nil)
	p.same("get_default_fee_priority", nil)
	p.lookahead()
	p.background(words)

	k, err := keys.FromSeed(seedOf(bob))
	require.NoError(t, err)
	view := k.ViewSecret()
	p.same("generate_from_keys", object{
		"filename": "view", "password": "own", "address": at(t, bob, 0, 0), "viewkey": hex.EncodeToString(view[:]),
	})
	p.same("setup_background_sync", object{"background_sync_type": "off", "wallet_password": "own"})
	p.same("start_background_sync", nil)
	p.same("stop_background_sync", object{"wallet_password": "own"})
	p.same("refresh", nil) // the reference fails before it
	p.same("get_default_fee_priority", nil)
}

// lookahead compares changes of the lookahead.
func (p *pair) lookahead() {
	for _, params := range []object{
		nil,
		{"password": "other", "major_idx": 2, "minor_idx": 10},
		{"password": "own"},
		{"password": "own", "major_idx": 2, "minor_idx": 0},
		{"password": "own", "major_idx": 0, "minor_idx": 2},
		{"password": "own", "major_idx": 1 << 32, "minor_idx": 2},
		{"password": "own", "major_idx": "2", "minor_idx": 2},
		{"password": "own", "major_idx": 2, "minor_idx": 10},
		{"password": "own", "major_idx": 3, "minor_idx": 300},
	} {
		p.same("set_subaddress_lookahead", params)
	}
	p.same("refresh", nil)
	p.same("get_balance", object{"all_accounts": true})
}

// background compares background sync of a wallet with this seed.
func (p *pair) background(words string) {
	setup := func(kind, password, own string) {
		p.t.Helper()
		p.same("setup_background_sync", object{
			"background_sync_type": kind, "wallet_password": password, "background_cache_password": own,
		})
	}
	stop := func(password, seed string) {
		p.t.Helper()
		p.same("stop_background_sync", object{"wallet_password": password, "seed": seed})
	}
	p.same("start_background_sync", nil) // it is off
	stop("own", "")
	stop("other", "")
	p.same("setup_background_sync", nil)
	setup("", "own", "")
	setup("sometimes", "own", "")
	setup("off", "other", "")
	setup("off", "own", "")
	setup("reuse-wallet-password", "other", "")
	setup("custom-background-password", "own", "own")
	setup("custom-background-password", "own", "")

	setup("reuse-wallet-password", "own", "")
	stop("own", "") // it does not run
	p.same("start_background_sync", nil)
	p.same("start_background_sync", nil)
	setup("off", "own", "") // it runs
	for _, method := range []string{"query_key", "transfer", "sign", "refresh", "get_balance"} {
		p.same(method, object{"key_type": "spend_key", "data": "x"})
	}
	stop("other", "")
	stop("own", "one two")
	stop("own", seed(p.t, bob))
	p.same("stop_background_sync", object{"wallet_password": "own", "seed": words, "seed_offset": "offset"})
	stop("own", words)
	p.same("query_key", object{"key_type": "spend_key"})
	p.same("start_background_sync", nil)
	stop("own", "")
	stop("own", "")
	p.same("get_balance", nil)

	setup("custom-background-password", "own", "watch")
	p.same("start_background_sync", nil)
	p.same("refresh", nil)
	stop("watch", "")
	stop("own", "")
	setup("off", "own", "")
	p.same("start_background_sync", nil)
}
