package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// Rename durably gives the file at from the name to, in the same folder, with what is recorded about its content. A
// symbolic link is renamed itself. It returns ErrMissing, ErrExists if there is a file at to, ErrLocked if either is
// open, or an error of the file system. After an error the file has its old name, unless only making the directory
// entry durable failed.
func Rename(from, to string) error {
	f, err := Open(from)
	if err != nil {
		return err
	}
	defer f.Close()
	lock, err := lockPath(to)
	if err != nil {
		return err
	}
	defer func() { _ = unlockAndClose(lock) }()
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(err, fmt.Errorf("%q: %w", filepath.Base(to), ErrExists))
	}
	own, err := f.f.Stat()
	if err != nil {
		return err
	}
	copyOwner(lock, own)
	var marks [2 * markSize]byte
	n, err := f.lock.ReadAt(marks[:], 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if _, err := lock.WriteAt(marks[:n], 0); err != nil {
		return err
	}
	if err := lock.Sync(); err != nil {
		return err
	}
	if runtime.GOOS == "windows" { // Windows cannot rename an open file
		_ = unlockAndClose(f.f)
		f.f = nil
	}
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return syncDir(to)
}

// WriteHidden durably writes content p to the hidden file of path and kind, readable only by its owner, replacing it.
// The caller holds a lock that keeps other processes away. It returns errors of the file system.
func WriteHidden(path, kind string, p []byte) error {
	w, err := writeDurably(hiddenPath(path, kind), p, nil)
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		_ = RemoveHidden(path, kind)
	}
	return err
}

// ReadHidden returns the content of a file of WriteHidden, of at most most bytes. Errors are those of Read.
func ReadHidden(path, kind string, most int64) ([]byte, error) {
	return Read(hiddenPath(path, kind), most)
}

// HasHidden reports whether there is a file of WriteHidden.
func HasHidden(path, kind string) bool {
	_, err := os.Lstat(hiddenPath(path, kind))
	return err == nil
}

// RemoveHidden removes a file of WriteHidden. A missing file is not an error.
func RemoveHidden(path, kind string) error {
	if err := os.Remove(hiddenPath(path, kind)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// RenameHidden durably gives a file of WriteHidden another kind, replacing the file of that kind.
func RenameHidden(path, kind, to string) error {
	if err := os.Rename(hiddenPath(path, kind), hiddenPath(path, to)); err != nil {
		return err
	}
	return syncDir(path)
}

// PutHidden durably replaces the file at path by a file of WriteHidden. It returns errors of the file system.
func PutHidden(path, kind string) error {
	if err := os.Rename(hiddenPath(path, kind), path); err != nil {
		return err
	}
	return syncDir(path)
}

// WriteMissing durably creates the file at path with content p, readable only by its owner. It returns ErrExists if
// there is a file, or an error of the file system.
func WriteMissing(path string, p []byte) error {
	const kind = ".new"
	if err := WriteHidden(path, kind, p); err != nil {
		return err
	}
	if err := renameNew(hiddenPath(path, kind), path); err != nil {
		_ = RemoveHidden(path, kind)
		return err
	}
	return syncDir(path)
}
