package wallet

import (
	"slices"

	"glim/core/keys"
)

// markMade records that the owner created or used address i and all before it: they stay even if payments to them
// disappear.
func (w *Wallet) markMade(i keys.Index) {
	if int(i.Major) >= len(w.accounts) || int(i.Minor) >= len(w.accounts[i.Major]) || w.isMade(i) {
		return
	}
	w.ownerAddresses = slices.Clone(w.ownerAddresses) // copies may share it
	reach(&w.ownerAddresses, i)
}

func (w *Wallet) isMade(i keys.Index) bool {
	return int(i.Major) < len(w.ownerAddresses) && i.Minor < w.ownerAddresses[i.Major]
}

// reach raises the numbers of addresses by account so that address i exists.
func reach(counts *[]uint32, i keys.Index) {
	for uint32(len(*counts)) <= i.Major {
		*counts = append(*counts, 1)
	}
	(*counts)[i.Major] = max((*counts)[i.Major], i.Minor+1)
}

// DecideUnused drops addresses that exist only because of payments that are no longer on the chain or in the pool,
// and accounts that become empty. So a malicious daemon's chain leaves no addresses behind.
func (w *Wallet) DecideUnused() ChangeSet {
	if slices.Equal(w.ownerAddresses, w.addressCounts()) {
		return ChangeSet{}
	}
	counts := slices.Clone(w.ownerAddresses)
	for _, list := range [][]OwnedOutput{w.outputs, w.burnt} {
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

// trimAddresses drops addresses beyond counts, the numbers of addresses by account. Empty counts change nothing.
func (w *Wallet) trimAddresses(counts []uint32) {
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
