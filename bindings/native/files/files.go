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
	_ journal.Losable  = (*File)(nil)
)

// Errors a caller can act on.
var (
	// ErrLocked: another process, or another place in this one, has the file open.
	ErrLocked = errors.New("open in another process")
	// ErrExists: there is a file already, which is never overwritten.
	ErrExists = errors.New("file exists")
	// ErrMissing: there is no such file.
	ErrMissing = errors.New("no such file")
	// ErrChanged: somebody else moved, replaced, removed or changed the file while it was open. Nothing was written.
	ErrChanged = errors.New("the file was changed by another hand while it was open, and is not written to")
	// errClosed: Close was called, or a switch of content left nothing open.
	errClosed = errors.New("file is closed")
)

// maxFile bounds what is read into memory, in bytes: more than any wallet has.
const maxFile = 1<<31 - 1

// File is the storage of one journal in a file, locked against others until Close. Its methods must not be called
// concurrently.
type File struct {
	path string
	lock *os.File
	f    *os.File // nil when closed; locked as well, for a file can have several names, and a lock be removed

	left mark // the content as this process found or wrote it last
	same bool // what was found goes on from what was here last
	// The lock knew what was here last, and how many bytes more.
	known   bool
	missing int64

	onSwitch func() // for tests: just before the content changes
	torn     bool   // an append failed: how much of it is there shows when it is cut off
}

// Create makes an empty file at path, readable by its owner only. Errors: ErrExists, ErrLocked or the file system's.
func Create(path string) (*File, error) {
	lock, err := acquire(path)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		_ = letGo(lock)
		if errors.Is(err, fs.ErrExist) {
			err = fmt.Errorf("%q: %w", filepath.Base(path), ErrExists)
		}
		return nil, err
	}
	file := &File{path: path, lock: lock, f: f, same: true}
	if err := errors.Join(lockOpened(f), syncDir(path)); err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
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
	// Before it is opened, for with some devices that alone does something.
	if info, err := os.Stat(real); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, notAFile(path))
	}
	lock, err := acquire(real)
	if err != nil {
		return nil, err
	}
	file := &File{path: real, lock: lock}
	if err := file.open(); err != nil {
		_ = file.Close()
		return nil, err
	}
	return file, nil
}

// open opens what the name leads to. The caller has its lock.
func (f *File) open() (err error) {
	if f.f, err = os.OpenFile(f.path, os.O_RDWR|os.O_APPEND|nonblock, 0); err != nil {
		f.f = nil
		return err
	}
	own, err := f.f.Stat()
	if err != nil {
		return err
	}
	if !own.Mode().IsRegular() {
		return notAFile(f.path)
	}
	if err := lockOpened(f.f); errors.Is(err, ErrLocked) {
		return inUse(f.path)
	} else if err != nil {
		return err
	}
	giveTo(f.lock, own)
	if f.left, err = markOf(f.f, own.Size()); err != nil {
		return err
	}
	f.recognise()
	return f.unchanged() // since it was opened
}

func notAFile(path string) error { return fmt.Errorf("%q: not a file", filepath.Base(path)) }

func inUse(path string) error { return fmt.Errorf("wallet %q is %w", filepath.Base(path), ErrLocked) }

func acquire(path string) (*os.File, error) {
	lock, err := lockFile(beside(path, ".lock"))
	if errors.Is(err, ErrLocked) {
		return nil, inUse(path)
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
		err = letGo(f.f)
		f.f = nil
	}
	if f.lock != nil {
		err = errors.Join(err, letGo(f.lock))
		f.lock = nil
	}
	return err
}

// Load implements journal.Storage.
func (f *File) Load() ([]byte, error) {
	if f.f == nil {
		return nil, errClosed
	}
	return readAll(f.f, maxFile)
}

// LoadBeginning implements journal.Beginner.
func (f *File) LoadBeginning(size int) ([]byte, error) {
	if f.f == nil {
		return nil, errClosed
	}
	return io.ReadAll(io.NewSectionReader(f.f, 0, int64(size)))
}

// Append implements journal.Storage. Errors: ErrChanged or the file system's.
func (f *File) Append(p []byte) error {
	if f.f == nil {
		return errClosed
	}
	if err := f.unchanged(); err != nil {
		return err
	}
	f.torn = true
	if _, err := f.f.Write(p); err != nil {
		return err
	}
	if err := f.f.Sync(); err != nil {
		return err
	}
	f.torn, f.left = false, f.left.and(p)
	f.remember()
	return nil
}

// Truncate implements journal.Storage. Errors: ErrChanged or the file system's.
func (f *File) Truncate(size int64) error {
	switch {
	case f.f == nil:
		return errClosed
	case !f.torn && size == f.left.size:
		return nil
	}
	if err := f.unchanged(); err != nil {
		return err
	}
	// Windows does not let a file be cut through a handle that appends.
	w, err := os.OpenFile(f.path, os.O_WRONLY|nonblock, 0)
	if err != nil {
		return err
	}
	defer w.Close()
	if !sameFile(w, f.f) {
		return ErrChanged
	}
	left, err := markOf(f.f, size)
	if err != nil {
		return err
	}
	f.foresee(left)
	if err := w.Truncate(size); err != nil {
		return err
	}
	if err := w.Sync(); err != nil {
		return err
	}
	f.torn, f.left = false, left
	f.remember()
	return nil
}
