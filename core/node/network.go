package node

import (
	"glim/core/chain"
	"glim/core/daemonrpc"
	"glim/core/p2p/netaddr"
	"glim/core/xmr"
)

// Network is a daemon's part in a network of peers, for the operations about it. Methods may be called from several goroutines.
type Network interface {
	// Connections returns the peers of the moment, oldest first.
	Connections() []daemonrpc.Connection
	// Counts returns how many connections and known peers there are.
	Counts() NetworkCounts
	// Peers returns the peers that have been reached and those only heard of; the banned ones, too, if so asked.
	Peers(banned bool) (white, gray []daemonrpc.Peer)
	// Sync returns how synchronisation stands. What is not of the network stays empty.
	Sync() (sync daemonrpc.SyncInfoResponse, synchronized, busy bool)
	// Traffic counts what has passed. Its StartTime and Status stay empty.
	Traffic() daemonrpc.GetNetStatsResponse

	// SetLimits bounds the traffic, in kB a second.
	SetLimits(down, up uint64)
	// SetOutPeers and SetInPeers bound the connections of each kind; what is too much is closed.
	SetOutPeers(n uint32)
	SetInPeers(n uint32)
	// Ban keeps a host or a subnet away for so many seconds, 0 no longer.
	Ban(who netaddr.Subnet, seconds uint32)
	// Bans returns the bans in force with the seconds left, hosts before subnets.
	Bans() []Ban
	// Banned returns for how many seconds an address is still kept away, 0 when it is not.
	Banned(netaddr.Address) uint32

	// Added is told of a block that is the top now. It does not wait, and calls no chain.
	Added(chain.Added)
	// Sent is told of a transaction in the pool that a user wants passed on. It does not wait.
	Sent(id xmr.Hash, blob []byte)
}

// NetworkCounts are how many connections and known peers there are.
type NetworkCounts struct{ Out, In, White, Gray int }

// Ban is a host or a subnet that is kept away.
type Ban struct {
	Who     netaddr.Subnet
	Seconds uint32 // that are left
}

// Peering is how much a daemon deals with peers, as flags say and operations change.
type Peering struct {
	Down, Up uint64 // kB a second
	Out, In  uint32 // connections
}

// DefaultPeering returns what holds where nobody says otherwise. Source: src/cryptonote_config.h, P2P_DEFAULT_LIMIT_RATE_DOWN and
// others.
func DefaultPeering() Peering {
	return Peering{Down: defaultLimitDown, Up: defaultLimitUp, Out: defaultOutPeers, In: defaultInPeers}
}

// Join makes a network the daemon's own: operations are about it from now on. with is how much it deals with peers already. A node joins
// once.
func (n *Node) Join(w Network, with Peering) {
	n.settings.mu.Lock()
	n.settings.down, n.settings.up, n.settings.out, n.settings.in = int64(with.Down), int64(with.Up), with.Out, with.In
	n.settings.mu.Unlock()
	n.joined.Store(&w)
}

// network returns the daemon's network, or nil.
func (n *Node) network() Network {
	if w := n.joined.Load(); w != nil {
		return *w
	}
	return nil
}

// passOn has transactions of the pool told to peers.
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
		w.Sent(id, blob)
	}
}
