package wallet

import (
	"bytes"
	"cmp"
	"slices"

	"glim/core/internal/smallsort"
	"glim/core/keys"
	"glim/core/xmr"
)

// NoticeKind is what happened to a transfer.
type NoticeKind uint8

// The kinds, in the order in which a transfer goes through them. After a reorganisation they may repeat.
const (
	NoticePool        NoticeKind = 1 + iota // it is in a daemon's pool
	NoticeConfirmed                         // it is in a block
	NoticeUnlocked                          // its outputs can be spent
	NoticeReorganised                       // its block was dropped, or turned out not to contain it
)

// Notice reports something that happened to a transfer, for clients that must not miss anything. It is stored with
// the change that causes it. Notices are numbered consecutively from 1. A transfer is what one transaction paid to
// one address, or took from one account. See HostEvent for messages to the host's log.
type Notice struct {
	Kind       NoticeKind
	Out        bool // taken from the account of Address; otherwise paid to Address
	Coinbase   bool
	TxID       xmr.Hash
	PaymentID  xmr.Hash // a short ID fills the first eight bytes
	Address    keys.Index
	Amount     uint64 // atomic units, without fee and change
	Fee        uint64 // atomic units
	Height     uint64 // index of the block; 0 in a pool
	Timestamp  uint64 // of the block, or when first seen in the pool; POSIX seconds
	UnlockTime uint64
}

// KeptNotices is the number of most recent notices that a wallet keeps.
const KeptNotices = 1 << 16

// maxNotice exceeds every notice number: 2^53, the limit of exact integers in many JSON parsers.
const maxNotice = 1 << 53

// NoticeChange is the part of a change that concerns notices.
type NoticeChange struct {
	Add       []Notice    `json:"add" epee:"blob"` // numbered consecutively after the last
	Delivered []Delivered `json:"delivered"`
	// The rest is used in snapshots.
	After   *uint64  `json:"after"` // forget all notices and continue after this number
	Mark    *Mark    `json:"mark"`
	Awaited []Notice `json:"awaited" epee:"blob"`
}

// Delivered is the progress of one receiver of notices.
type Delivered struct {
	Name   string `json:"name"`
	Number uint64 `json:"number"` // of the last notice it received
}

// Mark is the point up to which unlocked transfers were reported. It stays when blocks are scanned again.
type Mark struct {
	Height uint64 `json:"height"` // number of blocks
	Time   uint64 `json:"time"`   // highest timestamp of a block, or after the next hard fork lockTime
}

func (n *NoticeChange) empty() bool {
	return len(n.Add)+len(n.Delivered)+len(n.Awaited) == 0 && n.After == nil && n.Mark == nil
}

func (n *NoticeChange) possible() bool {
	return n.After == nil || *n.After < maxNotice
}

func paymentNotice(p *Payment, kind NoticeKind) Notice {
	return Notice{
		Kind: kind, Coinbase: p.Coinbase, TxID: p.TxID, PaymentID: p.PaymentID,
		Address: p.Address, Amount: p.Amount, Fee: p.Fee,
		Height: p.Height, Timestamp: p.Timestamp, UnlockTime: p.UnlockTime,
	}
}

func spendNotice(s *Spend, kind NoticeKind) Notice {
	back := s.Fee + s.Change
	return Notice{
		Kind: kind, Out: true, TxID: s.TxID, PaymentID: s.PaymentID, Address: keys.Index{Major: s.Account},
		Amount: s.AmountIn - min(s.AmountIn, back), Fee: s.Fee,
		Height: s.Height, Timestamp: s.Timestamp, UnlockTime: s.UnlockTime,
	}
}

func (n Notice) as(kind NoticeKind) Notice { n.Kind = kind; return n }

// transfer identifies the transfer of a notice.
type transfer struct {
	txID    xmr.Hash
	out     bool
	address keys.Index
}

func (n *Notice) transfer() transfer { return transfer{n.TxID, n.Out, n.Address} }

// until returns the number of blocks at which the transfer unlocks, ignoring unlock times that are dates.
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
	pastDate := !n.dated() || n.UnlockTime <= m.Time || n.UnlockTime-m.Time <= xmr.LockedDeltaSeconds
	return n.until() <= m.Height && pastDate
}

// locks are the confirmed transfers that a Mark does not reach, sorted so that a block examines only those it
// unlocks.
type locks struct {
	heights []Notice // by until
	dates   []Notice // by date
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
	list, compare := &l.heights, byUntil
	if n.dated() {
		list, compare = &l.dates, byDate
	}
	at, _ := slices.BinarySearchFunc(*list, n, compare)
	*list = slices.Insert(*list, at, n)
}

// open removes and returns the transfers that m reaches.
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

// notices holds the notices kept, and the state from which further ones are made.
type notices struct {
	list      noticeList
	last      uint64              // number of the last notice
	latest    map[xmr.Hash]uint64 // number of the latest notice kept about each transaction
	delivered map[string]uint64
	mark      Mark
	locks     locks
	// Transfers of dropped blocks that are being scanned again, until the scan reaches their height.
	awaited  []Notice // by height; those found are no longer in awaiting
	awaiting map[transfer]Notice
}

func newNotices() notices {
	return notices{latest: map[xmr.Hash]uint64{}, delivered: map[string]uint64{}, awaiting: map[transfer]Notice{}}
}

// first returns the number of the oldest notice kept; last + 1 if the list is empty.
func (t *notices) first() uint64 { return t.last - uint64(t.list.len()) + 1 }

// state returns the kind of the latest notice kept about a transaction, or 0.
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

// await adds transfers whose blocks will be scanned again.
func (t *notices) await(list []Notice) {
	if len(list) == 0 {
		return
	}
	left := t.leftOver(^uint64(0))
	for _, n := range list {
		t.awaiting[n.transfer()] = n
	}
	t.awaited = append(left, list...)
	smallsort.Stable(t.awaited, func(a, b Notice) int { return byPlace(&a, &b) })
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

// passed removes awaited transfers up to height.
func (t *notices) passed(height uint64) {
	for len(t.awaited) > 0 && t.awaited[0].Height <= height {
		n := &t.awaited[0]
		if t.awaiting[n.transfer()] == *n {
			delete(t.awaiting, n.transfer())
		}
		t.awaited = t.awaited[1:]
	}
}

// transfers returns the known transfers in blocks from height on, in chain order.
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
	smallsort.Sort(out, func(a, b Notice) int { return byPlace(&a, &b) })
	return out
}

// followLocks updates the locks and the awaited transfers after c.
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

// lock adds a confirmed transfer to the locks unless it is unlocked.
func (t *notices) lock(n Notice) {
	if !t.mark.reaches(&n) {
		t.locks.add(n)
	}
}

// relock recomputes the locks.
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

// found returns the transfers in c.
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

// FirstNotice returns the number of the oldest notice that is kept; one more than LastNotice if none is.
func (w *Wallet) FirstNotice() uint64 { return w.notices.first() }

// Notices returns at most limit notices with numbers above after, in order. It returns false if later notices are no
// longer kept or number after never existed; the client must then read the complete state of the wallet.
func (w *Wallet) Notices(after uint64, limit int) ([]Notice, bool) {
	t := &w.notices
	if after > t.last || after+1 < t.first() {
		return nil, false
	}
	from := int(after + 1 - t.first())
	return t.list.slice(from, from+min(limit, t.list.len()-from)), true
}

// DeliveredTo returns the number of the last notice that the receiver with this name confirmed; false if it is
// unknown.
func (w *Wallet) DeliveredTo(name string) (uint64, bool) {
	n, ok := w.notices.delivered[name]
	return n, ok
}

// DecideDelivered records that the receiver with this name has the notices up to number.
func (w *Wallet) DecideDelivered(name string, number uint64) ChangeSet {
	if had, ok := w.notices.delivered[name]; ok && had == number {
		return ChangeSet{}
	}
	return ChangeSet{Notices: NoticeChange{Delivered: []Delivered{{name, number}}}}
}

// noticeSnapshot adds records from which an empty wallet gets the same notices.
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
	smallsort.Sort(c.Delivered, func(a, b Delivered) int { return cmp.Compare(a.Name, b.Name) })
	s.add(ChangeSet{Notices: c})
	s.addParts(0, t.list.len(), partSmall, func(c *ChangeSet, from, to int) { c.Notices.Add = t.list.slice(from, to) })
	addParts(s, t.leftOver(^uint64(0)), partSmall, func(c *ChangeSet, part []Notice) { c.Notices.Awaited = part })
}
