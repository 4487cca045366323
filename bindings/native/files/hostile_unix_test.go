//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package files

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// begun returns an open file with some content, and its path.
func begun(t *testing.T) (*File, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "w")
	f, err := Create(path)
	require.NoError(t, err)
	t.Cleanup(func() { _ = f.Close() })
	require.NoError(t, f.Append([]byte("one ")))
	return f, path
}

// content returns the content of a file.
func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(b)
}

// TestFileCannotBeOpenedTwice checks that a file cannot be opened twice, even if it has several names, its lock file
// was removed or its content was replaced.
func TestFileCannotBeOpenedTwice(t *testing.T) {
	f, path := begun(t)
	for _, replaced := range []bool{false, true} {
		if replaced {
			require.NoError(t, f.Replace([]byte("snapshot")))
		}
		other := path + " by another name"
		_ = os.Remove(other)
		require.NoError(t, os.Link(path, other))
		_, err := Open(other)
		require.ErrorIs(t, err, ErrLocked)
		require.NoError(t, os.Remove(hiddenPath(path, ".lock")))
		_, err = Open(path)
		require.ErrorIs(t, err, ErrLocked)
	}
	require.NoError(t, f.Append([]byte("+")))
	require.NoError(t, f.Close())
	f, err := Open(path)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	require.Equal(t, "snapshot+", content(t, path))
}

// TestChangedByAnotherProgram checks that nothing is written to the file of an open wallet after another program has
// moved, removed, replaced or changed it, and that writing works again once that is undone.
func TestChangedByAnotherProgram(t *testing.T) {
	for name, c := range map[string]struct {
		do, undo func(path string) error
	}{
		"moved": {
			func(p string) error { return os.Rename(p, p+".away") },
			func(p string) error { return os.Rename(p+".away", p) },
		},
		"moved, an older copy in its place": {
			func(p string) error {
				return os.Rename(p, p+".away")
			}, func(p string) error { return os.Rename(p+".away", p) }},
		"moved, a link in its place": {
			func(p string) error {
				if err := os.Rename(p, p+".away"); err != nil {
					return err
				}
				return os.Symlink(p+".away", p)
			}, func(p string) error { return os.Rename(p+".away", p) }},
		"cut": {
			func(p string) error { return os.Truncate(p, 2) },
			func(p string) error { return os.WriteFile(p, []byte("one "), 0) },
		},
		"emptied": {
			func(p string) error { return os.Truncate(p, 0) },
			func(p string) error { return os.WriteFile(p, []byte("one "), 0) },
		},
		"longer": {
			func(p string) error { return os.WriteFile(p, []byte("one two "), 0) },
			func(p string) error { return os.Truncate(p, 4) },
		},
		"other end": {
			func(p string) error { return os.WriteFile(p, []byte("uno "), 0) },
			func(p string) error { return os.WriteFile(p, []byte("one "), 0) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			f, path := begun(t)
			require.NoError(t, c.do(path))
			if name == "moved, an older copy in its place" {
				require.NoError(t, os.WriteFile(path, []byte("older"), 0o600))
			}
			look := func() (all []string) {
				for _, p := range []string{path, path + ".away"} {
					if _, err := os.Stat(p); err == nil {
						all = append(all, content(t, p))
					}
				}
				return all
			}
			before := look()
			require.Error(t, f.Append([]byte("two ")))
			require.Error(t, f.Replace([]byte("snapshot")))
			require.NoError(t, f.Truncate(4), "the writer expects this size")
			require.Equal(t, before, look())
			require.NoFileExists(t, hiddenPath(path, ".new"))
			require.NoError(t, c.undo(path))
			require.NoError(t, f.Append([]byte("two ")))
			require.NoError(t, f.Close())
			require.Equal(t, "one two ", content(t, path))
		})
	}
}

// TestKinds checks that only regular files can be opened, and that other kinds do not block.
func TestKinds(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, syscall.Mkfifo(at("fifo"), 0o600))
	require.NoError(t, os.Mkdir(at("folder"), 0o700))
	require.NoError(t, os.Symlink("/dev/zero", at("device")))
	require.NoError(t, os.Symlink(at("loop"), at("loop")))
	for _, name := range []string{"fifo", "folder", "device", "loop"} {
		_, err := Open(at(name))
		require.Error(t, err, name)
		_, err = Create(at(name))
		require.ErrorIs(t, err, ErrExists, name)
	}
}

// TestFileOwnerIsKept checks that a wallet and its lock file keep their owner when root opens and replaces the wallet.
func TestFileOwnerIsKept(t *testing.T) {
	f, path := begun(t)
	require.NoError(t, f.Close())
	require.NoError(t, os.Remove(hiddenPath(path, ".lock")))
	if os.Geteuid() == 0 {
		require.NoError(t, os.Chown(path, 65534, 65534))
	}
	owner := func(path string) [2]uint32 {
		info, err := os.Stat(path)
		require.NoError(t, err)
		s := info.Sys().(*syscall.Stat_t)
		return [2]uint32{s.Uid, s.Gid}
	}
	before := owner(path)
	f, err := Open(path)
	require.NoError(t, err)
	require.NoError(t, f.Replace([]byte("snapshot")))
	require.NoError(t, f.Close())
	require.Equal(t, before, owner(path))
	require.Equal(t, before, owner(hiddenPath(path, ".lock")))
}

// TestLost checks that Replace creates a removed file again, and never overwrites a file that another program has
// created at its path.
func TestLost(t *testing.T) {
	f, path := begun(t)
	require.False(t, f.Lost())
	require.NoError(t, os.Remove(path))
	require.True(t, f.Lost())
	require.ErrorIs(t, f.Append([]byte("two")), ErrChanged)
	require.NoError(t, os.WriteFile(path, []byte("somebody's"), 0o600))
	require.False(t, f.Lost())
	require.ErrorIs(t, f.Replace([]byte("snapshot")), ErrChanged)
	require.Equal(t, "somebody's", content(t, path))
	require.NoError(t, os.Remove(path))
	require.NoError(t, f.Replace([]byte("snapshot")))
	require.NoError(t, f.Append([]byte("+")))
	require.NoError(t, f.Close())
	require.Equal(t, "snapshot+", content(t, path))
}

// TestWriteNewRefusesExisting checks that a file that another program creates without the lock is not overwritten.
func TestWriteNewRefusesExisting(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a"), []byte("a"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "b"), []byte("b"), 0o600))
	require.ErrorIs(t, renameNew(filepath.Join(dir, "a"), filepath.Join(dir, "b")), ErrExists)
	require.Equal(t, "b", content(t, filepath.Join(dir, "b")))
	require.NoError(t, renameNew(filepath.Join(dir, "a"), filepath.Join(dir, "c")))
	require.NoFileExists(t, filepath.Join(dir, "a"))
	require.Equal(t, "a", content(t, filepath.Join(dir, "c")))
}
