package wallet

import (
	"cmp"

	"glim/core/internal/smallsort"
	"glim/core/xmr"
)

// noticeBuilder makes the notices of consecutive blocks.
type noticeBuilder struct {
	t       *notices
	list    []Notice
	mark    Mark
	locks   locks
	next    int               // index into t.awaited: earlier ones were found or missed
	found   map[transfer]bool // of the awaited transfers
	renewed map[xmr.Hash]bool // transactions that this change reports as confirmed
}

func (w *Wallet) newNoticeBuilder() *noticeBuilder {
	t := &w.notices
	return &noticeBuilder{
		t: t, mark: t.mark, locks: t.locks.clone(), found: map[transfer]bool{}, renewed: map[xmr.Hash]bool{},
	}
}

// confirmed adds notices for a transfer in a block. A transfer that was known before its block was scanned again is
// not news. If the chain is already past its lock, it is reported as unlocked at once.
func (t *noticeBuilder) confirmed(n Notice) {
	id := n.transfer()
	if old, awaited := t.t.awaiting[id]; awaited && !t.found[id] {
		t.found[id] = true
		if old.Height == n.Height && old.Amount == n.Amount {
			if !t.mark.reaches(&n) {
				t.locks.add(n)
			}
			return
		}
		t.list = append(t.list, old.as(NoticeReorganised))
	}
	t.list = append(t.list, n)
	t.renewed[n.TxID] = true
	if t.mark.reaches(&n) {
		t.list = append(t.list, n.as(NoticeUnlocked))
	} else {
		t.locks.add(n)
	}
}

// end adds the notices that follow from the end of block b: awaited transfers that it lacks, and transfers that it
// unlocks.
func (t *noticeBuilder) end(b *ScannedBlock) {
	for ; t.next < len(t.t.awaited) && t.t.awaited[t.next].Height <= b.Height; t.next++ {
		n := t.t.awaited[t.next]
		if id := n.transfer(); !t.found[id] && t.t.awaiting[id] == n {
			t.found[id] = true
			t.list = append(t.list, n.as(NoticeReorganised))
		}
	}
	t.mark = Mark{max(t.mark.Height, b.Height+1), max(t.mark.Time, b.lockTime())}
	for _, n := range t.locks.open(t.mark) {
		// A short reorganisation below it locks a transfer again although its block stays; that was reported before.
		if t.renewed[n.TxID] || t.t.state(n.TxID) != NoticeUnlocked {
			t.list = append(t.list, n.as(NoticeUnlocked))
		}
	}
}

// detachNotices returns the notices for transfers in dropped blocks from height on.
func (w *Wallet) detachNotices(height uint64) []Notice {
	list := w.transfers(height)
	for i := range list {
		list[i].Kind = NoticeReorganised
	}
	return list
}

// rewindNotices returns the notices for the differences if the blocks from height on contain what c found.
func (w *Wallet) rewindNotices(c *ChainChange, height uint64) []Notice {
	return differences(w.transfers(height), c.found(), w.notices.mark)
}

// differences returns the notices that update a client from the transfers had to the transfers has. Transfers that
// mark reaches are unlocked.
func differences(had, has []Notice, mark Mark) (list []Notice) {
	smallsort.Sort(has, func(a, b Notice) int { return byPlace(&a, &b) })
	before, after := byTransfer(had), byTransfer(has)
	for _, n := range had {
		if !after.holds(n) {
			list = append(list, n.as(NoticeReorganised))
		}
	}
	for _, n := range has {
		if before.holds(n) {
			continue
		}
		list = append(list, n)
		if mark.reaches(&n) {
			list = append(list, n.as(NoticeUnlocked))
		}
	}
	return list
}

// transfers indexes transfers for comparison.
type transfers map[transfer]Notice

func byTransfer(list []Notice) transfers {
	m := make(transfers, len(list))
	for _, n := range list {
		m[n.transfer()] = n
	}
	return m
}

// holds reports whether n is in t, in the same block and with the same amount.
func (t transfers) holds(n Notice) bool {
	o, ok := t[n.transfer()]
	return ok && o.Height == n.Height && o.Amount == n.Amount
}

// backgroundNotices returns the notices for taking over from a, the state of background syncing, the blocks from
// height on: those that a made, under the same numbers, and those it could not make without the spend key. taken is
// false if nothing is taken over.
func (w *Wallet) backgroundNotices(a *Wallet, c *ChainChange, height uint64, taken bool) (n NoticeChange) {
	mine, theirs := &w.notices, &a.notices
	follows := theirs.last >= mine.last && mine.agrees(theirs)
	switch {
	case !taken && follows && theirs.last > mine.last:
		after := theirs.last + 1 // skips a's notices, so that their readers must start over
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
		smallsort.Sort(n.Delivered, func(a, b Delivered) int { return cmp.Compare(a.Name, b.Name) })
	default: // a is independent of w, such as a copy that was opened separately
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

// agrees reports whether both have the same notices where they overlap, without a gap between them.
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

// DecideSightings makes notices for new transfers in the pool: a transaction is reported once, and again after its
// block was dropped. The pool itself is not part of the change.
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
