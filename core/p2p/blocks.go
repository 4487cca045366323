package p2p

import (
	"errors"
	"time"

	"glim/core/block"
	"glim/core/chain"
	"glim/core/p2p/levin"
	"glim/core/p2p/message"
	"glim/core/xmr"
)

// Time limits for the transactions of an announced block, and for ignoring other announcements of a block that is being
// verified.
const (
	missingTime  = 20 * time.Second
	announceWait = 5 * time.Second
)

// onBlock handles the announcement of a block. Source: handle_notify_new_fluffy_block.
func (m *Machine) onBlock(now time.Time, c *conn, n *message.BlockNotice) {
	if c.fetch.state != normal || !m.queue.synced {
		// Synchronisation fetches the block.
		if c.handshaken && c.fetch.state != normal && n.Height > c.height && n.Height < maxHeight {
			c.height = n.Height
		}
		return
	}
	parsed, err := block.Parse(n.Block.Blob)
	if err != nil || n.Block.Pruned || len(n.Block.Txs) > len(parsed.TxHashes) {
		m.blame(now, c, 1, BadBlock)
		return
	}
	id, err := parsed.Hash()
	height, coinbase := heightOf(parsed)
	if err != nil || !coinbase {
		m.blame(now, c, 1, BadBlock)
		return
	}
	if _, here := m.c.Chain.Has(id); here {
		if n.Height == height+1 {
			c.height = max(c.height, n.Height)
		}
		return
	}
	if at, verifying := m.relay.verifying[id]; verifying && now.Sub(at) < announceWait && c.awaited != id {
		c.alsoAnnounced = id
		return
	}
	m.relay.verifying[id] = now
	c.busy = true
	m.verify(now, &Job{
		conn: c.id, blocks: cloneBlocks([]message.Block{n.Block}), ids: []xmr.Hash{id}, height: n.Height,
		size: n.Block.Size(),
	})
}

// blockVerified handles the result for an announced block. c is nil if its sender has disconnected.
func (m *Machine) blockVerified(now time.Time, c *conn, j *Job) {
	id := j.ids[0]
	wanted := c != nil && c.awaited == id
	if wanted {
		c.awaited = xmr.Hash{}
	}
	delete(m.relay.verifying, id)
	switch {
	case j.err == nil:
		if c != nil && j.height == j.added[0].Height+1 {
			c.height, c.topID = max(c.height, j.height), id
		}
		if _, found := highest(j.added); found {
			m.announce(now, id, c, 0)
		}
	case c == nil || isLocalError(j.err):
	case errors.Is(j.err, chain.ErrOrphan):
		if c.fetch.state == normal {
			m.startSync(now, c)
		}
	case errors.Is(j.err, chain.ErrMissing) && !wanted:
		m.askMissing(now, c, j)
	default:
		m.blame(now, c, penalty(j.err), BadBlock)
	}
	if j.err != nil && !isLocalError(j.err) && (c == nil || c.awaited != id && !errors.Is(j.err, chain.ErrOrphan)) {
		m.askOthers(now, id)
	}
}

// askOthers fetches a block from the peers that announced it while it was being verified. The first announcement was
// incomplete, perhaps on purpose, to delay the block. The block is fetched by synchronisation, which holds its sender
// responsible.
func (m *Machine) askOthers(now time.Time, id xmr.Hash) {
	for _, c := range m.live() {
		if c.closed || c.alsoAnnounced != id {
			continue
		}
		c.alsoAnnounced = xmr.Hash{}
		if _, here := m.c.Chain.Has(id); !here && c.fetch.state == normal {
			m.startSync(now, c)
		}
	}
}

// askMissing requests the transactions of a block that are not in the pool.
func (m *Machine) askMissing(now time.Time, c *conn, j *Job) {
	parsed, err := block.Parse(j.blocks[0].Blob)
	if err != nil {
		return // cannot happen: it has been parsed before
	}
	r := message.MissingTxsRequest{ID: j.ids[0], Height: j.height}
	for i, id := range parsed.TxHashes {
		if !m.c.Chain.HasTx(id) {
			r.Indices = append(r.Indices, uint64(i))
		}
	}
	c.awaited, c.awaitedAt = r.ID, now
	m.relay.verifying[r.ID] = now
	m.notify(now, c, message.GetMissingTxs, r)
}

// tickBlocks falls back to synchronisation if the transactions of an announced block do not arrive.
func (m *Machine) tickBlocks(now time.Time) {
	for id, at := range m.relay.verifying {
		if now.Sub(at) > tooLong {
			delete(m.relay.verifying, id)
		}
	}
	for _, c := range m.live() {
		if c.closed || c.awaited.IsZero() || now.Sub(c.awaitedAt) < announceWait {
			continue
		}
		m.askOthers(now, c.awaited)
		if now.Sub(c.awaitedAt) < missingTime {
			continue
		}
		c.awaited = xmr.Hash{}
		if c.fetch.state == normal {
			m.startSync(now, c)
		}
	}
}

// ownDepth limits how many blocks made here at once are announced one by one. The reference relays no block that it had
// to request.
const ownDepth = 20

// announceOwn announces a block that was made here, unless a job of the machine added it.
func (m *Machine) announceOwn(now time.Time, id xmr.Hash) {
	_, verifying := m.relay.verifying[id]
	height, here := m.c.Chain.Has(id)
	byJob := verifying || m.queue.wanted[id] != nil || id == m.queue.announced
	if byJob || !here || height+ownDepth < m.c.Chain.Tip().Height {
		return
	}
	m.announce(now, id, nil, 0)
}

// announceTop announces the top block that synchronisation has reached to peers with fewer blocks.
func (m *Machine) announceTop(now time.Time) {
	if !m.queue.fresh {
		return
	}
	m.queue.fresh = false
	if t := m.c.Chain.Tip(); t.ID != m.queue.announced {
		m.announce(now, t.ID, nil, t.Height)
	}
}

// announce announces a block to all peers but its sender; if below is not 0, only to peers with fewer blocks than that.
// Source: relay_block.
func (m *Machine) announce(now time.Time, id xmr.Hash, from *conn, below uint64) {
	m.queue.announced = id
	d, found := m.c.Chain.Block(id, false)
	if !found {
		return
	}
	var fluffy, whole []byte
	for _, c := range m.live() {
		if c.closed || c == from || !c.handshaken || c.purpose != DialPeer || below > 0 && c.height >= below {
			continue
		}
		if c.node.SupportFlags&message.FluffyBlocks == 0 {
			if whole == nil {
				notice := message.BlockNotice{Block: toBlock(d, false), Height: d.Height + 1}
				whole = levin.Notify(message.NewBlock, message.Encode(notice))
			}
			m.send(now, c, whole)
			continue
		}
		if fluffy == nil {
			fluffy = levin.Notify(message.NewFluffyBlock,
				message.Encode(message.BlockNotice{Block: message.Block{Blob: d.Blob}, Height: d.Height + 1}))
		}
		m.send(now, c, fluffy)
	}
}
