package native

import (
	"crypto/rand"

	"glim/bindings/native/files"
	"glim/core/carrot"
	"glim/core/keys"
	"glim/core/session"
	"glim/core/walletpaths"
)

// pathsKind is the kind of the hidden file next to a wallet with the paths of its outputs.
const pathsKind = ".paths"

// maxPaths is the largest such file, in bytes. A wallet with 100,000 unspent outputs has some 300 million.
const maxPaths = 1 << 30

// Paths is for service.Config.Paths: it keeps the paths of the outputs of the wallet called name, with keys k, in a
// hidden file next to it, or in memory only if the wallet is. The file is encrypted with a key that the view secret
// determines. It can be removed: blocks are then read again.
func (d WalletDir) Paths(name string, k *keys.Keys) session.Paths {
	path, err := d.path(short(name))
	if err != nil {
		return walletpaths.New(carrot.Default, k, nil, rand.Reader)
	}
	return walletpaths.New(carrot.Default, k, pathsFile(path), rand.Reader)
}

// pathsFile is the path of a wallet.
type pathsFile string

// Load implements walletpaths.Store.
func (f pathsFile) Load() ([]byte, error) { return files.ReadHidden(string(f), pathsKind, maxPaths) }

// Save implements walletpaths.Store. The wallet is locked while it is open, so no other process writes the file.
func (f pathsFile) Save(b []byte) error {
	const next = pathsKind + ".new"
	if err := files.WriteHidden(string(f), next, b); err != nil {
		return err
	}
	return files.RenameHidden(string(f), next, pathsKind)
}
