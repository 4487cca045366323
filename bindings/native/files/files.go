// Package files stores journals in files that only one process at a time can open.
//
// Next to a file NAME there is a lock file .NAME.lock, which is never removed. While NAME is being replaced, .NAME.new
// has the new content.
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
	// ErrLocked means that this or another process has the file open.
	ErrLocked = errors.New("open in another process")
	// ErrExists means that the file exists. It is never overwritten.
	ErrExists = errors.New("file exists")
	// ErrMissing means that the file does not exist.
	ErrMissing = errors.New("no such file")
	// ErrChanged means that another program moved, replaced, removed or changed the file while it was open. Nothing was
	// written.
	ErrChanged = errors.New("another program changed the file while it was open, so nothing was written")
	// errClosed means that Close was called, or that a failed Replace left no open file.
	errClosed = errors.New("file is closed")
)

// maxFile is the largest file that is read into memory, in bytes. Wallets are smaller.
const maxFile = 1<<31 - 1

// File stores one journal in a file. It holds a lock on the file until Close. It is not safe for concurrent use.
type File struct {
	path string
	lock *os.File
	// f is nil after Close. It is locked too, because a file can have several names, and lock files can be removed.
	f *os.File

	left mark // the content that this process last read or wrote
	same bool // the file has, or continues, a content recorded in the lock file
	// known means that the lock file records a content. missing is how many bytes longer than the file that was.
	known   bool
	missing int64

	onSwitch func() // for tests; called just before the content changes
	torn     bool   // an append failed and may have been written in part
}

// Create creates an empty file at path, readable only by its owner. It returns ErrExists if the file exists, ErrLocked
// if its lock is held, or an error of the file system.
func Create(path string) (*File, error) {
	lock, err := lockPath(path)
	if err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		_ = unlockAndClose(lock)
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

// Open opens the file at path, following symbolic links. It returns ErrMissing if there is no such file, ErrLocked if
// it is already open, or an error of the file system.
func Open(path string) (*File, error) {
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%q: %w", filepath.Base(path), ErrMissing)
	}
	if err != nil {
		return nil, err
	}
	// Checked before opening, because opening some devices has side effects.
	if info, err := os.Stat(real); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(err, notAFile(path))
	}
	lock, err := lockPath(real)
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

// open opens the file at f.path. The caller holds its lock.
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
	copyOwner(f.lock, own)
	if f.left, err = markOf(f.f, own.Size()); err != nil {
		return err
	}
	f.recognise()
	return f.unchanged() // since it was opened
}

func notAFile(path string) error { return fmt.Errorf("%q: not a file", filepath.Base(path)) }

func inUse(path string) error { return fmt.Errorf("wallet %q is %w", filepath.Base(path), ErrLocked) }

func lockPath(path string) (*os.File, error) {
	lock, err := lockFile(hiddenPath(path, ".lock"))
	if errors.Is(err, ErrLocked) {
		return nil, inUse(path)
	}
	return lock, err
}

// hiddenPath returns the path of an auxiliary file of path. It differs from the path of every wallet, because wallet
// names do not begin with a dot.
func hiddenPath(path, kind string) string {
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+kind)
}

// Path returns the path of the file with symbolic links resolved.
func (f *File) Path() string { return f.path }

// Close closes the file and releases its lock. It may be called twice.
func (f *File) Close() error {
	var err error
	if f.f != nil {
		err = unlockAndClose(f.f)
		f.f = nil
	}
	if f.lock != nil {
		err = errors.Join(err, unlockAndClose(f.lock))
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

// Append implements journal.Storage. It returns ErrChanged or an error of the file system.
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

// Truncate implements journal.Storage. It returns ErrChanged or an error of the file system.
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
	// Windows cannot truncate a file through a handle opened for appending.
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
