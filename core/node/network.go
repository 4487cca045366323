package node

import (
	"glim/core/chain"
	"glim/core/daemonrpc"
	"glim/core/p2p/netaddr"
	"glim/core/xmr"
)

// Network is the peer-to-peer network of a daemon. Methods must be safe for concurrent use.
type Network interface {
	// Connections returns the current connections, oldest first.
	Connections() []daemonrpc.Connection
	// Counts returns the numbers of connections and known peers.
	Counts() NetworkCounts
	// Peers returns the white and the gray list, with banned peers if banned is true.
	Peers(banned bool) (white, gray []daemonrpc.Peer)
	// Sync returns the state of synchronisation. Fields that are not about the network stay empty.
	Sync() (sync daemonrpc.SyncInfoResponse, synchronized, busy bool)
	// Traffic returns the traffic counters. StartTime and Status stay empty.
	Traffic() daemonrpc.GetNetStatsResponse

	// SetLimits sets the rate limits of all connections together, in kB a second.
	SetLimits(down, up uint64)
	// SetOutPeers limits the outgoing connections, and closes those in excess.
	SetOutPeers(n uint32)
	// SetInPeers limits the incoming connections, and closes those in excess.
	SetInPeers(n uint32)
	// Ban bans a host or a subnet for this many seconds; 0 lifts the ban.
	Ban(subnet netaddr.Subnet, seconds uint32)
	// Bans returns the active bans, hosts before subnets.
	Bans() []Ban
	// Banned returns for how many seconds an address remains banned, 0 if it is not.
	Banned(netaddr.Address) uint32

	// BlockAdded is called for a new top block. It must not block or use the chain.
	BlockAdded(chain.Added)
	// RelayTx relays a user's transaction, which is in the pool. It must not block.
	RelayTx(id xmr.Hash, blob []byte)
}

// NetworkCounts are the numbers of connections and known peers.
type NetworkCounts struct{ Out, In, White, Gray int }

// Ban is a ban of a host or a subnet.
type Ban struct {
	Subnet  netaddr.Subnet
	Seconds uint32 // remaining
}

// PeerLimits are the limits of the peer-to-peer network, which flags set and operations change.
type PeerLimits struct {
	Down, Up uint64 // kB a second
	Out, In  uint32 // connections
}

// DefaultPeerLimits returns the default limits. Source: src/cryptonote_config.h, P2P_DEFAULT_LIMIT_RATE_DOWN and
// others.
func DefaultPeerLimits() PeerLimits {
	return PeerLimits{Down: defaultLimitDown, Up: defaultLimitUp, Out: defaultOutPeers, In: defaultInPeers}
}

// Join connects the node to a network with the given limits. Call it at most once.
func (n *Node) Join(w Network, limits PeerLimits) {
	n.settings.mu.Lock()
	s := n.settings
	s.down, s.up, s.out, s.in = int64(limits.Down), int64(limits.Up), limits.Out, limits.In
	n.settings.mu.Unlock()
	n.joined.Store(&w)
}

// network returns the network of the node, or nil.
func (n *Node) network() Network {
	if w := n.joined.Load(); w != nil {
		return *w
	}
	return nil
}

// passOn relays a transaction of the pool.
func (n *Node) passOn(id xmr.Hash) {
	w := n.network()
	if w == nil {
		return
	}
	var blob []byte
	n.chain.View(func(v chain.View) {
		if t := v.PoolTx(id); t != nil {
			blob = t.Blob
		}
	})
	if blob != nil {
		w.RelayTx(id, blob)
	}
}
