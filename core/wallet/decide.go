package wallet

import (
	"errors"
	"slices"

	"glim/core/block"
	"glim/core/keys"
	"glim/core/scan"
	"glim/core/smallfmt"
	"glim/core/tx"
	"glim/core/xmr"
)

// ErrGap reports blocks that do not follow the wallet's tip.
var ErrGap = errors.New("wallet: blocks do not follow the last one scanned")

// ErrAmounts reports a transaction whose amounts exceed the total supply. No valid chain contains one, so the daemon
// is malicious. Nothing of its answer is recorded, and the wallet can continue with another daemon.
var ErrAmounts = errors.New("wallet: the amounts of a transaction exceed the total supply")

// ScannedBlock is a block that syncer.Scan has scanned with the view key.
type ScannedBlock struct {
	BlockID
	Version   uint8       // major version: the hard fork whose rules it follows
	Timestamp uint64      // POSIX seconds
	Txs       []ScannedTx // the coinbase transaction first
}

// ScannedTx is a transaction that syncer.Scan or syncer.ScanTxs has scanned. Indices are the global indices of its
// outputs; nil for a pool transaction.
type ScannedTx struct {
	ID              xmr.Hash
	Tx              *tx.Transaction
	Indices         []uint64
	Found           *scan.Found // nil if no output can belong to the wallet
	Wide            *Wide       // in place of Found, for a transaction for which scan.Wide holds
	DoubleSpendSeen bool        // the daemon claims so about a pool transaction
}

// HostEventKind is the kind of a HostEvent.
type HostEventKind uint8

// The kinds.
const (
	MoneyReceived HostEventKind = iota // an output on the chain
	MoneySpent                         // a transaction on the chain spent outputs
	MoneyInPool                        // an incoming payment in the pool
	// An output that can never be spent because its key was used before; not part of the balance.
	BurntOutput
	Reorganised // blocks from Height on were dropped
	// The daemon has different blocks from Height on, and dropping that many is not allowed.
	ReorganisationRefused
)

// HostEvent describes a change to the host, for its log and its notification command. It is not stored, and a crash
// may lose it; a Notice is the durable record for clients.
type HostEvent struct {
	Kind    HostEventKind
	TxID    xmr.Hash
	Amount  uint64 // atomic units
	Height  uint64 // index of the block; 0 in the pool
	Address keys.Index
}

// spends reports whether a transaction of b spends key image i.
func (b *ScannedBlock) spends(i xmr.KeyImage) bool {
	for t := range b.Txs {
		inputs := b.Txs[t].Tx.Inputs
		if slices.ContainsFunc(inputs, func(in tx.Input) bool { return same(&in, i) }) {
			return true
		}
	}
	return false
}

// DecideBlocks returns the change that blocks make. They must follow the wallet's tip. top is the index of the last
// block of the chain as far as known. It returns ErrGap if the blocks do not follow; a *keys.UnknownKeyImagesError if
// it needs key images that only an external signer can compute; a *SearchError if wide transactions must be searched
// first. After either of the latter two is resolved, the decision is to be made again.
func (w *Wallet) DecideBlocks(blocks []ScannedBlock, top uint64) (ChangeSet, []HostEvent, error) {
	clearFirst := false
	if _, begun := w.chain.tip(); !begun && len(w.outputs) > 0 && len(blocks) > 0 {
		w, clearFirst = w.withoutImported(), true
	}
	d, tell := newDraft(w), w.newNoticeBuilder()
	d.change.Clear = clearFirst
	d.unknownImages = w.outputsWithoutImage()
	ids := make([]BlockID, len(blocks))
	next, checked := uint64(0), false
	if tip, ok := w.chain.tip(); ok {
		next, checked = tip.Height+1, true
	}
	for i := range blocks {
		b := &blocks[i]
		if checked && b.Height != next {
			return ChangeSet{}, nil, smallfmt.Errorf("%w: block %d after %d", ErrGap, b.Height, next-1)
		}
		next, checked = b.Height+1, true
		ids[i] = b.BlockID
		d.block = b
		for j := range b.Txs {
			spends, payments := len(d.change.Spends), len(d.change.Payments)
			if err := d.apply(&b.Txs[j], b, j == 0); err != nil {
				return ChangeSet{}, nil, err
			}
			for _, s := range d.change.Spends[spends:] {
				tell.confirmed(spendNotice(&s, NoticeConfirmed))
			}
			for _, p := range d.change.Payments[payments:] {
				tell.confirmed(paymentNotice(&p, NoticeConfirmed))
			}
		}
		tell.end(b)
		d.change.Time = max(d.change.Time, b.lockTime())
	}
	if err := d.missing(); err != nil {
		return ChangeSet{}, nil, err
	}
	d.change.Blocks = worthKeeping(ids, top)
	if n := len(blocks); n > 0 && len(blocks[n-1].Txs) > 0 {
		for _, o := range blocks[n-1].Txs[0].Tx.Outputs {
			d.change.Reward += o.Amount
		}
		d.change.Total = blocks[n-1].total()
		d.change.Forked = blocks[n-1].Version >= block.TreeVersion
	}
	return ChangeSet{Chain: d.change, Notices: NoticeChange{Add: tell.list}}, d.events, nil
}

// total returns the number of RingCT outputs on the chain up to and including b, according to the last global index;
// 0 if b has none.
func (b *ScannedBlock) total() uint64 {
	for i := len(b.Txs) - 1; i >= 0; i-- {
		if t := &b.Txs[i]; t.Tx.Version >= 2 && len(t.Indices) > 0 {
			return t.Indices[len(t.Indices)-1] + 1
		}
	}
	return 0
}

// DecideDetach drops every block from index height on after a reorganisation. Transactions sent in those blocks
// become SendReorganised as of now, in POSIX seconds.
func (w *Wallet) DecideDetach(height, now uint64) (ChangeSet, []HostEvent) {
	c := w.detaching(height, now)
	c.Notices.Add = w.detachNotices(height)
	return c, []HostEvent{{Kind: Reorganised, Height: height}}
}

func (w *Wallet) detaching(height, now uint64) ChangeSet {
	c := ChangeSet{Chain: ChainChange{Detach: &height}}
	for _, s := range w.Spends() {
		if _, ours := w.sent[s.TxID]; ours && s.Height >= height {
			c.User.States = append(c.User.States, SendChange{TxID: s.TxID, State: SendReorganised, SentAt: now})
		}
	}
	return c
}
