package p2p

import (
	"time"

	"glim/core/consensus"
	"glim/core/p2p/netaddr"
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
