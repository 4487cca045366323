package p2p

import (
	"strings"
	"time"

	"glim/core/consensus"
	"glim/core/p2p/netaddr"
	"glim/core/p2p/peerlist"
	"glim/core/xmr"
)

// Connection is a connection as get_connections and sync_info report it.
type Connection struct {
	Conn         ConnID
	ID           [16]byte // connection_id, which is in hexadecimal
	Address      netaddr.Address
	Incoming     bool
	PeerID       uint64 // 0 before the handshake; peer_id, which is 16 hexadecimal digits
	State        string // with the reference's names: before_handshake, synchronizing, standby, normal
	Height       uint64 // number of blocks that the peer claims
	TopID        xmr.Hash
	SupportFlags uint32
	PruningSeed  uint32
	RPCPort      uint16
	RPCCredits   uint32 // per hash

	Opened       time.Time
	LastReceived time.Time // Opened if nothing was received
	LastSent     time.Time
	Received     uint64 // bytes
	Sent         uint64 // bytes
	RateDown     uint64 // bytes a second, over the last seconds
	RateUp       uint64 // likewise
}

// Counts are the numbers of connections and known peers.
type Counts struct {
	Out, In     int
	White, Gray int
}

// Peer is a known peer.
type Peer struct {
	Address     netaddr.Address
	ID          uint64
	LastSeen    int64 // POSIX seconds, 0 for never
	PruningSeed uint32
	RPCPort     uint16
	RPCCredits  uint32 // per hash
}

// Span is a run of blocks that is being fetched, or waits for verification.
type Span struct {
	Start      uint64 // height of the first block
	Count      uint64
	Connection [16]byte
	Address    netaddr.Address
	Rate       uint64 // bytes a second; 0 while being fetched
	Speed      uint32 // percent of the fastest connection's rate
	Size       uint64 // bytes; 0 while being fetched
}

// SyncReport is the state of synchronisation.
type SyncReport struct {
	Height       uint64 // number of local blocks
	Target       uint64 // highest number of blocks of a peer with more blocks, or 0
	Synchronized bool   // no peer is known to have more, as get_info reports
	Busy         bool   // blocks are being verified
	Spans        []Span
	Overview     string // of sync_info
	NextSeed     uint32 // next_needed_pruning_seed
}

// NetStats counts traffic since the machine was made.
type NetStats struct {
	PacketsIn, BytesIn, PacketsOut, BytesOut uint64
}

// Ban is a ban of a host or a subnet.
type Ban struct {
	Subnet netaddr.Subnet
	Left   time.Duration
}

// Tip is the top of a chain.
type Tip struct {
	Height     uint64 // number of blocks
	ID         xmr.Hash
	Cumulative consensus.Difficulty
	Version    uint8 // hard fork version of the next block
}

// Connections returns all connections, before or after the handshake, oldest first.
func (m *Machine) Connections(now time.Time) []Connection {
	list := make([]Connection, 0, len(m.conns))
	for _, c := range m.live() {
		if c.closed {
			continue
		}
		list = append(list, Connection{
			Conn:         c.id,
			ID:           c.uuid,
			Address:      c.addr,
			Incoming:     c.incoming,
			PeerID:       c.node.PeerID,
			State:        string(c.fetch.state),
			Height:       c.height,
			TopID:        c.topID,
			SupportFlags: c.node.SupportFlags,
			PruningSeed:  c.seed,
			RPCPort:      c.node.RPCPort,
			RPCCredits:   c.node.RPCCredits,
			Opened:       c.opened,
			LastReceived: c.lastReceived,
			LastSent:     c.lastSent,
			Received:     c.received,
			Sent:         c.sent,
			RateDown:     c.down.rate(now),
			RateUp:       c.up.rate(now),
		})
	}
	return list
}

// Counts returns the numbers of connections, after their handshake, and of known peers.
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

// Limits returns the limits of outgoing and incoming connections; negative for no limit.
func (m *Machine) Limits() (out, in int) { return m.out, m.in }

// Peers returns the white and the gray list. Banned peers are included only if blocked is true.
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

// Sync returns the state of synchronisation.
func (m *Machine) Sync(now time.Time) SyncReport {
	r := SyncReport{
		Height:       m.c.Chain.Tip().Height,
		Synchronized: m.queue.synced,
		Busy:         m.queue.verifying != nil,
		Spans:        m.spread(),
		Overview:     m.overview(),
	}
	if t := m.target(); t > r.Height {
		r.Target = t
	}
	r.NextSeed = stripeOf(r.Height, max(r.Target, r.Height))
	return r
}

// overview draws the spans: . for one being fetched, o for one that waits for verification, m if that is the next one,
// < for heights already present, and _ for each gap of a span's length. Source:
// src/cryptonote_protocol/block_queue.cpp, get_overview.
func (m *Machine) overview() string {
	height := m.c.Chain.Tip().Height
	next := height
	b := []byte{'['}
	for _, s := range m.queue.spans {
		if next > s.start {
			b = append(b, '<')
			continue
		}
		if gap := s.start - next; gap > 0 {
			b = append(b, strings.Repeat("_", int(min(max(1, gap/uint64(len(s.ids))), maxGap)))...)
		}
		switch {
		case !s.filled:
			b = append(b, '.')
		case s.start == height:
			b = append(b, 'm')
		default:
			b = append(b, 'o')
		}
		next = s.start + uint64(len(s.ids))
	}
	return string(append(b, ']'))
}

// maxGap limits the number of _ in a row.
const maxGap = 1000

// NetStats returns the traffic since the machine was made.
func (m *Machine) NetStats() NetStats { return m.stats }

// Bans returns the active bans, hosts before subnets.
func (m *Machine) Bans(now time.Time) []Ban {
	var list []Ban
	for _, b := range m.bans.List(now) {
		list = append(list, Ban(b))
	}
	return list
}

// Banned returns how long an address remains banned, 0 if it is not.
func (m *Machine) Banned(now time.Time, a netaddr.Address) time.Duration { return m.bans.Left(now, a) }
