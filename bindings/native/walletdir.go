package native

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"glim/bindings/native/files"
	"glim/core/journal"
	"glim/core/service"
)

var _ service.Familiar = (*files.File)(nil)

// WalletDir keeps wallets as files of one folder.
type WalletDir string

// A wallet of ours is the file NAME; where the reference has its files NAME and NAME.keys, ours is NAME.glim beside
// them, and theirs are only read. NAME.background is what a wallet goes on in without its spend key, and a name to open.
const (
	keysSuffix       = ".keys"
	besideSuffix     = ".glim"
	backgroundSuffix = ".background"
)

// maxKeys bounds the reference's file of keys, in bytes; real ones have some two thousand.
const maxKeys = 1 << 20

func (d WalletDir) path(name string) (string, error) {
	path, err := files.Name(string(d), name)
	if err != nil {
		return "", errors.Join(service.ErrName, err)
	}
	return path, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// IsWalletFile reports whether a file is one of glim's, damaged or not, and has anything in it.
func IsWalletFile(path string) bool {
	first, err := files.Beginning(path, 1<<13)
	if err != nil {
		return false
	}
	_, err = journal.Public(&journal.Memory{Content: first})
	return !errors.Is(err, journal.ErrEmpty) && !errors.Is(err, journal.ErrFormat)
}

// place returns where the wallet whose name leads to path has its file, or is to have it. Files of the reference come and go: theirs may
// be put beside a wallet of ours, and be removed when it has taken over.
func place(path string) string {
	beside := path + besideSuffix
	if exists(path + keysSuffix) {
		if !IsWalletFile(beside) && IsWalletFile(path) {
			return path
		}
		return beside
	}
	if !exists(path) && IsWalletFile(beside) {
		return beside
	}
	return path
}

// taken reports whether name is where files of another wallet are looked for: with a wallet of ours there, that other
// one could not be opened any more. Some file systems do not tell capitals apart.
func taken(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, keysSuffix) || strings.HasSuffix(name, besideSuffix)
}

// Create makes the file of a new wallet. A name is taken when a wallet of glim or of the reference has it; an empty
// file is what a crash between two steps of making a wallet leaves, and is used.
func (d WalletDir) Create(name string) (service.Storage, error) {
	path, err := d.path(name)
	if err != nil {
		return nil, err
	}
	if taken(name) {
		return nil, service.ErrName
	}
	if exists(path+keysSuffix) || IsWalletFile(path+besideSuffix) {
		return nil, service.ErrExists
	}
	return create(path)
}

// Beside makes the file of a wallet taken over from the reference.
func (d WalletDir) Beside(name string) (service.Storage, error) {
	path, err := d.path(name)
	if err != nil {
		return nil, err
	}
	return create(path + besideSuffix)
}

// Keys reads the reference's file of keys.
func (d WalletDir) Keys(name string) ([]byte, error) {
	path, err := d.path(name)
	if err != nil {
		return nil, err
	}
	keys, err := files.Read(path+keysSuffix, maxKeys)
	if errors.Is(err, files.ErrMissing) {
		return nil, service.ErrNoWallet
	}
	return keys, err
}

// Export makes the reference's file of keys of a wallet that has no file yet, neither of glim nor of the reference.
func (d WalletDir) Export(name string, keys []byte) error {
	path, err := d.path(name)
	if err != nil {
		return err
	}
	if taken(name) {
		return service.ErrName
	}
	err = files.WriteBeside(path, keysSuffix, besideSuffix, keys)
	if errors.Is(err, files.ErrExists) || errors.Is(err, files.ErrLocked) {
		return errors.Join(service.ErrExists, err)
	}
	return err
}

// Open opens the file of a wallet.
func (d WalletDir) Open(name string) (service.Storage, error) {
	path, err := d.path(name)
	if err != nil {
		return nil, err
	}
	return OpenWalletFile(place(path))
}

// background returns where the wallet called name goes on without its spend key: where Open looks for NAME.background.
func (d WalletDir) background(name string) (string, error) {
	path, err := d.path(name + backgroundSuffix)
	if err != nil {
		return "", err
	}
	return place(path), nil
}

// Background opens the file in which a wallet goes on without its spend key, or makes it.
func (d WalletDir) Background(name string) (service.Storage, error) {
	path, err := d.background(name)
	if err != nil {
		return nil, err
	}
	st, err := OpenWalletFile(path)
	if errors.Is(err, service.ErrNoWallet) {
		return create(path)
	}
	return st, err
}

// DropBackground removes that file.
func (d WalletDir) DropBackground(name string) error {
	path, err := d.background(name)
	if err != nil {
		return err
	}
	return files.Remove(path)
}

func create(path string) (service.Storage, error) {
	f, err := files.Create(path)
	switch {
	case errors.Is(err, files.ErrExists):
		return reuseEmpty(path)
	case errors.Is(err, files.ErrLocked): // whoever has it open, perhaps this very service
		return nil, service.ErrExists
	}
	return storage(f, err)
}

func reuseEmpty(path string) (service.Storage, error) {
	if info, err := os.Stat(path); err != nil || info.Size() > 0 {
		return nil, service.ErrExists
	}
	f, err := files.Open(path)
	if err != nil {
		return nil, service.ErrExists
	}
	content, err := f.Load()
	if err != nil || len(content) > 0 { // filled before the lock was ours
		return nil, errors.Join(service.ErrExists, f.Close())
	}
	return f, nil
}

// OpenWalletFile opens a wallet's file anywhere. Errors: service.ErrNoWallet, service.ErrInUse, the file system's.
func OpenWalletFile(path string) (service.Storage, error) { return storage(files.Open(path)) }

func storage(f *files.File, err error) (service.Storage, error) {
	switch {
	case err == nil:
		return f, nil
	case errors.Is(err, files.ErrLocked):
		return nil, errors.Join(service.ErrInUse, err)
	case errors.Is(err, files.ErrMissing):
		return nil, errors.Join(service.ErrNoWallet, err)
	}
	return nil, err
}
