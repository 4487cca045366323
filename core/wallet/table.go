package wallet

import (
	"sync"
	"sync/atomic"

	"glim/core/keys"
	"glim/core/xmr"
)

// Lookahead is how far beyond the last used account and address a wallet looks for payments.
type Lookahead struct {
	Major uint32 `json:"major"` // accounts
	Minor uint32 `json:"minor"` // addresses in each account
}

// DefaultLookahead is the default of the reference. Source: src/wallet/wallet2.cpp, SUBADDRESS_LOOKAHEAD_MAJOR and
// _MINOR.
var DefaultLookahead = Lookahead{Major: 50, Minor: 200}

// maxAhead is the maximum number of addresses that a lookahead may cover.
const maxAhead = 1e6

// possible reports whether l covers at most maxAhead addresses.
func (l Lookahead) possible() bool {
	return uint64(max(l.Major, 1))*uint64(max(l.Minor, 1)) <= maxAhead
}

// Possible returns l or, if it covers too many addresses, a lookahead with fewer accounts: wallets with many
// addresses usually have few accounts.
func (l Lookahead) Possible() Lookahead {
	if l.possible() {
		return l
	}
	l.Minor = min(l.Minor, maxAhead)
	l.Major = min(l.Major, maxAhead/max(l.Minor, 1))
	return l
}

// table maps public spend keys to address indices.
type table struct {
	index map[xmr.PublicKey]keys.Index
	sizes []uint32 // number of addresses in the table, by account
	late  *late    // computed when first needed; nil if the table is complete
}

func newTable() *table { return &table{index: map[xmr.PublicKey]keys.Index{}} }

// late is the part of a table that is not computed yet, so that a wallet opens before its address keys are computed.
type late struct {
	done atomic.Bool
	mu   sync.Mutex // guards the rest, and the table while it is not done
	keys *keys.Keys
	left []keyRange // ranges without their keys
}

// lateTable returns a table that is filled when it is first needed.
func lateTable(k *keys.Keys, l Lookahead, accounts []uint32) *table {
	t := newTable()
	t.late = &late{keys: k, left: t.lacking(l, accounts)}
	return t
}

// step adds the addresses of one account, and reports whether more are left.
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

// filled returns t after completing it. It may be called concurrently.
func (t *table) filled() *table {
	for t.step() {
	}
	return t
}

// Prepare returns a function that computes what opening the wallet deferred; otherwise the first use computes it. The
// function needs no lock. It calls yield, if not nil, between accounts, for hosts whose goroutines share one thread.
func (w *Wallet) Prepare(yield func()) func() {
	t := w.table
	return func() {
		for t.step() {
			if yield != nil {
				yield()
			}
		}
	}
}

// addressCount returns how many addresses of account major the table should have if the accounts have the given
// numbers of addresses.
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

// keyRange is a range of addresses of one account, with their public spend keys.
type keyRange struct {
	major, first, end uint32
	keys              []xmr.PublicKey
}

// made returns r with its keys.
func (r keyRange) made(k *keys.Keys) keyRange {
	r.keys = k.SpendKeys(r.major, r.first, r.end)
	return r
}

// lacking returns the ranges that t lacks for accounts with the given numbers of addresses, without their keys.
func (t *table) lacking(l Lookahead, accounts []uint32) (runs []keyRange) {
	for major := range l.accountCount(accounts) {
		size := uint32(0)
		if int(major) < len(t.sizes) {
			size = t.sizes[major]
		}
		if want := l.addressCount(accounts, major); want > size {
			runs = append(runs, keyRange{major: major, first: size, end: want})
		}
	}
	return runs
}

// missing is lacking with keys.
func (t *table) missing(k *keys.Keys, l Lookahead, accounts []uint32) []keyRange {
	runs := t.lacking(l, accounts)
	for i := range runs {
		runs[i] = runs[i].made(k)
	}
	return runs
}

// add adds a range that follows the existing addresses of its account.
func (t *table) add(r keyRange) {
	for int(r.major) >= len(t.sizes) {
		t.sizes = append(t.sizes, 0)
	}
	for i, key := range r.keys {
		t.index[key] = keys.Index{Major: r.major, Minor: r.first + uint32(i)}
	}
	t.sizes[r.major] = max(t.sizes[r.major], r.first+uint32(len(r.keys)))
}

// grow adds everything that t lacks for accounts with the given numbers of addresses.
func (t *table) grow(k *keys.Keys, l Lookahead, accounts []uint32) {
	for _, r := range t.missing(k, l, accounts) {
		t.add(r)
	}
}

// trimmed returns a copy of t for accounts with the given, smaller, numbers of addresses.
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

// Growth is what a change adds to the address table.
type Growth struct {
	runs        []keyRange
	replacement *table // a smaller table that replaces the current one; or nil
}

// Growth computes what c adds to the address table. It does not change w. It takes up to a second for 100,000
// addresses.
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
		return Growth{replacement: w.table.filled().trimmed(w.ahead(w.lookahead), c.Chain.Accounts)}
	}
	l := w.lookahead
	if c.User.Lookahead != nil {
		l = *c.User.Lookahead
	}
	if l.Major < w.lookahead.Major || l.Minor < w.lookahead.Minor {
		t := newTable() // as a replayed snapshot, which does not contain the former lookahead
		t.grow(w.identity.Keys, w.ahead(l), counts)
		return Growth{replacement: t}
	}
	return Growth{runs: w.table.filled().missing(w.identity.Keys, w.ahead(l), counts)}
}

// ahead returns the effective lookahead for l: none while a multisig wallet has no address.
func (w *Wallet) ahead(l Lookahead) Lookahead {
	if w.HasAddress() {
		return l
	}
	return Lookahead{1, 1}
}

// extendBy is the number of addresses that Extend adds, which takes less than a millisecond.
const extendBy = 4096

// Extend adds a part of g to the address table, and reports whether more is left. The change that g was computed for
// must be committed next.
func (w *Wallet) Extend(g *Growth) bool {
	if len(g.runs) == 0 {
		return false
	}
	r := &g.runs[0]
	n := min(extendBy, len(r.keys))
	w.table.add(keyRange{major: r.major, first: r.first, keys: r.keys[:n]})
	r.first, r.keys = r.first+uint32(n), r.keys[n:]
	if len(r.keys) == 0 {
		g.runs = g.runs[1:]
	}
	return len(g.runs) > 0
}
