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

// How long the transactions of an announced block may take, and how long others' announcements of a block that is being judged
// are left aside.
const (
	missingTime = 20 * time.Second
	asideTime   = 5 * time.Second
)

// onBlock is a block that a peer announces. Source: handle_notify_new_fluffy_block.
func (m *Machine) onBlock(now time.Time, c *conn, n *message.BlockNotice) {
	if c.fetch.state != normal || !m.queue.synced {
		// It is fetched with what else is missing.
		if c.shaken && c.fetch.state != normal && n.Height > c.height && n.Height < maxHeight {
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
	if at, judged := m.relay.judging[id]; judged && now.Sub(at) < asideTime && c.wants != id {
		c.aside = id
		return
	}
	m.relay.judging[id] = now
	c.busy = true
	m.judge(now, &Job{conn: c.id, blocks: own([]message.Block{n.Block}), ids: []xmr.Hash{id}, height: n.Height, size: n.Block.Size()})
}

// judgedBlock is what came of an announced block. c is nil when its sender is gone.
func (m *Machine) judgedBlock(now time.Time, c *conn, j *Job) {
	id := j.ids[0]
	wanted := c != nil && c.wants == id
	if wanted {
		c.wants = xmr.Hash{}
	}
	delete(m.relay.judging, id)
	switch {
	case j.err == nil:
		if c != nil && j.height == j.added[0].Height+1 {
			c.height, c.topID = max(c.height, j.height), id
		}
		if _, found := highest(j.added); found {
			m.announce(now, id, c, 0)
		}
	case c == nil || ours(j.err):
	case errors.Is(j.err, chain.ErrOrphan):
		if c.fetch.state == normal {
			m.begin(now, c)
		}
	case errors.Is(j.err, chain.ErrMissing) && !wanted:
		m.askMissing(now, c, j)
	default:
		m.blame(now, c, penalty(j.err), BadBlock)
	}
	if j.err != nil && !ours(j.err) && (c == nil || c.wants != id && !errors.Is(j.err, chain.ErrOrphan)) {
		m.askOthers(now, id)
	}
}

// askOthers fetches a block from those who announced it while it was being judged: who was first did not bring it whole, perhaps so
// that it comes late. It is fetched as any other, and whose it is answers for it.
func (m *Machine) askOthers(now time.Time, id xmr.Hash) {
	for _, c := range m.live() {
		if c.gone || c.aside != id {
			continue
		}
		c.aside = xmr.Hash{}
		if _, here := m.c.Chain.Has(id); !here && c.fetch.state == normal {
			m.begin(now, c)
		}
	}
}

// askMissing asks for the transactions of a block that are not here.
func (m *Machine) askMissing(now time.Time, c *conn, j *Job) {
	parsed, err := block.Parse(j.blocks[0].Blob)
	if err != nil {
		return // it has been parsed before
	}
	r := message.MissingTxsRequest{ID: j.ids[0], Height: j.height}
	for i, id := range parsed.TxHashes {
		if !m.c.Chain.HasTx(id) {
			r.Indices = append(r.Indices, uint64(i))
		}
	}
	c.wants, c.wantsAt = r.ID, now
	m.relay.judging[r.ID] = now
	m.notify(now, c, message.GetMissingTxs, r)
}

// tickBlocks turns to synchronisation where transactions of announced blocks do not come.
func (m *Machine) tickBlocks(now time.Time) {
	for id, at := range m.relay.judging {
		if now.Sub(at) > tooLong {
			delete(m.relay.judging, id)
		}
	}
	for _, c := range m.live() {
		if c.gone || c.wants.IsZero() || now.Sub(c.wantsAt) < asideTime {
			continue
		}
		m.askOthers(now, c.wants)
		if now.Sub(c.wantsAt) < missingTime {
			continue
		}
		c.wants = xmr.Hash{}
		if c.fetch.state == normal {
			m.begin(now, c)
		}
	}
}

// ownDepth is how many blocks made here at once are told of one by one. The reference passes on no block that it had to ask for.
const ownDepth = 20

// announceOwn tells peers of a block that was made here, unless a job of the machine's brought it.
func (m *Machine) announceOwn(now time.Time, id xmr.Hash) {
	_, judged := m.relay.judging[id]
	height, here := m.c.Chain.Has(id)
	if judged || m.queue.wanted[id] != nil || id == m.queue.announced || !here || height+ownDepth < m.c.Chain.Tip().Height {
		return
	}
	m.announce(now, id, nil, 0)
}

// announceTop tells peers who have less of the top that synchronisation has brought.
func (m *Machine) announceTop(now time.Time) {
	if !m.queue.fresh {
		return
	}
	m.queue.fresh = false
	if t := m.c.Chain.Tip(); t.ID != m.queue.announced {
		m.announce(now, t.ID, nil, t.Height)
	}
}

// announce tells of a block, but not its sender; when below is not 0, only peers with fewer blocks than that.
// Source: relay_block.
func (m *Machine) announce(now time.Time, id xmr.Hash, from *conn, below uint64) {
	m.queue.announced = id
	d, found := m.c.Chain.Block(id, false)
	if !found {
		return
	}
	var fluffy, whole []byte
	for _, c := range m.live() {
		if c.gone || c == from || !c.shaken || c.purpose != ToStay || below > 0 && c.height >= below {
			continue
		}
		if c.node.SupportFlags&message.FluffyBlocks == 0 {
			if whole == nil {
				whole = levin.Notify(message.NewBlock, message.Encode(message.BlockNotice{Block: toBlock(d, false), Height: d.Height + 1}))
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
