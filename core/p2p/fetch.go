package p2p

import (
	"slices"
	"time"

	"glim/core/block"
	"glim/core/chain"
	"glim/core/p2p/message"
	"glim/core/xmr"
)

// onChain handles the IDs of a peer's blocks that follow our history. Source: handle_response_chain_entry.
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
	if !m.updateHeight(now, c, r.Total) {
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
		m.blame(now, c, 5, BadChain) // it claims more blocks than it names
		return
	}
	if r.Start < c.fetch.lastHeight { // the peer has named a later block before
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

// pushSync does all synchronisation work possible now: it verifies fetched blocks and requests missing ones.
func (m *Machine) pushSync(now time.Time) {
	m.dropStalled(now)
	m.verifyNext(now)
	var list []*conn
	for _, c := range m.live() {
		if !c.closed && (c.fetch.state == synchronizing || c.fetch.state == standby) && c.fetch.expect == 0 {
			list = append(list, c)
		}
	}
	// Begin with the peers with the most work, because the chain with the most work is the main chain.
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
		if !c.closed && c.fetch.expect == 0 {
			m.next(now, c)
		}
	}
}

// next requests the next blocks from a peer that are not requested from another.
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
			// All its blocks are known, and have less work than it claimed.
			c.cumulative = m.c.Chain.Tip().Cumulative
			if c.score--; c.score <= lowestScore {
				m.blame(now, c, 5, BadChain)
				return
			}
		}
		m.endSync(now, c)
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

// room reports whether blocks may be fetched ahead.
func (m *Machine) room() bool {
	return m.queue.bytes < m.c.QueueBytes && len(m.queue.spans) < max(minSpans, spansEach*len(m.conns)) &&
		(m.c.Ahead == 0 || m.queue.filled() < m.spanLimit())
}

// spanLimit returns the number of fetched spans that are verified in the time of Ahead.
// Source: src/cryptonote_protocol/cryptonote_protocol_handler.inl after release 0.18.5.1, calculate_dynamic_span.
func (m *Machine) spanLimit() int {
	return int(max(minSpans, min(m.queue.speed*m.c.Ahead.Seconds()/float64(m.atOnce()), 1<<20)))
}

// recentBlocks is the number of blocks from which the size of the next ones is expected.
// Source: src/cryptonote_config.h, CRYPTONOTE_REWARD_BLOCKS_WINDOW.
const recentBlocks = 100

// atOnce returns the number of blocks to request at once: as many as BatchBytes allows if the next blocks are as large
// as the largest of the last ones, or as those that wait for verification.
// Source: src/cryptonote_core/cryptonote_core.cpp after release 0.18.5.1, get_block_sync_size.
func (m *Machine) atOnce() int {
	if m.c.BatchBytes == 0 {
		return m.c.BlocksAtOnce
	}
	expected := max(m.c.Chain.LargestWeight(recentBlocks), uint64(m.queue.blockSize()), 1)
	return int(max(1, min(uint64(m.c.BlocksAtOnce), uint64(m.c.BatchBytes)/expected)))
}

// reserve requests the span of blocks that begins at ids[at].
func (m *Machine) reserve(now time.Time, c *conn, at int) {
	f := &c.fetch
	end, most := at+1, m.atOnce()
	for end < len(f.ids) && end-at < most && m.queue.wanted[f.ids[end]] == nil &&
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

// takeOver requests the blocks that are needed next from an idle peer, if the peer asked before is slow.
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

// onObjects handles requested blocks. Source: handle_response_get_objects.
func (m *Machine) onObjects(now time.Time, c *conn, r *message.ObjectsResponse) {
	s := c.fetch.span
	if c.fetch.expect != message.Objects || s == nil {
		m.blame(now, c, 1, Unexpected)
		return
	}
	asked := c.fetch.asked
	if !m.updateHeight(now, c, r.Height) {
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
		m.queue.fill(s, cloneBlocks(r.Blocks), prev, size, uint64(float64(size)/max(now.Sub(asked).Seconds(), 0.001)))
		m.limitQueue(now)
	}
	m.pushSync(now)
}

// limitQueue drops the largest spans that wait for verification, and disconnects their senders, until the queue has at
// most twice its size. It is needed because the first blocks of any announced chain are requested, and their content is
// not verified yet.
func (m *Machine) limitQueue(now time.Time) {
	for m.queue.bytes > 2*m.c.QueueBytes {
		var most *span
		for _, s := range m.queue.spans {
			if s.filled && !s.verifying && (most == nil || s.size > most.size) {
				most = s
			}
		}
		if most == nil {
			return
		}
		m.queue.remove(most)
		if c := m.conns[most.conn]; c != nil {
			m.close(now, c, Flooding)
		}
	}
}

// checkSpan checks that blocks are complete and match a span. It returns the ID of the block before the first, and the
// size of the blocks in bytes.
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

// heightOf returns the height that a block's coinbase states.
func heightOf(b *block.Block) (uint64, bool) {
	if len(b.MinerTx.Inputs) != 1 || !b.MinerTx.Inputs[0].Coinbase {
		return 0, false
	}
	return b.MinerTx.Inputs[0].Height, true
}

// verifyNext passes the first span whose parent is known to the host. One span is verified at a time.
func (m *Machine) verifyNext(now time.Time) {
	if m.queue.verifying != nil || now.Before(m.queue.wait) {
		return
	}
	for _, s := range m.queue.spans {
		if !s.filled {
			continue
		}
		if _, here := m.c.Chain.Has(s.prev); here {
			s.verifying, m.queue.verifying, m.queue.began = true, s, now
			m.do(Verify{&Job{chain: m.c.Chain, conn: s.conn, span: s, blocks: s.blocks, ids: s.ids}})
			return
		}
	}
}

// spanVerified handles the result for a span.
func (m *Machine) spanVerified(now time.Time, j *Job) {
	s := j.span
	m.queue.verifying, s.verifying = nil, false
	m.queue.remove(s)
	if len(j.added) > 0 {
		m.queue.speed = float64(len(j.added)) / max(now.Sub(m.queue.began).Seconds(), 0.001)
	}
	switch {
	case j.err == nil:
	case isLocalError(j.err):
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
	m.checkSynced(now)
}

// flush drops the spans that a connection has delivered and that are not being verified.
func (m *Machine) flush(id ConnID) {
	for _, s := range slices.Clone(m.queue.spans) {
		if s.conn == id && !s.verifying {
			m.queue.remove(s)
		}
	}
}

// abandon cancels the request to a connection.
func (m *Machine) abandon(c *conn) {
	s := c.fetch.span
	c.fetch.span, c.fetch.expect = nil, 0
	if s == nil || s.filled || !m.queue.has(s) {
		return
	}
	for _, other := range m.live() {
		if !other.closed && other != c && other.fetch.span == s {
			s.conn, s.uuid, s.addr = other.id, other.uuid, other.addr
			return
		}
	}
	m.queue.remove(s)
}

// highest returns the last of the added blocks that is on the main chain.
func highest(list []chain.Added) (id xmr.Hash, found bool) {
	for _, a := range list {
		if a.Main && !a.Known {
			id, found = a.ID, true
		}
	}
	return id, found
}
