package p2p

import (
	"slices"
	"time"

	"glim/core/p2p/message"
	"glim/core/p2p/netaddr"
	"glim/core/xmr"
)

// span is a run of blocks that is fetched from one peer, and then waits to be judged.
type span struct {
	start uint64 // index of the first block
	ids   []xmr.Hash
	conn  ConnID // who fetches, or has fetched, it
	uuid  [16]byte
	addr  netaddr.Address
	asked time.Time

	filled  bool
	judging bool
	prev    xmr.Hash // the block before the first
	blocks  []message.Block
	size    int
	rate    uint64 // bytes a second
}

// queue are the spans, lowest first.
type queue struct {
	spans  []*span
	wanted map[xmr.Hash]*span
	bytes  int // of filled spans

	judging   *span
	wait      time.Time // until then nothing is judged: this daemon failed
	synced    bool      // it has once been level with its peers
	asked     bool      // for the pool's complement
	announced xmr.Hash  // the top that peers have been told of
	fresh     bool      // spans have brought a new top
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

// front returns the first span that is still fetched, when nothing that is filled comes before it.
func (q *queue) front() *span {
	for _, s := range q.spans {
		if !s.filled {
			return s
		}
		if !s.judging {
			return nil
		}
	}
	return nil
}

// fastest returns the highest rate of the spans that are filled.
func (q *queue) fastest() (rate uint64) {
	for _, s := range q.spans {
		rate = max(rate, s.rate)
	}
	return rate
}
