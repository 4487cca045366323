package p2p

import (
	"bytes"
	"errors"
	"slices"
	"time"

	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/crypto/keccak"
	"glim/core/p2p/levin"
	"glim/core/p2p/message"
	"glim/core/xmr"
)

// Dandelion++: a transaction first travels along a stem, from one peer to the next, to hide its origin; then it is
// relayed to all peers after random delays. Source: Fanti et al., Dandelion++: Lightweight Cryptocurrency Networking
// with Formal Anonymity Guarantees; src/cryptonote_protocol/levin_notify.cpp; src/cryptonote_config.h,
// CRYPTONOTE_DANDELIONPP_*.
const (
	stemCount    = 2  // stem peers
	fluffPercent = 20 // of epochs, in which transactions of others do not use the stem
	epochTime    = 10 * time.Minute
	epochRange   = 30 * time.Second
	embargoMean  = 39 // seconds until a stem transaction that no peer relays is relayed to all
	flushStep    = 250 * time.Millisecond
	flushIn      = 20 // mean steps before transactions are sent to an incoming peer
	flushOut     = 10 // and to an outgoing peer

	unheardInterval = 2 * time.Minute
	maxEmbargoes    = 20_000
	maxFluff        = 10_000 // queued transactions of one connection
	maxTxsBytes     = 4 << 20
	padTo           = 1024
)

// relay is the state of relaying.
type relay struct {
	verifying map[xmr.Hash]time.Time // announced blocks

	embargo  map[xmr.Hash]time.Time // stem transactions, and when they are relayed to all
	unsent   []xmr.Hash             // transactions of this daemon's users, while there is no peer
	epoch    time.Time              // its end
	fluffing bool
	stems    []ConnID
	routes   map[ConnID]ConnID // from source to stem peer
}

func (r *relay) init() {
	r.verifying, r.embargo, r.routes = map[xmr.Hash]time.Time{}, map[xmr.Hash]time.Time{}, map[ConnID]ConnID{}
}

// hides reports whether a transaction of the pool must be hidden from peers.
func (r *relay) hides(id xmr.Hash) bool {
	_, hidden := r.embargo[id]
	return hidden || slices.Contains(r.unsent, id)
}

// onTxs handles relayed transactions. Source: handle_notify_new_transactions.
func (m *Machine) onTxs(now time.Time, c *conn, n *message.TxsNotice) {
	if c.fetch.state != normal || !m.queue.synced || len(n.Txs) == 0 {
		return
	}
	seen := make(map[[32]byte]bool, len(n.Txs))
	for _, blob := range n.Txs {
		seen[keccak.Sum256(blob)] = true
	}
	if len(seen) != len(n.Txs) {
		m.blame(now, c, 1, BadMessage)
		return
	}
	size := 0
	for i, blob := range n.Txs {
		n.Txs[i] = slices.Clone(blob)
		size += len(blob)
	}
	c.busy = true
	m.verify(now, &Job{conn: c.id, txs: n.Txs, hidden: !n.Fluff, size: size})
}

// txsVerified handles the results for transactions. c is nil if their sender has disconnected.
func (m *Machine) txsVerified(now time.Time, c *conn, j *Job) {
	var stem, fluff []xmr.Hash
	bad := error(nil)
	for i, id := range j.txIDs {
		_, stemmed := m.relay.embargo[id]
		switch err := j.txErrs[i]; {
		case err == nil && j.hidden:
			stem = append(stem, id)
		case err == nil, errors.Is(err, chain.ErrInPool) && stemmed: // relayed to all by a peer, or a loop of the stem
			fluff = append(fluff, id)
		case errors.Is(err, chain.ErrInPool) && !j.hidden && m.c.Chain.Hidden(id): // no longer secret
			m.relay.embargo[id] = now // removed by fluff
			fluff = append(fluff, id)
		case err != nil && !isHarmless(err):
			bad = err
		}
	}
	m.stem(now, stem, j.conn)
	m.fluff(now, fluff, j.conn)
	switch {
	case c == nil || bad == nil:
	case errors.Is(bad, consensus.ErrInput): // may be valid on another chain
		m.close(now, c, BadTx)
	default:
		m.blame(now, c, 1, BadTx)
	}
}

// TransactionAccepted reports a transaction of this daemon's users that is in the pool and to be relayed.
func (m *Machine) TransactionAccepted(now time.Time, id xmr.Hash) {
	if m.stopped || m.relay.hides(id) {
		return
	}
	if !slices.ContainsFunc(m.live(), (*conn).peer) {
		if len(m.relay.unsent) < maxEmbargoes {
			m.relay.unsent = append(m.relay.unsent, id)
		}
		return
	}
	m.stem(now, []xmr.Hash{id}, 0)
}

// peer reports whether transactions and blocks may be sent to a connection.
func (c *conn) peer() bool { return !c.closed && c.handshaken && c.purpose == DialPeer }

// stem sends transactions along the stem. from is 0 for this daemon's own. In a fluff epoch, or without a stem peer,
// they are relayed to all. Source: dandelionpp_notify.
func (m *Machine) stem(now time.Time, ids []xmr.Hash, from ConnID) {
	if len(ids) == 0 {
		return
	}
	m.newEpoch(now)
	to := m.route(from)
	if to == nil || m.relay.fluffing && from != 0 {
		for _, id := range ids {
			m.relay.embargo[id] = now // removed by fluff
		}
		m.fluff(now, ids, from)
		return
	}
	for _, id := range ids {
		if len(m.relay.embargo) < maxEmbargoes {
			m.relay.embargo[id] = now.Add(time.Duration(m.rng.poisson(embargoMean)) * time.Second)
		}
	}
	m.sendTxs(now, to, m.pooled(ids), false)
}

// pooled returns those of the transactions that are in the pool, as bytes.
func (m *Machine) pooled(ids []xmr.Hash) (blobs [][]byte) {
	for _, id := range ids {
		if blob, here := m.c.Chain.PoolTx(id); here {
			blobs = append(blobs, blob)
		}
	}
	return blobs
}

// newEpoch begins a new epoch when the last has ended, with other stem peers.
func (m *Machine) newEpoch(now time.Time) {
	r := &m.relay
	if now.Before(r.epoch) {
		return
	}
	r.epoch = now.Add(epochTime + m.rng.within(epochRange))
	r.fluffing = m.rng.below(100) < fluffPercent
	r.stems = nil
	clear(r.routes)
	m.fillStems()
}

// fillStems chooses stem peers for free slots among the outgoing peers that are not far behind.
func (m *Machine) fillStems() {
	r := &m.relay
	r.stems = slices.DeleteFunc(r.stems, func(id ConnID) bool { return m.conns[id] == nil })
	height := m.c.Chain.Tip().Height
	var choice []ConnID
	for _, c := range m.live() {
		if c.peer() && !c.incoming && c.height+2 >= height && !slices.Contains(r.stems, c.id) {
			choice = append(choice, c.id)
		}
	}
	shuffle(&m.rng, choice)
	r.stems = append(r.stems, choice[:min(len(choice), stemCount-len(r.stems))]...)
}

// route returns the stem peer of a source, which stays the same for an epoch while it is connected, or nil. A new
// source gets the stem peer with the fewest sources. Source: src/net/dandelionpp.cpp, connection_map.
func (m *Machine) route(from ConnID) *conn {
	r := &m.relay
	if to := m.conns[r.routes[from]]; to != nil {
		return to
	}
	m.fillStems()
	for source := range r.routes {
		if m.conns[r.routes[source]] == nil || source != 0 && m.conns[source] == nil {
			delete(r.routes, source)
		}
	}
	var best []ConnID
	least := 0
	for _, id := range r.stems {
		used := 0
		for _, to := range r.routes {
			if to == id {
				used++
			}
		}
		if len(best) == 0 || used < least {
			best, least = []ConnID{id}, used
		} else if used == least {
			best = append(best, id)
		}
	}
	if len(best) == 0 {
		return nil
	}
	r.routes[from] = best[m.rng.below(len(best))]
	return m.conns[r.routes[from]]
}

// fluff relays transactions to all peers but their sender, each after a random delay. Source: fluff_notify.
func (m *Machine) fluff(now time.Time, ids []xmr.Hash, from ConnID) {
	if len(ids) == 0 {
		return
	}
	var shown []xmr.Hash
	for _, id := range ids {
		if _, hidden := m.relay.embargo[id]; hidden {
			delete(m.relay.embargo, id)
			shown = append(shown, id)
		}
	}
	if len(shown) > 0 {
		m.verify(now, &Job{relayed: shown})
	}
	for _, c := range m.live() {
		if !c.peer() || c.id == from || len(c.fluff)+len(ids) > maxFluff {
			continue
		}
		if len(c.fluff) == 0 {
			steps := float64(flushOut)
			if c.incoming {
				steps = flushIn
			}
			c.flushAt = now.Add(time.Duration(m.rng.poisson(steps)) * flushStep)
		}
		c.fluff = append(c.fluff, ids...)
	}
}

// tickRelay relays what is due.
func (m *Machine) tickRelay(now time.Time) {
	m.newEpoch(now)
	m.tickBlocks(now)
	if len(m.relay.unsent) > 0 && slices.ContainsFunc(m.live(), (*conn).peer) {
		ids := m.relay.unsent
		m.relay.unsent = nil
		m.stem(now, ids, 0)
	}
	var due []xmr.Hash
	for id, at := range m.relay.embargo {
		if !now.Before(at) {
			due = append(due, id)
		}
	}
	if !now.Before(m.schedule.unheard) {
		if !m.schedule.unheard.IsZero() {
			due = append(due, m.unheard(now)...)
		}
		m.schedule.unheard = now.Add(unheardInterval)
	}
	sortIDs(due)
	m.fluff(now, due, 0)
	for _, c := range m.live() {
		if c.peer() && len(c.fluff) > 0 && !now.Before(c.flushAt) {
			m.flushTxs(now, c)
		}
	}
}

// unheard returns the transactions of the pool to relay again.
func (m *Machine) unheard(now time.Time) []xmr.Hash {
	ids := slices.DeleteFunc(m.c.Chain.Unheard(uint64(now.Unix())), m.relay.hides)
	if len(ids) > 0 {
		m.verify(now, &Job{relayed: ids})
	}
	return ids
}

// sortIDs sorts IDs, so that their order does not reveal when they arrived.
func sortIDs(ids []xmr.Hash) {
	slices.SortFunc(ids, func(a, b xmr.Hash) int { return bytes.Compare(a[:], b[:]) })
}

// flushTxs sends the queued transactions of a connection.
func (m *Machine) flushTxs(now time.Time, c *conn) {
	sortIDs(c.fluff)
	list := m.pooled(slices.Compact(c.fluff))
	c.fluff = nil
	for len(list) > 0 {
		n, size := 0, 0
		for n < len(list) && (n == 0 || size+len(list[n]) <= maxTxsBytes) {
			size += len(list[n])
			n++
		}
		m.sendTxs(now, c, list[:n], true)
		list = list[n:]
	}
}

// sendTxs sends transactions, padded if configured. Source: make_tx_message.
func (m *Machine) sendTxs(now time.Time, c *conn, blobs [][]byte, fluff bool) {
	if len(blobs) == 0 {
		return
	}
	n := message.TxsNotice{Txs: blobs, Fluff: fluff}
	body := message.Encode(n)
	if m.c.PadTransactions {
		n.Padding = bytes.Repeat([]byte{' '}, padTo-len(body)%padTo)
		body = message.Encode(n)
		if over := len(body) % padTo; over <= len(n.Padding) {
			n.Padding = n.Padding[:len(n.Padding)-over]
			body = message.Encode(n)
		}
	}
	m.send(now, c, levin.Notify(message.NewTxs, body))
}
