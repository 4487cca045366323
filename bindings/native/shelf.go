package native

import (
	"context"
	"os"
	"path/filepath"
)

// Shelf is a folder that keeps what never changes, a file for each name. It grows with the chain; any of its files may be deleted at any time.
type Shelf struct{ root *os.Root }

// OpenShelf opens a folder, made when missing. Errors: of the file system.
func OpenShelf(dir string) (*Shelf, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &Shelf{root}, nil
}

// Close ends the use of the folder.
func (s *Shelf) Close() error { return s.root.Close() }

// Get returns the value of a name.
func (s *Shelf) Get(_ context.Context, name string) ([]byte, bool) {
	b, err := s.root.ReadFile(filepath.Clean(name))
	return b, err == nil
}

// Put keeps a value that never changes, and no other. A value that cannot be written is one that is not there; one that is written in part by a kill is found out by who
// knows what belongs under its name.
func (s *Shelf) Put(_ context.Context, name string, value []byte, seconds uint64) {
	if seconds > 0 {
		return
	}
	part := filepath.Clean(name) + ".part"
	if s.root.WriteFile(part, value, 0o600) != nil || s.root.Rename(part, filepath.Clean(name)) != nil {
		_ = s.root.Remove(part)
	}
}
