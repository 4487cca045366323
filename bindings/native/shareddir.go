package native

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"glim/bindings/native/files"
	"glim/core/service"
)

var (
	_ service.CacheFiles     = SharedDir{}
	_ service.ReferenceFiles = SharedDir{}
)

// SharedDir is a folder whose wallets the reference can open at any time. The wallet NAME is the file NAME.glim.
// Next to it there are the reference's files: NAME.keys, see Reference, and its cache NAME. The hidden file
// .NAME.shared says that both have existed.
type SharedDir struct {
	WalletDir
	disk *disk
}

// sharedKind is the hidden file of a wallet next to which the reference's files were made.
const sharedKind = ".shared"

// Create creates the file of a new wallet. It returns service.ErrExists if there is a file NAME or NAME.keys, which the
// reference also refuses, or a wallet NAME.glim. If NAME and NAME.keys were made next to that wallet and are missing,
// the owner has removed the wallet as programs remove wallets of the reference: NAME.glim is then renamed to
// NAME.removed-1.glim, or to another number, and can be opened under that name.
func (d SharedDir) Create(name string) (service.Storage, error) {
	path, err := d.path(name)
	if err != nil {
		return nil, err
	}
	if taken(name) {
		return nil, service.ErrName
	}
	if present(path) || present(path+keysSuffix) {
		return nil, service.ErrExists
	}
	if err := setAside(path); err != nil {
		return nil, err
	}
	return create(path + besideSuffix)
}

// present reports whether there is anything at path, even a broken symbolic link.
func present(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// maxAside is how many wallets of one name are kept after their files were removed.
const maxAside = 1000

// setAside renames the file of an earlier wallet whose reference files were removed. It returns service.ErrExists if
// they were never made or the wallet is open, or an error of the file system.
func setAside(path string) error {
	info, err := os.Stat(path + besideSuffix)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	if !files.HasHidden(path, sharedKind) {
		return service.ErrExists
	}
	for i := 1; i <= maxAside; i++ {
		to := fmt.Sprintf("%s.removed-%d", path, i)
		if present(to) || present(to+keysSuffix) {
			continue
		}
		err := files.Rename(path+besideSuffix, to+besideSuffix)
		switch {
		case err == nil:
			// A failure leaves a background file to the next wallet of this name, which replaces it. Its blocks can be
			// read again.
			_ = files.Rename(path+backgroundSuffix+besideSuffix, to+backgroundSuffix+besideSuffix)
			return files.RemoveHidden(path, sharedKind)
		case errors.Is(err, files.ErrMissing):
			return nil
		case errors.Is(err, files.ErrLocked):
			return errors.Join(service.ErrExists, err)
		case !errors.Is(err, files.ErrExists):
			return err
		}
	}
	return service.ErrExists
}

// Open opens the file of a wallet. A wallet in the file NAME, as earlier versions and WalletDir store it, becomes
// NAME.glim; if the folder does not permit that, it is opened where it is.
func (d SharedDir) Open(name string) (service.Storage, error) {
	path, err := d.path(short(name))
	if err != nil {
		return nil, err
	}
	at, err := beside(path)
	if err != nil {
		return storage(nil, err)
	}
	return OpenWalletFile(at)
}

// beside returns the path of the wallet file for the name that path stands for, after renaming a wallet at path itself.
// It returns files.ErrLocked if that is open.
func beside(path string) (at string, err error) {
	at = place(path)
	if at != path || !IsWalletFile(path) {
		return at, nil
	}
	if err := files.Rename(path, path+besideSuffix); errors.Is(err, files.ErrLocked) {
		return "", err
	}
	return place(path), nil
}

// short returns the name of a wallet, given that name or the name of its file.
func short(name string) string {
	if s := strings.TrimSuffix(name, besideSuffix); s != "" {
		return s
	}
	return name
}

// Keys implements service.Files.
func (d SharedDir) Keys(name string) ([]byte, error) { return d.WalletDir.Keys(short(name)) }

// CreateForTakeover implements service.Files.
func (d SharedDir) CreateForTakeover(name string) (service.Storage, error) {
	return d.WalletDir.CreateForTakeover(short(name))
}

// OpenCache implements service.CacheFiles.
func (d SharedDir) OpenCache(name string) (service.WalletCache, error) {
	return d.WalletDir.OpenCache(short(name))
}

// Background implements service.Files. The file is NAME.background.glim, next to the reference's NAME.background.keys
// and NAME.background.
func (d SharedDir) Background(name string) (service.Storage, error) {
	return openOrCreate(d.background(name))
}

// DropBackground implements service.Files.
func (d SharedDir) DropBackground(name string) error { return remove(d.background(name)) }

// background returns the path of the file for background sync.
func (d SharedDir) background(name string) (string, error) {
	path, err := d.path(short(name) + backgroundSuffix)
	if err != nil {
		return "", err
	}
	at, err := beside(path)
	if err != nil {
		return "", errors.Join(service.ErrInUse, err)
	}
	if at == path && !IsWalletFile(path) {
		at += besideSuffix
	}
	return at, nil
}
