package native

import (
	"crypto/sha256"
	"errors"
	"fmt"

	"glim/bindings/native/files"
	"glim/bindings/native/takeover"
	"glim/core/service"
	"glim/core/wallet"
	"glim/core/walletcache"
	"glim/core/walletfile"
)

var _ service.CacheFiles = WalletDir("")

// maxCache bounds the reference's cache, in bytes: those of wallets with hundreds of thousands of transactions have
// some hundred million.
const maxCache = 1 << 31

// cache is the path of a cache of the reference.
type cache string

// OpenCache implements service.CacheFiles: the reference's cache of the wallet NAME is the file NAME next to
// NAME.keys, unless glim wrote it and the reference has not stored it since.
func (d WalletDir) OpenCache(name string) (service.WalletCache, error) {
	path, err := d.path(name)
	if err != nil {
		return nil, err
	}
	if !exists(path+keysSuffix) || !exists(path) || IsWalletFile(path) {
		return nil, service.ErrNoWallet
	}
	start, err := files.ReadStart(path, int64(walletcache.EmptySize)+1)
	if err == nil && walletcache.IsEmpty(start) {
		return nil, service.ErrNoWallet // written by glim, see SharedDir
	}
	return cache(path), nil
}

// Digest implements service.WalletCache: the SHA-256 of the file.
func (c cache) Digest() (digest [32]byte, err error) {
	h := sha256.New()
	if err := files.Copy(h, string(c), maxCache); err != nil {
		return digest, err
	}
	return [32]byte(h.Sum(nil)), nil
}

// Read implements service.WalletCache.
func (c cache) Read(password []byte, rounds int, o *wallet.Identity) (service.CacheContents, error) {
	file, err := files.Read(string(c), maxCache)
	if err != nil {
		return nil, err
	}
	known, err := walletcache.Open(file, password, rounds, &walletfile.Wallet{Keys: o.Keys, Multisig: o.Multisig})
	if errors.Is(err, walletcache.ErrPassword) {
		err = fmt.Errorf("%w (if monero-wallet-rpc changed the wallet's password, open the wallet with that one)", err)
	}
	if err != nil {
		return nil, err
	}
	defer known.Wipe()
	return takeover.Contents(known, o.Network, o, sha256.Sum256(file)), nil
}
