//go:build unix

package files

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestClosedWhileAProgramStarts checks that a closed file can be opened again even if copies of its descriptors are
// still open, as they are for a moment while this process starts a program.
func TestClosedWhileAProgramStarts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wallet")
	f, err := Create(path)
	require.NoError(t, err)
	for range 2 {
		for _, open := range []int{int(f.f.Fd()), int(f.lock.Fd())} {
			copied, err := syscall.Dup(open)
			require.NoError(t, err)
			defer syscall.Close(copied)
		}
		require.NoError(t, f.Close())
		f, err = Open(path)
		require.NoError(t, err)
		_, err = Open(path)
		require.ErrorIs(t, err, ErrLocked)
	}
	require.NoError(t, f.Close())

	l, err := Lock(path + ".other")
	require.NoError(t, err)
	copied, err := syscall.Dup(int(l.(held).f.Fd()))
	require.NoError(t, err)
	defer syscall.Close(copied)
	require.NoError(t, l.Close())
	l, err = Lock(path + ".other")
	require.NoError(t, err)
	require.NoError(t, l.Close())
}
