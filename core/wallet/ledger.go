package wallet

import (
	"cmp"
	"math/bits"
	"slices"

	"glim/core/internal/order"
	"glim/core/xmr"
)

// ledger keeps beside the outputs what balances ask for, so that nobody who asks has to add them all up. Commit alone
// changes it, and it never says anything else than plain sums over the outputs would.
type ledger struct {
	marks    []mark // one an output: what of it is entered
	accounts map[uint32]*accountLedger
	height   uint64 // number of blocks that settled outputs were judged by
	shared   bool   // whether two outputs claim one key image: then it is made anew after every change
}

func newLedger() ledger { return ledger{accounts: map[uint32]*accountLedger{}, height: 1} }

// mark says what of an output is entered.
type mark uint8

const (
	marked  mark = 1 << iota // it is among its address's outputs
	unspent                  // nothing on the chain spends it
	counted                  // likewise, and it is not frozen: it is part of balances
	settled                  // likewise, and nothing but a reorganisation can lock it
)

// accountLedger is the ledger of one account. What has no sum of its own is looked at by who asks: outputs that await a
// block or a date.
type accountLedger struct {
	all     purse
	purses  []*purse // ascending
	recent  []*purse // not among them yet
	byMinor map[uint32]*purse
	waiting []int // numbers of the outputs that count and are not settled
}

// purse sums up outputs of one address, or of an account.
type purse struct {
	minor   uint32
	outputs uint64 // numbers of outputs, by their marks
	unspent uint64
	counted uint64
	total   wide // amounts of those that count
	settled wide
}

// add enters an output, or with the sign −1 takes it out.
func (p *purse) add(m mark, amount uint64, sign int) {
	one := uint64(sign)
	p.outputs += one
	if m&unspent != 0 {
		p.unspent += one
	}
	if m&counted != 0 {
		p.counted += one
		p.total.add(amount, sign)
	}
	if m&settled != 0 {
		p.settled.add(amount, sign)
	}
}

// wide is a sum of amounts that never overflows. What a daemon says that lies can add up to anything.
type wide struct{ high, low uint64 }

func (s *wide) add(amount uint64, sign int) {
	var carry uint64
	if sign < 0 {
		s.low, carry = bits.Sub64(s.low, amount, 0)
		s.high -= carry
		return
	}
	s.low, carry = bits.Add64(s.low, amount, 0)
	s.high += carry
}

func (s wide) plus(o wide) wide {
	low, carry := bits.Add64(s.low, o.low, 0)
	return wide{s.high + o.high + carry, low}
}

func (s wide) minus(o wide) wide {
	low, borrow := bits.Sub64(s.low, o.low, 0)
	return wide{s.high - o.high - borrow, low}
}

// atomic returns the sum in atomic units, the largest number there is when it is more.
func (s wide) atomic() uint64 {
	if s.high != 0 {
		return ^uint64(0)
	}
	return s.low
}

// purseOf returns the purse of an address, made when missing.
func (l *ledger) purseOf(account, minor uint32) (*accountLedger, *purse) {
	a := l.accounts[account]
	if a == nil {
		a = &accountLedger{byMinor: map[uint32]*purse{}}
		l.accounts[account] = a
	}
	p := a.byMinor[minor]
	if p == nil {
		p = &purse{minor: minor}
		a.byMinor[minor] = p
		a.recent = append(a.recent, p)
	}
	return a, p
}

// sort puts new purses in their places.
func (l *ledger) sort() {
	byMinor := func(a, b *purse) int { return cmp.Compare(a.minor, b.minor) }
	for _, a := range l.accounts {
		switch n := len(a.recent); {
		case n == 0:
			continue
		case n < 8:
			for _, p := range a.recent {
				i, _ := slices.BinarySearchFunc(a.purses, p, byMinor)
				a.purses = slices.Insert(a.purses, i, p)
			}
		default:
			a.purses = append(a.purses, a.recent...)
			order.Sort(a.purses, byMinor)
		}
		a.recent = nil
	}
}

// settles reports whether nothing but a reorganisation can lock an output, once there are so many blocks. What a date
// locked never settles.
func settles(o *Output, height uint64) bool {
	return o.UnlockTime < xmr.MaxHeightUnlock && Clock{Height: height}.Unlocked(o.UnlockTime, o.Height)
}

// markOf says how output o is to be entered.
func (w *Wallet) markOf(o *Output) mark {
	switch {
	case w.IsSpent(o, true):
		return marked
	case w.IsFrozen(o):
		return marked | unspent
	case settles(o, w.ledger.height):
		return marked | unspent | counted | settled
	}
	return marked | unspent | counted
}

// enter brings the ledger up to date about output n, after it came or what is known of it changed.
func (w *Wallet) enter(n int) {
	if w.replaying {
		return
	}
	if n == len(w.ledger.marks) {
		w.ledger.marks = append(w.ledger.marks, 0)
	}
	w.remark(n, w.markOf(&w.outputs[n]))
}

// remark enters output n as m says, in the place of how it was entered before; 0 takes it out.
func (w *Wallet) remark(n int, m mark) {
	if w.replaying {
		return
	}
	old := w.ledger.marks[n]
	if old == m {
		return
	}
	o := &w.outputs[n]
	a, p := w.ledger.purseOf(o.Address.Major, o.Address.Minor)
	for _, p := range []*purse{&a.all, p} {
		if old != 0 {
			p.add(old, o.Amount, -1)
		}
		if m != 0 {
			p.add(m, o.Amount, 1)
		}
	}
	waits := func(m mark) bool { return m&(counted|settled) == counted }
	switch {
	case waits(m) && !waits(old):
		a.waiting = append(a.waiting, n)
	case waits(old) && !waits(m):
		if i := slices.Index(a.waiting, n); i >= 0 {
			a.waiting = slices.Delete(a.waiting, i, i+1)
		}
	}
	w.ledger.marks[n] = m
}

// settle follows the height of the chain.
func (w *Wallet) settle() {
	before, now := w.ledger.height, w.Height()
	w.ledger.height = now
	if now < before {
		for n := range w.outputs {
			if w.ledger.marks[n]&settled != 0 && !settles(&w.outputs[n], now) {
				w.remark(n, w.ledger.marks[n]&^settled)
			}
		}
		return
	}
	if now == before {
		return
	}
	for _, a := range w.ledger.accounts {
		waiting := a.waiting
		a.waiting = a.waiting[:0]
		for _, n := range waiting {
			o := &w.outputs[n]
			if !settles(o, now) {
				a.waiting = append(a.waiting, n)
				continue
			}
			w.ledger.marks[n] |= settled
			a.all.settled.add(o.Amount, 1)
			a.byMinor[o.Address.Minor].settled.add(o.Amount, 1)
		}
	}
}

// recount makes the ledger from nothing.
func (w *Wallet) recount() {
	w.ledger = newLedger()
	w.ledger.height = w.Height()
	w.ledger.marks = make([]mark, 0, len(w.outputs))
	for n := range w.outputs {
		if o := &w.outputs[n]; o.ImageKnown {
			at, ok := w.byImage[begin(o.Image)]
			w.ledger.shared = w.ledger.shared || !ok || at != n
		}
		w.enter(n)
	}
	w.ledger.sort()
}

// claim notes that output n has its key image; it is the one found by it from then on.
func (w *Wallet) claim(n int) {
	image := w.outputs[n].Image
	if other, ok := w.byImage[begin(image)]; ok && other != n && w.outputs[other].Image == image {
		w.ledger.shared = true
	}
	w.byImage[begin(image)] = n
}
