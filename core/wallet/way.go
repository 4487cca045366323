package wallet

import (
	"glim/core/address"
	"glim/core/xmr"
)

// way is what transactions on their way will change, by account. It is small, and made anew when anything of it may be
// different.
type way map[uint32]*accountWay

type accountWay struct {
	all     onTheWay
	byMinor map[uint32]*onTheWay
}

// onTheWay is what is on its way from and to one address, or an account.
type onTheWay struct {
	out   purse // what it spends, as far as the chain does not
	in    wide
	comes bool // whether anything does, were it nothing at all
}

func (v way) at(account, minor uint32) (*onTheWay, *onTheWay) {
	a := v[account]
	if a == nil {
		a = &accountWay{byMinor: map[uint32]*onTheWay{}}
		v[account] = a
	}
	d := a.byMinor[minor]
	if d == nil {
		d = &onTheWay{}
		a.byMinor[minor] = d
	}
	return &a.all, d
}

// come adds what arrives at an address: change, and payments to oneself, that no block holds yet.
func (v way) come(account, minor uint32, amount uint64) {
	all, d := v.at(account, minor)
	all.in.add(amount, 1)
	d.in.add(amount, 1)
	all.comes, d.comes = true, true
}

// lookAhead finds out what is on its way.
func (w *Wallet) lookAhead() {
	w.way = way{}
	spend := func(image xmr.KeyImage) {
		n, ok := w.byImage[begin(image)]
		if !ok || w.ledger.marks[n]&unspent == 0 {
			return
		}
		o := &w.outputs[n]
		all, d := w.way.at(o.Address.Major, o.Address.Minor)
		all.out.add(w.ledger.marks[n], o.Amount, 1)
		d.out.add(w.ledger.marks[n], o.Amount, 1)
	}
	for image := range w.reserved {
		spend(image)
	}
	for image := range w.inPool {
		if _, held := w.reserved[image]; !held {
			spend(image)
		}
	}
	for _, s := range w.unmined {
		if s.State == SendFailed || !w.holds(s) {
			continue
		}
		w.way.come(s.Account, 0, s.Change)
		for n, spend := range w.payeesOf(s) {
			if i, ok := w.IndexOf(spend); ok && i.Major == s.Account {
				w.way.come(i.Major, i.Minor, s.Destinations[n].Amount)
			}
		}
	}
	if len(w.payees) > 2*len(w.unmined)+16 {
		w.payees = map[xmr.Hash][]xmr.PublicKey{} // most are in blocks by now
	}
	for id, p := range w.pool {
		if p.Spend != nil && w.sent[id] == nil {
			w.way.come(p.Spend.Account, 0, p.Spend.Change)
		}
		for i := range p.Payments {
			at := p.Payments[i].Address
			w.way.come(at.Major, at.Minor, p.Payments[i].Amount)
		}
	}
}

// payeesOf returns the public spend keys that s pays, one a destination; no key for what is no address.
func (w *Wallet) payeesOf(s *Sent) []xmr.PublicKey {
	if known := w.payees[s.TxID]; len(known) == len(s.Destinations) {
		return known
	}
	list := make([]xmr.PublicKey, len(s.Destinations))
	for n, d := range s.Destinations {
		if a, err := address.ParseFor(w.origin.Network, d.Address); err == nil {
			list[n] = a.Spend
		}
	}
	w.payees[s.TxID] = list
	return list
}

// isOnTheWay reports whether a transaction on its way spends o.
func (w *Wallet) isOnTheWay(o *Output) bool {
	if !o.ImageKnown || len(w.reserved)+len(w.inPool) == 0 {
		return false
	}
	if _, ok := w.reserved[o.Image]; ok {
		return true
	}
	_, ok := w.inPool[o.Image]
	return ok
}
