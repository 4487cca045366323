package files

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
)

// Replace implements journal.Storage. It writes the new content durably to another file and then renames that file. It
// creates the file again if it was removed. It returns ErrChanged or an error of the file system.
func (f *File) Replace(p []byte) error {
	if f.f == nil {
		return errClosed
	}
	lost := f.Lost()
	if !lost {
		if err := f.unchanged(); err != nil {
			return err
		}
	}
	own, err := f.f.Stat()
	if err != nil {
		return err
	}
	next := hiddenPath(f.path, ".new")
	w, err := writeDurably(next, p, own)
	if err == nil {
		f.foresee(mark{}.and(p))
		err = f.take(w, next, lost)
	}
	if err != nil {
		_ = os.Remove(next)
		return err
	}
	f.torn, f.left = false, mark{}.and(p)
	f.remember()
	return syncDir(f.path)
}

// take replaces the open file by w, whose path is next. lost means that the file was removed. After an error the
// earlier file stays open if possible.
func (f *File) take(w *os.File, next string, lost bool) error {
	rename := os.Rename
	if lost {
		rename = renameNew
	}
	if runtime.GOOS == "windows" { // Windows cannot replace an open file
		_, _ = w.Close(), f.f.Close()
		renamed := rename(next, f.path)
		var err error
		if f.f, err = os.OpenFile(f.path, os.O_RDWR|os.O_APPEND, 0); err != nil {
			f.f = nil
		}
		return errors.Join(renamed, err)
	}
	err := lockOpened(w)
	if err == nil {
		err = rename(next, f.path)
	}
	if err != nil {
		_ = w.Close() // the first error is more useful
		return err
	}
	_ = f.f.Close() // everything written to it is durable
	f.f = w
	return nil
}

// Replace durably replaces the file at path by one with content p that only its owner can read. It must not be called
// concurrently for one path. It returns errors of the file system; the file is then unchanged, unless only making the
// directory entry durable failed.
func Replace(path string, p []byte) error {
	next := hiddenPath(path, ".new")
	w, err := writeDurably(next, p, nil)
	if err == nil {
		err = w.Close()
	}
	if err == nil {
		err = os.Rename(next, path)
	}
	if err != nil {
		_ = os.Remove(next)
		return err
	}
	return syncDir(path)
}

// writeDurably creates a file at path with content p, readable only by its owner. If like is not nil, the owner is that
// of like, as far as permissions allow.
func writeDurably(path string, p []byte, like os.FileInfo) (*os.File, error) {
	// A file left by a killed process may be removed, because the caller holds the lock.
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	w, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	if like != nil {
		copyOwner(w, like)
	}
	if _, err = w.Write(p); err == nil {
		err = w.Sync()
	}
	if err != nil {
		_ = w.Close() // the first error is more useful
		return nil, err
	}
	return w, nil
}
