package files

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"glim/core/journal"

	"github.com/stretchr/testify/require"
)

func TestStorage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wallet")
	_, err := Open(path)
	require.ErrorIs(t, err, ErrMissing)
	f, err := Create(path)
	require.NoError(t, err)
	content := func(want string) {
		t.Helper()
		got, err := f.Load()
		require.NoError(t, err)
		require.Equal(t, want, string(got))
		onDisk, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, want, string(onDisk))
	}
	if runtime.GOOS != "windows" {
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.EqualValues(t, 0o600, info.Mode().Perm(), "from the beginning")
	}
	content("")
	require.NoError(t, f.Append([]byte("one")))
	require.NoError(t, f.Append([]byte("two")))
	content("onetwo")
	require.NoError(t, f.Truncate(4))
	require.NoError(t, f.Append([]byte("three")))
	content("onetthree")
	require.NoError(t, os.WriteFile(hiddenPath(path, ".new"), []byte("left by a killed process"), 0o600))
	require.NoError(t, f.Replace([]byte("snapshot")))
	content("snapshot")
	require.NoError(t, f.Append([]byte("+")))
	content("snapshot+")

	_, err = Create(path)
	require.ErrorIs(t, err, ErrLocked)
	_, err = Open(path)
	require.ErrorIs(t, err, ErrLocked)
	require.EqualError(t, err, `wallet "wallet" is open in another process`)
	require.NoError(t, f.Close())
	require.NoError(t, f.Close())
	require.Error(t, f.Append([]byte("no")))
	_, err = f.Load()
	require.Error(t, err)

	_, err = Create(path)
	require.ErrorIs(t, err, ErrExists)
	f, err = Open(path)
	require.NoError(t, err)
	content("snapshot+")
	require.NoError(t, f.Close())

	if runtime.GOOS != "windows" {
		for _, p := range []string{path, hiddenPath(path, ".lock")} {
			info, err := os.Stat(p)
			require.NoError(t, err)
			require.EqualValues(t, 0o600, info.Mode().Perm(), p)
		}
		link := filepath.Join(t.TempDir(), "link")
		require.NoError(t, os.Symlink(path, link))
		f, err = Open(link)
		require.NoError(t, err)
		_, err = Open(path)
		require.ErrorIs(t, err, ErrLocked, "one file, two names")
		require.NoError(t, f.Replace([]byte("through the link")))
		content("through the link")
		require.NoError(t, f.Close())
	}
	left, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, left, 2, "the file and its lock")
	_, err = Open(filepath.Dir(path))
	require.ErrorContains(t, err, "not a file")
}

// TestFailedReplace checks that the old content stays usable if replacing it fails.
func TestFailedReplace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "wallet")
	f, err := Create(path)
	require.NoError(t, err)
	defer f.Close()
	j, err := journal.Create(f, nil, rand.Reader, journal.WeakestKDF(), nil, []byte("first"))
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Join(hiddenPath(path, ".new"), "in the way"), 0o700))
	require.Error(t, j.Compact([]byte("snapshot")))
	require.NoError(t, j.Append([]byte("second")))
	_, records, err := journal.Open(f, nil, rand.Reader)
	require.NoError(t, err)
	require.Equal(t, [][]byte{[]byte("first"), []byte("second")}, records)
}

func TestName(t *testing.T) {
	for _, good := range []string{
		"w", "my wallet", "wallet.1", "кошелёк", "console", "~", strings.Repeat("a", maxName),
	} {
		path, err := Name("dir", good)
		require.NoError(t, err, good)
		require.Equal(t, filepath.Join("dir", good), path)
	}
	for _, bad := range []string{
		"", ".", "..", "../w", "a/b", "/etc/passwd", `a\b`, "c:w", "w\x00", "w\n", ".hidden", "w.", "w ", "NUL",
		"con.txt", "aux .x", "\xff", "a*", strings.Repeat("a", maxName+1),
	} {
		path, err := Name("dir", bad)
		require.ErrorIs(t, err, ErrName, "%q", bad)
		require.Empty(t, path)
	}
}

func FuzzName(f *testing.F) {
	for _, s := range []string{"w", "..", "a/../b", "con"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		path, err := Name("dir", name)
		if err != nil {
			require.Empty(t, path)
			return
		}
		require.Equal(t, "dir", filepath.Dir(path))
		require.Equal(t, name, filepath.Base(path))
		require.True(t, filepath.IsLocal(name))
	})
}
