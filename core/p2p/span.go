package p2p

import (
	"slices"
	"time"

	"glim/core/p2p/message"
	"glim/core/p2p/netaddr"
	"glim/core/xmr"
)

// span is a run of blocks that is fetched from one peer and then waits for verification.
type span struct {
	start uint64 // height of the first block
	ids   []xmr.Hash
	conn  ConnID // of the peer
	uuid  [16]byte
	addr  netaddr.Address
	asked time.Time

	filled    bool
	verifying bool
	prev      xmr.Hash // the block before the first
	blocks    []message.Block
	size      int
	rate      uint64 // bytes a second
}

// queue holds the spans, lowest first.
type queue struct {
	spans  []*span
	wanted map[xmr.Hash]*span
	bytes  int // of filled spans

	verifying *span
	began     time.Time // of verifying
	speed     float64   // blocks of the last span that were verified in a second; 0 before
	wait      time.Time // no verification before this time, after an error of this daemon
	synced    bool      // it has been level with its peers once
	asked     bool      // the pool's complement was requested
	announced xmr.Hash  // the last top block announced to peers
	fresh     bool      // spans have added a new top block
}

func (q *queue) init() { q.wanted = map[xmr.Hash]*span{} }

func (q *queue) add(s *span) {
	at, _ := slices.BinarySearchFunc(q.spans, s.start+1, func(a *span, start uint64) int {
		if a.start < start {
			return -1
		}
		return 1
	})
	q.spans = slices.Insert(q.spans, at, s)
	for _, id := range s.ids {
		q.wanted[id] = s
	}
}

func (q *queue) remove(s *span) {
	at := slices.Index(q.spans, s)
	if at < 0 {
		return
	}
	q.spans = slices.Delete(q.spans, at, at+1)
	for _, id := range s.ids {
		if q.wanted[id] == s {
			delete(q.wanted, id)
		}
	}
	if s.filled {
		q.bytes -= s.size
	}
}

func (q *queue) fill(s *span, blocks []message.Block, prev xmr.Hash, size int, rate uint64) {
	s.filled, s.blocks, s.prev, s.size, s.rate = true, blocks, prev, size, rate
	q.bytes += size
}

func (q *queue) has(s *span) bool { return slices.Contains(q.spans, s) }

// filled returns the number of fetched spans.
func (q *queue) filled() (n int) {
	for _, s := range q.spans {
		if s.filled {
			n++
		}
	}
	return n
}

// blockSize returns the average size in bytes of the blocks in the fetched span with the largest ones.
func (q *queue) blockSize() (size int) {
	for _, s := range q.spans {
		if s.filled {
			size = max(size, s.size/len(s.ids))
		}
	}
	return size
}

// front returns the first span that is still being fetched, unless a fetched one waits before it.
func (q *queue) front() *span {
	for _, s := range q.spans {
		if !s.filled {
			return s
		}
		if !s.verifying {
			return nil
		}
	}
	return nil
}

// fastest returns the highest rate of the fetched spans.
func (q *queue) fastest() (rate uint64) {
	for _, s := range q.spans {
		rate = max(rate, s.rate)
	}
	return rate
}
