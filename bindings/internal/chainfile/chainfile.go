// Package chainfile keeps a chain in one file of a folder, which one process at a time may have.
//
// The file is a database of go.etcd.io/bbolt with one bucket. Beside it lies a lock, which stays, and for moments the next
// file. A commit is in the file as a whole or not at all, whenever the process ends.
package chainfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"syscall"
	"time"

	"go.etcd.io/bbolt"
	boltErrors "go.etcd.io/bbolt/errors"

	"glim/bindings/native/files"
	"glim/core/chain"
)

var _ chain.Store = (*File)(nil)

// Name is the file's name in its folder.
const Name = "glim-chain.db"

const (
	lockName = ".glim-chain.lock"
	nextName = ".glim-chain.new"
)

// bucket holds the records. That it is there tells that the file is one of ours.
var bucket = []byte("glim chain")

// Errors a caller can act on.
var (
	// ErrLocked: another process has the folder.
	ErrLocked = errors.New("another daemon keeps its chain there: end it, or choose another folder")
	// ErrForeign: the file is something else than a chain of glim's, or its beginning is damaged.
	ErrForeign = errors.New("no chain of glim's, or damaged: move it away, or choose another folder")
	// ErrDamaged: the file cannot be read to its end.
	ErrDamaged = errors.New("the chain's file is damaged")
)

// File is a store in a file, which is locked until Close. Load and Commit must not be called concurrently.
type File struct {
	path string
	lock io.Closer
	db   *bbolt.DB
}

// Open opens the chain in a folder, or makes folder and file, readable by their owner only. When it is to begin anew, a
// chain that is there is removed first. Errors: ErrLocked, ErrForeign, ErrDamaged, which all leave what is there as it
// is, or the file system's.
func Open(folder string, anew bool) (*File, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	f := &File{path: filepath.Join(folder, Name)}
	var err error
	if f.lock, err = files.Lock(filepath.Join(folder, lockName)); errors.Is(err, files.ErrLocked) {
		return nil, fmt.Errorf("%s: %w", folder, ErrLocked)
	} else if err != nil {
		return nil, err
	}
	if err := f.open(anew); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func (f *File) open(anew bool) (err error) {
	f.db, err = openDatabase(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f.create()
	case err != nil || !anew:
		return err
	}
	// It is one of ours, so that it may be removed.
	err, f.db = f.db.Close(), nil
	if err == nil {
		err = os.Remove(f.path)
	}
	if err != nil {
		return err
	}
	return f.create()
}

// create makes an empty file, whole under its name or not there.
func (f *File) create() error {
	next := filepath.Join(filepath.Dir(f.path), nextName)
	// What a killed process left is nobody's: we hold the lock.
	if err := os.Remove(next); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	db, err := bbolt.Open(next, 0o600, options(nil))
	if err != nil {
		return err
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucket(bucket)
		return err
	})
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	if err := os.Rename(next, f.path); err != nil {
		return err
	}
	if err := files.SyncNames(f.path); err != nil {
		return err
	}
	f.db, err = openDatabase(f.path)
	return err
}

func options(open func(string, int, os.FileMode) (*os.File, error)) *bbolt.Options {
	return &bbolt.Options{
		Timeout: time.Second, FreelistType: bbolt.FreelistMapType, NoStatistics: true, OpenFile: open,
	}
}

// openDatabase opens a file that is there. Errors: fs.ErrNotExist, ErrForeign, the file system's.
func openDatabase(path string) (*bbolt.DB, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() == 0 { // an empty file would be taken for a new one
		return nil, fmt.Errorf("%s: %w", path, ErrForeign)
	}
	var file *os.File
	var db *bbolt.DB
	err = guard(func() (err error) {
		db, err = bbolt.Open(path, 0o600, options(func(name string, flag int, mode os.FileMode) (*os.File, error) {
			file, err = os.OpenFile(name, flag, mode)
			return file, err
		}))
		if err != nil {
			return err
		}
		return checkPages(db, file)
	})
	if err == nil {
		return db, nil
	}
	if db != nil {
		_ = db.Close()
	} else if file != nil { // it broke off, unless file is closed already, which does no harm
		unlock(file)
		_ = file.Close()
	}
	var system syscall.Errno
	switch {
	case errors.Is(err, boltErrors.ErrTimeout):
		err = ErrLocked
	case !errors.As(err, &system) && !errors.Is(err, ErrForeign): // what bbolt says of files it cannot use has many names
		err = fmt.Errorf("%w: %w", ErrForeign, err)
	}
	return nil, fmt.Errorf("%s: %w", path, err)
}

// guard turns what a damaged file does to code that trusts it, panics and reading beyond its end, into ErrDamaged.
func guard(do func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: %v", ErrDamaged, r)
		}
	}()
	return do()
}

// Load implements chain.Store.
func (f *File) Load(visit func(key, value []byte) error) error {
	tx, err := f.db.Begin(false)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // a reader's cannot fail
	cursor := tx.Bucket(bucket).Cursor()
	for step := cursor.First; ; step = cursor.Next {
		var key, value []byte
		err := guard(func() error {
			k, v := step()
			key, value = bytes.Clone(k), bytes.Clone(v)
			return nil
		})
		if err != nil {
			return fmt.Errorf("%s: %w", f.path, err)
		}
		if key == nil {
			return nil
		}
		if err := visit(key, value); err != nil {
			return err
		}
	}
}

// fill is how full pages are made: blocks come in order, so that nothing will be put between them.
const fill = 0.95

// Commit implements chain.Store.
func (f *File) Commit(put []chain.Record, drop [][]byte) error {
	err := guard(func() error {
		return f.db.Update(func(tx *bbolt.Tx) error {
			b := tx.Bucket(bucket)
			b.FillPercent = fill
			for _, r := range put {
				if err := b.Put(r.Key, r.Value); err != nil {
					return err
				}
			}
			for _, key := range drop {
				if err := b.Delete(key); err != nil {
					return err
				}
			}
			return nil
		})
	})
	if err != nil {
		return fmt.Errorf("%s: %w", f.path, err)
	}
	return nil
}

// Size returns how many bytes the file has.
func (f *File) Size() uint64 {
	info, err := os.Stat(f.path)
	if err != nil {
		return 0
	}
	return uint64(info.Size())
}

// FreeSpace returns how many bytes more can be stored beside the file; all that can be counted when nobody knows.
func (f *File) FreeSpace() uint64 { return freeSpace(filepath.Dir(f.path)) }

// Close gives the folder free.
func (f *File) Close() (err error) {
	if f.db != nil {
		err = f.db.Close()
	}
	return errors.Join(err, f.lock.Close())
}
