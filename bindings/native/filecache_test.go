package native

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFileCache checks that values persist until the cache is opened again, and that nothing outside its folder is
// read or written.
func TestFileCache(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "shelf")
	s, err := OpenFileCache(dir)
	require.NoError(t, err)
	_, ok := s.Get(t.Context(), "a-1")
	require.False(t, ok)
	s.Put(t.Context(), "a-1", []byte("value"), 0)
	s.Put(t.Context(), "../b", []byte("outside"), 0)
	s.Put(t.Context(), "c-1", []byte("for a while"), 5)
	require.NoError(t, s.Close())
	s, err = OpenFileCache(dir)
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	v, ok := s.Get(t.Context(), "a-1")
	require.True(t, ok)
	require.Equal(t, "value", string(v))
	_, ok = s.Get(t.Context(), "../b")
	require.False(t, ok)
	outside, err := os.ReadDir(filepath.Dir(dir))
	require.NoError(t, err)
	require.Len(t, outside, 1)
	inside, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, inside, 1)
}
