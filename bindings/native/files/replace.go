package files

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
)

// Replace implements journal.Storage: the new content is whole and durable in a file of its own before that takes the
// old one's place. A file that was removed is made again. Errors: ErrChanged or the file system's.
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
	next := beside(f.path, ".new")
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

// take goes on in w, which is at next: in the place of the file, or where nothing is any more. After an error it goes on in the file there
// was, if at all.
func (f *File) take(w *os.File, next string, lost bool) error {
	rename := os.Rename
	if lost {
		rename = renameNew
	}
	if runtime.GOOS == "windows" { // which does not let an open file be replaced
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
		_ = w.Close() // the first error says more
		return err
	}
	_ = f.f.Close() // all that was written to it is durable
	f.f = w
	return nil
}

// Replace makes p the content of the file at path, readable by its owner only: whole and durable when it returns nil, and else as it
// was. For one caller at a time. Errors are the file system's.
func Replace(path string, p []byte) error {
	next := beside(path, ".new")
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

// writeDurably makes a file at path with content p, its owner's alone, who is the one of like unless that is nil.
func writeDurably(path string, p []byte, like os.FileInfo) (*os.File, error) {
	// What a killed process left is nobody's: we hold the lock.
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	w, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	if like != nil {
		giveTo(w, like)
	}
	if _, err = w.Write(p); err == nil {
		err = w.Sync()
	}
	if err != nil {
		_ = w.Close() // the first error says more
		return nil, err
	}
	return w, nil
}
