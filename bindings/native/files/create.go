package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// WriteNew durably creates the file path+suffix with content p, readable only by its owner. It holds the lock of the
// wallet at path meanwhile. After an error the file does not exist. It returns ErrExists if there is a file at path,
// path+suffix or path+other, ErrLocked if the wallet is open, or an error of the file system.
func WriteNew(path, suffix, other string, p []byte) error {
	lock, err := lockPath(path)
	if err != nil {
		return err
	}
	defer func() { _ = unlockAndClose(lock) }()
	for _, taken := range []string{path, path + suffix, path + other} {
		if _, err := os.Lstat(taken); !errors.Is(err, fs.ErrNotExist) {
			return errors.Join(err, fmt.Errorf("%q: %w", filepath.Base(taken), ErrExists))
		}
	}
	next := hiddenPath(path+suffix, ".new")
	w, err := writeDurably(next, p, nil)
	if err == nil {
		err = w.Close()
	}
	if err == nil {
		err = renameNew(next, path+suffix)
	}
	if err != nil {
		_ = os.Remove(next)
		return err
	}
	return syncDir(path)
}

// Remove removes the file at path and, if that is a symbolic link, its target. It returns ErrLocked if the file is
// open, or an error of the file system. A missing file is not an error.
func Remove(path string) error {
	f, err := Open(path)
	if errors.Is(err, ErrMissing) {
		return nil
	}
	if err != nil {
		return err
	}
	err = os.Remove(f.Path())
	if gone := os.Remove(path); err == nil && !errors.Is(gone, fs.ErrNotExist) {
		err = gone
	}
	return errors.Join(err, f.Close())
}

// renameNew renames a file without replacing an existing one. If the file system supports hard links, that includes a
// file that another program creates meanwhile without holding the lock. It returns ErrExists or an error of the file
// system.
func renameNew(from, to string) error {
	err := os.Link(from, to)
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%q: %w", filepath.Base(to), ErrExists)
	}
	if err != nil {
		return os.Rename(from, to)
	}
	return os.Remove(from)
}
