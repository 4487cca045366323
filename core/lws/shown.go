package lws

import (
	"slices"

	"glim/core/keys"
)

// shown is what requests of its owner read about an account. It does not change: the Book publishes another one after
// each change, so that these requests take no lock that a scan or a disk holds.
type shown struct {
	outputs       []Output
	spends        []Spend
	subaddresses  []Subaddresses
	start, next   uint64 // next is 0 for a live account
	lookaheadFail uint64
	lookahead     Lookahead
	hidden, live  bool
}

// heights are those of the chain: index of the daemon's last block, and index after the last block that was read.
type heights struct{ top, read uint64 }

// show publishes a changed account. The caller has called lock.
func (b *Book) show(a *account) {
	s := &shown{
		outputs: a.outputs, spends: a.spends, subaddresses: a.Subaddresses, start: a.Start,
		lookaheadFail: a.LookaheadFail, lookahead: a.Lookahead, hidden: a.Status == Hidden, live: a.Live,
	}
	if !a.Live {
		s.next = a.Next
	}
	a.shown.Store(s)
}

// showHeights publishes the heights of the chain. Blocks are taken away from the chain before accounts lose what was in
// them, and added after accounts got it, so that an account is never said to be scanned up to a block whose payments it
// lacks. The caller has called lock.
func (b *Book) showHeights() { b.heights.Store(&heights{b.top, b.chain.height()}) }

// enter makes an account known to requests. The caller has called lock.
func (b *Book) enter(a *account) {
	b.show(a)
	b.entries.Lock()
	b.at[a.Address] = a
	b.entries.Unlock()
}

// read returns what is published about the account of an owner who proves to have the view key, with the heights of the
// chain at the same time and what the pool has, which may be nil. It returns ErrForbidden.
func (b *Book) read(a Address, view keys.Secret) (*shown, *heights, *Pending, error) {
	if !matches(a, view) {
		return nil, nil, nil, ErrForbidden
	}
	b.entries.RLock()
	acct := b.at[a]
	b.entries.RUnlock()
	if acct == nil {
		return nil, nil, nil, ErrForbidden
	}
	// What leaves the pool because a block has it must not be missed: the pool is read first, and beside omits what the
	// account got meanwhile.
	pool := b.pool.shown.Load()
	var pending *Pending
	if pool != nil {
		pending = pool.of[acct.ID]
	}
	for {
		h := b.heights.Load()
		s := acct.shown.Load()
		if b.heights.Load() != h {
			continue // the chain changed between the two
		}
		if s.hidden {
			return nil, nil, nil, ErrForbidden
		}
		return s, h, pending, nil
	}
}

// Holdings returns what an account received. The result must not be modified. It returns ErrForbidden.
func (b *Book) Holdings(a Address, view keys.Secret) (Holdings, error) {
	s, h, pending, err := b.read(a, view)
	if err != nil {
		return Holdings{}, err
	}
	next := s.next
	if s.live {
		next = h.read
	}
	out := Holdings{
		Outputs: s.outputs, Spends: s.spends, Scanned: max(next-min(next, 1), min(s.start, h.top)),
		Start: s.start, Top: max(h.top, h.read-min(h.read, 1)), Lookahead: s.lookahead, LookaheadFail: s.lookaheadFail,
	}
	// Payments of blocks that the heights do not count yet come with the next heights.
	for len(out.Outputs) > 0 && out.Outputs[len(out.Outputs)-1].Height >= next {
		out.Outputs = out.Outputs[:len(out.Outputs)-1]
	}
	for len(out.Spends) > 0 && out.Spends[len(out.Spends)-1].Height >= next {
		out.Spends = out.Spends[:len(out.Spends)-1]
	}
	out.Pool = pending.beside(out.Outputs, out.Spends)
	out.Outputs = counted(slices.Clip(out.Outputs))
	return out, nil
}

// Addresses returns the watched subaddresses of an account. It returns ErrForbidden.
func (b *Book) Addresses(a Address, view keys.Secret) ([]Subaddresses, error) {
	s, _, _, err := b.read(a, view)
	if err != nil {
		return nil, err
	}
	return s.subaddresses, nil
}

// Top returns the index of the last block of the daemon's chain.
func (b *Book) Top() uint64 { return b.heights.Load().top }

// after reports whether s has anything from block height on.
func (s *shown) after(height uint64) bool {
	return !s.live && s.next > height ||
		len(s.outputs) > 0 && s.outputs[len(s.outputs)-1].Height >= height ||
		len(s.spends) > 0 && s.spends[len(s.spends)-1].Height >= height
}
