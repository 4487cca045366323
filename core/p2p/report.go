package p2p

import (
	"strings"
	"time"

	"glim/core/consensus"
	"glim/core/p2p/netaddr"
	"glim/core/p2p/peerlist"
	"glim/core/xmr"
)

// Connection is a peer of the moment, as get_connections and sync_info tell it.
type Connection struct {
	Conn         ConnID
	ID           [16]byte // what connection_id shows in hexadecimal
	Address      netaddr.Address
	Incoming     bool
	PeerID       uint64 // 0 before the handshake; peer_id shows 16 hexadecimal digits
	State        string // as the reference names it: before_handshake, synchronizing, standby, normal
	Height       uint64 // number of blocks the peer says it has
	TopID        xmr.Hash
	SupportFlags uint32
	PruningSeed  uint32
	RPCPort      uint16
	RPCCredits   uint32 // a hash

	Opened       time.Time
	LastReceived time.Time // of the last bytes; Opened when there were none
	LastSent     time.Time
	Received     uint64 // bytes
	Sent         uint64 // bytes
	RateDown     uint64 // bytes a second, of the last seconds
	RateUp       uint64
}

// Counts are how many connections and known peers there are.
type Counts struct {
	Out, In     int
	White, Gray int
}

// Peer is a peer known of.
type Peer struct {
	Address     netaddr.Address
	ID          uint64
	LastSeen    int64 // POSIX seconds, 0 for never
	PruningSeed uint32
	RPCPort     uint16
	RPCCredits  uint32 // a hash
}

// Span is a run of blocks that is fetched, or waits to be judged.
type Span struct {
	Start      uint64 // index of the first block
	Count      uint64
	Connection [16]byte
	Address    netaddr.Address
	Rate       uint64 // bytes a second; 0 while it is fetched
	Speed      uint32 // percent of the fastest connection's rate
	Size       uint64 // bytes; 0 while it is fetched
}

// SyncReport is how synchronisation stands.
type SyncReport struct {
	Height       uint64 // number of blocks here
	Target       uint64 // number of blocks the peers with more have; 0 when there are none
	Synchronized bool   // as get_info tells: whether nobody is known to have more
	Busy         bool   // blocks are being judged
	Spans        []Span
	Overview     string // as sync_info shows it
	NextSeed     uint32 // next_needed_pruning_seed
}

// NetStats counts traffic since the machine was made.
type NetStats struct {
	PacketsIn, BytesIn, PacketsOut, BytesOut uint64
}

// Ban keeps a host or a subnet away.
type Ban struct {
	Subnet netaddr.Subnet
	Left   time.Duration
}

// Tip is the end of a chain.
type Tip struct {
	Height     uint64 // number of blocks
	ID         xmr.Hash
	Cumulative consensus.Difficulty
	Version    uint8 // of hard forks: what the next block has to be
}

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

// overview draws the spans: . for one that is fetched, o for one that waits to be judged, m when it is the next, < for one of heights
// that are here; _ for as many spans that nobody is asked for. Source: src/cryptonote_protocol/block_queue.cpp, get_overview.
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

// maxGap bounds how much of nothing is drawn.
const maxGap = 1000

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
