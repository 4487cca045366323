package files

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHold locks a file as the reference does. The lock stays after the file was read. TestReferenceOpensFolder shows
// that the reference respects it.
func TestHold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.keys")
	_, err := Hold(path)
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NoFileExists(t, path)
	require.NoError(t, os.WriteFile(path, []byte("keys"), 0o600))
	require.False(t, IsHeld(path))
	held, err := Hold(path)
	require.NoError(t, err)
	_, err = Read(path, 100)
	require.NoError(t, err)
	require.True(t, IsHeld(path))
	_, err = Hold(path)
	require.ErrorIs(t, err, ErrLocked)
	require.NoError(t, held.Close())
	require.False(t, IsHeld(path))
}
