package wallet

import (
	"cmp"
	"errors"
	"slices"

	"glim/core/build"
	"glim/core/internal/order"
	"glim/core/say"
	"glim/core/xmr"
)

// ErrNotAgain reports that a payment under a client's name cannot be tried again now: a transaction made for it before may still be
// mined, and nothing that can be spent now rules it out. What wraps it names that transaction.
var ErrNotAgain = errors.New("nothing was sent: it may still be mined, and none of its inputs can be spent now by a transaction that would replace it. " +
	"Refresh with a daemon that you trust and ask again; a payment under another key is made in addition")

// Part is one of the transactions that a payment under a client's name consists of, with every attempt to make it. Read only.
type Part struct {
	Attempts []*Sent // in the order in which they were made
	Stands   *Sent   // the attempt that was mined, is in the pool or is on its way; nil when there is none
	Unseen   bool    // Stands was recorded, and no daemon has shown it since: a kill may have come before it was handed over
}

// Number returns which part of the payment p is.
func (p *Part) Number() uint32 { return p.Attempts[0].Part }

// Payment returns the parts of the payment that a client gave this name, by their numbers; none when nothing was tried under it.
// Attempts are kept for as long as the wallet, drafts included.
func (w *Wallet) Payment(request string) (parts []Part) {
	if request == "" {
		return nil
	}
	var all []*Sent
	for _, list := range []map[xmr.Hash]*Sent{w.sent, w.drafts} {
		for _, s := range list {
			if s.Request == request {
				all = append(all, s)
			}
		}
	}
	order.Sort(all, func(a, b *Sent) int {
		switch {
		case a.Part != b.Part:
			return cmp.Compare(a.Part, b.Part)
		case a.before(b):
			return -1
		}
		return 1
	})
	best := 0
	for _, s := range all {
		if len(parts) == 0 || parts[len(parts)-1].Number() != s.Part {
			parts, best = append(parts, Part{}), 1
		}
		p := &parts[len(parts)-1]
		p.Attempts = append(p.Attempts, s)
		if n := w.standing(s); n >= best {
			p.Stands, p.Unseen, best = s, n == 1, n
		}
	}
	return parts
}

// standing says how near to being mined s is: 3 for mined, 2 for in the pool, 1 for on its way, 0 for failed or never sent.
func (w *Wallet) standing(s *Sent) int {
	switch {
	case w.spends[s.TxID] != nil:
		return 3
	case w.pool[s.TxID] != nil || s.State == SendInPool:
		return 2
	case s.State == SendPending:
		return 1
	}
	return 0
}

// Against returns which of inputs a transaction has to spend so that no chain can hold both it and one of attempts: some of them are
// spent by each. ErrNotAgain when an attempt spends none of inputs.
func (w *Wallet) Against(attempts []*Sent, inputs []build.Input) (must []int, err error) {
	left := slices.Clone(attempts)
	for len(left) > 0 {
		best, most := -1, 0
		for i := range inputs {
			o, ok := w.OutputByKey(inputs[i].Key)
			if !ok || !o.ImageKnown {
				continue
			}
			n := 0
			for _, a := range left {
				if slices.Contains(a.Images(), o.Image) {
					n++
				}
			}
			if n > most || n > 0 && n == most && inputs[i].Amount > inputs[best].Amount {
				best, most = i, n
			}
		}
		if best < 0 {
			return nil, notAgain(left[0])
		}
		must = append(must, best)
		o, _ := w.OutputByKey(inputs[best].Key)
		left = slices.DeleteFunc(left, func(a *Sent) bool { return slices.Contains(a.Images(), o.Image) })
	}
	return must, nil
}

func notAgain(s *Sent) error {
	return say.Errorf("idempotency_key: transaction %s was made for this payment; %w", s.TxID, ErrNotAgain)
}

// conflicts reports whether s and o spend an output in common, so that no chain can hold both.
func (s *Sent) conflicts(o *Sent) bool {
	theirs := o.Images()
	return slices.ContainsFunc(s.Images(), func(i xmr.KeyImage) bool { return i != xmr.KeyImage{} && slices.Contains(theirs, i) })
}

// mayTry refuses s, with ErrNotAgain, unless no chain can hold both it and another attempt at its part of a payment. A payment that was
// tried gets no further parts. This is what keeps a payment under one name from being made twice, whatever chains daemons show.
func (w *Wallet) mayTry(s *Sent) error {
	parts := w.Payment(s.Request)
	if len(parts) == 0 {
		return nil
	}
	n := slices.IndexFunc(parts, func(p Part) bool { return p.Number() == s.Part })
	if n < 0 {
		return notAgain(parts[0].Attempts[0])
	}
	for _, a := range parts[n].Attempts {
		if a.TxID != s.TxID && !s.conflicts(a) {
			return notAgain(a)
		}
	}
	return nil
}

// keepName gives s the client's name under which the same transaction was recorded first: what comes back as metadata, or from the
// state without the spend key, has lost it.
func (w *Wallet) keepName(s *Sent) {
	for _, list := range []map[xmr.Hash]*Sent{w.sent, w.drafts} {
		if old := list[s.TxID]; old != nil && old.Request != "" {
			s.Request, s.Part, s.Destinations = old.Request, old.Part, old.Destinations
		}
	}
}

// DecideSend records s, which spends outputs that must still be free. It must be committed before s is handed to a
// daemon. ErrInputs when an output is gone; ErrOtherRing when one was hidden in another ring before; ErrNotAgain; an identical transaction
// already recorded is recorded anew.
func (w *Wallet) DecideSend(s Sent, now uint64) (ChangeSet, error) {
	return w.DecidePayment([]Sent{s}, now)
}

// DecidePayment is DecideSend for all transactions of one payment: a crash leaves all of them recorded, or none.
func (w *Wallet) DecidePayment(all []Sent, now uint64) (ChangeSet, error) {
	all, err := w.named(all)
	if err != nil {
		return ChangeSet{}, err
	}
	var shown []Hidden
	for i := range all {
		if err := w.maySpend(&all[i], now); err != nil {
			return ChangeSet{}, err
		}
		for _, r := range all[i].Rings {
			if o, ok := w.OutputByImage(r.Image); ok {
				shown = append(shown, Hidden{Key: o.Key, Ring: r.Indices})
			}
		}
	}
	c, err := w.DecideShown(shown)
	c.User.Sent = all
	return c, err
}

// DecideDrafts remembers transactions that were made under a client's name and are given out unsent: whoever has one can send it.
// ErrNotAgain.
func (w *Wallet) DecideDrafts(all []Sent) (ChangeSet, error) {
	all, err := w.named(all)
	if err != nil {
		return ChangeSet{}, err
	}
	var u UserChange
	for i := range all {
		s := &all[i]
		u.Drafts = append(u.Drafts, Sent{
			TxID: s.TxID, Weight: s.Weight, PaymentID: s.PaymentID, AmountIn: s.AmountIn, Fee: s.Fee, Change: s.Change, Account: s.Account,
			Indices: s.Indices, Destinations: s.Destinations, Spent: s.Images(), SentAt: s.SentAt, State: SendDraft, Request: s.Request, Part: s.Part,
		})
	}
	return ChangeSet{User: u}, nil
}

// named returns all with the names they have kept, or ErrNotAgain.
func (w *Wallet) named(all []Sent) ([]Sent, error) {
	all = slices.Clone(all)
	for i := range all {
		w.keepName(&all[i])
		if err := w.mayTry(&all[i]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// maySpend returns ErrInputs unless all that s spends is free.
func (w *Wallet) maySpend(s *Sent, now uint64) error {
	for _, image := range s.Images() {
		o, ok := w.OutputByImage(image)
		if !ok || w.IsFrozen(o) {
			return ErrInputs
		}
		if holder, held := w.reserved[image]; held && holder == s.TxID {
			continue
		}
		if !w.canSpend(o, w.Clock(now)) {
			return ErrInputs
		}
	}
	return nil
}
