// Package walletcache reads the cache of a reference wallet: the file next to the keys file, with the same name and no
// extension.
//
// A cache contains the scanned chain data and data that exists nowhere else, such as labels, notes, and the keys and
// recipients of transactions. The file is an IV, a length and the data encrypted with ChaCha20 under a key from the
// password. Since release 0.17.0.0 the data is in the reference's binary archive format, before that in a Boost
// archive. Neither format is authenticated, but Open checks that the cache belongs to the owner's account.
//
// Source: src/wallet/wallet2.h, wallet2 and its parts; wallet2.cpp, load_wallet_cache and get_cache_file_data; releases
// 0.10.2 to 0.18.5.1.
package walletcache

import (
	"errors"
	"strconv"

	"glim/core/xmr"
)

// Errors of Open.
var (
	// ErrFormat reports a file that is not a wallet cache, or is truncated or damaged.
	ErrFormat = errors.New("walletcache: not the cache of a wallet, or a damaged one")
	// ErrVersion reports a cache in an unknown format. It is wrapped in a *VersionError.
	ErrVersion = errors.New("walletcache: unknown version of a wallet's cache")
	// ErrPassword reports that neither the password nor the keys decrypt the cache. Damage in a file's first bytes
	// looks the same.
	ErrPassword = errors.New("walletcache: wrong password or keys")
	// ErrOwner reports a cache and a keys file of different wallets.
	ErrOwner = errors.New("walletcache: the cache of another wallet")
)

// VersionError is an ErrVersion that names the unknown version and the part of the cache that has it.
type VersionError struct {
	Part    string // the reference's name: "wallet2", "transfer_details"
	Version uint64
}

// Error names the part and its version.
func (e *VersionError) Error() string {
	return ErrVersion.Error() + ": " + e.Part + " " + strconv.FormatUint(e.Version, 10)
}

// Is reports whether target is ErrVersion.
func (e *VersionError) Is(target error) bool { return target == ErrVersion }

// Index identifies an address of the wallet: 0, 0 is the primary one.
type Index struct{ Account, Address uint32 }

// Cache holds the contents of a cache file. Lists are in the file's order, which is arbitrary for maps and sets.
// Amounts and fees are in atomic units. Byte slices share memory, which Wipe clears.
type Cache struct {
	// Boost marks a Boost archive, as written before 0.17.0.0. Version is the version of the outermost part: 0 to 2
	// since then, 16 to 29 before.
	Boost   bool
	Version uint64

	Spend, View xmr.PublicKey // of the primary address

	Chain     Chain
	Transfers []Transfer
	Pending   []Sent // sent and not seen in a block, failed ones included
	Confirmed []Sent // sent and seen in a block
	Payments  []Payment
	Pool      []PoolPayment
	TxKeys    []TxKey

	// Labels has one list per account, with one label per address, so its lengths are the numbers of accounts and of
	// their addresses. The label of an account is the label of its first address.
	Labels [][]string
	// Table lists, by ascending account, the number of addresses that the wallet watched: existing addresses and
	// lookahead.
	Table []Watched

	Notes       []Note
	Attributes  []Attribute
	AddressBook []Contact
	Tags        []Tag
	AccountTags []string // by account; "" is untagged. May be shorter than Labels.

	KeyImages     []ImageOf // of Transfers; computed with the spend key, or imported
	OutputKeys    []KeyOf   // of Transfers
	ScannedPool   [2][]xmr.Hash
	ColdKeyImages []ColdImage // reported by a cold wallet
	DeviceData    []DeviceData
	// DeviceSynced is when a device last reported its key images, in POSIX seconds.
	DeviceSynced uint64

	RingsSaved       bool // rings of earlier transactions are in the ring database
	LastBlockReward  uint64
	RPCClientSecret  [32]byte // signs requests to daemons that charge for RPC
	EverRefreshed    bool     // has read blocks from a daemon; always false before release 0.18.1.1
	BackgroundSynced *Background

	secret []byte // the decrypted data
}

// Scanned returns the number of blocks whose transactions are in the lists. It is the height of Chain, or less if the
// results of a background sync, without the spend key, are still in BackgroundSynced.
func (c *Cache) Scanned() uint64 {
	if b := c.BackgroundSynced; b != nil && len(b.Transactions) > 0 {
		return min(b.StartHeight, c.Chain.Height())
	}
	return c.Chain.Height()
}

// Chain describes the scanned blocks.
type Chain struct {
	Offset  uint64 // index of the first block of Hashes
	Genesis xmr.Hash
	Hashes  []xmr.Hash // IDs of the newest blocks
}

// Height returns the number of scanned blocks, including block 0.
func (c Chain) Height() uint64 { return c.Offset + uint64(len(c.Hashes)) }

// Transfer is an output of the wallet. Source: wallet2.h, transfer_details.
//
// An output that was imported from a view-only wallet has no Height and a zero TxID; its Prefix has no inputs, but an
// Extra with the transaction's public keys. Its Index is 0, 0 up to release 0.18.1.0.
type Transfer struct {
	Height      uint64 // index of its block
	Prefix      []byte // of its transaction, as serialised in blocks
	Extra       []byte // of its transaction
	TxID        xmr.Hash
	OutputIndex uint64 // in its transaction
	GlobalIndex uint64 // among all outputs of its amount
	Key         xmr.PublicKey
	Amount      uint64
	Mask        [32]byte // opens its commitment
	RingCT      bool
	Spent       bool
	SpentHeight uint64 // index of the block that spends it, 0 for a pool transaction
	Frozen      bool
	Index       Index
	PublicKey   uint64 // index of the transaction public key that paid it

	KeyImage          xmr.KeyImage
	KeyImageKnown     bool
	KeyImageRequested bool
	KeyImagePartial   bool // of a multisig wallet
	MultisigNonces    [][32]byte
	MultisigInfo      []MultisigInfo
	Uses              []Use
}

// MultisigInfo is the info of another signer about an output. Source: wallet2.h, multisig_info.
type MultisigInfo struct {
	Signer           xmr.PublicKey
	Nonces           [][2][32]byte // L and R
	PartialKeyImages []xmr.KeyImage
}

// Use is a transaction with the output in one of its rings, and the index of its block.
type Use struct {
	Height uint64
	TxID   xmr.Hash
}

// State is the reference's state of an unmined transaction.
type State uint8

// The states of Sent. Two of them are pending states; releases differ in the meaning of the second. Source: wallet2.h,
// unconfirmed_transfer_details.
const (
	StatePending State = iota // relayed
	// StateLooked replaces StatePending when the wallet looks for the transaction in a daemon's pool: before release
	// 0.18.3.0 if it does not find it, since then if it does.
	StateLooked
	StateFailed
)

// Sent is an outgoing transaction of the wallet. Source: wallet2.h, unconfirmed_transfer_details and
// confirmed_transfer_details.
type Sent struct {
	TxID   xmr.Hash
	Prefix []byte // as serialised in blocks; nil if the file lacks it
	// AmountIn is the sum of the inputs and AmountOut the sum of the outputs, including Change. Their difference is the
	// fee.
	AmountIn, AmountOut uint64
	Change              uint64 // 2^64−1 if unknown
	Destinations        []Destination
	PaymentID           xmr.Hash // eight bytes and 24 zeros, or a long payment ID; zeros for none
	Timestamp           uint64   // POSIX seconds
	Account             uint32   // account that it spent from; 2^32−1 if unknown
	Addresses           []uint32 // addresses of Account whose outputs it spent
	Rings               []Ring

	SentTime uint64 // only in Pending: POSIX seconds
	State    State  // of Pending

	Height     uint64 // only in Confirmed: index of its block
	UnlockTime uint64 // only in Confirmed: the transaction's field
}

// Destination is a recipient of a transaction. Source: src/cryptonote_core/cryptonote_tx_utils.h, tx_destination_entry.
type Destination struct {
	Original     string // the address as the user entered it; empty in old files
	Amount       uint64
	Spend, View  xmr.PublicKey
	IsSubaddress bool
	IsIntegrated bool // the address contains the transaction's payment ID
}

// Ring is one of a transaction's rings. Offsets holds the first global index, then differences.
type Ring struct {
	KeyImage xmr.KeyImage
	Offsets  []uint64
}

// Payment is an incoming payment to one address by one transaction. Source: wallet2.h, payment_details.
type Payment struct {
	PaymentID  xmr.Hash // eight bytes and 24 zeros, or a long payment ID; zeros for none
	TxID       xmr.Hash
	Amount     uint64
	Amounts    []uint64 // by output; empty in old files
	Fee        uint64
	Height     uint64 // index of its block, 0 if it is in the pool
	UnlockTime uint64
	Timestamp  uint64 // POSIX seconds
	Coinbase   bool
	Index      Index
}

// PoolPayment is a Payment seen in the pool.
type PoolPayment struct {
	Payment
	DoubleSpendSeen bool
}

// TxKey holds the secret keys of a transaction.
type TxKey struct {
	TxID       xmr.Hash
	Key        [32]byte
	Additional [][32]byte // one per output, if the transaction pays subaddresses
}

// Watched is the number of addresses of an account that a wallet watches.
type Watched struct{ Account, Addresses uint32 }

// Note is the owner's text about a transaction.
type Note struct {
	TxID xmr.Hash
	Text string
}

// Attribute is a key and value that a client stores in the wallet.
type Attribute struct{ Key, Value string }

// Contact is an entry of the address book. Source: wallet2.h, address_book_row.
type Contact struct {
	Spend, View  xmr.PublicKey
	IsSubaddress bool
	PaymentID    [8]byte
	HasPaymentID bool
	Description  string
}

// Tag is a name for accounts.
type Tag struct{ Name, Description string }

// ImageOf is a key image with the index of its output in Transfers.
type ImageOf struct {
	Image    xmr.KeyImage
	Transfer uint64
}

// KeyOf is an output key with the index of its output in Transfers.
type KeyOf struct {
	Key      xmr.PublicKey
	Transfer uint64
}

// ColdImage is a key image with the key of its output.
type ColdImage struct {
	Key   xmr.PublicKey
	Image xmr.KeyImage
}

// DeviceData is data of a hardware device for a transaction.
type DeviceData struct {
	TxID xmr.Hash
	Data []byte
}

// Background holds the results of background sync that the wallet has not processed yet. Chain includes their blocks,
// but the lists contain at most what a view-only wallet finds in them, so continue scanning at Scanned.
// Source: wallet2.h, background_sync_data_t, since release 0.18.4.0.
type Background struct {
	Refreshed                      bool
	StartHeight                    uint64
	Transactions                   []BackgroundTx
	RestoreHeight                  uint64
	LookaheadMajor, LookaheadMinor uint64
	RefreshType                    uint64
}

// BackgroundTx is a transaction that may be the wallet's. Source: wallet2.h, background_synced_tx_t.
type BackgroundTx struct {
	TxID            xmr.Hash
	Order           uint64
	Base            []byte // without signatures and proofs, as serialised in blocks
	OutputIndices   []uint64
	Height          uint64
	Timestamp       uint64 // of the block
	DoubleSpendSeen bool
}
