package mainnet

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/block"
	"glim/core/codec/epee"
	"glim/core/coldset"
	"glim/core/internal/codec/base58"
	"glim/core/keys"
	"glim/core/p2p/levin"
	"glim/core/tx"
	"glim/core/walletcache"
	"glim/core/walletfile"
)

// wallets are the published wallets, with their passwords and the first characters of their addresses.
// Source: tests/unit_tests/serialization.cpp and wallet_storage.cpp of monero-project/monero, release 0.18.5.1.
var wallets = map[string]struct{ password, address string }{
	"wallet_9svHk1":   {"test", "9svHk1"},
	"wallet_00fd416a": {"beepbeep", "45p2Sn"},
}

// TestWallets opens the key files and caches of published wallets.
func TestWallets(t *testing.T) {
	opened := 0
	search := append([]string{"../walletfile/testdata"}, folders()...)
	for _, path := range find(t, search, func(path string) bool { return filepath.Ext(path) == ".keys" }) {
		base := strings.TrimSuffix(path, ".keys")
		wallet, known := wallets[filepath.Base(base)]
		if !known {
			continue
		}
		t.Run(path, func(t *testing.T) {
			b, err := os.ReadFile(path)
			require.NoError(t, err)
			w, err := walletfile.Open(b, []byte(wallet.password), walletfile.Rounds)
			require.NoError(t, err)
			if w.NetworkKnown {
				spend, view := w.Keys.Address(keys.Index{})
				text := address.At(w.Network, keys.Index{}, spend, view).String()
				require.True(t, strings.HasPrefix(text, wallet.address), text)
			}
			if b, err = os.ReadFile(base); err != nil {
				require.ErrorIs(t, err, fs.ErrNotExist)
				return
			}
			cache, err := walletcache.Open(b, []byte(wallet.password), walletfile.Rounds, w)
			require.NoError(t, err)
			require.NotZero(t, cache)
		})
		opened++
	}
	require.NotZero(t, opened)
}

// readers read the inputs of upstream's fuzz tests, by the name of their folder. They may refuse an input, but not
// panic.
var readers = map[string]func(b []byte){
	"base58":           func(b []byte) { _, _ = base58.Decode(string(b)) },
	"block":            func(b []byte) { _, _ = block.Parse(b) },
	"cold-outputs":     func(b []byte) { _, _ = coldset.ParseOutputSet(b) },
	"cold-transaction": func(b []byte) { _, _ = coldset.ParseUnsignedSet(b) },
	"levin": func(b []byte) {
		d := levin.Decoder{}
		d.Write(b)
		_, _, _ = d.Next()
	},
	"load-from-binary": func(b []byte) { _ = epee.Unmarshal(b, new(struct{})) },
	"transaction":      func(b []byte) { _, _ = tx.Parse(b) },
	"tx-extra":         func(b []byte) { _, _ = tx.ParseExtra(b) },
}

// TestFuzzInputs reads every input of upstream's fuzz tests that a reader exists for.
func TestFuzzInputs(t *testing.T) {
	read := map[string]bool{}
	for _, path := range find(t, folders()[1:], func(path string) bool { return strings.Contains(path, "/fuzz/") }) {
		kind := filepath.Base(filepath.Dir(path))
		if reader := readers[kind]; reader != nil {
			b, err := os.ReadFile(path)
			require.NoError(t, err)
			reader(b)
			read[kind] = true
		}
	}
	if len(read) > 0 {
		require.Len(t, read, len(readers), "folders were found for %v only", read)
	}
}

// find returns the paths below the given folders that match.
func find(t *testing.T, folders []string, match func(path string) bool) (paths []string) {
	t.Helper()
	for _, folder := range folders {
		require.NoError(t, filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && match(filepath.ToSlash(path)) {
				paths = append(paths, path)
			}
			return err
		}))
	}
	return paths
}
