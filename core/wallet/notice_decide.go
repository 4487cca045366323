package wallet

import (
	"slices"

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
func (w *Wallet) rewound(c *ChainChange, height uint64) (told []Notice) {
	had, has := w.transfers(height), c.found()
	slices.SortFunc(has, func(a, b Notice) int { return byPlace(&a, &b) })
	amounts := func(list []Notice) map[transfer]uint64 {
		m := make(map[transfer]uint64, len(list))
		for i := range list {
			m[list[i].transfer()] = list[i].Amount
		}
		return m
	}
	before, after := amounts(had), amounts(has)
	for _, n := range had {
		if amount, ok := after[n.transfer()]; !ok || amount != n.Amount {
			told = append(told, n.as(NoticeReorganised))
		}
	}
	for _, n := range has {
		if amount, ok := before[n.transfer()]; ok && amount == n.Amount {
			continue
		}
		told = append(told, n)
		if w.notices.mark.reaches(&n) {
			told = append(told, n.as(NoticeUnlocked))
		}
	}
	return told
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
