package service

import (
	"cmp"
	"slices"

	"glim/core/session"
	"glim/core/wallet"
)

// WalletStatus is the progress of an open wallet.
type WalletStatus struct {
	Name string // empty for a wallet in memory
	session.Progress
	Notices    uint64 // number of notices since the wallet was made
	Background bool   // the spend key is absent
}

// Statuses returns the progress of every open wallet, by name.
func (w *Wallets) Statuses() []WalletStatus {
	w.shared.mu.Lock()
	all := make([]*openWallet, 0, len(w.wallets)+1)
	for _, o := range w.wallets {
		all = append(all, o)
	}
	w.shared.mu.Unlock()
	if o, err := w.plain.current(); err == nil && !slices.Contains(all, o) {
		all = append(all, o) // its file is outside the wallet folder
	}
	list := make([]WalletStatus, len(all))
	for i, o := range all {
		list[i] = WalletStatus{Name: o.name, Progress: o.Progress(), Background: o.InBackground()}
		o.View(func(w *wallet.Wallet) { list[i].Notices = w.LastNotice() })
	}
	slices.SortFunc(list, func(a, b WalletStatus) int { return cmp.Compare(a.Name, b.Name) })
	return list
}
