package wallet

import (
	"cmp"
	"errors"
	"slices"

	"glim/core/internal/smallsort"
	"glim/core/smallfmt"
	"glim/core/txbuild"
	"glim/core/xmr"
)

// ErrNotAgain reports that a payment with an idempotency key cannot be retried now: an earlier transaction for it may
// still be mined, and no output that can be spent now conflicts with it. The wrapping error names that transaction.
var ErrNotAgain = errors.New("nothing was sent: it may still be mined, and none of its inputs can be spent now by a " +
	"transaction that would replace it. Refresh with a daemon that you trust and ask again; a payment under another " +
	"key is made in addition")

// Part is one transaction of a payment with an idempotency key, with every attempt to make it. Read only.
type Part struct {
	Attempts []*Sent // in the order in which they were made
	Stands   *Sent   // the attempt that is mined, in the pool or pending, or nil
	// Stands was recorded, but no daemon has shown it: the process may have been killed before submitting it.
	Unseen bool
}

// Number returns the number of the part within the payment.
func (p *Part) Number() uint32 { return p.Attempts[0].Part }

// Payment returns the parts of the payment with this idempotency key, by number; nil if there was no attempt.
// Attempts, including drafts, are kept as long as the wallet.
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
	smallsort.Sort(all, func(a, b *Sent) int {
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

// standing returns the state of s: 3 if mined, 2 if in the pool, 1 if pending, 0 if failed or never submitted.
func (w *Wallet) standing(s *Sent) int {
	switch {
	case w.spends[s.TxID] != nil:
		return 3
	case w.pool[s.TxID] != nil || s.State == SendInPool:
		return 2
	case s.State == SendPending, s.State == SendReorganised:
		return 1
	}
	return 0
}

// ConflictingInputs returns the indices of the inputs that a new transaction must spend so that it conflicts with
// each of attempts: no chain can then contain both. It returns ErrNotAgain if an attempt spends none of inputs.
func (w *Wallet) ConflictingInputs(attempts []*Sent, inputs []txbuild.Input) (must []int, err error) {
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
	return smallfmt.Errorf("idempotency_key: transaction %s was made for this payment; %w", s.TxID, ErrNotAgain)
}

// conflicts reports whether s and o spend a common output, so that no chain can contain both.
func (s *Sent) conflicts(o *Sent) bool {
	theirs := o.Images()
	return slices.ContainsFunc(s.Images(), func(i xmr.KeyImage) bool {
		return i != xmr.KeyImage{} && slices.Contains(theirs, i)
	})
}

// mayTry returns ErrNotAgain unless s conflicts with all other attempts at its part of a payment. A payment gets no
// further parts after its first attempt. This ensures that a payment with one idempotency key is made at most once,
// whatever chain a daemon shows.
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

// keepRequest copies the idempotency key to s from an earlier record of the same transaction: transaction metadata
// and background syncing do not preserve it.
func (w *Wallet) keepRequest(s *Sent) {
	for _, list := range []map[xmr.Hash]*Sent{w.sent, w.drafts} {
		if old := list[s.TxID]; old != nil && old.Request != "" {
			s.Request, s.Part, s.Destinations = old.Request, old.Part, old.Destinations
		}
	}
}

// DecideSend records s, whose inputs must be unspent. It must be committed before s is submitted to a daemon.
// Recording the same transaction again replaces the record. It returns ErrInputs if an input is no longer available,
// ErrOtherRing if an input had a different ring before, or ErrNotAgain.
func (w *Wallet) DecideSend(s Sent, now uint64) (ChangeSet, error) {
	return w.DecidePayment([]Sent{s}, now)
}

// DecidePayment is DecideSend for all transactions of one payment: a crash leaves either all of them recorded or
// none.
func (w *Wallet) DecidePayment(all []Sent, now uint64) (ChangeSet, error) {
	all, err := w.withRequests(all)
	if err != nil {
		return ChangeSet{}, err
	}
	var shown []RingRecord
	for i := range all {
		if err := w.maySpend(&all[i], now); err != nil {
			return ChangeSet{}, err
		}
		for _, r := range all[i].Rings {
			if o, ok := w.OutputByImage(r.Image); ok {
				shown = append(shown, RingRecord{Key: o.Key, Ring: r.Indices})
			}
		}
	}
	c, err := w.DecideShownRings(shown)
	c.User.Sent = all
	return c, err
}

// DecideDrafts records transactions with an idempotency key that are returned to the client unsent: anyone who has
// one can submit it. It returns ErrNotAgain.
func (w *Wallet) DecideDrafts(all []Sent) (ChangeSet, error) {
	all, err := w.withRequests(all)
	if err != nil {
		return ChangeSet{}, err
	}
	var u UserChange
	for i := range all {
		s := &all[i]
		u.Drafts = append(u.Drafts, Sent{
			TxID: s.TxID, Weight: s.Weight, PaymentID: s.PaymentID, AmountIn: s.AmountIn, Fee: s.Fee, Change: s.Change,
			Account: s.Account, Indices: s.Indices, Destinations: s.Destinations, Spent: s.Images(), SentAt: s.SentAt,
			State: SendDraft, Request: s.Request, Part: s.Part,
		})
	}
	return ChangeSet{User: u}, nil
}

// withRequests returns all with the idempotency keys of earlier records, or ErrNotAgain.
func (w *Wallet) withRequests(all []Sent) ([]Sent, error) {
	all = slices.Clone(all)
	for i := range all {
		w.keepRequest(&all[i])
		if err := w.mayTry(&all[i]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// maySpend returns ErrInputs unless all inputs of s are available.
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
