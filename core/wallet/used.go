package wallet

import (
	"slices"

	"glim/core/keys"
)

// make notes that the address i, and all before it, exist by the owner's doing: they stay whatever becomes of what was paid to them.
func (w *Wallet) make(i keys.Index) {
	if int(i.Major) >= len(w.accounts) || int(i.Minor) >= len(w.accounts[i.Major]) || w.isMade(i) {
		return
	}
	w.made = slices.Clone(w.made) // others may share it
	reach(&w.made, i)
}

func (w *Wallet) isMade(i keys.Index) bool {
	return int(i.Major) < len(w.made) && i.Minor < w.made[i.Major]
}

// reach raises counts of addresses by account so that the address i exists.
func reach(counts *[]uint32, i keys.Index) {
	for uint32(len(*counts)) <= i.Major {
		*counts = append(*counts, 1)
	}
	(*counts)[i.Major] = max((*counts)[i.Major], i.Minor+1)
}

// DecideUnused drops the addresses that exist only because something was paid to them which is neither on the chain nor in the pool any more,
// and the accounts of which nothing else is left. So a chain that was not the true one leaves no addresses behind.
func (w *Wallet) DecideUnused() ChangeSet {
	if slices.Equal(w.made, w.addressCounts()) {
		return ChangeSet{}
	}
	counts := slices.Clone(w.made)
	for _, list := range [][]Output{w.outputs, w.twins} {
		for i := range list {
			reach(&counts, list[i].Address)
		}
	}
	for i := range w.payments {
		reach(&counts, w.payments[i].Address)
	}
	for _, p := range w.pool {
		for i := range p.Payments {
			reach(&counts, p.Payments[i].Address)
		}
	}
	have := w.addressCounts()
	counts = counts[:min(len(counts), len(have))]
	for i := range counts {
		counts[i] = min(counts[i], have[i])
	}
	if slices.Equal(counts, have) {
		return ChangeSet{}
	}
	return ChangeSet{Chain: ChainChange{Accounts: counts}}
}

// keep drops addresses beyond those counted.
func (w *Wallet) keep(counts []uint32) {
	if len(counts) == 0 {
		return
	}
	kept := slices.Clone(w.accounts[:min(len(counts), len(w.accounts))])
	for i := range kept {
		if n := int(counts[i]); n < len(kept[i]) {
			kept[i] = kept[i][:n:n]
		}
	}
	w.accounts = kept
}
