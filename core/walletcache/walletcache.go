// Package walletcache reads the cache of the reference's wallet: the file beside the one of keys, with the same name
// and no ending.
//
// It holds what the reference knows of a wallet besides its keys: what the chain said, and what only its owner knows,
// such as labels, notes, keys of transactions and whom they paid. The file is a number used once, a length and the
// data under ChaCha20, whose key comes from the password. Since release 0.17.0.0 the data is in the format that
// blocks have, before that an archive of Boost. Nothing guards either against changes; Open checks that the account
// in it is the owner's.
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
	// ErrFormat reports what is no cache of a wallet, or one cut short or damaged.
	ErrFormat = errors.New("walletcache: not the cache of a wallet, or a damaged one")
	// ErrVersion reports a cache of a format that is not known here. The text names it: see VersionError.
	ErrVersion = errors.New("walletcache: unknown version of a wallet's cache")
	// ErrPassword reports that neither the password nor the keys open the cache; of a file damaged in its first
	// bytes, the same is all that can be said.
	ErrPassword = errors.New("walletcache: wrong password or keys")
	// ErrOwner reports the cache of another wallet than the file of keys is of.
	ErrOwner = errors.New("walletcache: the cache of another wallet")
)

// VersionError says which part of a cache has which version that is not known here. It is an ErrVersion.
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

// Index is the place of an address in its wallet: 0, 0 is the primary one.
type Index struct{ Account, Address uint32 }

// Cache is what a cache says. Lists are in the file's order, which for those without an order of their own is
// arbitrary. Byte slices share memory, which Wipe clears.
type Cache struct {
	// Boost says that the file is an archive of Boost, as releases before 0.17.0.0 write. Version is of its outermost
	// part: 0 to 2 since then, 16 to 29 before.
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

	// Labels has one list an account, with one label an address: so its lengths are how many accounts there are, and
	// how many addresses of each. The label of an account is that of its first address.
	Labels [][]string
	// Table says, by account in ascending order, how many addresses the wallet looked for: those that exist and those
	// ahead.
	Table []Watched

	Notes       []Note
	Attributes  []Attribute
	AddressBook []Contact
	Tags        []Tag
	AccountTags []string // by account; "" is untagged. May be shorter than Labels.

	KeyImages     []ImageOf // of Transfers; those of whole wallets and those imported
	OutputKeys    []KeyOf   // of Transfers
	ScannedPool   [2][]xmr.Hash
	ColdKeyImages []ColdImage // of outputs that a cold wallet told of
	DeviceData    []DeviceData
	// DeviceSynced is when a device last told its key images, in POSIX seconds.
	DeviceSynced uint64

	RingsSaved       bool // rings of old transactions are in the database of rings
	LastBlockReward  uint64
	RPCClientSecret  [32]byte // signs what is asked of daemons that are paid for answers
	EverRefreshed    bool     // has read blocks from a daemon; always false before release 0.18.1.1
	BackgroundSynced *Background

	secret []byte // the whole data
}

// Scanned returns the number of blocks whose transactions the lists have: that of Chain, or less when blocks were read
// in the background, without the spend key, and what they brought is still in BackgroundSynced.
func (c *Cache) Scanned() uint64 {
	if b := c.BackgroundSynced; b != nil && len(b.Transactions) > 0 {
		return min(b.StartHeight, c.Chain.Height())
	}
	return c.Chain.Height()
}

// Chain is what is known of the blocks that were read.
type Chain struct {
	Offset  uint64 // index of the first block of Hashes
	Genesis xmr.Hash
	Hashes  []xmr.Hash // IDs of the newest blocks
}

// Height returns the number of blocks that were read, the first block of the chain included.
func (c Chain) Height() uint64 { return c.Offset + uint64(len(c.Hashes)) }

// Transfer is an output of the wallet's. Source: wallet2.h, transfer_details.
//
// An output that was imported from a wallet that sees and cannot spend has no Height, and a TxID of zeros; its Prefix
// has no inputs, but the Extra with the transaction's public keys. Its Index is 0, 0 up to release 0.18.1.0.
type Transfer struct {
	Height      uint64 // index of its block
	Prefix      []byte // of its transaction, as blocks have it
	Extra       []byte // of its transaction
	TxID        xmr.Hash
	OutputIndex uint64 // among its transaction's
	GlobalIndex uint64 // among all outputs of its amount
	Key         xmr.PublicKey
	Amount      uint64
	Mask        [32]byte // opens its commitment
	RingCT      bool
	Spent       bool
	SpentHeight uint64 // index of the block, 0 while it is in the pool
	Frozen      bool
	Index       Index
	PublicKey   uint64 // which public key of its transaction paid it

	KeyImage          xmr.KeyImage
	KeyImageKnown     bool
	KeyImageRequested bool
	KeyImagePartial   bool // of a wallet of several signers
	MultisigNonces    [][32]byte
	MultisigInfo      []MultisigInfo
	Uses              []Use
}

// MultisigInfo is what another signer told of an output. Source: wallet2.h, multisig_info.
type MultisigInfo struct {
	Signer           xmr.PublicKey
	Nonces           [][2][32]byte // L and R
	PartialKeyImages []xmr.KeyImage
}

// Use is a transaction that has the output in a ring.
type Use struct {
	Height uint64
	TxID   xmr.Hash
}

// State is what the reference thinks of a transaction that no block has.
type State uint8

// The states of Sent: two of what is pending, for releases differ in what the second means. Source: wallet2.h,
// unconfirmed_transfer_details.
const (
	StatePending State = iota // relayed
	// StateLooked is what a look at a daemon's pool makes of pending: not there, before release 0.18.3.0; there,
	// since then.
	StateLooked
	StateFailed
)

// Sent is a transaction of the wallet's. Source: wallet2.h, unconfirmed_transfer_details and
// confirmed_transfer_details.
type Sent struct {
	TxID   xmr.Hash
	Prefix []byte // as blocks have it; nil when the file does not have it
	// AmountIn is what it spent, AmountOut what its outputs have, Change included: the difference is the fee.
	AmountIn, AmountOut uint64
	Change              uint64 // 2^64−1 when unknown
	Destinations        []Destination
	PaymentID           xmr.Hash // of eight bytes and 24 zeros, or of old; zeros for none
	Timestamp           uint64   // POSIX seconds
	Account             uint32   // that it spent from; 2^32−1 when unknown
	Addresses           []uint32 // of Account, whose outputs it spent
	Rings               []Ring

	SentTime uint64 // of Pending, POSIX seconds
	State    State  // of Pending

	Height     uint64 // of Confirmed: index of its block
	UnlockTime uint64 // as the transaction has it; of Confirmed
}

// Destination is one that a transaction paid. Source: src/cryptonote_core/cryptonote_tx_utils.h, tx_destination_entry.
type Destination struct {
	Original     string // the address as it was given; empty in old files
	Amount       uint64
	Spend, View  xmr.PublicKey
	IsSubaddress bool
	IsIntegrated bool // its payment ID is that of the transaction
}

// Ring is one of a transaction's rings. Offsets are global indices: the first, then differences.
type Ring struct {
	KeyImage xmr.KeyImage
	Offsets  []uint64
}

// Payment is what a transaction brought to an address. Source: wallet2.h, payment_details.
type Payment struct {
	PaymentID  xmr.Hash // of eight bytes and 24 zeros, or of old; zeros for none
	TxID       xmr.Hash
	Amount     uint64
	Amounts    []uint64 // of each output; empty in old files
	Fee        uint64
	Height     uint64 // index of the block, 0 in the pool
	UnlockTime uint64
	Timestamp  uint64 // POSIX seconds
	Coinbase   bool
	Index      Index
}

// PoolPayment is a Payment that was in the pool.
type PoolPayment struct {
	Payment
	DoubleSpendSeen bool
}

// TxKey are the secret keys of a transaction.
type TxKey struct {
	TxID       xmr.Hash
	Key        [32]byte
	Additional [][32]byte // one an output, where it pays subaddresses
}

// Watched says how many addresses of an account a wallet looks for.
type Watched struct{ Account, Addresses uint32 }

// Note is the owner's text about a transaction.
type Note struct {
	TxID xmr.Hash
	Text string
}

// Attribute is a pair of texts that a client keeps with the wallet.
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

// ImageOf says which of Transfers has a key image.
type ImageOf struct {
	Image    xmr.KeyImage
	Transfer uint64
}

// KeyOf says which of Transfers has a key.
type KeyOf struct {
	Key      xmr.PublicKey
	Transfer uint64
}

// ColdImage is a key image by the output's key.
type ColdImage struct {
	Key   xmr.PublicKey
	Image xmr.KeyImage
}

// DeviceData is what a hardware device wants to have back with a transaction.
type DeviceData struct {
	TxID xmr.Hash
	Data []byte
}

// Background is what a synchronisation without the spend key has found and the wallet has not yet taken over: the lists
// have it at most as a wallet sees it that cannot spend, although Chain has its blocks. Scanned says where to go on.
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
	Base            []byte // without signatures and proofs, as blocks have it
	OutputIndices   []uint64
	Height          uint64
	Timestamp       uint64 // of the block
	DoubleSpendSeen bool
}
