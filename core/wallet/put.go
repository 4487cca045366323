package wallet

import (
	"bytes"
	"cmp"
	"slices"
	"sort"

	"glim/core/internal/smallsort"
	"glim/core/xmr"
)

// Slices of outputs, payments and spends that were returned to readers must never change: these lists are only
// appended to or replaced.

func (w *Wallet) putSpends(list []Spend) {
	if len(list) == 0 {
		return
	}
	added, again := make([]*Spend, len(list)), false
	for i := range list {
		s := list[i]
		again = again || w.spends[s.TxID] != nil
		w.spends[s.TxID], added[i] = &s, &s
		delete(w.unmined, s.TxID)
		if s.Height <= w.prunedTo {
			w.pruneSent(&s)
		}
		for _, image := range s.Images {
			w.spentBy[image] = s.TxID
			if n, ok := w.byImage[begin(image)]; ok {
				w.enter(n)
			}
		}
	}
	if again {
		added = added[:0]
		for _, s := range w.spends {
			added = append(added, s)
		}
		w.inOrder = nil
	}
	smallsort.Sort(added, spendOrder)
	n := len(w.inOrder)
	w.inOrder = append(w.inOrder, added...)
	if n > 0 && spendOrder(w.inOrder[n-1], w.inOrder[n]) > 0 {
		w.inOrder = slices.Clone(w.inOrder)
		smallsort.Sort(w.inOrder, spendOrder)
	}
}

func spendOrder(a, b *Spend) int {
	return cmp.Or(cmp.Compare(a.Height, b.Height), bytes.Compare(a.TxID[:], b.TxID[:]))
}

func (w *Wallet) putPayments(list []Payment) {
	for i := range list {
		if n := len(w.payments); n > 0 && w.payments[n-1].Height > list[i].Height {
			w.unordered = true
		}
		w.payments = append(w.payments, list[i])
	}
}

func (w *Wallet) putOutput(o OwnedOutput) {
	w.fillImage(&o)
	n, ok := w.byKey[o.Key]
	switch {
	case !ok:
		n = len(w.outputs)
		if n > 0 && w.outputs[n-1].Height > o.Height {
			w.unordered = true
		}
		w.outputs = append(w.outputs, o)
		w.byKey[o.Key] = n
	case w.supersedes(&o, &w.outputs[n]):
		w.burnt = append(w.burnt, w.outputs[n])
		w.remark(n, 0)
		w.ownOutputs()
		w.outputs[n] = o
	default:
		w.burnt = append(w.burnt, o)
		return
	}
	if o.ImageKnown {
		w.claim(n)
	}
	w.enter(n)
}

// ownOutputs replaces outputs with a copy that the current change may modify.
func (w *Wallet) ownOutputs() {
	if !w.copied {
		w.outputs, w.copied = slices.Clone(w.outputs), true
	}
}

func (w *Wallet) detach(height uint64) {
	w.chain.detach(height)
	w.total, w.forked = 0, false
	if len(w.chain.ids) == 0 {
		w.reward = 0
	}
	if w.unordered || len(w.burnt) > 0 || w.ledger.shared {
		w.drop(height)
		return
	}
	w.cut(height)
}

// cut removes what the blocks from height on contained, when that is at the end of every list.
func (w *Wallet) cut(height uint64) {
	n := sort.Search(len(w.payments), func(i int) bool { return w.payments[i].Height >= height })
	w.payments = w.payments[:n:n]

	first := sort.Search(len(w.outputs), func(i int) bool { return w.outputs[i].Height >= height })
	for n := first; n < len(w.outputs); n++ {
		o := &w.outputs[n]
		w.remark(n, 0)
		delete(w.byKey, o.Key)
		if o.ImageKnown {
			delete(w.byImage, begin(o.Image))
		}
	}
	w.outputs = w.outputs[:first:first]
	w.ledger.marks = w.ledger.marks[:min(first, len(w.ledger.marks))] // empty during replay

	n = sort.Search(len(w.inOrder), func(i int) bool { return w.inOrder[i].Height >= height })
	gone := w.inOrder[n:]
	w.inOrder = w.inOrder[:n:n]
	for _, s := range gone {
		w.forgetSpend(s)
		for _, image := range s.Images {
			if n, ok := w.byImage[begin(image)]; ok {
				w.enter(n)
			}
		}
	}
}

func (w *Wallet) forgetSpend(s *Spend) {
	for _, image := range s.Images {
		delete(w.spentBy, image)
	}
	delete(w.spends, s.TxID)
	if sent := w.sent[s.TxID]; sent != nil && sent.State != SendMined {
		w.unmined[s.TxID] = sent
	}
}

// drop removes what the blocks from height on contained, in any order of the lists.
func (w *Wallet) drop(height uint64) {
	var payments []Payment
	for i := range w.payments {
		if w.payments[i].Height < height {
			payments = append(payments, w.payments[i])
		}
	}
	w.payments = payments
	var kept []*Spend
	for _, s := range w.inOrder {
		if s.Height >= height {
			w.forgetSpend(s)
		} else {
			kept = append(kept, s)
		}
	}
	w.inOrder = kept
	all := w.allOutputs()
	w.outputs, w.burnt, w.byKey, w.byImage = nil, nil, map[xmr.PublicKey]int{}, map[imageBegin]int{}
	w.ledger, w.copied = newLedger(), true
	for _, o := range all {
		if o.Height < height {
			w.putOutput(o)
		}
	}
	if !w.replaying {
		w.recount()
	}
}

// PaymentsIn returns the incoming payments in blocks with indices above above and up to upTo, in chain order. The
// caller must not change the slice; later changes of the wallet do not affect it.
func (w *Wallet) PaymentsIn(above, upTo uint64) []Payment {
	if w.unordered {
		var some []Payment
		for i := range w.payments {
			if h := w.payments[i].Height; above < h && h <= upTo {
				some = append(some, w.payments[i])
			}
		}
		return some
	}
	from := sort.Search(len(w.payments), func(i int) bool { return w.payments[i].Height > above })
	to := sort.Search(len(w.payments), func(i int) bool { return w.payments[i].Height > upTo })
	return w.payments[from:max(from, to)]
}

// SpendsIn returns the Spends in blocks with indices greater than above and at most upTo. The caller must not change
// the slice; later changes of the wallet do not affect it.
func (w *Wallet) SpendsIn(above, upTo uint64) []*Spend {
	from := sort.Search(len(w.inOrder), func(i int) bool { return w.inOrder[i].Height > above })
	to := sort.Search(len(w.inOrder), func(i int) bool { return w.inOrder[i].Height > upTo })
	return w.inOrder[from:max(from, to)]
}

// IsSpentAt reports whether output number n of Outputs is spent, on the chain or by a pending transaction.
func (w *Wallet) IsSpentAt(n int) bool {
	return w.ledger.marks[n]&unspent == 0 || w.spentByPending(&w.outputs[n])
}
