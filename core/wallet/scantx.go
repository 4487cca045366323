package wallet

import (
	"bytes"
	"cmp"
	"errors"
	"maps"
	"slices"

	"glim/core/internal/smallsort"
	"glim/core/smallfmt"
	"glim/core/xmr"
)

// Errors of DecideScan.
var (
	// ErrAhead: a transaction is in a block that is not scanned yet. Refresh first.
	ErrAhead = errors.New("wallet: the transaction is in a block not scanned yet")
	// ErrIncomplete: a transaction returned by TxsFrom is missing. Call TxsFrom again.
	ErrIncomplete = errors.New("wallet: a transaction that must be scanned again is missing")
	// ErrMoved: a transaction is in a different block than when it was scanned, after a reorganisation. Refresh
	// first.
	ErrMoved = errors.New("wallet: the transaction has moved to another block")
)

// MinedTx is a scanned transaction with its position on the chain.
type MinedTx struct {
	ScannedTx
	Height    uint64 // index of the block
	Timestamp uint64 // of the block, POSIX seconds
	Version   uint8  // major version of the block
}

// TxsFrom returns the IDs of the known transactions in blocks from index height on, each with the index of its block.
func (w *Wallet) TxsFrom(height uint64) map[xmr.Hash]uint64 {
	found := map[xmr.Hash]uint64{}
	add := func(id xmr.Hash, at uint64) {
		if at >= height {
			found[id] = at
		}
	}
	for i := range w.outputs {
		add(w.outputs[i].TxID, w.outputs[i].Height)
	}
	for i := range w.burnt {
		add(w.burnt[i].TxID, w.burnt[i].Height)
	}
	for i := range w.payments {
		add(w.payments[i].TxID, w.payments[i].Height)
	}
	for id, s := range w.spends {
		add(id, s.Height)
	}
	return found
}

// DecideScan adds transactions in blocks that the wallet has scanned, such as payments to addresses that were beyond
// the lookahead then. txs must include all known transactions from the first of them on, see TxsFrom, because they
// may spend outputs of earlier ones. All are processed again in chain order, so that the wallet becomes what it would
// be if it had found them originally. Only new transactions cause events. Errors: ErrAhead, ErrIncomplete, ErrMoved;
// a *keys.UnknownKeyImagesError or *SearchError, see DecideBlocks.
// Source: src/wallet/wallet2.cpp, scan_tx.
func (w *Wallet) DecideScan(txs []MinedTx) (ChangeSet, []HostEvent, error) {
	if len(txs) == 0 {
		return ChangeSet{}, nil, nil
	}
	txs = slices.Clone(txs)
	smallsort.Stable(txs, inChainOrder)
	from := txs[0].Height
	if last := txs[len(txs)-1].Height; last >= w.Height() || len(w.chain.ids) == 0 {
		return ChangeSet{}, nil, smallfmt.Errorf("%w: block %d", ErrAhead, last)
	}
	known, all := w.TxsFrom(from), w.TxsFrom(0)
	missing := maps.Clone(known)
	for i := range txs {
		if at, ok := all[txs[i].ID]; ok && at != txs[i].Height {
			return ChangeSet{}, nil, smallfmt.Errorf("%w: %s", ErrMoved, txs[i].ID)
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
		before := len(d.events)
		if err := d.apply(&t.ScannedTx, d.block, t.ScannedTx.Tx.IsCoinbase()); err != nil {
			return ChangeSet{}, nil, err
		}
		if _, old := all[t.ID]; old {
			d.events = d.events[:before]
		}
	}
	if err := d.missing(); err != nil {
		return ChangeSet{}, nil, err
	}
	if w.found(&d.change, from) {
		return ChangeSet{}, nil, nil
	}
	d.change.Rewind = &from
	return ChangeSet{Chain: d.change, Notices: NoticeChange{Add: w.rewindNotices(&d.change, from)}}, d.events, nil
}

// before returns a copy of w that has scanned the same blocks but found nothing from index height on.
func (w *Wallet) before(height uint64) *Wallet {
	b := w.clone()
	b.drop(height)
	return b
}

// found reports whether c equals the state of w from block height on.
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

// sameBlock returns a block with those of txs that are in the block of the first.
func sameBlock(txs []MinedTx) *ScannedBlock {
	t := &txs[0]
	b := &ScannedBlock{BlockID: BlockID{Height: t.Height}, Version: t.Version, Timestamp: t.Timestamp}
	for i := range txs {
		if txs[i].Height != t.Height {
			break
		}
		b.Version = max(b.Version, txs[i].Version)
		b.Txs = append(b.Txs, txs[i].ScannedTx)
	}
	return b
}

// inChainOrder compares positions on the chain. Within a block, global indices of outputs with the same amount
// ascend, and all RingCT outputs have amount 0; old transactions without a common amount are ordered by ID.
func inChainOrder(a, b MinedTx) int {
	if c := cmp.Compare(a.Height, b.Height); c != 0 {
		return c
	}
	if a.ID == b.ID {
		return 0
	}
	if a.ScannedTx.Tx.IsCoinbase() {
		return -1
	}
	if b.ScannedTx.Tx.IsCoinbase() {
		return 1
	}
	for i, x := range a.ScannedTx.Tx.Outputs {
		for j, y := range b.ScannedTx.Tx.Outputs {
			if x.Amount == y.Amount && i < len(a.Indices) && j < len(b.Indices) {
				return cmp.Compare(a.Indices[i], b.Indices[j])
			}
		}
	}
	return bytes.Compare(a.ID[:], b.ID[:])
}
