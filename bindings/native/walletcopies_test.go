package native

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/journal"
	"glim/core/service"
)

// TestWalletCopies lists wallets, copies their files and removes them.
func TestWalletCopies(t *testing.T) {
	t.Parallel()
	d := WalletDir(t.TempDir())
	at := func(name string) string { return filepath.Join(string(d), name) }
	st, err := d.Create("purse")
	require.NoError(t, err)
	_, err = journal.Create(st, []byte("password"), rand.Reader, journal.WeakestKDF(), []byte("public"))
	require.NoError(t, err)
	for _, name := range []string{"letter.txt", ".hidden.keys", "theirs", "theirs.keys", "theirs.background.keys"} {
		require.NoError(t, os.WriteFile(at(name), []byte("text"), 0o600))
	}
	require.NoError(t, os.Mkdir(at("folder.keys"), 0o700))
	list, err := d.List()
	require.NoError(t, err)
	require.Equal(t, []string{"purse", "theirs"}, list)
	none, err := WalletDir(at("missing")).List()
	require.NoError(t, err)
	require.Equal(t, []string{}, none)

	// Files are copied while the wallet is open.
	file, err := d.File("purse")
	require.NoError(t, err)
	require.NoError(t, d.Add("copy", file))
	again, err := d.File("copy")
	require.NoError(t, err)
	require.Equal(t, file, again)
	info, err := os.Stat(at("copy.glim"))
	require.NoError(t, err)
	require.Zero(t, info.Mode().Perm()&0o077)
	_, err = d.File("nobody")
	require.ErrorIs(t, err, service.ErrNoWallet)
	_, err = d.File("theirs")
	require.ErrorIs(t, err, ErrNoWalletFile)
	for name, want := range map[string]error{
		"copy": service.ErrExists, "purse": service.ErrExists, "theirs": service.ErrExists,
		"": service.ErrName, "../x": service.ErrName, "x.keys": service.ErrName,
	} {
		require.ErrorIs(t, d.Add(name, file), want, name)
	}
	require.ErrorIs(t, d.Add("new", []byte("text")), ErrNoWalletFile)

	require.ErrorIs(t, d.Remove("purse"), service.ErrInUse)
	require.NoError(t, st.Close())
	require.NoError(t, d.Remove("purse"))
	require.NoError(t, d.Remove("copy"))
	require.NoError(t, d.Remove("theirs"))
	require.ErrorIs(t, d.Remove("purse"), service.ErrNoWallet)
	require.ErrorIs(t, d.Remove("letter.txt"), service.ErrNoWallet)
	require.ErrorIs(t, d.Remove("../x"), service.ErrName)
	list, err = d.List()
	require.NoError(t, err)
	require.Empty(t, list)
	require.FileExists(t, at("letter.txt"))
}
