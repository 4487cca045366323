package wallet

import (
	"glim/core/address"
	"glim/core/xmr"
)

// pendingTotals are the effects of pending transactions, by account. They are few, and recomputed whenever one may
// have changed.
type pendingTotals map[uint32]*accountPending

type accountPending struct {
	all     pendingSums
	byMinor map[uint32]*pendingSums
}

// pendingSums are the pending changes of one address, or of an account.
type pendingSums struct {
	out      addressSums // outputs that pending transactions spend and the chain does not
	in       sum128
	incoming bool // whether a payment is pending, even one of amount 0
}

func (v pendingTotals) at(account, minor uint32) (*pendingSums, *pendingSums) {
	a := v[account]
	if a == nil {
		a = &accountPending{byMinor: map[uint32]*pendingSums{}}
		v[account] = a
	}
	d := a.byMinor[minor]
	if d == nil {
		d = &pendingSums{}
		a.byMinor[minor] = d
	}
	return &a.all, d
}

// addIncoming adds a pending amount for an address: change, or a payment.
func (v pendingTotals) addIncoming(account, minor uint32, amount uint64) {
	all, d := v.at(account, minor)
	all.in.add(amount, 1)
	d.in.add(amount, 1)
	all.incoming, d.incoming = true, true
}

// updatePending recomputes the effects of pending transactions.
func (w *Wallet) updatePending() {
	w.pending = pendingTotals{}
	spend := func(image xmr.KeyImage) {
		n, ok := w.byImage[begin(image)]
		if !ok || w.ledger.marks[n]&unspent == 0 {
			return
		}
		o := &w.outputs[n]
		all, d := w.pending.at(o.Address.Major, o.Address.Minor)
		all.out.add(w.ledger.marks[n], o.Amount, 1)
		d.out.add(w.ledger.marks[n], o.Amount, 1)
	}
	for image, id := range w.reserved {
		if !w.returned(w.sent[id]) {
			spend(image)
		}
	}
	for image := range w.inPool {
		if id, held := w.reserved[image]; !held || w.returned(w.sent[id]) {
			spend(image)
		}
	}
	for _, s := range w.unmined {
		if s.State == SendFailed || w.returned(s) || !w.holds(s) {
			continue
		}
		w.pending.addIncoming(s.Account, 0, s.Change)
		for n, spend := range w.payeesOf(s) {
			if i, ok := w.IndexOf(spend); ok && i.Major == s.Account {
				w.pending.addIncoming(i.Major, i.Minor, s.Destinations[n].Amount)
			}
		}
	}
	if len(w.payees) > 2*len(w.unmined)+16 {
		w.payees = map[xmr.Hash][]xmr.PublicKey{} // most are mined by now
	}
	for id, p := range w.pool {
		if p.Spend != nil && w.sent[id] == nil {
			w.pending.addIncoming(p.Spend.Account, 0, p.Spend.Change)
		}
		for i := range p.Payments {
			at := p.Payments[i].Address
			w.pending.addIncoming(at.Major, at.Minor, p.Payments[i].Amount)
		}
	}
}

// returned reports whether what s spent is in the balance again: its block was reorganised away, and no pool has shown
// it since.
// Source: src/wallet/wallet2.cpp, detach_blockchain, which forgets it.
func (w *Wallet) returned(s *Sent) bool { return s.State == SendReorganised && w.pool[s.TxID] == nil }

// payeesOf returns the public spend key of each destination of s; zero for an invalid address.
func (w *Wallet) payeesOf(s *Sent) []xmr.PublicKey {
	if known := w.payees[s.TxID]; len(known) == len(s.Destinations) {
		return known
	}
	list := make([]xmr.PublicKey, len(s.Destinations))
	for n, d := range s.Destinations {
		if a, err := address.ParseFor(w.identity.Network, d.Address); err == nil {
			list[n] = a.Spend
		}
	}
	w.payees[s.TxID] = list
	return list
}

// spentByPending reports whether a pending transaction spends o, so that o does not count in balances.
func (w *Wallet) spentByPending(o *OwnedOutput) bool {
	if !o.ImageKnown || len(w.reserved)+len(w.inPool) == 0 {
		return false
	}
	if id, ok := w.reserved[o.Image]; ok && !w.returned(w.sent[id]) {
		return true
	}
	_, ok := w.inPool[o.Image]
	return ok
}

// isReserved reports whether a transaction that was sent, and has not failed, spends o.
func (w *Wallet) isReserved(o *OwnedOutput) bool {
	_, ok := w.reserved[o.Image]
	return ok && o.ImageKnown
}
