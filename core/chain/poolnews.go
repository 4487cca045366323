package chain

import (
	"slices"

	"glim/core/xmr"
)

// How much is remembered of transactions that have left the pool. Source: src/cryptonote_core/tx_pool.cpp,
// track_removed_tx.
const (
	maxGone     = 20000
	goneSeconds = 30 * 60
)

// news records when transactions have entered and left the pool. Its times never decrease, even if the clock does.
type news struct {
	now   uint64              // time of the operation in progress, in POSIX seconds
	since uint64              // changes after this time are recorded; 0 before the first operation
	added map[xmr.Hash]uint64 // when each transaction of the pool entered it, or was released for relay
	gone  []departure         // in the order of time
}

type departure struct {
	id     xmr.Hash
	at     uint64
	hidden bool // it was not to be relayed
}

// setTime sets the time of the operation.
func (n *news) setTime(now uint64) {
	n.now = max(n.now, now)
	if n.since == 0 {
		n.since = n.now
	}
}

// note records the change of the entry of id from old to next; either may be nil.
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

// forget drops old departures, and the oldest quarter if there are too many.
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

// PoolSince returns the transactions that have entered the pool at time since or later, in the order in which miners
// take them, and the IDs of those that have left it, some of which may have returned. since is in POSIX seconds. If
// since is 0 or too long ago, known is false and added is the complete pool. relayedOnly excludes transactions that
// must not be relayed. Source: src/cryptonote_core/tx_pool.cpp, get_pool_info.
func (v View) PoolSince(since uint64, relayedOnly bool) (added []*PoolTx, gone []xmr.Hash, known bool) {
	n := &v.c.pool.news
	// Changes in the second n.since itself may be recorded only in part.
	known = since > n.since && n.since > 0
	added = slices.DeleteFunc(v.c.pool.sorted(), func(t *PoolTx) bool {
		return relayedOnly && t.DoNotRelay || known && n.added[t.ID] < since
	})
	for i := len(n.gone) - 1; known && i >= 0 && n.gone[i].at >= since; i-- {
		if d := &n.gone[i]; !relayedOnly || !d.hidden {
			gone = append(gone, d.id)
		}
	}
	slices.Reverse(gone)
	return added, gone, known
}
