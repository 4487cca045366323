package native

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"glim/bindings/native/files"
	"glim/core/journal"
	"glim/core/service"
)

// ErrNoWalletFile means that a file is not a wallet file of glim.
var ErrNoWalletFile = errors.New("not a wallet file of glim")

// maxWalletFile is the largest wallet file that is copied, in bytes.
const maxWalletFile = 1 << 30

// List returns the names of the wallets of glim and of the reference, sorted, or an error of the file system. A missing
// folder has none.
func (d WalletDir) List() ([]string, error) {
	entries, err := os.ReadDir(string(d))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	names := []string{}
	for _, e := range entries {
		name, ours := strings.CutSuffix(e.Name(), besideSuffix)
		if !ours {
			name, ours = strings.CutSuffix(e.Name(), keysSuffix)
		}
		path, err := d.path(name)
		if err != nil || !e.Type().IsRegular() || strings.HasSuffix(name, backgroundSuffix) {
			continue
		}
		if ours || IsWalletFile(path) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// Remove removes the files of a wallet: glim's, and those of the reference next to it. It returns service.ErrNoWallet,
// service.ErrInUse if the wallet is open, or an error of the file system. If the reference has the wallet open, glim's
// file is removed; opening the wallet again reads its keys from the reference's file.
func (d WalletDir) Remove(name string) error {
	path, err := d.path(name)
	if err != nil {
		return err
	}
	at := place(path)
	if !IsWalletFile(at) && !exists(path+keysSuffix) {
		return service.ErrNoWallet
	}
	for _, file := range []string{
		at, place(path + backgroundSuffix), path + keysSuffix, path + backgroundSuffix + keysSuffix,
		path + backgroundSuffix, path + ".address.txt", path,
	} {
		switch err := files.Remove(file); {
		case errors.Is(err, files.ErrLocked):
			return errors.Join(service.ErrInUse, err)
		case err != nil:
			return err
		}
	}
	if err := files.RemoveHidden(path, pathsKind); err != nil {
		return err
	}
	if files.HasHidden(path, sharedKind) {
		return files.RemoveHidden(path, sharedKind)
	}
	return nil
}

// File returns the wallet file of a wallet, open or not. It is encrypted with the wallet's password. It returns
// service.ErrNoWallet, ErrNoWalletFile for a wallet that only the reference has used, or an error of the file system.
func (d WalletDir) File(name string) ([]byte, error) {
	path, err := d.path(name)
	if err != nil {
		return nil, err
	}
	at := place(path)
	if !IsWalletFile(at) {
		if exists(path + keysSuffix) {
			return nil, ErrNoWalletFile
		}
		return nil, service.ErrNoWallet
	}
	return files.Read(at, maxWalletFile)
}

// Add stores a wallet file under a new name, as NAME.glim. It returns ErrNoWalletFile for another file, and
// service.ErrExists if glim or the reference has a wallet of that name.
func (d WalletDir) Add(name string, file []byte) error {
	path, err := d.path(name)
	if err != nil {
		return err
	}
	if taken(name) {
		return service.ErrName
	}
	if _, err := journal.Public(&journal.Memory{Content: file}); err != nil {
		return errors.Join(ErrNoWalletFile, err)
	}
	err = files.WriteNew(path, besideSuffix, keysSuffix, file)
	if errors.Is(err, files.ErrExists) || errors.Is(err, files.ErrLocked) {
		return errors.Join(service.ErrExists, err)
	}
	return err
}
