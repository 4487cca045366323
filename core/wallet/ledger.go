package wallet

import (
	"cmp"
	"math/bits"
	"slices"

	"glim/core/internal/smallsort"
	"glim/core/xmr"
)

// ledger holds running sums over the outputs, so that balances need not add up all of them. Only Commit changes it.
// It always equals the plain sums over the outputs.
type ledger struct {
	marks    []mark // for each output, the sums that include it
	accounts map[uint32]*accountLedger
	height   uint64 // number of blocks used to judge whether outputs are settled
	shared   bool   // whether two outputs claim one key image; the ledger is then recomputed after every change
}

func newLedger() ledger { return ledger{accounts: map[uint32]*accountLedger{}, height: 1} }

// mark says which sums include an output.
type mark uint8

const (
	marked  mark = 1 << iota // it counts as an output of its address
	unspent                  // no transaction on the chain spends it
	counted                  // unspent and not frozen: it is part of balances
	settled                  // counted, and only a reorganisation can lock it
)

// accountLedger is the ledger of one account. Outputs that wait for a block or a date are not in the settled sums;
// balances examine each of them.
type accountLedger struct {
	all       addressSums
	addresses []*addressSums // ascending by minor index
	recent    []*addressSums // not yet sorted into addresses
	byMinor   map[uint32]*addressSums
	waiting   []int // indices of outputs that are counted but not settled
}

// addressSums are the sums over the outputs of one address, or of an account.
type addressSums struct {
	minor   uint32
	outputs uint64 // numbers of outputs, by mark
	unspent uint64
	counted uint64
	total   sum128 // amounts of counted outputs
	settled sum128
}

// add adds an output, or removes it if sign is −1.
func (p *addressSums) add(m mark, amount uint64, sign int) {
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

// sum128 is a sum of amounts that cannot overflow: the amounts claimed by a malicious daemon may exceed 64 bits.
type sum128 struct{ high, low uint64 }

func (s *sum128) add(amount uint64, sign int) {
	var carry uint64
	if sign < 0 {
		s.low, carry = bits.Sub64(s.low, amount, 0)
		s.high -= carry
		return
	}
	s.low, carry = bits.Add64(s.low, amount, 0)
	s.high += carry
}

func (s sum128) plus(o sum128) sum128 {
	low, carry := bits.Add64(s.low, o.low, 0)
	return sum128{s.high + o.high + carry, low}
}

func (s sum128) minus(o sum128) sum128 {
	low, borrow := bits.Sub64(s.low, o.low, 0)
	return sum128{s.high - o.high - borrow, low}
}

// atomic returns the sum in atomic units, or the maximum of uint64 if it is larger.
func (s sum128) atomic() uint64 {
	if s.high != 0 {
		return ^uint64(0)
	}
	return s.low
}

// sumsOf returns the sums of an address, which it adds if missing.
func (l *ledger) sumsOf(account, minor uint32) (*accountLedger, *addressSums) {
	a := l.accounts[account]
	if a == nil {
		a = &accountLedger{byMinor: map[uint32]*addressSums{}}
		l.accounts[account] = a
	}
	p := a.byMinor[minor]
	if p == nil {
		p = &addressSums{minor: minor}
		a.byMinor[minor] = p
		a.recent = append(a.recent, p)
	}
	return a, p
}

// sort moves recent addresses to their places.
func (l *ledger) sort() {
	byMinor := func(a, b *addressSums) int { return cmp.Compare(a.minor, b.minor) }
	for _, a := range l.accounts {
		switch n := len(a.recent); {
		case n == 0:
			continue
		case n < 8:
			for _, p := range a.recent {
				i, _ := slices.BinarySearchFunc(a.addresses, p, byMinor)
				a.addresses = slices.Insert(a.addresses, i, p)
			}
		default:
			a.addresses = append(a.addresses, a.recent...)
			smallsort.Sort(a.addresses, byMinor)
		}
		a.recent = nil
	}
}

// settles reports whether only a reorganisation can lock o again once the chain has height blocks. An output locked
// until a date never settles.
func settles(o *OwnedOutput, height uint64) bool {
	return o.UnlockTime < xmr.MaxHeightUnlock && Clock{Height: height}.Unlocked(o.UnlockTime, o.Height)
}

// markOf returns the sums that should include o.
func (w *Wallet) markOf(o *OwnedOutput) mark {
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

// enter updates the ledger after output n was added or changed.
func (w *Wallet) enter(n int) {
	if w.replaying {
		return
	}
	if n == len(w.ledger.marks) {
		w.ledger.marks = append(w.ledger.marks, 0)
	}
	w.remark(n, w.markOf(&w.outputs[n]))
}

// remark moves output n to the sums that m selects; 0 removes it from all.
func (w *Wallet) remark(n int, m mark) {
	if w.replaying {
		return
	}
	old := w.ledger.marks[n]
	if old == m {
		return
	}
	o := &w.outputs[n]
	a, p := w.ledger.sumsOf(o.Address.Major, o.Address.Minor)
	for _, p := range []*addressSums{&a.all, p} {
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

// settle updates the ledger to the height of the chain.
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

// recount recomputes the ledger.
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

// claim registers the key image of output n; lookups by that image then return n.
func (w *Wallet) claim(n int) {
	image := w.outputs[n].Image
	if other, ok := w.byImage[begin(image)]; ok && other != n && w.outputs[other].Image == image {
		w.ledger.shared = true
	}
	w.byImage[begin(image)] = n
}
