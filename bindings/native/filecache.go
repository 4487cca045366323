package native

import (
	"context"
	"os"
	"path/filepath"
)

// FileCache is a cache on disk of values that never change, with one file for each name. It grows with the chain. Its
// files may be deleted at any time.
type FileCache struct{ root *os.Root }

// OpenFileCache opens the cache in a folder, and creates the folder if it does not exist. It returns errors of the file
// system.
func OpenFileCache(dir string) (*FileCache, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &FileCache{root}, nil
}

// Close closes the folder.
func (s *FileCache) Close() error { return s.root.Close() }

// Get returns the value stored under name. ok is false if no value has that name.
func (s *FileCache) Get(_ context.Context, name string) ([]byte, bool) {
	b, err := s.root.ReadFile(filepath.Clean(name))
	return b, err == nil
}

// Put stores value under name if it never expires, that is, if seconds is 0. It ignores errors of the file system: the
// value is then missing. After a crash a file may be incomplete, so callers verify what Get returns.
func (s *FileCache) Put(_ context.Context, name string, value []byte, seconds uint64) {
	if seconds > 0 {
		return
	}
	part := filepath.Clean(name) + ".part"
	if s.root.WriteFile(part, value, 0o600) != nil || s.root.Rename(part, filepath.Clean(name)) != nil {
		_ = s.root.Remove(part)
	}
}
