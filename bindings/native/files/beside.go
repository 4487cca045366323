package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// WriteBeside makes the file path+suffix, readable by its owner only, with content p: whole and durable when it returns nil, and
// else not there. Nobody makes or opens the wallet at path meanwhile. Errors: ErrExists when there is a file at path, at path+suffix or
// at path+other, ErrLocked or the file system's.
func WriteBeside(path, suffix, other string, p []byte) error {
	lock, err := acquire(path)
	if err != nil {
		return err
	}
	defer func() { _ = letGo(lock) }()
	for _, taken := range []string{path, path + suffix, path + other} {
		if _, err := os.Lstat(taken); !errors.Is(err, fs.ErrNotExist) {
			return errors.Join(err, fmt.Errorf("%q: %w", filepath.Base(taken), ErrExists))
		}
	}
	next := beside(path+suffix, ".new")
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

// Remove removes the file at path, and where that is a symbolic link, what it leads to, unless it is open: then ErrLocked. That there is
// none is no error; others are the file system's.
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

// renameNew gives a file another name, which is nobody's: what others make there meanwhile, who know of no lock, stays where the file
// system can have a file under two names. ErrExists or the file system's.
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
