package p2p

import (
	"fmt"
	"strings"
	"time"

	"glim/core/p2p/netaddr"
	"glim/core/p2p/peerlist"
)

// Connections returns the peers of the moment, handshake done or not, oldest first.
func (m *Machine) Connections(now time.Time) []Connection {
	list := make([]Connection, 0, len(m.conns))
	for _, c := range m.live() {
		if c.gone {
			continue
		}
		list = append(list, Connection{Conn: c.id, ID: c.uuid, Address: c.addr, Incoming: c.incoming, PeerID: c.node.PeerID,
			State: string(c.fetch.state), Height: c.height, TopID: c.topID, SupportFlags: c.node.SupportFlags, PruningSeed: c.seed,
			RPCPort: c.node.RPCPort, RPCCredits: c.node.RPCCredits, Opened: c.opened, LastReceived: c.lastReceived,
			LastSent: c.lastSent, Received: c.received, Sent: c.sent, RateDown: c.down.rate(now), RateUp: c.up.rate(now)})
	}
	return list
}

// Counts returns how many connections and known peers there are. Connections count from the handshake on.
func (m *Machine) Counts() (n Counts) {
	for _, c := range m.live() {
		switch {
		case !c.peer():
		case c.incoming:
			n.In++
		default:
			n.Out++
		}
	}
	n.White, n.Gray = m.peers.Count()
	return n
}

// Limits returns how many outgoing and incoming connections there may be, negative for no bound.
func (m *Machine) Limits() (out, in int) { return m.out, m.in }

// Peers returns the peers known: those that have been reached, and those only heard of. Those who are banned are left out unless
// blocked.
func (m *Machine) Peers(now time.Time, blocked bool) (white, gray []Peer) {
	list := func(entries []peerlist.Entry) (out []Peer) {
		for _, e := range entries {
			if blocked || m.bans.Left(now, e.Address) == 0 {
				out = append(out, Peer{Address: e.Address, ID: e.ID, LastSeen: e.LastSeen, PruningSeed: e.PruningSeed,
					RPCPort: e.RPCPort, RPCCredits: e.RPCCredits})
			}
		}
		return out
	}
	return list(m.peers.White()), list(m.peers.Gray())
}

// Sync returns how synchronisation stands.
func (m *Machine) Sync(now time.Time) SyncReport {
	r := SyncReport{Height: m.c.Chain.Tip().Height, Synchronized: m.queue.synced, Busy: m.queue.judging != nil, Spans: m.spread(),
		Overview: m.overview()}
	if t := m.target(); t > r.Height {
		r.Target = t
	}
	r.NextSeed = stripeOf(r.Height, max(r.Target, r.Height))
	return r
}

// overview draws the spans: a letter each, o for one that waits to be judged, . for one that is fetched; < while none is missing in
// front of it, _ after a gap. Source: src/cryptonote_protocol/block_queue.cpp, get_overview.
func (m *Machine) overview() string {
	var b strings.Builder
	b.WriteByte('[')
	next := m.c.Chain.Tip().Height
	for _, s := range m.queue.spans {
		if s.start > next {
			fmt.Fprintf(&b, "_%d", s.start-next)
		}
		switch {
		case s.judging:
			b.WriteByte('<')
		case s.filled:
			b.WriteByte('o')
		default:
			b.WriteByte('.')
		}
		next = max(next, s.start+uint64(len(s.ids)))
	}
	b.WriteByte(']')
	return b.String()
}

// NetStats returns the traffic since the machine was made.
func (m *Machine) NetStats() NetStats { return m.stats }

// Bans returns the bans in force, hosts before subnets.
func (m *Machine) Bans(now time.Time) []Ban {
	var list []Ban
	for _, b := range m.bans.List(now) {
		list = append(list, Ban(b))
	}
	return list
}

// Banned returns for how long an address is still banned, 0 when it is not.
func (m *Machine) Banned(now time.Time, a netaddr.Address) time.Duration { return m.bans.Left(now, a) }
