package native

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/native/files"
)

// TestPathsFile: the file with the paths of a wallet's outputs is replaced in whole, is no wallet, and is removed with
// the wallet.
func TestPathsFile(t *testing.T) {
	dir := WalletDir(t.TempDir())
	st, err := dir.Create("w")
	require.NoError(t, err)
	require.NoError(t, st.Close())
	f := pathsFile(filepath.Join(string(dir), "w"))
	_, err = f.Load()
	require.ErrorIs(t, err, files.ErrMissing)
	for _, content := range []string{"longer", "next"} {
		require.NoError(t, f.Save([]byte(content)))
		got, err := f.Load()
		require.NoError(t, err)
		require.Equal(t, content, string(got))
	}
	list, err := dir.List()
	require.NoError(t, err)
	require.Empty(t, list, "the wallet's file is empty")

	path := filepath.Join(string(dir), "w")
	require.NoError(t, os.WriteFile(path+keysSuffix, []byte("keys"), 0o600))
	require.NoError(t, dir.Remove("w"))
	_, err = f.Load()
	require.ErrorIs(t, err, files.ErrMissing)
}
