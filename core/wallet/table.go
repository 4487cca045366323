package wallet

import (
	"sync"
	"sync/atomic"

	"glim/core/keys"
	"glim/core/xmr"
)

// Lookahead is how far beyond the last used address a wallet looks for payments.
type Lookahead struct {
	Major uint32 `json:"major"` // accounts
	Minor uint32 `json:"minor"` // addresses in each
}

// DefaultLookahead is the reference's. Source: src/wallet/wallet2.cpp, SUBADDRESS_LOOKAHEAD_MAJOR and _MINOR.
var DefaultLookahead = Lookahead{Major: 50, Minor: 200}

// maxAhead is the most addresses altogether that a lookahead makes a wallet hold.
const maxAhead = 1e6

// possible reports whether a wallet can hold that many addresses.
func (l Lookahead) possible() bool {
	return uint64(max(l.Major, 1))*uint64(max(l.Minor, 1)) <= maxAhead
}

// Possible returns l, or where a wallet cannot hold as many addresses, one with as many accounts less as it takes: what has many
// addresses has them in few accounts.
func (l Lookahead) Possible() Lookahead {
	if l.possible() {
		return l
	}
	l.Minor = min(l.Minor, maxAhead)
	l.Major = min(l.Major, maxAhead/max(l.Minor, 1))
	return l
}

// table maps public spend keys to the addresses they belong to.
type table struct {
	index map[xmr.PublicKey]keys.Index
	sizes []uint32 // addresses in the table, by account
	late  *late    // what is entered when somebody asks; nil for nothing
}

func newTable() *table { return &table{index: map[xmr.PublicKey]keys.Index{}} }

// late is what a table lacks while nobody asked for it: a wallet is opened sooner than its keys are made.
type late struct {
	done atomic.Bool
	mu   sync.Mutex // guards the rest, and the table while it is not done
	keys *keys.Keys
	left []keyRun // without their keys
}

// lateTable returns a table that is filled when it is first asked for.
func lateTable(k *keys.Keys, l Lookahead, accounts []uint32) *table {
	t := newTable()
	t.late = &late{keys: k, left: t.lacking(l, accounts)}
	return t
}

// step enters the addresses of one account, and reports whether more are left.
func (t *table) step() bool {
	if t.late == nil || t.late.done.Load() {
		return false
	}
	t.late.mu.Lock()
	defer t.late.mu.Unlock()
	if len(t.late.left) > 0 {
		r := t.late.left[0]
		t.late.left = t.late.left[1:]
		t.add(r.made(t.late.keys))
	}
	t.late.done.Store(len(t.late.left) == 0)
	return len(t.late.left) > 0
}

// filled returns t with all that belongs in it. Any number of readers may ask at once.
func (t *table) filled() *table {
	for t.step() {
	}
	return t
}

// Prepare returns a function that makes what was left for later when the wallet was opened, as anything does that asks for it. It may
// be called without the owner's lock; between, unless nil, is called now and then, for those who share the thread.
func (w *Wallet) Prepare(between func()) func() {
	t := w.table
	return func() {
		for t.step() {
			if between != nil {
				between()
			}
		}
	}
}

// addressCount says how many addresses of account major the table should hold when the wallet has accounts with so
// many addresses each.
// Source: src/wallet/wallet2.cpp, expand_subaddresses.
func (l Lookahead) addressCount(accounts []uint32, major uint32) uint32 {
	used := uint32(0)
	if int(major) < len(accounts) && accounts[major] > 0 {
		used = accounts[major] - 1
	}
	return clampedSum(used, max(l.Minor, 1))
}

func (l Lookahead) accountCount(accounts []uint32) uint32 {
	return clampedSum(uint32(max(len(accounts), 1)-1), max(l.Major, 1))
}

func clampedSum(a, b uint32) uint32 {
	if s := a + b; s >= a {
		return s
	}
	return ^uint32(0)
}

// keyRun is the public spend keys of addresses of one account, in a row.
type keyRun struct {
	major, first, end uint32
	keys              []xmr.PublicKey
}

// made returns r with its keys.
func (r keyRun) made(k *keys.Keys) keyRun {
	r.keys = k.SpendKeys(r.major, r.first, r.end)
	return r
}

// lacking returns what is missing for accounts, without the keys.
func (t *table) lacking(l Lookahead, accounts []uint32) (runs []keyRun) {
	for major := range l.accountCount(accounts) {
		size := uint32(0)
		if int(major) < len(t.sizes) {
			size = t.sizes[major]
		}
		if want := l.addressCount(accounts, major); want > size {
			runs = append(runs, keyRun{major: major, first: size, end: want})
		}
	}
	return runs
}

// missing returns what is missing for accounts.
func (t *table) missing(k *keys.Keys, l Lookahead, accounts []uint32) []keyRun {
	runs := t.lacking(l, accounts)
	for i := range runs {
		runs[i] = runs[i].made(k)
	}
	return runs
}

// add enters what follows on what is there.
func (t *table) add(r keyRun) {
	for int(r.major) >= len(t.sizes) {
		t.sizes = append(t.sizes, 0)
	}
	for i, key := range r.keys {
		t.index[key] = keys.Index{Major: r.major, Minor: r.first + uint32(i)}
	}
	t.sizes[r.major] = max(t.sizes[r.major], r.first+uint32(len(r.keys)))
}

// grow adds what is missing for accounts.
func (t *table) grow(k *keys.Keys, l Lookahead, accounts []uint32) {
	for _, r := range t.missing(k, l, accounts) {
		t.add(r)
	}
}

// trimmed returns what t holds of accounts with so many addresses each, which it holds all of.
func (t *table) trimmed(l Lookahead, accounts []uint32) *table {
	out := newTable()
	for major := range l.accountCount(accounts) {
		out.sizes = append(out.sizes, l.addressCount(accounts, major))
	}
	for key, i := range t.index {
		if int(i.Major) < len(out.sizes) && i.Minor < out.sizes[i.Major] {
			out.index[key] = i
		}
	}
	return out
}

// Growth is what a change adds to the table of addresses.
type Growth struct {
	runs    []keyRun
	instead *table // another table, when it looks less far than before
}

// Growth computes what c adds to the table of addresses. It changes nothing and may take a second for a hundred thousand.
func (w *Wallet) Growth(c *ChangeSet) Growth {
	if w.replaying || c.User.Lookahead == nil && len(c.User.Labels)+len(c.Chain.Used)+len(c.Chain.Accounts) == 0 {
		return Growth{}
	}
	counts := w.addressCounts()
	exists := func(i keys.Index) {
		for uint32(len(counts)) <= i.Major {
			counts = append(counts, 1)
		}
		counts[i.Major] = max(counts[i.Major], i.Minor+1)
	}
	for i := range c.User.Labels {
		exists(c.User.Labels[i].Index)
	}
	for _, i := range c.Chain.Used {
		exists(i)
	}
	if len(c.Chain.Accounts) > 0 {
		return Growth{instead: w.table.filled().trimmed(w.ahead(w.lookahead), c.Chain.Accounts)}
	}
	l := w.lookahead
	if c.User.Lookahead != nil {
		l = *c.User.Lookahead
	}
	if l.Major < w.lookahead.Major || l.Minor < w.lookahead.Minor {
		t := newTable() // a snapshot knows how far to look, not how far one looked before
		t.grow(w.origin.Keys, w.ahead(l), counts)
		return Growth{instead: t}
	}
	return Growth{runs: w.table.filled().missing(w.origin.Keys, w.ahead(l), counts)}
}

// ahead returns how far a wallet that is to look as far as l does look: not at all while it has no address.
func (w *Wallet) ahead(l Lookahead) Lookahead {
	if w.HasAddress() {
		return l
	}
	return Lookahead{1, 1}
}

// extendBy is how many addresses Extend enters: so many take less than a millisecond.
const extendBy = 4096

// Extend enters a part of g into the table, and reports whether more is left. The change that g is for must follow.
func (w *Wallet) Extend(g *Growth) bool {
	if len(g.runs) == 0 {
		return false
	}
	r := &g.runs[0]
	n := min(extendBy, len(r.keys))
	w.table.add(keyRun{major: r.major, first: r.first, keys: r.keys[:n]})
	r.first, r.keys = r.first+uint32(n), r.keys[n:]
	if len(r.keys) == 0 {
		g.runs = g.runs[1:]
	}
	return len(g.runs) > 0
}
