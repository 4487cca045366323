// Package chainfile stores a chain, or other records, in a file of a folder, which only one process at a time may use.
//
// The file is a go.etcd.io/bbolt database with one bucket. Next to it there is a lock file, which stays, and
// temporarily a new database. Commits are atomic, whenever the process ends.
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

// Name is the name of a chain's file in its folder.
const Name = "glim-chain.db"

// Kind says what a file contains.
type Kind struct {
	name   string // of the file, without its extension
	bucket string // holds the records; it also identifies the file as glim's
}

// The kinds.
var (
	Chain       = Kind{"glim-chain", "glim chain"}
	LightWallet = Kind{"glim-lws", "glim light-wallet server"}
)

// Exists reports whether a folder has a file of this kind.
func (k Kind) Exists(folder string) bool {
	_, err := os.Lstat(k.path(folder))
	return !errors.Is(err, fs.ErrNotExist)
}

func (k Kind) path(folder string) string     { return filepath.Join(folder, k.name+".db") }
func (k Kind) lockPath(folder string) string { return filepath.Join(folder, "."+k.name+".lock") }
func (k Kind) nextPath(folder string) string { return filepath.Join(folder, "."+k.name+".new") }

// Errors a caller can act on.
var (
	// ErrLocked reports that another process uses the folder.
	ErrLocked = errors.New("another daemon uses this folder: stop it, or choose another folder")
	// ErrForeign reports a file that is not a chain of glim, or whose beginning is damaged.
	ErrForeign = errors.New("not a chain of glim, or damaged: move it away, or choose another folder")
	// ErrDamaged reports a file that cannot be read completely.
	ErrDamaged = errors.New("the chain file is damaged")
)

// File is a chain.Store in a file, which is locked until Close. Load and Commit must not be called concurrently.
type File struct {
	kind Kind
	path string
	lock io.Closer
	db   *bbolt.DB
}

// Open opens the chain in a folder, or creates folder and file, readable by their owner only. If anew is true, it
// removes an existing chain first. It returns ErrLocked, ErrForeign or ErrDamaged, without changing any file, or an
// error of the file system.
func Open(folder string, anew bool) (*File, error) { return OpenKind(Chain, folder, anew) }

// OpenKind is Open for a file with other contents.
func OpenKind(k Kind, folder string, anew bool) (*File, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	f := &File{kind: k, path: k.path(folder)}
	var err error
	if f.lock, err = files.Lock(k.lockPath(folder)); errors.Is(err, files.ErrLocked) {
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
	f.db, err = openDatabase(f.path, f.kind)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f.create()
	case err != nil || !anew:
		return err
	}
	// It is a chain of glim, so it may be removed.
	err, f.db = f.db.Close(), nil
	if err == nil {
		err = os.Remove(f.path)
	}
	if err != nil {
		return err
	}
	return f.create()
}

// create creates an empty file atomically.
func (f *File) create() error {
	next := f.kind.nextPath(filepath.Dir(f.path))
	// A killed process may have left this file; the lock ensures that no other uses it.
	if err := os.Remove(next); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	db, err := bbolt.Open(next, 0o600, options(nil))
	if err != nil {
		return err
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucket([]byte(f.kind.bucket))
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
	f.db, err = openDatabase(f.path, f.kind)
	return err
}

func options(open func(string, int, os.FileMode) (*os.File, error)) *bbolt.Options {
	return &bbolt.Options{
		Timeout: time.Second, FreelistType: bbolt.FreelistMapType, NoStatistics: true, OpenFile: open,
	}
}

// openDatabase opens an existing file. It returns fs.ErrNotExist, ErrForeign, or an error of the file system.
func openDatabase(path string, k Kind) (*bbolt.DB, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() == 0 { // bbolt would initialise an empty file
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
		return checkPages(db, file, k)
	})
	if err == nil {
		return db, nil
	}
	if db != nil {
		_ = db.Close()
	} else if file != nil { // opening panicked, unless bbolt has closed the file, in which case this has no effect
		unlock(file)
		_ = file.Close()
	}
	var system syscall.Errno
	switch {
	case errors.Is(err, boltErrors.ErrTimeout):
		err = ErrLocked
	case !errors.As(err, &system) && !errors.Is(err, ErrForeign): // bbolt has many errors for unusable files
		err = fmt.Errorf("%w: %w", ErrForeign, err)
	}
	return nil, fmt.Errorf("%s: %w", path, err)
}

// guard turns panics and memory faults, which a damaged file causes in code that trusts it, into ErrDamaged.
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
	defer func() { _ = tx.Rollback() }() // cannot fail for a reader
	cursor := tx.Bucket([]byte(f.kind.bucket)).Cursor()
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

// fill is the fill ratio of pages. It is high, because blocks are added in order.
const fill = 0.95

// Commit implements chain.Store.
func (f *File) Commit(put []chain.Record, drop [][]byte) error {
	err := guard(func() error {
		return f.db.Update(func(tx *bbolt.Tx) error {
			b := tx.Bucket([]byte(f.kind.bucket))
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

// Size returns the size of the file in bytes.
func (f *File) Size() uint64 {
	info, err := os.Stat(f.path)
	if err != nil {
		return 0
	}
	return uint64(info.Size())
}

// FreeSpace returns the free bytes of the file system, or the maximum if they are not known.
func (f *File) FreeSpace() uint64 { return freeSpace(filepath.Dir(f.path)) }

// Close closes the file and releases the lock.
func (f *File) Close() (err error) {
	if f.db != nil {
		err = f.db.Close()
	}
	return errors.Join(err, f.lock.Close())
}
