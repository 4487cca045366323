// Package wallet is the state of one wallet and the pure decisions that change it.
package wallet

import (
	"bytes"
	"cmp"
	"errors"
	"maps"

	"glim/core/address"
	"glim/core/internal/order"
	"glim/core/keys"
	"glim/core/multisig"
	"glim/core/tx"
	"glim/core/xmr"
)

// Errors a caller can act on.
var (
	ErrAccount = errors.New("account index is out of bound")
	ErrAddress = errors.New("address index is out of bound")
)

// Output is one the wallet owns. Amounts are in atomic units. Logs hold outputs as rows of these fields, which stay as they are: what is
// added later goes into rows of its own.
type Output struct {
	TxID       xmr.Hash      `json:"txid"`
	Index      uint64        `json:"index"`  // in the transaction
	Global     uint64        `json:"global"` // among all outputs of its amount; RingCT outputs count as one amount
	Amount     uint64        `json:"amount"`
	Mask       [32]byte      `json:"mask"`
	Key        xmr.PublicKey `json:"key"`
	Image      xmr.KeyImage  `json:"image"`
	ImageKnown bool          `json:"image_known"` // a view-only wallet does not know it
	Address    keys.Index    `json:"address"`
	Derivation [32]byte      `json:"derivation"` // the secret shared with the sender
	Height     uint64        `json:"height"`     // index of its block
	Timestamp  uint64        `json:"timestamp"`  // of its block, POSIX seconds
	UnlockTime uint64        `json:"unlock_time"`
	Coinbase   bool          `json:"coinbase"`
	RingCT     bool          `json:"ringct"`

	// What a signer without a network was told by the view-only wallet.
	Spent     bool `json:"spent"`
	Requested bool `json:"requested"` // the view-only wallet does not know the key image
}

// Payment is what one transaction brought to one address, net of change to oneself.
type Payment struct {
	TxID       xmr.Hash   `json:"txid"`
	PaymentID  xmr.Hash   `json:"payment_id" epee:"omitempty"` // a short one fills the first eight bytes
	Amount     uint64     `json:"amount"`
	Amounts    []uint64   `json:"amounts"`
	Fee        uint64     `json:"fee" epee:"omitempty"`
	Height     uint64     `json:"height"` // index of the block; 0 in the pool
	Timestamp  uint64     `json:"timestamp" epee:"omitempty"`
	UnlockTime uint64     `json:"unlock_time" epee:"omitempty"`
	Coinbase   bool       `json:"coinbase" epee:"omitempty"`
	Address    keys.Index `json:"address" epee:"omitempty"`
	// DoubleSpendSeen is the daemon's word about a pool transaction.
	DoubleSpendSeen bool `json:"double_spend_seen" epee:"-"`
}

// Spend is a transaction on the chain that spent the wallet's outputs, whoever sent it.
type Spend struct {
	TxID       xmr.Hash       `json:"txid"`
	PaymentID  xmr.Hash       `json:"payment_id" epee:"omitempty"`
	AmountIn   uint64         `json:"amount_in"`
	Fee        uint64         `json:"fee" epee:"omitempty"`
	Change     uint64         `json:"change" epee:"omitempty"` // what came back to the account, all of it
	Height     uint64         `json:"height"`
	Timestamp  uint64         `json:"timestamp" epee:"omitempty"`
	UnlockTime uint64         `json:"unlock_time" epee:"omitempty"`
	Account    uint32         `json:"account" epee:"omitempty"`
	Indices    []uint32       `json:"indices"` // addresses whose outputs were spent, ascending
	Images     []xmr.KeyImage `json:"images" epee:"blob"`
}

// SendState is where a transaction that this wallet made stands.
type SendState uint8

// The states. A mined one has a Spend of the same ID, whatever its state says.
const (
	SendPending SendState = iota // recorded; handed to a daemon or about to be
	SendInPool                   // a daemon reported it in its pool
	SendFailed                   // refused, or gone from the pool; its inputs are free again
	SendDraft                    // given out under a client's name and not sent; among the drafts alone
	SendMined                    // another program saw it in a block: until the wallet reads that, it is not on its way
)

// Destination is who gets how much, with the address as the user typed it.
type Destination struct {
	Address string `json:"address"`
	Amount  uint64 `json:"amount"`
}

// Ring is the ring of one input: its members' global indices, ascending.
type Ring struct {
	Image   xmr.KeyImage `json:"image"`
	Indices []uint64     `json:"indices" epee:"blob"`
}

// Sent is a transaction this wallet made: what only the user has and no chain gives back.
type Sent struct {
	TxID           xmr.Hash       `json:"txid"`
	Blob           []byte         `json:"blob"`   // to relay it again; empty once it is deep in the chain
	Weight         uint64         `json:"weight"` // 0 when only its bytes tell
	PaymentID      xmr.Hash       `json:"payment_id"`
	AmountIn       uint64         `json:"amount_in"`
	Fee            uint64         `json:"fee"`
	Change         uint64         `json:"change"`
	UnlockTime     uint64         `json:"unlock_time"`
	Account        uint32         `json:"account"`
	Indices        []uint32       `json:"indices"`
	Destinations   []Destination  `json:"destinations"`
	Rings          []Ring         `json:"rings"`             // likewise
	Spent          []xmr.KeyImage `json:"spent" epee:"blob"` // the rings' key images, when these are gone
	Key            keys.Secret    `json:"key"`
	AdditionalKeys []keys.Secret  `json:"additional_keys" epee:"blob"`
	SentAt         uint64         `json:"sent_at"` // POSIX seconds
	State          SendState      `json:"state"`
	Reason         string         `json:"reason"`  // why it failed, for people
	Request        string         `json:"request"` // the client's own name for the payment; empty for none
	Part           uint32         `json:"part"`    // which of the payment's transactions this is
}

// PoolTx is what the daemon's pool holds for the wallet. It is the daemon's word of the moment and is never stored.
type PoolTx struct {
	TxID     xmr.Hash
	Payments []Payment
	Spend    *Spend // when it spends the wallet's outputs
}

// Origin is what a wallet is made of; it never changes.
type Origin struct {
	Network       xmr.Network
	Keys          *keys.Keys
	Language      string // of the seed words; empty for wallets without
	Words         Words  // of sixteen that the wallet was made from; empty when its keys say all
	RestoreHeight uint64 // index of the first block that can hold anything of the wallet
	// Background says that this is the state of a wallet whose spend key is elsewhere: Keys are without it, and what has
	// to be looked at again when it is back is noted.
	Background bool
	// Multisig is the owner's part in a group of signers, nil for one person's wallet. Keys are then the group's, without a
	// spend key; until the group has made its keys, the public spend key is the identity.
	Multisig *multisig.Account
	// EnableMultisig says that the owner took the risks of multisig from the beginning.
	EnableMultisig bool
}

// Words are seed words, a secret that never prints.
type Words []byte

// String hides the words.
func (Words) String() string { return "[secret]" }

// GoString hides the words.
func (Words) GoString() string { return "[secret]" }

// Wallet is the state of one wallet. It is changed by Commit alone and is not safe for concurrent use: its owner locks.
type Wallet struct {
	origin    Origin
	lookahead Lookahead
	texts     *Texts

	accounts [][]string // labels, by account and address
	made     []uint32   // how many addresses of each account exist by the owner's doing; those beyond by payments
	table    *table

	chain    chain
	shedTo   uint64   // index of the block up to which shed has been
	reward   uint64   // of the last scanned block
	total    uint64   // RingCT outputs up to and including it; 0 when not known
	outputs  []Output // in chain order, one a key
	twins    []Output // further outputs of the same keys, which can never be spent beside them
	byKey    map[xmr.PublicKey]int
	byImage  map[imageBegin]int
	payments []Payment // in chain order
	spends   map[xmr.Hash]*Spend
	inOrder  []*Spend                  // the same, by height, then by ID
	spentBy  map[xmr.KeyImage]xmr.Hash // by transactions on the chain
	frozen   map[xmr.PublicKey]bool

	images     map[xmr.PublicKey]KnownImage // told to a wallet without the spend key
	imageOwner map[xmr.KeyImage]xmr.PublicKey
	txKeys     map[xmr.Hash]TxKey        // of transactions signed for a view-only wallet, or sent by another program
	hidden     map[xmr.PublicKey]*Hidden // what daemons saw of attempts to spend outputs; an entry never changes, another takes its place

	ledger ledger
	way    way
	tangle bool // whether something is not in chain order
	copied bool // whether outputs are this change's own copy

	replaying bool                         // whether ledger, way and reserved are made at the end alone
	payees    map[xmr.Hash][]xmr.PublicKey // whom unmined transactions pay, as far as that was asked

	maxReorgDepth uint64

	background Background
	noted      noted // by a wallet whose spend key is elsewhere

	multisigEnabled bool
	cosigning       cosigning

	takeover *Takeover // from another program's file; an earlier one is replaced

	papers   papers
	notices  notices
	sent     map[xmr.Hash]*Sent
	drafts   map[xmr.Hash]*Sent        // made under a client's name and given out unsent; not in sent
	unmined  map[xmr.Hash]*Sent        // of what was sent, what is in no block
	reserved map[xmr.KeyImage]xmr.Hash // by transactions sent and neither mined nor failed
	pool     map[xmr.Hash]*PoolTx
	inPool   map[xmr.KeyImage]xmr.Hash // by transactions of the pool
}

// New returns the empty state of a wallet with one account.
func New(o Origin, l Lookahead) *Wallet {
	w := newWallet(o, l)
	w.table.grow(o.Keys, w.ahead(l), w.addressCounts())
	return w
}

// newWallet is New without any address in the table.
func newWallet(o Origin, l Lookahead) *Wallet {
	w := &Wallet{
		origin: o, lookahead: l, texts: newTexts(o),
		accounts: [][]string{{"Primary account"}}, made: []uint32{1}, maxReorgDepth: DefaultMaxReorgDepth,
		table:  newTable(),
		frozen: map[xmr.PublicKey]bool{},
		images: map[xmr.PublicKey]KnownImage{}, imageOwner: map[xmr.KeyImage]xmr.PublicKey{},
		txKeys: map[xmr.Hash]TxKey{}, hidden: map[xmr.PublicKey]*Hidden{},
		sent: map[xmr.Hash]*Sent{}, drafts: map[xmr.Hash]*Sent{}, unmined: map[xmr.Hash]*Sent{}, payees: map[xmr.Hash][]xmr.PublicKey{},
		papers: newPapers(), notices: newNotices(), multisigEnabled: o.EnableMultisig, cosigning: newCosigning(),
	}
	w.clearChain()
	w.SetPool(nil)
	return w
}

func (w *Wallet) clearChain() {
	w.chain, w.reward, w.total, w.shedTo = chain{}, 0, 0, 0
	w.outputs, w.twins, w.payments = nil, nil, nil
	w.byKey, w.byImage = map[xmr.PublicKey]int{}, map[imageBegin]int{}
	w.spends, w.spentBy, w.inOrder = map[xmr.Hash]*Spend{}, map[xmr.KeyImage]xmr.Hash{}, nil
	w.unmined, w.tangle = maps.Clone(w.sent), false
	maps.DeleteFunc(w.unmined, func(_ xmr.Hash, s *Sent) bool { return s.State == SendMined })
	w.ledger = newLedger()
	w.noted = noted{}
	w.reserve()
}

// Origin returns what the wallet is made of.
func (w *Wallet) Origin() Origin { return w.origin }

// Keys returns the wallet's keys.
func (w *Wallet) Keys() *keys.Keys { return w.origin.Keys }

// Lookahead returns how far the wallet looks for payments.
func (w *Wallet) Lookahead() Lookahead { return w.lookahead }

// Height returns the number of blocks the wallet has seen: one more than the index of the last. Before the first scan it
// is 1, for the genesis block is known.
func (w *Wallet) Height() uint64 {
	if tip, ok := w.chain.tip(); ok {
		return tip.Height + 1
	}
	return 1
}

// Tip returns the last scanned block; false before the first.
func (w *Wallet) Tip() (BlockID, bool) { return w.chain.tip() }

// LastReward returns what the last scanned block paid its miner, in atomic units; 0 before the first.
func (w *Wallet) LastReward() uint64 { return w.reward }

// TotalOutputs returns how many RingCT outputs the chain has up to and including the last scanned block, by the indices that the daemon
// gave with it; 0 when that is not known.
func (w *Wallet) TotalOutputs() uint64 { return w.total }

// BlockAt returns the ID remembered for height; false when it is not kept.
func (w *Wallet) BlockAt(height uint64) (xmr.Hash, bool) { return w.chain.at(height) }

// History lists known blocks from the tip down, ever sparser, genesis last: what a daemon needs to find the fork.
func (w *Wallet) History() []xmr.Hash { return w.chain.history(w.origin.Network.GenesisHash()) }

func (w *Wallet) addressCounts() []uint32 {
	counts := make([]uint32, len(w.accounts))
	for i, labels := range w.accounts {
		counts[i] = uint32(len(labels))
	}
	return counts
}

// Accounts returns the number of accounts.
func (w *Wallet) Accounts() uint32 { return uint32(len(w.accounts)) }

// Addresses returns the number of addresses of account, or ErrAccount.
func (w *Wallet) Addresses(account uint32) (uint32, error) {
	if account >= w.Accounts() {
		return 0, ErrAccount
	}
	return uint32(len(w.accounts[account])), nil
}

// Label returns the label of an address; empty when it has none or does not exist.
func (w *Wallet) Label(i keys.Index) string {
	if i.Major < w.Accounts() && int(i.Minor) < len(w.accounts[i.Major]) {
		return w.accounts[i.Major][i.Minor]
	}
	return ""
}

// Address returns the address i, whether or not it was handed out.
func (w *Wallet) Address(i keys.Index) address.Address {
	spend, view := w.origin.Keys.Address(i)
	return address.At(w.origin.Network, i, spend, view)
}

// IndexOf returns which of the wallet's addresses has this public spend key, within the lookahead.
func (w *Wallet) IndexOf(spend xmr.PublicKey) (keys.Index, bool) {
	i, ok := w.table.filled().index[spend]
	return i, ok
}

// Outputs returns the owned outputs in chain order. Read only; it stays as it is whatever the wallet does later.
func (w *Wallet) Outputs() []Output { return w.outputs }

// OutputByImage returns the output with key image i.
func (w *Wallet) OutputByImage(i xmr.KeyImage) (*Output, bool) {
	n, ok := w.byImage[begin(i)]
	if !ok {
		return nil, false
	}
	return &w.outputs[n], true
}

// imageBegin is what a key image begins with. Outputs are looked up by that, for compact blocks tell no more of it.
type imageBegin [tx.ShortImage]byte

func begin(i xmr.KeyImage) imageBegin { return imageBegin(i[:]) }

// same reports whether an input has key image i, as far as is known of it.
func same(in *tx.Input, i xmr.KeyImage) bool {
	if in.Coinbase {
		return false
	}
	return in.KeyImage == i || in.Short && begin(in.KeyImage) == begin(i)
}

// Payments returns the incoming payments on the chain in chain order. Read only; it stays as it is whatever the wallet
// does later.
func (w *Wallet) Payments() []Payment { return w.payments }

// Spends returns the transactions on the chain that spent the wallet's outputs, by height, then by ID. Read only; it
// stays as it is whatever the wallet does later.
func (w *Wallet) Spends() []*Spend { return w.inOrder }

// SpendOf returns the mined transaction id that spent the wallet's outputs.
func (w *Wallet) SpendOf(id xmr.Hash) (*Spend, bool) { s, ok := w.spends[id]; return s, ok }

// SentTx returns the transaction id that this wallet made.
func (w *Wallet) SentTx(id xmr.Hash) (*Sent, bool) { s, ok := w.sent[id]; return s, ok }

// Unmined returns the transactions this wallet made that are in no block, oldest first, failed ones included.
func (w *Wallet) Unmined() []*Sent {
	return order.Sorted(maps.Values(w.unmined), func(a, b *Sent) int {
		return cmp.Or(cmp.Compare(a.SentAt, b.SentAt), bytes.Compare(a.TxID[:], b.TxID[:]))
	})
}

// Pool returns what the daemon's pool holds for the wallet, by ID.
func (w *Wallet) Pool() []*PoolTx {
	return order.Sorted(maps.Values(w.pool), func(a, b *PoolTx) int {
		return bytes.Compare(a.TxID[:], b.TxID[:])
	})
}

// SpentBy returns the mined transaction that spent output o.
func (w *Wallet) SpentBy(o *Output) (xmr.Hash, bool) {
	if !o.ImageKnown {
		return xmr.Hash{}, false
	}
	id, ok := w.spentBy[o.Image]
	return id, ok
}

// IsSpent reports whether o is spent: on the chain, and unless strict also by a transaction on its way.
func (w *Wallet) IsSpent(o *Output, strict bool) bool {
	if o.Spent {
		return true
	}
	if !o.ImageKnown {
		return false
	}
	if _, ok := w.spentBy[o.Image]; ok {
		return true
	}
	return !strict && w.isOnTheWay(o)
}

// IsFrozen reports whether the user froze o.
func (w *Wallet) IsFrozen(o *Output) bool { return w.frozen[o.Key] }
