package native

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/service"
)

// TestExport checks that a keys file is written completely, readable only by its owner, and that it never replaces a
// file.
func TestExport(t *testing.T) {
	d := WalletDir(t.TempDir())
	at := func(name string) string { return filepath.Join(string(d), name) }
	require.NoError(t, d.Export("out", []byte("keys")))
	got, err := d.Keys("out")
	require.NoError(t, err)
	require.Equal(t, "keys", string(got))
	info, err := os.Stat(at("out.keys"))
	require.NoError(t, err)
	require.Zero(t, info.Mode().Perm()&0o077)
	require.NoFileExists(t, at(".out.keys.new"))

	for _, name := range []string{"ours", "theirs", "taken over.glim", "broken"} {
		require.NoError(t, os.WriteFile(at(name), []byte("a wallet"), 0o600))
	}
	require.NoError(t, os.Rename(at("theirs"), at("theirs.keys")))
	require.NoError(t, os.Remove(at("broken")))
	require.NoError(t, os.Symlink(at("nowhere"), at("broken.keys")))
	for _, name := range []string{"out", "ours", "theirs", "taken over", "broken"} {
		require.ErrorIs(t, d.Export(name, []byte("other keys")), service.ErrExists, name)
	}
	for _, name := range []string{"", "../out", "a/b", "x.keys", "x.GLIM"} {
		require.ErrorIs(t, d.Export(name, []byte("other keys")), service.ErrName, name)
	}
	open, err := d.Create("open")
	require.NoError(t, err)
	require.ErrorIs(t, d.Export("open", []byte("other keys")), service.ErrExists)
	require.NoError(t, open.Close())
	got, err = os.ReadFile(at("out.keys"))
	require.NoError(t, err)
	require.Equal(t, "keys", string(got))
	for _, name := range []string{"open.keys", "nowhere"} {
		require.NoFileExists(t, at(name))
	}
}

// TestBackgroundFile checks that Open finds the background file, also next to a background file of the reference.
func TestBackgroundFile(t *testing.T) {
	for _, reference := range []bool{false, true} {
		d := WalletDir(t.TempDir())
		path := filepath.Join(string(d), "w.background")
		if reference {
			for _, name := range []string{path, path + ".keys"} {
				require.NoError(t, os.WriteFile(name, []byte("the reference's"), 0o600))
			}
		}
		st, err := d.Background("w")
		require.NoError(t, err)
		require.NoError(t, st.Append([]byte("content")))
		_, err = d.Background("w")
		require.ErrorIs(t, err, service.ErrInUse)
		require.NoError(t, st.Close())
		for _, open := range []func() (service.Storage, error){
			func() (service.Storage, error) {
				return d.Background("w")
			}, func() (service.Storage, error) { return d.Open("w.background") },
		} {
			st, err := open()
			require.NoError(t, err)
			got, err := st.Load()
			require.NoError(t, err)
			require.Equal(t, "content", string(got))
			require.NoError(t, st.Close())
		}
		require.NoError(t, d.DropBackground("w"))
		require.NoError(t, d.DropBackground("w"), "no background cache exists")
		_, err = d.Open("w.background")
		require.ErrorIs(t, err, service.ErrNoWallet)
		if reference {
			got, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, "the reference's", string(got))
		}
	}
}
