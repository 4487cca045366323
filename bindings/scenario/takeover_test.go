package scenario

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
)

// TestTakesOverTheReferencesWallet opens files of monero-wallet-rpc: the history is read from the chain, the seed keeps
// its language, and the reference's files stay unchanged.
func TestTakesOverTheReferencesWallet(t *testing.T) {
	t.Parallel()
	d := newMined(t)
	dir := t.TempDir()
	reference := peers.NewWalletRPC(t, d, peers.Options{Dir: dir})
	do(t, reference, "auto_refresh", object{"enable": false})
	do(t, reference, "create_wallet", object{"filename": "german", "password": "geheim", "language": "Deutsch"})
	type key struct{ Key string }
	words := call[key](t, reference, "query_key", object{"key_type": "mnemonic"})
	restoreFar(t, reference, "alice", alice)
	refresh(t, reference)

	keysFile, err := findFile(dir, "alice.keys")
	require.NoError(t, err)
	folder := filepath.Dir(keysFile)
	before := contents(t, folder)
	folder = t.TempDir() // the reference has the wallet open in the other one
	for name, content := range before {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600))
	}
	ours := newGlim(t, d.URL, options{dir: folder})
	require.Equal(t, peers.Error{Code: -1, Message: "Failed to open wallet : Invalid password."},
		refusal(t, ours, "open_wallet", object{"filename": "alice", "password": "wrong"}))
	require.Equal(t, before, contents(t, folder), "a wrong password writes no file")

	do(t, ours, "open_wallet", object{"filename": "alice", "password": ""})
	refresh(t, ours)
	compare(t, reference, ours, "get_balance", object{"account_index": 0}, "label")
	compare(t, reference, ours, "incoming_transfers", object{"transfer_type": "all"})
	do(t, ours, "close_wallet", nil)
	do(t, ours, "open_wallet", object{"filename": "alice", "password": ""})
	compare(t, reference, ours, "get_balance", object{"account_index": 0}, "label")

	do(t, ours, "open_wallet", object{"filename": "german", "password": "geheim"})
	require.Equal(t, words, call[key](t, ours, "query_key", object{"key_type": "mnemonic"}))
	require.Equal(t, -21, refusal(t, ours, "create_wallet", object{"filename": "german", "language": "English"}).Code)
	after := contents(t, folder)
	for name, content := range before {
		require.Equal(t, content, after[name], name)
	}
}

func findFile(dir, name string) (found string, err error) {
	err = filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err == nil && filepath.Base(path) == name {
			found = path
		}
		return err
	})
	return found, err
}

// contents reads the reference's files in a folder.
func contents(t *testing.T, folder string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, name := range []string{"alice", "alice.keys", "german", "german.keys"} {
		b, err := os.ReadFile(filepath.Join(folder, name))
		if !os.IsNotExist(err) {
			require.NoError(t, err)
			out[name] = string(b)
		}
	}
	return out
}
