package chain

import (
	"slices"

	"glim/core/xmr"
)

// How much is remembered of what left the pool. Source: src/cryptonote_core/tx_pool.cpp, track_removed_tx.
const (
	maxGone     = 20000
	goneSeconds = 30 * 60
)

// news is when transactions came into the pool and left it. Its times never fall, whatever the clock does.
type news struct {
	now   uint64              // of the operation under way, in POSIX seconds
	since uint64              // what happened after this is known; 0 as long as nothing is
	added map[xmr.Hash]uint64 // when what is in the pool came, or came to be passed on
	gone  []departure         // in order of time
}

type departure struct {
	id     xmr.Hash
	at     uint64
	hidden bool // it was not to be passed on
}

// at notes what the time is.
func (n *news) at(now uint64) {
	n.now = max(n.now, now)
	if n.since == 0 {
		n.since = n.now
	}
}

// note compares what is in the pool under id with what was there.
func (n *news) note(id xmr.Hash, old, next *PoolTx) {
	switch {
	case next == nil && old != nil:
		delete(n.added, id)
		n.forget()
		n.gone = append(n.gone, departure{id, n.now, old.DoNotRelay})
	case next != nil && (old == nil || old.DoNotRelay && !next.DoNotRelay):
		n.added[id] = n.now
	}
}

// forget makes room for a departure: it drops those of long ago, and the oldest quarter when there are too many.
func (n *news) forget() {
	drop := 0
	if len(n.gone) >= maxGone {
		drop = maxGone/4 + 1
	}
	for drop < len(n.gone) && n.gone[drop].at+goneSeconds < n.now {
		drop++
	}
	if drop > 0 {
		n.since = max(n.since, n.gone[drop-1].at)
		n.gone = slices.Delete(n.gone, 0, drop)
	}
}

// PoolSince returns what came into the pool at a time or later, in the order miners take it, and the IDs of what left it,
// of which some may have come back; strangers are told nothing of what is not to be passed on. since is in POSIX seconds.
// When it is too long ago to tell, or 0, false with the whole pool.
// Source: src/cryptonote_core/tx_pool.cpp, get_pool_info.
func (v View) PoolSince(since uint64, stranger bool) (added []*PoolTx, gone []xmr.Hash, known bool) {
	n := &v.c.pool.news
	// What happened in the second of n.since may be known in part.
	known = since > n.since && n.since > 0
	added = slices.DeleteFunc(v.c.pool.sorted(), func(t *PoolTx) bool {
		return stranger && t.DoNotRelay || known && n.added[t.ID] < since
	})
	for i := len(n.gone) - 1; known && i >= 0 && n.gone[i].at >= since; i-- {
		if d := &n.gone[i]; !stranger || !d.hidden {
			gone = append(gone, d.id)
		}
	}
	slices.Reverse(gone)
	return added, gone, known
}
