package p2p

import (
	"cmp"
	"slices"
	"time"

	"glim/core/block"
	"glim/core/chain"
	"glim/core/p2p/message"
	"glim/core/xmr"
)

// How synchronisation goes. Source: src/cryptonote_protocol/cryptonote_protocol_handler.inl, the constants at its beginning;
// src/cryptonote_config.h, BLOCKS_IDS_SYNCHRONIZING_MAX_COUNT, CRYPTONOTE_MAX_BLOCK_NUMBER.
const (
	silence      = 20 * time.Second // without a byte of what was asked for
	tooLong      = 4 * time.Minute  // for all of it
	frontTime    = 30 * time.Second // before another peer is asked for the blocks that are needed next
	frontStalled = 5 * time.Second  // the same, when the first sends nothing
	stalled      = 2 * time.Second
	ownTrouble   = 30 * time.Second // after this daemon failed to store
	maxIDs       = 25_000
	maxHeight    = 500_000_000
	minSpans     = 10
	spansEach    = 3 // a connection
	kickInterval = time.Second
	searchTime   = 101 * time.Second
	searchers    = 2
	lowestScore  = -2
)

// plausible reports whether a peer's account of its chain can be. Source: process_payload_sync_data.
func (m *Machine) plausible(s *message.SyncData) bool {
	if s.Height == 0 || s.Height >= maxHeight || !goodSeed(s.PruningSeed) {
		return false
	}
	version := m.c.Chain.Version(s.Height - 1)
	return version < 6 || version == s.TopVersion
}

// heardSync notes how a peer's chain stands, and begins to fetch what is missing when it took more work than ours.
func (m *Machine) heardSync(now time.Time, c *conn, s *message.SyncData, first bool) {
	if !m.claims(now, c, s.Height) {
		return
	}
	c.topID, c.cumulative, c.seed = s.TopID, work(s), s.PruningSeed
	if !first && c.fetch.state != normal {
		return
	}
	_, here := m.c.Chain.Has(s.TopID)
	if here || m.c.NoSync || !m.c.Chain.Tip().Cumulative.Less(c.cumulative) {
		m.finish(now, c)
		return
	}
	m.begin(now, c)
}

// claims notes a peer's height; one that says less than before loses reputation. False when it is dropped for that.
func (m *Machine) claims(now time.Time, c *conn, height uint64) bool {
	if height < c.height {
		if c.score--; c.score <= lowestScore {
			m.blame(now, c, 5, BadChain)
			return false
		}
	}
	c.height = height
	return true
}

// begin makes a connection one that blocks are fetched from.
func (m *Machine) begin(now time.Time, c *conn) {
	if m.c.NoSync {
		return
	}
	m.abandon(now, c)
	c.fetch = fetch{state: synchronizing}
	m.askChain(now, c)
}

func (m *Machine) askChain(now time.Time, c *conn) {
	history := m.c.Chain.History()
	if last := c.fetch.last; !last.IsZero() && last != history[0] {
		history = append([]xmr.Hash{last}, history...)
	}
	c.fetch.state, c.fetch.expect, c.fetch.asked = synchronizing, message.Chain, now
	m.notify(now, c, message.GetChain, message.ChainRequest{IDs: history})
}

// finish makes a connection one that nothing is fetched from.
func (m *Machine) finish(now time.Time, c *conn) {
	c.fetch = fetch{state: normal}
	m.settle(now)
}

// settle notes when there is nothing to fetch from anybody.
func (m *Machine) settle(now time.Time) {
	var one *conn
	for _, c := range m.live() {
		if c.gone || !c.shaken || c.purpose != ToStay {
			continue
		}
		if c.fetch.state != normal {
			return
		}
		if one == nil || one.incoming && !c.incoming {
			one = c
		}
	}
	if one == nil || m.queue.judging != nil {
		return
	}
	m.queue.synced = true
	if !m.queue.asked {
		m.queue.asked = true
		m.notify(now, one, message.PoolComplement, message.PoolRequest{IDs: m.c.Chain.Pool()})
	}
	m.announceTop(now)
}

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

// impatient closes connections that do not bring what was asked for, and now and then looks for better ones.
func (m *Machine) impatient(now time.Time) {
	if now.Before(m.every.kick) {
		return
	}
	m.every.kick = now.Add(kickInterval)
	for _, c := range m.live() {
		if c.gone || c.fetch.expect == 0 {
			continue
		}
		since := c.fetch.asked
		if c.lastReceived.After(since) {
			since = c.lastReceived
		}
		if !c.paused && now.Sub(since) > silence || now.Sub(c.fetch.asked) > tooLong {
			m.blame(now, c, 5, Silent)
		}
	}
	m.search(now)
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
		m.queue.fill(s, r.Blocks, prev, size, uint64(float64(size)/max(now.Sub(asked).Seconds(), 0.001)))
	}
	m.pushSync(now)
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
func (m *Machine) abandon(now time.Time, c *conn) {
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

// busySyncing reports whether blocks are on their way or waiting.
func (m *Machine) busySyncing() bool { return len(m.queue.spans) > 0 }

// target returns the number of blocks of the longest chain peers tell of.
func (m *Machine) target() (height uint64) {
	for _, c := range m.live() {
		if !c.gone && c.shaken && c.fetch.state != before {
			height = max(height, c.height)
		}
	}
	return height
}

// search closes one outgoing connection to a peer that is level with us, when there is no place for peers that may have more.
// Source: update_sync_search.
func (m *Machine) search(now time.Time) {
	if now.Before(m.every.search) {
		return
	}
	first := m.every.search.IsZero()
	m.every.search = now.Add(searchTime)
	if first || len(m.c.Exclusive) > 0 || m.countOut() < m.out {
		return
	}
	syncing := 0
	var level *conn
	for _, c := range m.live() {
		if c.gone || c.incoming || !c.shaken || c.purpose != ToStay {
			continue
		}
		if c.fetch.state != normal {
			syncing++
		} else if !c.anchor && !c.fixed {
			level = c
		}
	}
	if white, gray := m.peers.Count(); syncing < searchers && level != nil && white+gray > 2*m.out {
		m.close(now, level, Useless)
	}
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

// spread returns what Sync reports of the spans.
func (m *Machine) spread() []Span {
	list := make([]Span, 0, len(m.queue.spans))
	fastest := max(m.queue.fastest(), 1)
	for _, s := range m.queue.spans {
		list = append(list, Span{Start: s.start, Count: uint64(len(s.ids)), Connection: s.uuid, Address: s.addr, Rate: s.rate,
			Speed: uint32(100 * s.rate / fastest), Size: uint64(s.size)})
	}
	slices.SortStableFunc(list, func(a, b Span) int { return cmp.Compare(a.Start, b.Start) })
	return list
}
