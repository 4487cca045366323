package p2p

import (
	"cmp"
	"slices"
	"time"

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
	orphanTime   = time.Minute      // that blocks are kept for which nobody brings those before them
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
	m.abandon(c)
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

// settle notes when there is nothing to fetch from anybody. Those who were called decide, where there are any: who comes in may say
// that he has more as often as he likes.
func (m *Machine) settle(now time.Time) {
	var one *conn
	var called, came bool // whether there is something to fetch from some
	for _, c := range m.live() {
		switch {
		case c.gone || !c.shaken || c.purpose != ToStay:
		case c.fetch.state != normal:
			called, came = called || !c.incoming, came || c.incoming
		case one == nil || one.incoming && !c.incoming:
			one = c
		}
	}
	if one == nil || called || came && one.incoming || m.queue.judging != nil {
		return
	}
	m.queue.synced = true
	if !m.queue.asked {
		m.queue.asked = true
		m.notify(now, one, message.PoolComplement, message.PoolRequest{IDs: m.c.Chain.Pool()})
	}
	m.announceTop(now)
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
			m.blame(now, c, 1, Silent)
		}
	}
	m.dropOrphans(now)
	m.search(now)
}

// dropOrphans forgets blocks that were fetched and cannot be judged, for nobody is asked for those before them.
func (m *Machine) dropOrphans(now time.Time) {
	for _, s := range slices.Clone(m.queue.spans) {
		if !s.filled || s.judging || now.Sub(s.asked) < orphanTime || m.queue.wanted[s.prev] != nil {
			continue
		}
		if _, here := m.c.Chain.Has(s.prev); !here {
			m.queue.remove(s)
		}
	}
}

// busySyncing reports whether blocks are on their way or waiting.
func (m *Machine) busySyncing() bool { return len(m.queue.spans) > 0 }

// target returns the number of blocks of the longest chain that peers tell of and that took more work than ours, as they say.
func (m *Machine) target() (height uint64) {
	work := m.c.Chain.Tip().Cumulative
	for _, c := range m.live() {
		if !c.gone && c.shaken && (c.fetch.state == synchronizing || c.fetch.state == standby || c.fetch.state == normal && work.Less(c.cumulative)) {
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
