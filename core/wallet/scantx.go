package wallet

import (
	"bytes"
	"cmp"
	"errors"
	"maps"
	"slices"

	"glim/core/internal/order"
	"glim/core/say"
	"glim/core/xmr"
)

// Errors of DecideScan.
var (
	// ErrAhead: a transaction is in a block the wallet has not seen yet. Refresh first.
	ErrAhead = errors.New("wallet: the transaction is in a block not scanned yet")
	// ErrIncomplete: a transaction that Since lists is not among those given. Ask Since again.
	ErrIncomplete = errors.New("wallet: a transaction that must be looked at again is missing")
	// ErrMoved: a transaction is not where it was scanned; the chain has taken another way. Refresh first.
	ErrMoved = errors.New("wallet: the transaction has moved to another block")
)

// Mined is a scanned transaction with its place on the chain.
type Mined struct {
	Tx
	Height    uint64 // index of the block
	Timestamp uint64 // of the block, POSIX seconds
	Version   uint8  // of the block: the hard fork whose rules it follows
}

// Since lists the transactions that the wallet knows from the block with index height on, each with its block's index.
func (w *Wallet) Since(height uint64) map[xmr.Hash]uint64 {
	found := map[xmr.Hash]uint64{}
	add := func(id xmr.Hash, at uint64) {
		if at >= height {
			found[id] = at
		}
	}
	for i := range w.outputs {
		add(w.outputs[i].TxID, w.outputs[i].Height)
	}
	for i := range w.twins {
		add(w.twins[i].TxID, w.twins[i].Height)
	}
	for i := range w.payments {
		add(w.payments[i].TxID, w.payments[i].Height)
	}
	for id, s := range w.spends {
		add(id, s.Height)
	}
	return found
}

// DecideScan says what single transactions change that are in blocks the wallet has seen, such as one that paid an
// address it did not know then. The transactions that are known from the first of them on must be among txs, for they
// may spend what comes before them: all are looked at again, in the chain's order, so that the wallet becomes what it would be
// had it seen them in their time. What is known already counts once; only the rest makes events.
// Errors: ErrAhead, ErrIncomplete, ErrMoved; a *keys.WantedError or *SearchError as in DecideBlocks.
// Source: src/wallet/wallet2.cpp, scan_tx.
func (w *Wallet) DecideScan(txs []Mined) (ChangeSet, []Event, error) {
	if len(txs) == 0 {
		return ChangeSet{}, nil, nil
	}
	txs = slices.Clone(txs)
	order.Stable(txs, inChainOrder)
	from := txs[0].Height
	if last := txs[len(txs)-1].Height; last >= w.Height() || len(w.chain.ids) == 0 {
		return ChangeSet{}, nil, say.Errorf("%w: block %d", ErrAhead, last)
	}
	known, all := w.Since(from), w.Since(0)
	missing := maps.Clone(known)
	for i := range txs {
		if at, ok := all[txs[i].ID]; ok && at != txs[i].Height {
			return ChangeSet{}, nil, say.Errorf("%w: %s", ErrMoved, txs[i].ID)
		}
		delete(missing, txs[i].ID)
	}
	if len(missing) > 0 {
		return ChangeSet{}, nil, ErrIncomplete
	}

	d := newDraft(w.before(from))
	seen := map[xmr.Hash]bool{}
	for i := range txs {
		t := &txs[i]
		if seen[t.ID] {
			continue
		}
		seen[t.ID] = true
		if d.block == nil || d.block.Height != t.Height {
			d.block = sameBlock(txs[i:])
		}
		told := len(d.events)
		if err := d.apply(&t.Tx, d.block, t.Tx.Tx.IsCoinbase()); err != nil {
			return ChangeSet{}, nil, err
		}
		if _, old := all[t.ID]; old {
			d.events = d.events[:told]
		}
	}
	if err := d.lacks(); err != nil {
		return ChangeSet{}, nil, err
	}
	if w.found(&d.change, from) {
		return ChangeSet{}, nil, nil
	}
	d.change.Rewind = &from
	return ChangeSet{Chain: d.change, Notices: NoticeChange{Add: w.rewound(&d.change, from)}}, d.events, nil
}

// before returns a wallet that has seen the same blocks and found nothing from height on.
func (w *Wallet) before(height uint64) *Wallet {
	b := w.clone()
	b.drop(height)
	return b
}

// found reports whether c is what w knows from height on, no more and no less.
func (w *Wallet) found(c *ChainChange, height uint64) bool {
	var known ChainChange
	for _, o := range w.allOutputs() {
		if o.Height >= height {
			known.Outputs = append(known.Outputs, o)
		}
	}
	for _, p := range w.payments {
		if p.Height >= height {
			known.Payments = append(known.Payments, p)
		}
	}
	for i := range c.Spends {
		s := w.spends[c.Spends[i].TxID]
		if s == nil || s.Height < height {
			return false
		}
		known.Spends = append(known.Spends, *s)
	}
	spends := 0
	for _, s := range w.spends {
		if s.Height >= height {
			spends++
		}
	}
	was, errWas := (&ChangeSet{Chain: known}).Encode()
	is, errIs := (&ChangeSet{Chain: ChainChange{Outputs: c.Outputs, Payments: c.Payments, Spends: c.Spends}}).Encode()
	return spends == len(c.Spends) && errWas == nil && errIs == nil && bytes.Equal(was, is)
}

// sameBlock gathers the transactions that are in the first one's block.
func sameBlock(txs []Mined) *Block {
	t := &txs[0]
	b := &Block{BlockID: BlockID{Height: t.Height}, Version: t.Version, Timestamp: t.Timestamp}
	for i := range txs {
		if txs[i].Height != t.Height {
			break
		}
		b.Version = max(b.Version, txs[i].Version)
		b.Txs = append(b.Txs, txs[i].Tx)
	}
	return b
}

// inChainOrder compares places on the chain. Within a block outputs of one amount are numbered in order, and all RingCT
// outputs count as one amount; transactions of old that share none stand by ID.
func inChainOrder(a, b Mined) int {
	if c := cmp.Compare(a.Height, b.Height); c != 0 {
		return c
	}
	if a.ID == b.ID {
		return 0
	}
	if a.Tx.Tx.IsCoinbase() {
		return -1
	}
	if b.Tx.Tx.IsCoinbase() {
		return 1
	}
	for i, x := range a.Tx.Tx.Outputs {
		for j, y := range b.Tx.Tx.Outputs {
			if x.Amount == y.Amount && i < len(a.Indices) && j < len(b.Indices) {
				return cmp.Compare(a.Indices[i], b.Indices[j])
			}
		}
	}
	return bytes.Compare(a.ID[:], b.ID[:])
}
