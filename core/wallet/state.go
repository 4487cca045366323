// Package wallet holds the state of one wallet and the pure decisions that change it.
package wallet

import (
	"bytes"
	"cmp"
	"errors"
	"maps"

	"glim/core/address"
	"glim/core/internal/smallsort"
	"glim/core/keys"
	"glim/core/multisig"
	"glim/core/tx"
	"glim/core/xmr"
)

// Errors. The texts are the reference's.
var (
	ErrAccount = errors.New("account index is out of bound")
	ErrAddress = errors.New("address index is out of bound")
)

// OwnedOutput is an output that the wallet owns; wallet2 calls it a transfer. Amounts are in atomic units. Logs store
// outputs as rows of exactly these fields: a new field needs a row type of its own.
type OwnedOutput struct {
	TxID        xmr.Hash      `json:"txid"`
	Index       uint64        `json:"index"`  // in the transaction
	GlobalIndex uint64        `json:"global"` // among all outputs of its amount; RingCT outputs count as amount 0
	Amount      uint64        `json:"amount"`
	Mask        [32]byte      `json:"mask"`
	Key         xmr.PublicKey `json:"key"`
	Image       xmr.KeyImage  `json:"image"`
	ImageKnown  bool          `json:"image_known"` // false in a view-only wallet until the key image is imported
	Address     keys.Index    `json:"address"`
	Derivation  [32]byte      `json:"derivation"` // the key derivation shared with the sender, secret
	Height      uint64        `json:"height"`     // index of its block
	Timestamp   uint64        `json:"timestamp"`  // of its block, POSIX seconds
	UnlockTime  uint64        `json:"unlock_time"`
	Coinbase    bool          `json:"coinbase"`
	RingCT      bool          `json:"ringct"`

	// Carrot marks an output of the next hard fork. Derivation is then its carrot.EnoteSecret, and EnoteType what its
	// sender said about it. They are stored beside the rows, see appendCarrot.
	Carrot    bool      `json:"carrot" epee:"-"`
	EnoteType EnoteType `json:"enote_type" epee:"-"`

	// Set by the import of outputs from a view-only wallet.
	Spent          bool `json:"spent"`
	ImageRequested bool `json:"requested"` // the view-only wallet lacks the key image
}

// Payment is what one transaction paid to one address, without change.
type Payment struct {
	TxID       xmr.Hash   `json:"txid"`
	PaymentID  xmr.Hash   `json:"payment_id" epee:"omitempty"` // a short ID fills the first eight bytes
	Amount     uint64     `json:"amount"`
	Amounts    []uint64   `json:"amounts"`
	Fee        uint64     `json:"fee" epee:"omitempty"`
	Height     uint64     `json:"height"` // index of the block; 0 in the pool
	Timestamp  uint64     `json:"timestamp" epee:"omitempty"`
	UnlockTime uint64     `json:"unlock_time" epee:"omitempty"`
	Coinbase   bool       `json:"coinbase" epee:"omitempty"`
	Address    keys.Index `json:"address" epee:"omitempty"`
	// DoubleSpendSeen is the daemon's claim about a pool transaction.
	DoubleSpendSeen bool `json:"double_spend_seen" epee:"-"`
}

// Spend is a transaction on the chain that spent outputs of the wallet, whichever program sent it.
type Spend struct {
	TxID       xmr.Hash       `json:"txid"`
	PaymentID  xmr.Hash       `json:"payment_id" epee:"omitempty"`
	AmountIn   uint64         `json:"amount_in"`
	Fee        uint64         `json:"fee" epee:"omitempty"`
	Change     uint64         `json:"change" epee:"omitempty"` // total received by the spending account
	Height     uint64         `json:"height"`
	Timestamp  uint64         `json:"timestamp" epee:"omitempty"`
	UnlockTime uint64         `json:"unlock_time" epee:"omitempty"`
	Account    uint32         `json:"account" epee:"omitempty"`
	Indices    []uint32       `json:"indices"` // minor indices of the addresses whose outputs were spent, ascending
	Images     []xmr.KeyImage `json:"images" epee:"blob"`
}

// SendState is the state of a transaction that this wallet made.
type SendState uint8

// The states. A mined transaction also has a Spend with the same ID, whatever its state.
const (
	SendPending SendState = iota // recorded; submitted to a daemon or about to be
	SendInPool                   // a daemon reported it in its pool
	SendFailed                   // rejected, or dropped from the pool; its inputs are free again
	SendDraft                    // returned to a client with an idempotency key, not submitted; only among the drafts
	// Imported as mined from another program's file; does not count as pending until the wallet scans its block.
	SendMined
	// Its block is no longer in the chain. It does not count in balances until it is in the pool or in a block again,
	// but its inputs stay reserved until it has failed.
	SendReorganised
)

// Destination is a recipient's address, as the user entered it, and an amount in atomic units.
type Destination struct {
	Address string `json:"address"`
	Amount  uint64 `json:"amount"`
}

// Ring is the ring of one input: the global indices of its members, ascending.
type Ring struct {
	Image   xmr.KeyImage `json:"image"`
	Indices []uint64     `json:"indices" epee:"blob"`
}

// Sent is a transaction that this wallet made, with data that cannot be recovered from the chain.
type Sent struct {
	TxID           xmr.Hash       `json:"txid"`
	Blob           []byte         `json:"blob"`   // for submitting it again; empty once it is deep in the chain
	Weight         uint64         `json:"weight"` // 0 if only Blob determines it
	PaymentID      xmr.Hash       `json:"payment_id"`
	AmountIn       uint64         `json:"amount_in"`
	Fee            uint64         `json:"fee"`
	Change         uint64         `json:"change"`
	UnlockTime     uint64         `json:"unlock_time"`
	Account        uint32         `json:"account"`
	Indices        []uint32       `json:"indices"`
	Destinations   []Destination  `json:"destinations"`
	Rings          []Ring         `json:"rings"`             // empty once it is deep in the chain
	Spent          []xmr.KeyImage `json:"spent" epee:"blob"` // the key images of Rings, once these are dropped
	Key            keys.Secret    `json:"key"`
	AdditionalKeys []keys.Secret  `json:"additional_keys" epee:"blob"`
	SentAt         uint64         `json:"sent_at"` // POSIX seconds
	State          SendState      `json:"state"`
	Reason         string         `json:"reason"`  // why it failed, for display
	Request        string         `json:"request"` // the client's idempotency key; may be empty
	Part           uint32         `json:"part"`    // number of this transaction within the payment
}

// PoolTx is a transaction in the daemon's pool that concerns the wallet. It is the daemon's current claim and never
// stored.
type PoolTx struct {
	TxID     xmr.Hash
	Payments []Payment
	Spend    *Spend // nil unless it spends outputs of the wallet
}

// Identity is the part of a wallet that never changes: network, keys, restore height. It is the first record of a
// log.
type Identity struct {
	Network       xmr.Network
	Keys          *keys.Keys
	Language      string // of the seed; empty without one
	Words         Words  // a Polyseed that the wallet was made from; empty if the keys determine the seed
	RestoreHeight uint64 // index of the first block that can concern the wallet
	// Background says that this is the state of background syncing: Keys lack the spend key, and the wallet records
	// the transactions to process again with it.
	Background bool
	// Multisig is the owner's part in a multisig group, or nil. Keys are then those of the group, without a spend
	// key; until the key exchange is complete, the public spend key is the identity.
	Multisig *multisig.Account
	// EnableMultisig says that multisig was enabled when the wallet was created.
	EnableMultisig bool
}

// Words is a seed phrase, a secret that never prints.
type Words []byte

// String hides the words.
func (Words) String() string { return "[secret]" }

// GoString hides the words.
func (Words) GoString() string { return "[secret]" }

// Wallet is the state of one wallet. Only Commit changes it. It is not safe for concurrent use: its owner must lock.
type Wallet struct {
	identity  Identity
	lookahead Lookahead
	texts     *Texts

	accounts [][]string // labels, by account and minor index
	// Number of addresses of each account that the owner created or used; payments created the others.
	ownerAddresses []uint32
	table          *table

	chain    chain
	prunedTo uint64        // index of the block up to which prune has run
	reward   uint64        // of the last scanned block
	total    uint64        // RingCT outputs up to and including the last scanned block; 0 if unknown
	forked   bool          // whether the last scanned block is of the next hard fork
	outputs  []OwnedOutput // in chain order, one for each key
	burnt    []OwnedOutput // further outputs with keys of outputs: only one output of a key can be spent
	byKey    map[xmr.PublicKey]int
	byImage  map[imageBegin]int
	payments []Payment // in chain order
	spends   map[xmr.Hash]*Spend
	inOrder  []*Spend                  // the same, by height, then by ID
	spentBy  map[xmr.KeyImage]xmr.Hash // transactions on the chain
	frozen   map[xmr.PublicKey]bool

	images     map[xmr.PublicKey]KnownImage // imported into a wallet without the spend key
	imageOwner map[xmr.KeyImage]xmr.PublicKey
	// Of transactions signed for a view-only wallet, or sent by another program.
	txKeys      map[xmr.Hash]TxKey
	ringRecords map[xmr.PublicKey]*RingRecord // of attempts to spend outputs; an entry is replaced, never changed

	ledger    ledger
	pending   pendingTotals
	unordered bool // whether something is not in chain order
	copied    bool // whether outputs is a copy that the current change may modify

	replaying bool                         // ledger, pending and reserved are then computed only at the end
	payees    map[xmr.Hash][]xmr.PublicKey // spend keys that unmined transactions pay, where they were computed

	maxReorgDepth uint64

	background Background
	noted      noted // recorded during background syncing

	multisigEnabled bool
	cosigning       cosigning

	takeover *Takeover    // from another program's file, most recent only
	shared   *SharedCache // file written for another program since then; may be nil
	revision uint64       // see Revision

	annotations annotations
	notices     notices
	sent        map[xmr.Hash]*Sent
	drafts      map[xmr.Hash]*Sent        // made for an idempotency key and returned unsent; not in sent
	unmined     map[xmr.Hash]*Sent        // the part of sent that is in no block
	reserved    map[xmr.KeyImage]xmr.Hash // by transactions sent that are neither mined nor failed
	pool        map[xmr.Hash]*PoolTx
	inPool      map[xmr.KeyImage]xmr.Hash // by pool transactions
}

// New returns an empty wallet with one account.
func New(o Identity, l Lookahead) *Wallet {
	w := newWallet(o, l)
	w.table.grow(o.Keys, w.ahead(l), w.addressCounts())
	return w
}

// newWallet is New without filling the address table.
func newWallet(o Identity, l Lookahead) *Wallet {
	w := &Wallet{
		identity: o, lookahead: l, texts: newTexts(o),
		accounts: [][]string{{"Primary account"}}, ownerAddresses: []uint32{1}, maxReorgDepth: DefaultMaxReorgDepth,
		table:  newTable(),
		frozen: map[xmr.PublicKey]bool{},
		images: map[xmr.PublicKey]KnownImage{}, imageOwner: map[xmr.KeyImage]xmr.PublicKey{},
		txKeys: map[xmr.Hash]TxKey{}, ringRecords: map[xmr.PublicKey]*RingRecord{},
		sent: map[xmr.Hash]*Sent{}, drafts: map[xmr.Hash]*Sent{}, unmined: map[xmr.Hash]*Sent{},
		payees: map[xmr.Hash][]xmr.PublicKey{}, annotations: newAnnotations(), notices: newNotices(),
		multisigEnabled: o.EnableMultisig, cosigning: newCosigning(),
	}
	w.clearChain()
	w.SetPool(nil)
	return w
}

func (w *Wallet) clearChain() {
	w.chain, w.reward, w.total, w.forked, w.prunedTo = chain{}, 0, 0, false, 0
	w.outputs, w.burnt, w.payments = nil, nil, nil
	w.byKey, w.byImage = map[xmr.PublicKey]int{}, map[imageBegin]int{}
	w.spends, w.spentBy, w.inOrder = map[xmr.Hash]*Spend{}, map[xmr.KeyImage]xmr.Hash{}, nil
	w.unmined, w.unordered = maps.Clone(w.sent), false
	maps.DeleteFunc(w.unmined, func(_ xmr.Hash, s *Sent) bool { return s.State == SendMined })
	w.ledger = newLedger()
	w.noted = noted{}
	w.reserve()
}

// Identity returns the part of the wallet that never changes.
func (w *Wallet) Identity() Identity { return w.identity }

// Keys returns the wallet's keys.
func (w *Wallet) Keys() *keys.Keys { return w.identity.Keys }

// Lookahead returns how far beyond the last used address the wallet looks for payments.
func (w *Wallet) Lookahead() Lookahead { return w.lookahead }

// Height returns the number of blocks the wallet has scanned: the index of the last plus one. It is 1 before the
// first scan, because the genesis block is known.
func (w *Wallet) Height() uint64 {
	if tip, ok := w.chain.tip(); ok {
		return tip.Height + 1
	}
	return 1
}

// Tip returns the last scanned block; it returns false before the first.
func (w *Wallet) Tip() (BlockID, bool) { return w.chain.tip() }

// LastReward returns the block reward of the last scanned block in atomic units; 0 before the first.
func (w *Wallet) LastReward() uint64 { return w.reward }

// TotalOutputs returns the number of RingCT outputs on the chain up to and including the last scanned block,
// according to the daemon's global indices; 0 if unknown.
func (w *Wallet) TotalOutputs() uint64 { return w.total }

// BlockAt returns the hash remembered for the block with index height; false if it is not kept.
func (w *Wallet) BlockAt(height uint64) (xmr.Hash, bool) { return w.chain.at(height) }

// History returns the hashes of known blocks from the tip down, increasingly sparse, the genesis block last. A daemon
// uses it to find a fork.
func (w *Wallet) History() []xmr.Hash { return w.chain.history(w.identity.Network.GenesisHash()) }

func (w *Wallet) addressCounts() []uint32 {
	counts := make([]uint32, len(w.accounts))
	for i, labels := range w.accounts {
		counts[i] = uint32(len(labels))
	}
	return counts
}

// Accounts returns the number of accounts.
func (w *Wallet) Accounts() uint32 { return uint32(len(w.accounts)) }

// Addresses returns the number of addresses of account. It returns ErrAccount if the account does not exist.
func (w *Wallet) Addresses(account uint32) (uint32, error) {
	if account >= w.Accounts() {
		return 0, ErrAccount
	}
	return uint32(len(w.accounts[account])), nil
}

// Label returns the label of address i; empty if it has none or does not exist.
func (w *Wallet) Label(i keys.Index) string {
	if i.Major < w.Accounts() && int(i.Minor) < len(w.accounts[i.Major]) {
		return w.accounts[i.Major][i.Minor]
	}
	return ""
}

// Address returns address i, whether or not it exists in the wallet.
func (w *Wallet) Address(i keys.Index) address.Address {
	spend, view := w.identity.Keys.Address(i)
	return address.At(w.identity.Network, i, spend, view)
}

// IndexOf returns the index of the address with this public spend key, if it is within the lookahead.
func (w *Wallet) IndexOf(spend xmr.PublicKey) (keys.Index, bool) {
	i, ok := w.table.filled().index[spend]
	return i, ok
}

// Outputs returns the owned outputs in chain order. The caller must not change the slice; later changes of the wallet
// do not affect it.
func (w *Wallet) Outputs() []OwnedOutput { return w.outputs }

// OutputByImage returns the output with key image i.
func (w *Wallet) OutputByImage(i xmr.KeyImage) (*OwnedOutput, bool) {
	n, ok := w.byImage[begin(i)]
	if !ok {
		return nil, false
	}
	return &w.outputs[n], true
}

// imageBegin is the start of a key image. Outputs are looked up by it because compact blocks contain no more.
type imageBegin [tx.ShortKeyImageSize]byte

func begin(i xmr.KeyImage) imageBegin { return imageBegin(i[:]) }

// same reports whether in may have key image i: compact inputs have only the start of theirs.
func same(in *tx.Input, i xmr.KeyImage) bool {
	if in.Coinbase {
		return false
	}
	return in.KeyImage == i || in.ShortKeyImage && begin(in.KeyImage) == begin(i)
}

// Payments returns the incoming payments on the chain in chain order. The caller must not change the slice; later
// changes of the wallet do not affect it.
func (w *Wallet) Payments() []Payment { return w.payments }

// Spends returns the transactions on the chain that spent outputs of the wallet, by height, then by ID. The caller
// must not change the slice; later changes of the wallet do not affect it.
func (w *Wallet) Spends() []*Spend { return w.inOrder }

// SpendOf returns the Spend of the mined transaction id.
func (w *Wallet) SpendOf(id xmr.Hash) (*Spend, bool) { s, ok := w.spends[id]; return s, ok }

// SentTx returns the transaction id if this wallet made it.
func (w *Wallet) SentTx(id xmr.Hash) (*Sent, bool) { s, ok := w.sent[id]; return s, ok }

// Unmined returns the transactions this wallet made that are in no block, oldest first, including failed ones.
func (w *Wallet) Unmined() []*Sent {
	return smallsort.Sorted(maps.Values(w.unmined), func(a, b *Sent) int {
		return cmp.Or(cmp.Compare(a.SentAt, b.SentAt), bytes.Compare(a.TxID[:], b.TxID[:]))
	})
}

// Pool returns the pool transactions that concern the wallet, sorted by ID.
func (w *Wallet) Pool() []*PoolTx {
	return smallsort.Sorted(maps.Values(w.pool), func(a, b *PoolTx) int {
		return bytes.Compare(a.TxID[:], b.TxID[:])
	})
}

// SpentBy returns the ID of the mined transaction that spent o.
func (w *Wallet) SpentBy(o *OwnedOutput) (xmr.Hash, bool) {
	if !o.ImageKnown {
		return xmr.Hash{}, false
	}
	id, ok := w.spentBy[o.Image]
	return id, ok
}

// IsSpent reports whether o is spent on the chain or, unless strict, by a pending transaction.
func (w *Wallet) IsSpent(o *OwnedOutput, strict bool) bool {
	if o.Spent {
		return true
	}
	if !o.ImageKnown {
		return false
	}
	if _, ok := w.spentBy[o.Image]; ok {
		return true
	}
	return !strict && (w.isReserved(o) || w.spentByPending(o))
}

// IsFrozen reports whether the user froze o.
func (w *Wallet) IsFrozen(o *OwnedOutput) bool { return w.frozen[o.Key] }
