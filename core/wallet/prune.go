package wallet

import (
	"slices"

	"glim/core/tx"
	"glim/core/xmr"
)

// keptWhole is the depth in blocks below which the bytes and rings of sent transactions are dropped. They are needed
// while a reorganisation may remove the transaction from the chain, to submit it again or to spend its inputs
// otherwise. At this depth even coinbase outputs may be spent, see xmr.CoinbaseUnlock; no public reorganisation
// reached a third of it. The daemon still has the bytes.
const keptWhole = xmr.CoinbaseUnlock

// deep returns the index of the highest block that is deep enough for pruning; 0 on a shorter chain.
func (w *Wallet) deep() uint64 {
	tip, _ := w.chain.tip()
	return tip.Height - min(tip.Height, keptWhole)
}

// prune reduces the transactions that became deep enough since the last call.
func (w *Wallet) prune() {
	to := w.deep()
	for _, sp := range w.SpendsIn(w.prunedTo, to) {
		w.pruneSent(sp)
		for _, image := range sp.Images {
			w.pruneRingRecord(image)
		}
	}
	w.prunedTo = to
}

// pruneSent reduces the sent transaction of sp, if there is one, to the fields that the history shows.
func (w *Wallet) pruneSent(sp *Spend) {
	s := w.sent[sp.TxID]
	if s == nil {
		return
	}
	n := *s
	if len(n.Blob) > 0 {
		if t, err := tx.Parse(n.Blob); err == nil {
			n.Weight = t.Weight()
		}
		n.Blob = nil
	}
	if len(n.Rings) > 0 {
		w.keepRings(n.Rings)
		n.Spent, n.Rings = s.Images(), nil
	}
	if slices.Equal(n.Spent, sp.Images) {
		n.Spent = sp.Images // share one copy
	}
	// It was on the chain, whatever state daemons caused. If it is reorganised away, it counts until a pool says
	// otherwise.
	n.State, n.Reason = SendInPool, ""
	w.sent[n.TxID] = &n
}
