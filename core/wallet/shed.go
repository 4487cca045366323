package wallet

import (
	"slices"

	"glim/core/tx"
	"glim/core/xmr"
)

// keptWhole is how many blocks deep a transaction of this wallet's own must be before its bytes and its rings are let go of. They are needed
// while it may have to be relayed once more, or its outputs be spent by another in its place: while a reorganisation may take it off the
// chain. From this depth on the rules let even new money be spent, see xmr.CoinbaseUnlock; no public reorganisation came to a third of it.
// The daemon has the bytes from then on.
const keptWhole = xmr.CoinbaseUnlock

// deep returns the index of the block in which, and below which, transactions are deep enough; 0 when none is.
func (w *Wallet) deep() uint64 {
	tip, _ := w.chain.tip()
	return tip.Height - min(tip.Height, keptWhole)
}

// shed lets go of what sank deep enough since it was last called, or came there at once.
func (w *Wallet) shed() {
	to := w.deep()
	for _, sp := range w.SpendsIn(w.shedTo, to) {
		w.shedSent(sp)
		for _, image := range sp.Images {
			w.shedHidden(image)
		}
	}
	w.shedTo = to
}

// shedSent keeps of what sp made, if this wallet sent it, what its history takes.
func (w *Wallet) shedSent(sp *Spend) {
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
		n.Spent = sp.Images // one copy is enough
	}
	// Whatever a daemon said of it: it was on the chain. Should it come off once more, it counts until a pool says otherwise.
	n.State, n.Reason = SendInPool, ""
	w.sent[n.TxID] = &n
}
