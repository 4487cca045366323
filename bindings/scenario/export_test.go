package scenario

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/walletfile"
)

// TestReferenceOpensWhatWeExport opens exported wallets of all kinds with monero-wallet-rpc, which gets the same
// address, keys, seed with its language, and restore height. No file is overwritten.
func TestReferenceOpensWhatWeExport(t *testing.T) {
	t.Parallel()
	peers.Require(t)
	dir := t.TempDir()
	reference := peers.NewWalletRPC(t, nil, peers.Options{Dir: dir})
	do(t, reference, "auto_refresh", object{"enable": false})
	folder := filepath.Join(dir, "wallets")
	ours := newGlim(t, "", options{dir: folder})
	type key struct{ Key string }
	type addresses struct{ Address string }

	for _, c := range []struct {
		name, language, password string
		viewOnly                 bool
	}{
		{name: "deutsch", language: "German", password: "päß \"wörd\" \\ \u2028 \x01'$(x)"},
		{name: "日本語", language: "日本語", password: "密碼"},
		{name: "view only", language: "English", viewOnly: true, password: " "},
	} {
		do(t, ours, "create_wallet", object{"filename": "made of " + c.name, "password": "own", "language": c.language})
		words := call[key](t, ours, "query_key", object{"key_type": "mnemonic"}).Key
		view := call[key](t, ours, "query_key", object{"key_type": "view_key"}).Key
		address := call[addresses](t, ours, "get_address", object{"account_index": 0}).Address
		if c.viewOnly {
			do(t, ours, "generate_from_keys", object{
				"filename": "own " + c.name, "password": "own", "address": address, "viewkey": view,
				"restore_height": 1234,
			})
		} else {
			do(t, ours, "restore_deterministic_wallet", object{
				"filename": "own " + c.name, "password": "own", "seed": words, "restore_height": 1234,
			})
		}
		require.Equal(t, c.name+".keys", call[struct{ Filename string }](t, ours, "export_keys_file",
			object{"filename": c.name, "password": c.password}).Filename)
		path := filepath.Join(folder, c.name+".keys")
		made, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, taken := range []string{c.name, "own " + c.name} {
			require.Equal(t, -21, refusal(t, ours, "export_keys_file", object{"filename": taken, "password": "x"}).Code)
		}
		for _, wrong := range []string{"", "../out", "x.keys", "x.glim", ".x"} {
			require.Equal(t, peers.Error{Code: -1, Message: "Invalid filename"},
				refusal(t, ours, "export_keys_file", object{"filename": wrong, "password": "x"}), wrong)
		}
		kept, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, made, kept)

		if c.viewOnly { // the reference takes as long for an error as for opening
			require.Error(t,
				reference.JSON(deadline(t), "open_wallet",
					object{"filename": c.name, "password": c.password + "x"}, nil))
		}
		do(t, reference, "open_wallet", object{"filename": c.name, "password": c.password})
		require.Equal(t, address, call[addresses](t, reference, "get_address", object{"account_index": 0}).Address)
		require.Equal(t, view, call[key](t, reference, "query_key", object{"key_type": "view_key"}).Key)
		if c.viewOnly {
			require.Equal(t, -29, refusal(t, reference, "query_key", object{"key_type": "mnemonic"}).Code)
		} else {
			require.Equal(t, words, call[key](t, reference, "query_key", object{"key_type": "mnemonic"}).Key)
		}
		// It rewrites the file, which would lose anything that it did not understand.
		do(t, reference, "store", nil) // later releases change the password only of a wallet with a cache
		do(t, reference, "change_wallet_password", object{"old_password": c.password, "new_password": "new"})
		do(t, reference, "close_wallet", nil)
		theirs, err := os.ReadFile(path)
		require.NoError(t, err)
		got, err := walletfile.Open(theirs, []byte("new"), walletfile.Rounds)
		require.NoError(t, err)
		require.EqualValues(t, 1234, got.RestoreHeight)

		// The wallet's own file is unchanged.
		do(t, ours, "close_wallet", nil)
		do(t, ours, "open_wallet", object{"filename": "own " + c.name, "password": "own"})
	}
}
