package p2p

import (
	"slices"
	"time"

	"glim/core/block"
	"glim/core/chain"
	"glim/core/p2p/message"
	"glim/core/xmr"
)

// onChain is what a peer has after our history. Source: handle_response_chain_entry.
func (m *Machine) onChain(now time.Time, c *conn, r *message.ChainResponse) {
	n := uint64(len(r.IDs))
	switch {
	case c.fetch.expect != message.Chain:
		m.blame(now, c, 1, Unexpected)
		return
	case n == 0 || n > maxIDs || r.Total >= maxHeight || r.Total < n || r.Start > r.Total-n,
		len(r.Weights) > 0 && len(r.Weights) != len(r.IDs):
		m.blame(now, c, 1, BadChain)
		return
	}
	c.fetch.expect = 0
	if !m.claims(now, c, r.Total) {
		return
	}
	seen := make(map[xmr.Hash]struct{}, n)
	for _, id := range r.IDs {
		seen[id] = struct{}{}
	}
	height, here := m.c.Chain.Has(r.IDs[0])
	if s := m.queue.wanted[r.IDs[0]]; !here && s != nil {
		height, here = s.start+uint64(slices.Index(s.ids, r.IDs[0])), true
	}
	if len(seen) != len(r.IDs) || !here || height != r.Start {
		m.blame(now, c, 5, BadChain)
		return
	}
	if n == 1 && r.Total > r.Start+1 {
		m.blame(now, c, 5, BadChain) // more than it tells
		return
	}
	if r.Start < c.fetch.lastHeight { // it has told of a later one that it has
		if c.score--; c.score <= lowestScore {
			m.blame(now, c, 5, BadChain)
			return
		}
	}
	known := m.c.Chain.Known(r.IDs)
	c.fetch.first, c.fetch.ids = r.Start+uint64(known), slices.Clone(r.IDs[known:])
	c.fetch.last, c.fetch.lastHeight = r.IDs[n-1], r.Start+n-1
	m.pushSync(now)
}

// pushSync does all that can be done now to get on: judge what is there, ask for what is missing.
func (m *Machine) pushSync(now time.Time) {
	m.impatient(now)
	m.judgeNext(now)
	var list []*conn
	for _, c := range m.live() {
		if !c.gone && (c.fetch.state == synchronizing || c.fetch.state == standby) && c.fetch.expect == 0 {
			list = append(list, c)
		}
	}
	// Those with most work first: theirs is the chain to have.
	slices.SortStableFunc(list, func(a, b *conn) int {
		switch {
		case b.cumulative.Less(a.cumulative):
			return -1
		case a.cumulative.Less(b.cumulative):
			return 1
		}
		return 0
	})
	for _, c := range list {
		if !c.gone && c.fetch.expect == 0 {
			m.next(now, c)
		}
	}
}

// next asks a connection for the next blocks nobody is asked for.
func (m *Machine) next(now time.Time, c *conn) {
	f := &c.fetch
	known := m.c.Chain.Known(f.ids)
	f.first, f.ids = f.first+uint64(known), f.ids[known:]
	if len(f.ids) == 0 {
		if f.first < c.height {
			m.askChain(now, c)
			return
		}
		if m.c.Chain.Tip().Cumulative.Less(c.cumulative) && !m.busySyncing() {
			// All its blocks are here and took less work than it said.
			c.cumulative = m.c.Chain.Tip().Cumulative
			if c.score--; c.score <= lowestScore {
				m.blame(now, c, 5, BadChain)
				return
			}
		}
		m.finish(now, c)
		return
	}
	at := slices.IndexFunc(f.ids, func(id xmr.Hash) bool { return m.queue.wanted[id] == nil })
	switch {
	case at == 0, at > 0 && m.room():
		if !hasWhole(f.first+uint64(at), c.height, c.seed) {
			f.state = standby
			return
		}
		m.reserve(now, c, at)
	case at < 0 && m.takeOver(now, c):
	case at < 0 && m.room() && f.first+uint64(len(f.ids)) < c.height:
		m.askChain(now, c)
	default:
		f.state = standby
	}
}

// room reports whether more may be fetched than is needed next.
func (m *Machine) room() bool {
	return m.queue.bytes < m.c.QueueBytes && len(m.queue.spans) < max(minSpans, spansEach*len(m.conns))
}

// reserve asks for the run of blocks that begins at ids[at].
func (m *Machine) reserve(now time.Time, c *conn, at int) {
	f := &c.fetch
	end := at + 1
	for end < len(f.ids) && end-at < m.c.BlocksAtOnce && m.queue.wanted[f.ids[end]] == nil &&
		hasWhole(f.first+uint64(end), c.height, c.seed) {
		end++
	}
	s := &span{start: f.first + uint64(at), ids: slices.Clone(f.ids[at:end])}
	m.queue.add(s)
	m.request(now, c, s)
}

func (m *Machine) request(now time.Time, c *conn, s *span) {
	s.conn, s.uuid, s.addr, s.asked = c.id, c.uuid, c.addr, now
	c.fetch.state, c.fetch.expect, c.fetch.asked, c.fetch.span = synchronizing, message.Objects, now, s
	m.notify(now, c, message.GetObjects, message.ObjectsRequest{Blocks: s.ids})
}

// takeOver asks a connection with nothing to do for the blocks that all wait for, when who was asked is slow.
// Source: should_download_next_span.
func (m *Machine) takeOver(now time.Time, c *conn) bool {
	s := m.queue.front()
	if s == nil || s.conn == c.id || m.queue.wanted[c.fetch.ids[0]] != s || len(c.fetch.ids) < len(s.ids) ||
		!slices.Equal(c.fetch.ids[:len(s.ids)], s.ids) {
		return false
	}
	waited := now.Sub(s.asked)
	other := m.conns[s.conn]
	quiet := other == nil || now.Sub(other.lastReceived) > stalled
	if waited < frontTime && !(waited >= frontStalled && quiet) {
		return false
	}
	m.request(now, c, s)
	return true
}

// onObjects are blocks that were asked for. Source: handle_response_get_objects.
func (m *Machine) onObjects(now time.Time, c *conn, r *message.ObjectsResponse) {
	s := c.fetch.span
	if c.fetch.expect != message.Objects || s == nil {
		m.blame(now, c, 1, Unexpected)
		return
	}
	asked := c.fetch.asked
	if !m.claims(now, c, r.Height) {
		return
	}
	if len(r.Missed) > 0 {
		m.close(now, c, Useless)
		return
	}
	prev, size, good := checkSpan(s, r.Blocks)
	if !good {
		m.blame(now, c, 5, BadChain)
		return
	}
	c.fetch.expect, c.fetch.span = 0, nil
	if m.queue.has(s) && !s.filled {
		s.conn, s.uuid, s.addr = c.id, c.uuid, c.addr
		m.queue.fill(s, own(r.Blocks), prev, size, uint64(float64(size)/max(now.Sub(asked).Seconds(), 0.001)))
		m.shedSpans(now)
	}
	m.pushSync(now)
}

// shedSpans forgets the largest spans that wait to be judged, and leaves who brought them, until they take twice at most what the queue is
// meant to hold: whoever tells of a chain of his own is asked for its first blocks, and what those hold nobody has judged yet.
func (m *Machine) shedSpans(now time.Time) {
	for m.queue.bytes > 2*m.c.QueueBytes {
		var most *span
		for _, s := range m.queue.spans {
			if s.filled && !s.judging && (most == nil || s.size > most.size) {
				most = s
			}
		}
		if most == nil {
			return
		}
		m.queue.remove(most)
		if c := m.conns[most.conn]; c != nil {
			m.close(now, c, Flood)
		}
	}
}

// checkSpan reports whether blocks are those of a span, whole and in order, and returns the ID before the first and their bytes.
func checkSpan(s *span, blocks []message.Block) (prev xmr.Hash, size int, good bool) {
	if len(blocks) != len(s.ids) {
		return prev, 0, false
	}
	for i := range blocks {
		b := &blocks[i]
		parsed, err := block.Parse(b.Blob)
		if err != nil || b.Pruned || b.Weight != 0 || len(b.Txs) != len(parsed.TxHashes) {
			return prev, 0, false
		}
		id, err := parsed.Hash()
		height, coinbase := heightOf(parsed)
		if err != nil || id != s.ids[i] || !coinbase || height != s.start+uint64(i) {
			return prev, 0, false
		}
		for t := range b.Txs {
			if !b.Txs[t].Prunable.IsZero() {
				return prev, 0, false
			}
		}
		if i == 0 {
			prev = parsed.Prev
		} else if parsed.Prev != s.ids[i-1] {
			return prev, 0, false
		}
		size += b.Size()
	}
	return prev, size, true
}

// heightOf returns the index a block's coinbase states.
func heightOf(b *block.Block) (uint64, bool) {
	if len(b.MinerTx.Inputs) != 1 || !b.MinerTx.Inputs[0].Coinbase {
		return 0, false
	}
	return b.MinerTx.Inputs[0].Height, true
}

// judgeNext hands the first span whose parent is here to the host, one at a time.
func (m *Machine) judgeNext(now time.Time) {
	if m.queue.judging != nil || now.Before(m.queue.wait) {
		return
	}
	for _, s := range m.queue.spans {
		if !s.filled {
			continue
		}
		if _, here := m.c.Chain.Has(s.prev); here {
			s.judging, m.queue.judging = true, s
			m.do(Judge{&Job{chain: m.c.Chain, conn: s.conn, span: s, blocks: s.blocks, ids: s.ids}})
			return
		}
	}
}

// judgedSpan is what came of a span.
func (m *Machine) judgedSpan(now time.Time, j *Job) {
	s := j.span
	m.queue.judging, s.judging = nil, false
	m.queue.remove(s)
	switch {
	case j.err == nil:
	case ours(j.err):
		m.queue.wait = now.Add(ownTrouble)
	default:
		m.flush(s.conn)
		if c := m.conns[s.conn]; c != nil {
			m.blame(now, c, penalty(j.err)+4, BadBlock)
		} else if m.bans.Fail(now, s.addr, penalty(j.err)+4) {
			m.dropBanned(now)
		}
	}
	if _, found := highest(j.added); found {
		m.queue.fresh = true
	}
	m.pushSync(now)
	m.settle(now)
}

// flush forgets the spans a connection has brought that nobody judges.
func (m *Machine) flush(id ConnID) {
	for _, s := range slices.Clone(m.queue.spans) {
		if s.conn == id && !s.judging {
			m.queue.remove(s)
		}
	}
}

// abandon gives up what a connection was asked for.
func (m *Machine) abandon(c *conn) {
	s := c.fetch.span
	c.fetch.span, c.fetch.expect = nil, 0
	if s == nil || s.filled || !m.queue.has(s) {
		return
	}
	for _, other := range m.live() {
		if !other.gone && other != c && other.fetch.span == s {
			s.conn, s.uuid, s.addr = other.id, other.uuid, other.addr
			return
		}
	}
	m.queue.remove(s)
}

// highest returns of blocks that were added the last that is the top.
func highest(list []chain.Added) (id xmr.Hash, found bool) {
	for _, a := range list {
		if a.Main && !a.Known {
			id, found = a.ID, true
		}
	}
	return id, found
}
