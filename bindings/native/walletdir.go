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

var _ service.CopyDetector = (*files.File)(nil)

// WalletDir stores wallets as files of one folder.
type WalletDir string

// A wallet of glim is the file NAME. If the reference has a wallet of that name (NAME and NAME.keys), glim's file is
// NAME.glim, and the reference's files are only read. NAME.background is the file for background sync, without the
// spend key. It can be opened by that name.
const (
	keysSuffix       = ".keys"
	besideSuffix     = ".glim"
	backgroundSuffix = ".background"
)

// maxKeys is the largest .keys file of the reference, in bytes. Real ones have about 2,000.
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

// IsWalletFile reports whether a file is a wallet file of glim, even if damaged. An empty file is not.
func IsWalletFile(path string) bool {
	first, err := files.ReadStart(path, 1<<13)
	if err != nil {
		return false
	}
	_, err = journal.Public(&journal.Memory{Content: first})
	return !errors.Is(err, journal.ErrEmpty) && !errors.Is(err, journal.ErrFormat)
}

// place returns the path of the wallet file for the name that path stands for. The reference's files may be added next
// to a wallet of glim, and may be removed after they were imported.
func place(path string) string {
	beside := path + besideSuffix
	if exists(path + keysSuffix) {
		if !IsWalletFile(beside) && IsWalletFile(path) {
			return path
		}
		return beside
	}
	if IsWalletFile(beside) && !IsWalletFile(path) { // at path there is nothing, or only a cache of the reference
		return beside
	}
	return path
}

// taken reports whether name would be an auxiliary file of another wallet, which could then not be opened. It ignores
// case, as some file systems do.
func taken(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, keysSuffix) || strings.HasSuffix(name, besideSuffix)
}

// Create creates the file of a new wallet. It returns service.ErrExists if glim or the reference has a wallet of that
// name. An empty file, which a crash during Create leaves, is reused.
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

// CreateForTakeover creates the file of a wallet that is imported from the reference.
func (d WalletDir) CreateForTakeover(name string) (service.Storage, error) {
	path, err := d.path(name)
	if err != nil {
		return nil, err
	}
	return create(path + besideSuffix)
}

// Keys returns the content of the reference's .keys file, or service.ErrNoWallet.
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

// Export creates a .keys file for the reference. It returns service.ErrExists if glim or the reference has a wallet of
// that name.
func (d WalletDir) Export(name string, keys []byte) error {
	path, err := d.path(name)
	if err != nil {
		return err
	}
	if taken(name) {
		return service.ErrName
	}
	err = files.WriteNew(path, keysSuffix, besideSuffix, keys)
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

// background returns the path of the file for background sync, which Open opens as NAME.background.
func (d WalletDir) background(name string) (string, error) {
	path, err := d.path(name + backgroundSuffix)
	if err != nil {
		return "", err
	}
	return place(path), nil
}

// Background opens the file for background sync, and creates it if it does not exist.
func (d WalletDir) Background(name string) (service.Storage, error) {
	return openOrCreate(d.background(name))
}

// openOrCreate opens the wallet file at path, and creates it if it does not exist. It returns err unless that is nil.
func openOrCreate(path string, err error) (service.Storage, error) {
	if err != nil {
		return nil, err
	}
	st, err := OpenWalletFile(path)
	if errors.Is(err, service.ErrNoWallet) {
		return create(path)
	}
	return st, err
}

// DropBackground removes the file for background sync.
func (d WalletDir) DropBackground(name string) error { return remove(d.background(name)) }

// remove removes the file at path. It returns err unless that is nil.
func remove(path string, err error) error {
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
	case errors.Is(err, files.ErrLocked): // perhaps by this process
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
	if err != nil || len(content) > 0 { // another process wrote to it before this one had the lock
		return nil, errors.Join(service.ErrExists, f.Close())
	}
	return f, nil
}

// OpenWalletFile opens the wallet file at any path. It returns service.ErrNoWallet, service.ErrInUse or an error of the
// file system.
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
