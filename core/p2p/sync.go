package p2p

import (
	"cmp"
	"slices"
	"time"

	"glim/core/p2p/message"
	"glim/core/xmr"
)

// Limits of synchronisation. Source: src/cryptonote_protocol/cryptonote_protocol_handler.inl, the constants at its
// beginning; src/cryptonote_config.h, BLOCKS_IDS_SYNCHRONIZING_MAX_COUNT, CRYPTONOTE_MAX_BLOCK_NUMBER.
const (
	silence      = 20 * time.Second // without a byte of a requested response
	tooLong      = 4 * time.Minute  // for a complete response
	frontTime    = 30 * time.Second // before the blocks needed next are requested from another peer
	frontStalled = 5 * time.Second  // the same, if the first peer sends nothing
	stalled      = 2 * time.Second
	orphanTime   = time.Minute      // before blocks are dropped whose parents no peer delivers
	ownTrouble   = 30 * time.Second // pause after a storage error
	maxIDs       = 25_000
	maxHeight    = 500_000_000
	minSpans     = 10
	spansEach    = 3 // for each connection
	kickInterval = time.Second
	searchTime   = 101 * time.Second
	searchers    = 2
	lowestScore  = -2
)

// plausible reports whether a peer's claims about its chain are possible. Source: process_payload_sync_data.
func (m *Machine) plausible(s *message.SyncData) bool {
	if s.Height == 0 || s.Height >= maxHeight || !goodSeed(s.PruningSeed) {
		return false
	}
	version := m.c.Chain.Version(s.Height - 1)
	return version < 6 || version == s.TopVersion
}

// updateSync records the state of a peer's chain, and starts to fetch if it has more work than ours.
func (m *Machine) updateSync(now time.Time, c *conn, s *message.SyncData, first bool) {
	if !m.updateHeight(now, c, s.Height) {
		return
	}
	c.topID, c.cumulative, c.seed = s.TopID, claimedWork(s), s.PruningSeed
	if !first && c.fetch.state != normal {
		return
	}
	_, here := m.c.Chain.Has(s.TopID)
	if here || m.c.NoSync || !m.c.Chain.Tip().Cumulative.Less(c.cumulative) {
		m.endSync(now, c)
		return
	}
	m.startSync(now, c)
}

// updateHeight records a peer's height. A peer whose height decreases loses score. It returns false if the peer was
// disconnected for that.
func (m *Machine) updateHeight(now time.Time, c *conn, height uint64) bool {
	if height < c.height {
		if c.score--; c.score <= lowestScore {
			m.blame(now, c, 5, BadChain)
			return false
		}
	}
	c.height = height
	return true
}

// startSync starts to fetch blocks from a connection.
func (m *Machine) startSync(now time.Time, c *conn) {
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

// endSync ends fetching blocks from a connection.
func (m *Machine) endSync(now time.Time, c *conn) {
	c.fetch = fetch{state: normal}
	m.checkSynced(now)
}

// checkSynced marks the chain as synchronised if there is nothing to fetch. If there are outgoing connections, only
// they count, because an incoming peer can claim more blocks at any time.
func (m *Machine) checkSynced(now time.Time) {
	var one *conn
	var called, came bool // whether there is something to fetch from an outgoing, or an incoming, peer
	for _, c := range m.live() {
		switch {
		case c.closed || !c.handshaken || c.purpose != DialPeer:
		case c.fetch.state != normal:
			called, came = called || !c.incoming, came || c.incoming
		case one == nil || one.incoming && !c.incoming:
			one = c
		}
	}
	if one == nil || called || came && one.incoming || m.queue.verifying != nil {
		return
	}
	m.queue.synced = true
	if !m.queue.asked {
		m.queue.asked = true
		m.notify(now, one, message.PoolComplement, message.PoolRequest{IDs: m.c.Chain.Pool()})
	}
	m.announceTop(now)
}

// dropStalled closes connections that do not deliver requested data, and periodically looks for better ones.
func (m *Machine) dropStalled(now time.Time) {
	if now.Before(m.schedule.kick) {
		return
	}
	m.schedule.kick = now.Add(kickInterval)
	for _, c := range m.live() {
		if c.closed || c.fetch.expect == 0 {
			continue
		}
		since := c.fetch.asked
		if c.lastReceived.After(since) {
			since = c.lastReceived
		}
		if !c.paused && now.Sub(since) > silence || now.Sub(c.fetch.asked) > tooLong {
			m.blame(now, c, 1, TimedOut)
		}
	}
	m.dropOrphans(now)
	m.search(now)
}

// dropOrphans drops fetched blocks that cannot be verified, because their parents are not requested from any peer.
func (m *Machine) dropOrphans(now time.Time) {
	for _, s := range slices.Clone(m.queue.spans) {
		if !s.filled || s.verifying || now.Sub(s.asked) < orphanTime || m.queue.wanted[s.prev] != nil {
			continue
		}
		if _, here := m.c.Chain.Has(s.prev); !here {
			m.queue.remove(s)
		}
	}
}

// busySyncing reports whether blocks are being fetched or wait for verification.
func (m *Machine) busySyncing() bool { return len(m.queue.spans) > 0 }

// target returns the highest number of blocks of a peer that claims more work than our chain.
func (m *Machine) target() (height uint64) {
	work := m.c.Chain.Tip().Cumulative
	for _, c := range m.live() {
		if c.closed || !c.handshaken {
			continue
		}
		fetching := c.fetch.state == synchronizing || c.fetch.state == standby
		if fetching || c.fetch.state == normal && work.Less(c.cumulative) {
			height = max(height, c.height)
		}
	}
	return height
}

// search closes one outgoing connection to a peer without more blocks, to make room for peers that may have more.
// Source: update_sync_search.
func (m *Machine) search(now time.Time) {
	if now.Before(m.schedule.search) {
		return
	}
	first := m.schedule.search.IsZero()
	m.schedule.search = now.Add(searchTime)
	if first || len(m.c.Exclusive) > 0 || m.countOut() < m.out {
		return
	}
	syncing := 0
	var level *conn
	for _, c := range m.live() {
		if c.closed || c.incoming || !c.handshaken || c.purpose != DialPeer {
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

// spread returns the spans for Sync.
func (m *Machine) spread() []Span {
	list := make([]Span, 0, len(m.queue.spans))
	fastest := max(m.queue.fastest(), 1)
	for _, s := range m.queue.spans {
		list = append(list, Span{
			Start:      s.start,
			Count:      uint64(len(s.ids)),
			Connection: s.uuid,
			Address:    s.addr,
			Rate:       s.rate,
			Speed:      uint32(100 * s.rate / fastest),
			Size:       uint64(s.size),
		})
	}
	slices.SortStableFunc(list, func(a, b Span) int { return cmp.Compare(a.Start, b.Start) })
	return list
}
