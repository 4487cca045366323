package wallet

import (
	"cmp"

	"glim/core/internal/order"
	"glim/core/xmr"
)

// teller makes the notices of blocks, one after another.
type teller struct {
	t       *notices
	told    []Notice
	mark    Mark
	locks   locks
	next    int               // of t.awaited: those before were found or missed
	found   map[transfer]bool // of those awaited
	renewed map[xmr.Hash]bool // transactions that this change tells of being confirmed
}

func (w *Wallet) newTeller() *teller {
	t := &w.notices
	return &teller{t: t, mark: t.mark, locks: t.locks.clone(), found: map[transfer]bool{}, renewed: map[xmr.Hash]bool{}}
}

// confirmed tells of a transfer that a block holds. One that was there before the block was read again is no news; one
// that is late, for the chain is past its lock, is told to be unlocked at once.
func (t *teller) confirmed(n Notice) {
	id := n.transfer()
	if old, awaited := t.t.awaiting[id]; awaited && !t.found[id] {
		t.found[id] = true
		if old.Height == n.Height && old.Amount == n.Amount {
			if !t.mark.reaches(&n) {
				t.locks.add(n)
			}
			return
		}
		t.told = append(t.told, old.as(NoticeReorganised))
	}
	t.told = append(t.told, n)
	t.renewed[n.TxID] = true
	if t.mark.reaches(&n) {
		t.told = append(t.told, n.as(NoticeUnlocked))
	} else {
		t.locks.add(n)
	}
}

// end tells what follows from a block being there: what it should have held and does not, and what it unlocks.
func (t *teller) end(b *Block) {
	for ; t.next < len(t.t.awaited) && t.t.awaited[t.next].Height <= b.Height; t.next++ {
		n := t.t.awaited[t.next]
		if id := n.transfer(); !t.found[id] && t.t.awaiting[id] == n {
			t.found[id] = true
			t.told = append(t.told, n.as(NoticeReorganised))
		}
	}
	t.mark = Mark{max(t.mark.Height, b.Height+1), max(t.mark.Time, b.Timestamp)}
	for _, n := range t.locks.open(t.mark) {
		// A short reorganisation below it locks a transfer again that keeps its block: it was told.
		if t.renewed[n.TxID] || t.t.state(n.TxID) != NoticeUnlocked {
			t.told = append(t.told, n.as(NoticeUnlocked))
		}
	}
}

// detached tells of the transfers that lose their blocks from height on.
func (w *Wallet) detached(height uint64) []Notice {
	list := w.transfers(height)
	for i := range list {
		list[i].Kind = NoticeReorganised
	}
	return list
}

// rewound tells what is different when the blocks from height on hold what c found.
func (w *Wallet) rewound(c *ChainChange, height uint64) []Notice {
	return differences(w.transfers(height), c.found(), w.notices.mark)
}

// differences tells what has to be said to those who know of one list of transfers and not of the other. Locks are open up
// to mark.
func differences(had, has []Notice, mark Mark) (told []Notice) {
	order.Sort(has, func(a, b Notice) int { return byPlace(&a, &b) })
	before, after := byTransfer(had), byTransfer(has)
	for _, n := range had {
		if !after.holds(n) {
			told = append(told, n.as(NoticeReorganised))
		}
	}
	for _, n := range has {
		if before.holds(n) {
			continue
		}
		told = append(told, n)
		if mark.reaches(&n) {
			told = append(told, n.as(NoticeUnlocked))
		}
	}
	return told
}

// transfers are to be compared.
type transfers map[transfer]Notice

func byTransfer(list []Notice) transfers {
	m := make(transfers, len(list))
	for _, n := range list {
		m[n.transfer()] = n
	}
	return m
}

// holds reports whether n is among t, in the same block and with the same amount.
func (t transfers) holds(n Notice) bool {
	o, ok := t[n.transfer()]
	return ok && o.Height == n.Height && o.Amount == n.Amount
}

// returned says what to tell when w takes over from a, which went on without its spend key, what the blocks from height on
// hold: what a told, under the same numbers, and what it could not know. taken is false when w takes nothing over.
func (w *Wallet) returned(a *Wallet, c *ChainChange, height uint64, taken bool) (n NoticeChange) {
	mine, theirs := &w.notices, &a.notices
	follows := theirs.last >= mine.last && mine.agrees(theirs)
	switch {
	case !taken && follows && theirs.last > mine.last:
		after := theirs.last + 1 // what a told does not hold, and whoever heard it has to look anew
		n.After = &after
	case !taken:
	case follows:
		n.Add = theirs.list.slice(theirs.list.len()-int(theirs.last-mine.last), theirs.list.len())
		n.Add = append(n.Add, differences(a.transfers(height), c.found(), theirs.mark)...)
		for name, number := range theirs.delivered {
			if number > mine.delivered[name] {
				n.Delivered = append(n.Delivered, Delivered{name, number})
			}
		}
		order.Sort(n.Delivered, func(a, b Delivered) int { return cmp.Compare(a.Name, b.Name) })
	default: // a was another's affair, such as a copy opened by itself
		found := c.found()
		n.Add = differences(w.transfers(height), found, theirs.mark)
		open, still := mine.locks.clone(), byTransfer(found)
		for _, lock := range open.open(theirs.mark) {
			if lock.Height < height || still.holds(lock) {
				n.Add = append(n.Add, lock.as(NoticeUnlocked))
			}
		}
	}
	return n
}

// agrees reports whether both tell the same as far as both have come, and leave no gap.
func (t *notices) agrees(o *notices) bool {
	if o.first() > t.last+1 || t.first() > o.last+1 {
		return false
	}
	first, last := max(t.first(), o.first()), min(t.last, o.last)
	if first > last {
		return true
	}
	for n := first; n <= last; n++ {
		if t.list.at(int(n-t.first())) != o.list.at(int(n-o.first())) {
			return false
		}
	}
	return true
}

// DecideSightings tells of the transfers in the pool that are news: a transaction is told of once, and again after a block
// that held it was dropped. The pool itself is not part of the change.
func (w *Wallet) DecideSightings(pool []PoolTx) ChangeSet {
	var c ChangeSet
	seen := map[xmr.Hash]bool{}
	for i := range pool {
		p := &pool[i]
		if state := w.notices.state(p.TxID); seen[p.TxID] || state != 0 && state != NoticeReorganised {
			continue
		}
		seen[p.TxID] = true
		if p.Spend != nil {
			c.Notices.Add = append(c.Notices.Add, spendNotice(p.Spend, NoticePool))
		}
		for j := range p.Payments {
			c.Notices.Add = append(c.Notices.Add, paymentNotice(&p.Payments[j], NoticePool))
		}
	}
	return c
}
