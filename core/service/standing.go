package service

import (
	"cmp"
	"slices"

	"glim/core/session"
	"glim/core/wallet"
)

// Standing says how far an open wallet has come.
type Standing struct {
	Name string // empty for one in memory
	session.Progress
	Notices    uint64 // told since the wallet was made
	Background bool   // its spend key is away
}

// Standing returns how far every open wallet has come, by name.
func (w *Wallets) Standing() []Standing {
	w.shared.mu.Lock()
	all := make([]*open, 0, len(w.wallets)+1)
	for _, o := range w.wallets {
		all = append(all, o)
	}
	w.shared.mu.Unlock()
	if o, err := w.plain.current(); err == nil && !slices.Contains(all, o) {
		all = append(all, o) // of a file that is not in the folder
	}
	list := make([]Standing, len(all))
	for i, o := range all {
		list[i] = Standing{Name: o.name, Progress: o.Progress(), Background: o.Apart()}
		o.View(func(w *wallet.Wallet) { list[i].Notices = w.LastNotice() })
	}
	slices.SortFunc(list, func(a, b Standing) int { return cmp.Compare(a.Name, b.Name) })
	return list
}
