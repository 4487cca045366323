package service

import (
	"errors"
	"io"

	"glim/core/journal"
	"glim/core/wallet"
	"glim/core/walletfile"
)

// Files stores wallets by name.
type Files interface {
	// Create makes empty storage for a new wallet. It never overwrites a file: it returns ErrExists if the name exists.
	Create(name string) (Storage, error)
	// Open opens the storage of a wallet. It returns ErrNoWallet if the wallet does not exist, and ErrInUse if another
	// process has it open.
	Open(name string) (Storage, error)
	// Keys returns the reference's keys file of that name. It returns ErrNoWallet if the file does not exist.
	Keys(name string) ([]byte, error)
	// CreateForTakeover makes empty storage for a wallet imported from the reference, whose own files stay unchanged.
	// Open finds it from then on. It returns ErrExists if there is one already.
	CreateForTakeover(name string) (Storage, error)
	// Export stores a keys file for the reference under that name, completely or not at all. It returns ErrExists if
	// any wallet has the name.
	Export(name string, keys []byte) error
	// Background opens the background file of the wallet called name, or creates it empty. The wallet uses it while
	// its spend key is absent. It returns ErrInUse if another process has the file open.
	Background(name string) (Storage, error)
	// DropBackground removes the background file, which must be closed. It returns no error if the file does not exist.
	DropBackground(name string) error
}

// Storage is one wallet's file while it is open.
type Storage interface {
	journal.Storage
	io.Closer
}

// CacheFiles is implemented by Files that can read the reference's caches, see WalletCache.
type CacheFiles interface {
	// OpenCache returns the cache next to the reference's keys file of that name. It returns ErrNoWallet if there is
	// none.
	OpenCache(name string) (WalletCache, error)
}

// WalletCache is the reference's cache file, which contains everything about a wallet except its keys.
type WalletCache interface {
	// Digest returns a hash of the file.
	Digest() ([32]byte, error)
	// Read returns the contents for the wallet of this origin. password opens the keys file next to it, which hashed
	// the password rounds times.
	Read(password []byte, rounds int, o *wallet.Identity) (CacheContents, error)
}

// ReferenceFiles is implemented by Files that keep the reference's files next to glim's own, so that the reference can
// open each wallet at any time.
type ReferenceFiles interface {
	// Reference returns the reference's files of an open wallet; nil if it has none.
	Reference(name string) Reference
}

// ReferenceState is what the reference's files of a wallet contain.
type ReferenceState struct {
	Name     string
	Wallet   *walletfile.Wallet
	Password []byte
	Rounds   int // how often the password is hashed
	Random   io.Reader
	// Background is the wallet's background sync.
	Background wallet.BackgroundType
}

// Reference is the reference's files of one open wallet.
type Reference interface {
	// Lock keeps the reference from opening the wallet until Close. It returns ErrInUse if the reference has it open.
	Lock() error
	// Close releases the lock.
	Close() error
	// Keep creates missing files and completes a password change that was interrupted. It never changes another file.
	Keep(p ReferenceState) error
	// Restore creates files again that were removed since. It reports whether the cache is one of them.
	Restore() (cache bool, err error)
	// Update adds what the wallet o knows, f, to the cache, and returns the cache's digest, and whether it contains
	// f. known is the digest of the cache that the wallet wrote or took over last; another cache stays as it is, and
	// Update returns ErrCacheChanged. It returns ErrNoWallet if there is no cache. It removes from f what a cache
	// cannot contain. With has, the cache of that digest contains f already, and only an empty one is written.
	Update(f *wallet.CacheContents, o *wallet.Identity, known [32]byte, has bool) (
		digest [32]byte, written bool, err error)
	// SealedKey returns what PutSealedKey stored last. It returns ErrNoWallet if that is nothing.
	SealedKey() ([]byte, error)
	// PutSealedKey stores the key of the wallet's own file, encrypted with the wallet's secret keys.
	PutSealedKey(sealed []byte) error
	// CheckBackground returns ErrInUse if the reference has the files for background sync open.
	CheckBackground() error
	// SetBackground records p.Background in the keys file, and creates the files for background sync, or removes them.
	// password opens them; it is used for wallet.BackgroundCustom only.
	SetBackground(p ReferenceState, password []byte) error
	// ChangePassword prepares files with another password. The caller calls commit once the wallet itself has that
	// password. If commit is not called or fails, Keep completes or discards what was prepared.
	ChangePassword(p ReferenceState, password []byte) (commit func() error, err error)
}

// CacheContents is implemented by *wallet.CacheContents. It is an interface so that programs which read no such files
// do not link the decoder.
type CacheContents interface {
	// Started returns the index of the first block with a transaction of the wallet, or ^0.
	Started() uint64
	// TakeOver returns the changes that import the cache, in order, see wallet.Wallet.DecideTakeOver.
	TakeOver(w *wallet.Wallet, now uint64) []wallet.ChangeSet
}

// CopyDetector is implemented by Storage that records separately what was last written.
type CopyDetector interface {
	// IsCurrent reports whether the content equals what was last written here, or extends it. It returns false for an
	// older copy and for content written elsewhere.
	IsCurrent() bool
}

// RollbackDetector is implemented by Storage that also detects missing content.
type RollbackDetector interface {
	CopyDetector
	// LastWritten reports whether a record of the last write exists for this name, and a lower bound of the number of
	// missing bytes.
	LastWritten() (known bool, missing int64)
}

// Errors of Files.
var (
	ErrName     = errors.New("invalid filename")
	ErrExists   = errors.New("the wallet already exists")
	ErrNoWallet = errors.New("there is no wallet of that name")
	ErrInUse    = errors.New("the wallet is open in another process")
	// ErrCacheChanged reports a cache of monero-wallet-rpc that the wallet has not taken over yet.
	ErrCacheChanged = errors.New("monero-wallet-rpc has changed its cache")
	// ErrCache reports a cache of monero-wallet-rpc that cannot be read. Config.WithoutCache opens the wallet without
	// it.
	ErrCache = errors.New("monero-wallet-rpc's cache cannot be read")
)

// ErrNetwork reports a wallet whose network is not Config.Network.
var ErrNetwork = errors.New("the wallet is for another network")

// memoryStorage is the storage of a wallet without a name; it is lost when the wallet closes.
type memoryStorage struct{ *journal.Memory }

func (memoryStorage) Close() error { return nil }
