package wallet

import (
	"bytes"
	"cmp"
	"slices"

	"glim/core/internal/order"
	"glim/core/keys"
	"glim/core/xmr"
)

// NoticeKind is what happened to a transfer.
type NoticeKind uint8

// The kinds, in the order a transfer goes through them. One that was reorganised away may begin anew.
const (
	NoticePool        NoticeKind = 1 + iota // a daemon's pool holds it
	NoticeConfirmed                         // a block holds it
	NoticeUnlocked                          // what it brought can be spent
	NoticeReorganised                       // the block that held it is not on the chain any more, or does not hold it after all
)

// Notice is something that happened to a transfer and that nobody who asks may miss: it is part of the change that causes it and gets a
// number, one more than the notice before; the first is number 1. A transfer is what one transaction brought to one address, or what it took from one account.
type Notice struct {
	Kind       NoticeKind
	Out        bool // taken from the account of Address; otherwise brought to Address
	Coinbase   bool
	TxID       xmr.Hash
	PaymentID  xmr.Hash // a short one fills the first eight bytes
	Address    keys.Index
	Amount     uint64 // atomic units, without fee and change
	Fee        uint64 // atomic units
	Height     uint64 // index of the block; 0 in a pool
	Timestamp  uint64 // of the block, or when first seen, POSIX seconds
	UnlockTime uint64
}

// KeptNotices is how many notices a wallet keeps: the last ones.
const KeptNotices = 1 << 16

// maxNotice is above every number of a notice: 2^53, where numbers of many readers of JSON end.
const maxNotice = 1 << 53

// NoticeChange is the part of a change that is about notices.
type NoticeChange struct {
	Add       []Notice    `json:"add" epee:"blob"` // numbered on from the last
	Delivered []Delivered `json:"delivered"`
	// The rest is for snapshots.
	After   *uint64  `json:"after"` // first forget all, and number on from here
	Mark    *Mark    `json:"mark"`
	Awaited []Notice `json:"awaited" epee:"blob"`
}

// Delivered is how far a receiver of notices has come.
type Delivered struct {
	Name   string `json:"name"`
	Number uint64 `json:"number"` // of the last notice it has
}

// Mark is how far locks have been followed. It lasts while blocks are read again.
type Mark struct {
	Height uint64 `json:"height"` // number of blocks
	Time   uint64 `json:"time"`   // highest timestamp of a block
}

func (n *NoticeChange) empty() bool {
	return len(n.Add)+len(n.Delivered)+len(n.Awaited) == 0 && n.After == nil && n.Mark == nil
}

func (n *NoticeChange) possible() bool {
	return n.After == nil || *n.After < maxNotice
}

func paymentNotice(p *Payment, kind NoticeKind) Notice {
	return Notice{
		Kind: kind, Coinbase: p.Coinbase, TxID: p.TxID, PaymentID: p.PaymentID, Address: p.Address, Amount: p.Amount, Fee: p.Fee,
		Height: p.Height, Timestamp: p.Timestamp, UnlockTime: p.UnlockTime,
	}
}

func spendNotice(s *Spend, kind NoticeKind) Notice {
	back := s.Fee + s.Change
	return Notice{
		Kind: kind, Out: true, TxID: s.TxID, PaymentID: s.PaymentID, Address: keys.Index{Major: s.Account},
		Amount: s.AmountIn - min(s.AmountIn, back), Fee: s.Fee, Height: s.Height, Timestamp: s.Timestamp, UnlockTime: s.UnlockTime,
	}
}

func (n Notice) as(kind NoticeKind) Notice { n.Kind = kind; return n }

// transfer is what a notice is about.
type transfer struct {
	txID    xmr.Hash
	out     bool
	address keys.Index
}

func (n *Notice) transfer() transfer { return transfer{n.TxID, n.Out, n.Address} }

// until returns the number of blocks from which on the transfer is unlocked, as far as blocks decide.
func (n *Notice) until() uint64 {
	if n.UnlockTime < xmr.MaxHeightUnlock {
		return max(n.Height+xmr.SpendableAge, n.UnlockTime+1-xmr.LockedDeltaBlocks)
	}
	return n.Height + xmr.SpendableAge
}

// dated reports whether a date locks the transfer.
func (n *Notice) dated() bool { return n.UnlockTime >= xmr.MaxHeightUnlock }

// reaches reports whether the transfer n is unlocked at m.
func (m Mark) reaches(n *Notice) bool {
	return n.until() <= m.Height && (!n.dated() || n.UnlockTime <= m.Time || n.UnlockTime-m.Time <= xmr.LockedDeltaSeconds)
}

// locks are the confirmed transfers that a Mark does not reach yet, so that a block asks after those alone that it unlocks.
type locks struct {
	heights []Notice // by until
	dates   []Notice // by unlock time
}

func byPlace(a, b *Notice) int {
	c := cmp.Or(cmp.Compare(a.Height, b.Height), bytes.Compare(a.TxID[:], b.TxID[:]))
	if c == 0 && a.Out != b.Out {
		if a.Out {
			return 1
		}
		return -1
	}
	return cmp.Or(c, cmp.Compare(a.Address.Major, b.Address.Major), cmp.Compare(a.Address.Minor, b.Address.Minor))
}

func byUntil(a, b Notice) int { return cmp.Or(cmp.Compare(a.until(), b.until()), byPlace(&a, &b)) }

func byDate(a, b Notice) int { return cmp.Or(cmp.Compare(a.UnlockTime, b.UnlockTime), byPlace(&a, &b)) }

func (l *locks) add(n Notice) {
	list, order := &l.heights, byUntil
	if n.dated() {
		list, order = &l.dates, byDate
	}
	at, _ := slices.BinarySearchFunc(*list, n, order)
	*list = slices.Insert(*list, at, n)
}

// open takes out what m reaches.
func (l *locks) open(m Mark) (out []Notice) {
	n := 0
	for n < len(l.heights) && m.reaches(&l.heights[n]) {
		n++
	}
	out = append(out, l.heights[:n]...)
	l.heights = l.heights[n:]
	for i := 0; i < len(l.dates) && l.dates[i].UnlockTime <= m.Time+xmr.LockedDeltaSeconds; {
		if !m.reaches(&l.dates[i]) {
			i++
			continue
		}
		out = append(out, l.dates[i])
		l.dates = slices.Delete(l.dates, i, i+1)
	}
	return out
}

func (l *locks) clone() locks { return locks{slices.Clone(l.heights), slices.Clone(l.dates)} }

// notices are the notices kept, and what is needed to make further ones.
type notices struct {
	list      noticeList
	last      uint64              // number of the last
	latest    map[xmr.Hash]uint64 // number of the latest one kept about a transaction
	delivered map[string]uint64
	mark      Mark
	locks     locks
	// Transfers that were known before blocks were forgotten to be read again, until their height is reached.
	awaited  []Notice // by height; those that were found are in the map no more
	awaiting map[transfer]Notice
}

func newNotices() notices {
	return notices{latest: map[xmr.Hash]uint64{}, delivered: map[string]uint64{}, awaiting: map[transfer]Notice{}}
}

// first returns the number of the oldest notice kept; one more than last when there is none.
func (t *notices) first() uint64 { return t.last - uint64(t.list.len()) + 1 }

// state returns the kind of the latest notice kept about a transaction; 0 when there is none.
func (t *notices) state(id xmr.Hash) NoticeKind {
	if n, ok := t.latest[id]; ok {
		return t.list.kind(int(n - t.first()))
	}
	return 0
}

func (t *notices) commit(c *NoticeChange) {
	if c.After != nil {
		t.list, t.last = noticeList{}, *c.After
		clear(t.latest)
	}
	if c.Mark != nil {
		t.mark = *c.Mark
	}
	for _, d := range c.Delivered {
		t.delivered[d.Name] = d.Number
	}
	t.await(c.Awaited)
	for i := range c.Add {
		n := &c.Add[i]
		t.list.add(n)
		t.last++
		t.latest[n.TxID] = t.last
		if t.list.len() > KeptNotices {
			if id := t.list.at(0).TxID; t.latest[id] == t.first() {
				delete(t.latest, id)
			}
			t.list.dropFirst()
		}
	}
}

// await notes transfers whose blocks are going to be read again.
func (t *notices) await(list []Notice) {
	if len(list) == 0 {
		return
	}
	left := t.leftOver(^uint64(0))
	for _, n := range list {
		t.awaiting[n.transfer()] = n
	}
	t.awaited = append(left, list...)
	order.Stable(t.awaited, func(a, b Notice) int { return byPlace(&a, &b) })
}

// leftOver returns the awaited transfers of blocks up to height that were not found.
func (t *notices) leftOver(height uint64) (out []Notice) {
	for i := range t.awaited {
		n := &t.awaited[i]
		if n.Height > height {
			break
		}
		if known, ok := t.awaiting[n.transfer()]; ok && known == *n {
			out = append(out, *n)
		}
	}
	return out
}

// passed forgets what was awaited up to height.
func (t *notices) passed(height uint64) {
	for len(t.awaited) > 0 && t.awaited[0].Height <= height {
		n := &t.awaited[0]
		if t.awaiting[n.transfer()] == *n {
			delete(t.awaiting, n.transfer())
		}
		t.awaited = t.awaited[1:]
	}
}

// transfers lists what the wallet knows of the blocks from height on, in the chain's order.
func (w *Wallet) transfers(height uint64) (out []Notice) {
	for i := range w.payments {
		if p := &w.payments[i]; p.Height >= height {
			out = append(out, paymentNotice(p, NoticeConfirmed))
		}
	}
	for _, s := range w.spends {
		if s.Height >= height {
			out = append(out, spendNotice(s, NoticeConfirmed))
		}
	}
	order.Sort(out, func(a, b Notice) int { return byPlace(&a, &b) })
	return out
}

// followLocks brings the locks, and what is awaited, to where c brought the chain.
func (w *Wallet) followLocks(c *ChainChange) {
	t := &w.notices
	if n := len(c.Blocks); n > 0 {
		last := c.Blocks[n-1].Height
		t.mark.Height, t.mark.Time = max(t.mark.Height, last+1), max(t.mark.Time, c.Time)
		t.passed(last)
		t.locks.open(t.mark)
	}
	if w.replaying && len(t.awaiting) == 0 {
		return // relock follows at the end
	}
	for _, n := range c.found() {
		delete(t.awaiting, n.transfer())
		t.lock(n)
	}
	if c.Clear || c.Detach != nil || c.Rewind != nil {
		w.relock()
	}
}

// lock adds a confirmed transfer to the locks, unless it is unlocked.
func (t *notices) lock(n Notice) {
	if !t.mark.reaches(&n) {
		t.locks.add(n)
	}
}

// relock makes the locks from nothing.
func (w *Wallet) relock() {
	t := &w.notices
	t.locks = locks{}
	for i := range w.payments {
		t.lock(paymentNotice(&w.payments[i], NoticeConfirmed))
	}
	for _, s := range w.spends {
		t.lock(spendNotice(s, NoticeConfirmed))
	}
}

// found lists the transfers of c.
func (c *ChainChange) found() (out []Notice) {
	for i := range c.Spends {
		out = append(out, spendNotice(&c.Spends[i], NoticeConfirmed))
	}
	for i := range c.Payments {
		out = append(out, paymentNotice(&c.Payments[i], NoticeConfirmed))
	}
	return out
}

// LastNotice returns the number of the last notice; 0 before the first.
func (w *Wallet) LastNotice() uint64 { return w.notices.last }

// Notices returns the notices after the one with number after, in order, at most limit. False when notices in between are no
// longer kept, or when there never was that number: then nothing says what was missed but the wallet itself.
func (w *Wallet) Notices(after uint64, limit int) ([]Notice, bool) {
	t := &w.notices
	if after > t.last || after+1 < t.first() {
		return nil, false
	}
	from := int(after + 1 - t.first())
	return t.list.slice(from, from+min(limit, t.list.len()-from)), true
}

// DeliveredTo returns the number of the last notice that the receiver called name has; false when it was never told of.
func (w *Wallet) DeliveredTo(name string) (uint64, bool) {
	n, ok := w.notices.delivered[name]
	return n, ok
}

// DecideDelivered remembers that the receiver called name has the notices up to number.
func (w *Wallet) DecideDelivered(name string, number uint64) ChangeSet {
	if had, ok := w.notices.delivered[name]; ok && had == number {
		return ChangeSet{}
	}
	return ChangeSet{Notices: NoticeChange{Delivered: []Delivered{{name, number}}}}
}

// noticeSnapshot adds records that bring a wallet without transfers to the same notices.
func (w *Wallet) noticeSnapshot(s *snapshot) {
	t := &w.notices
	after := t.last - uint64(t.list.len())
	c := NoticeChange{}
	if t.last > 0 {
		c.After = &after
	}
	if t.mark != (Mark{}) {
		c.Mark = &t.mark
	}
	for name, number := range t.delivered {
		c.Delivered = append(c.Delivered, Delivered{name, number})
	}
	order.Sort(c.Delivered, func(a, b Delivered) int { return cmp.Compare(a.Name, b.Name) })
	s.add(ChangeSet{Notices: c})
	s.addParts(0, t.list.len(), partSmall, func(c *ChangeSet, from, to int) { c.Notices.Add = t.list.slice(from, to) })
	addParts(s, t.leftOver(^uint64(0)), partSmall, func(c *ChangeSet, part []Notice) { c.Notices.Awaited = part })
}
