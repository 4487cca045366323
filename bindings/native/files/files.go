// Package files keeps journals in real files that one process at a time may open.
//
// Beside a file NAME lie .NAME.lock, which stays, and for moments .NAME.new, the next content.
package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"glim/core/journal"
)

var (
	_ journal.Storage  = (*File)(nil)
	_ journal.Beginner = (*File)(nil)
)

// Errors a caller can act on.
var (
	// ErrLocked: another process, or another place in this one, has the file open.
	ErrLocked = errors.New("open in another process")
	// ErrExists: there is a file already, which is never overwritten.
	ErrExists = errors.New("file exists")
	// ErrMissing: there is no such file.
	ErrMissing = errors.New("no such file")
	// errClosed: Close was called, or a switch of content left nothing open.
	errClosed = errors.New("file is closed")
)

// File is the storage of one journal in a file, locked against others until Close. Its methods must not be called
// concurrently.
type File struct {
	path string
	lock *os.File
	f    *os.File // nil when closed
}

// Create makes an empty file at path, readable by its owner only. Errors: ErrExists, ErrLocked or the file system's.
func Create(path string) (*File, error) {
	lock, err := acquire(path)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600)
	if err == nil {
		file := &File{path: path, lock: lock, f: f}
		if err = syncDir(path); err == nil {
			return file, nil
		}
		_ = file.Close()
		return nil, err
	}
	_ = lock.Close()
	if errors.Is(err, fs.ErrExist) {
		err = fmt.Errorf("%q: %w", filepath.Base(path), ErrExists)
	}
	return nil, err
}

// Open opens the file at path; where path is a symbolic link, the file it leads to. Errors: ErrMissing, ErrLocked or
// the file system's.
func Open(path string) (*File, error) {
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%q: %w", filepath.Base(path), ErrMissing)
	}
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(real); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, fmt.Errorf("%q: not a file", filepath.Base(path)))
	}
	lock, err := acquire(real)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(real, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		_ = lock.Close()
		return nil, err
	}
	return &File{path: real, lock: lock, f: f}, nil
}

func acquire(path string) (*os.File, error) {
	lock, err := lockFile(beside(path, ".lock"))
	if errors.Is(err, ErrLocked) {
		return nil, fmt.Errorf("wallet %q is %w", filepath.Base(path), ErrLocked)
	}
	return lock, err
}

// beside names a file that no wallet can have: names that start with a dot are refused.
func beside(path, kind string) string {
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+kind)
}

// Path returns where the file is, symbolic links resolved.
func (f *File) Path() string { return f.path }

// Close gives the file free. Closing twice is harmless.
func (f *File) Close() error {
	var err error
	if f.f != nil {
		err = f.f.Close()
		f.f = nil
	}
	if f.lock != nil {
		err = errors.Join(err, f.lock.Close())
		f.lock = nil
	}
	return err
}

// Load implements journal.Storage.
func (f *File) Load() ([]byte, error) {
	if f.f == nil {
		return nil, errClosed
	}
	return os.ReadFile(f.path)
}

// LoadBeginning implements journal.Beginner.
func (f *File) LoadBeginning(size int) ([]byte, error) {
	if f.f == nil {
		return nil, errClosed
	}
	r, err := os.Open(f.path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }()
	return io.ReadAll(io.LimitReader(r, int64(size)))
}

// Append implements journal.Storage.
func (f *File) Append(p []byte) error {
	if f.f == nil {
		return errClosed
	}
	if _, err := f.f.Write(p); err != nil {
		return err
	}
	return f.f.Sync()
}

// Truncate implements journal.Storage.
func (f *File) Truncate(size int64) error {
	if f.f == nil {
		return errClosed
	}
	// Windows does not let a file be cut through a handle that appends.
	w, err := os.OpenFile(f.path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer w.Close()
	if err := w.Truncate(size); err != nil {
		return err
	}
	return w.Sync()
}

// Replace implements journal.Storage: the new content is whole and durable in a file of its own before that takes the
// old one's place.
func (f *File) Replace(p []byte) error {
	if f.f == nil {
		return errClosed
	}
	next := beside(f.path, ".new")
	if err := writeDurably(next, p); err != nil {
		_ = os.Remove(next)
		return err
	}
	// Windows does not let an open file be replaced.
	_ = f.f.Close()
	f.f = nil
	renamed := os.Rename(next, f.path)
	if renamed != nil {
		_ = os.Remove(next)
	}
	var err error
	if f.f, err = os.OpenFile(f.path, os.O_RDWR|os.O_APPEND, 0); err != nil {
		f.f = nil
		return errors.Join(renamed, err)
	}
	if renamed != nil {
		return renamed
	}
	return syncDir(f.path)
}

func writeDurably(path string, p []byte) error {
	// What a killed process left is nobody's: we hold the lock.
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	w, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = w.Write(p)
	if err == nil {
		err = w.Sync()
	}
	return errors.Join(err, w.Close())
}
