// Package peering connects a node to its peer-to-peer network: it implements node.Network with a p2p.Machine.
package peering

import (
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"time"

	"glim/core/chain"
	"glim/core/daemonrpc"
	"glim/core/node"
	"glim/core/p2p"
	"glim/core/p2p/netaddr"
	"glim/core/xmr"
)

// Host runs a machine with its sockets.
type Host interface {
	// Do calls f with the machine and the time, and waits for it. It returns false if the machine has stopped.
	Do(f func(m *p2p.Machine, now time.Time)) bool
	// Post calls f later, in order, without waiting.
	Post(f func(m *p2p.Machine, now time.Time))
	// SetLimits sets the rate limits of all connections together, in bytes a second.
	SetLimits(down, up uint64)
}

// KB is the unit of rate limits, in bytes. Source: src/p2p/net_node.inl, set_rate_up_limit.
const KB = 1024

// Network implements node.Network for a host.
type Network struct{ h Host }

var _ node.Network = Network{}

// NewNetwork returns the network of a host.
func NewNetwork(h Host) Network { return Network{h} }

// Connections implements node.Network. Source: src/cryptonote_protocol/cryptonote_protocol_handler.inl,
// get_connections.
func (n Network) Connections() (list []daemonrpc.Connection) {
	n.h.Do(func(m *p2p.Machine, now time.Time) {
		for _, c := range m.Connections(now) {
			live := seconds(now, c.Opened)
			host := c.Address.HostString()
			list = append(list, daemonrpc.Connection{
				Incoming: c.Incoming, Localhost: c.Address.Loopback(), LocalIP: c.Address.Local(),
				Address: c.Address.String(), Host: host, IP: host, Port: strconv.Itoa(int(c.Address.Port)),
				RPCPort: c.RPCPort, RPCCreditsPerHash: c.RPCCredits, PeerID: fmt.Sprintf("%016x", c.PeerID),
				RecvCount: c.Received, RecvIdleTime: seconds(now, c.LastReceived),
				SendCount: c.Sent, SendIdleTime: seconds(now, c.LastSent),
				State: c.State, LiveTime: live,
				AvgDownload: c.Received / max(live, 1) / KB, CurrentDownload: c.RateDown / KB,
				AvgUpload: c.Sent / max(live, 1) / KB, CurrentUpload: c.RateUp / KB,
				SupportFlags: c.SupportFlags, ConnectionID: hex.EncodeToString(c.ID[:]), Height: c.Height,
				PruningSeed: c.PruningSeed, AddressType: uint8(c.Address.Kind),
			})
		}
	})
	return list
}

// seconds returns the whole seconds that have passed since a time.
func seconds(now, since time.Time) uint64 { return uint64(max(now.Sub(since), 0) / time.Second) }

// Counts implements node.Network.
func (n Network) Counts() (c node.NetworkCounts) {
	n.h.Do(func(m *p2p.Machine, _ time.Time) { c = node.NetworkCounts(m.Counts()) })
	return c
}

// Peers implements node.Network. Source: src/rpc/core_rpc_server.cpp, on_get_peer_list.
func (n Network) Peers(banned bool) (white, gray []daemonrpc.Peer) {
	n.h.Do(func(m *p2p.Machine, now time.Time) {
		w, g := m.Peers(now, banned)
		white, gray = describe(w), describe(g)
	})
	return white, gray
}

func describe(list []p2p.Peer) []daemonrpc.Peer {
	peers := make([]daemonrpc.Peer, len(list))
	for i, p := range list {
		peers[i] = daemonrpc.Peer{
			ID: p.ID, Host: p.Address.HostString(), IP: p.Address.Number(), Port: p.Address.Port, RPCPort: p.RPCPort,
			RPCCreditsPerHash: p.RPCCredits, LastSeen: uint64(max(p.LastSeen, 0)), PruningSeed: p.PruningSeed,
		}
	}
	return peers
}

// Sync implements node.Network.
func (n Network) Sync() (r daemonrpc.SyncInfoResponse, synchronized, busy bool) {
	n.h.Do(func(m *p2p.Machine, now time.Time) {
		s := m.Sync(now)
		synchronized, busy = s.Synchronized, s.Busy
		r.NextNeededPruningSeed, r.Overview = s.NextSeed, s.Overview
		if !s.Synchronized {
			r.TargetHeight = s.Target
		}
		for _, p := range s.Spans {
			r.Spans = append(r.Spans, daemonrpc.SyncSpan{
				StartBlockHeight: p.Start, NBlocks: p.Count, ConnectionID: hex.EncodeToString(p.Connection[:]),
				Rate: uint32(min(p.Rate, math.MaxUint32)), Speed: p.Speed, Size: p.Size,
				RemoteAddress: p.Address.String(),
			})
		}
	})
	return r, synchronized, busy
}

// Traffic implements node.Network.
func (n Network) Traffic() (r daemonrpc.GetNetStatsResponse) {
	n.h.Do(func(m *p2p.Machine, _ time.Time) {
		s := m.NetStats()
		r.TotalPacketsIn, r.TotalBytesIn = s.PacketsIn, s.BytesIn
		r.TotalPacketsOut, r.TotalBytesOut = s.PacketsOut, s.BytesOut
	})
	return r
}

// SetLimits implements node.Network. down and up are in kB (1024 bytes) a second.
func (n Network) SetLimits(down, up uint64) {
	n.h.SetLimits(min(down, math.MaxUint32)*KB, min(up, math.MaxUint32)*KB)
}

// SetOutPeers implements node.Network.
func (n Network) SetOutPeers(count uint32) {
	n.h.Do(func(m *p2p.Machine, now time.Time) { m.SetOut(now, Bound(count)) })
}

// SetInPeers implements node.Network.
func (n Network) SetInPeers(count uint32) {
	n.h.Do(func(m *p2p.Machine, now time.Time) { m.SetIn(now, Bound(count)) })
}

// Bound converts a connection limit of an RPC operation for a machine: −1 as an unsigned number means the default.
func Bound(count uint32) int {
	if count == math.MaxUint32 {
		return -1
	}
	return int(min(count, math.MaxInt32))
}

// Ban implements node.Network.
func (n Network) Ban(subnet netaddr.Subnet, seconds uint32) {
	n.h.Do(func(m *p2p.Machine, now time.Time) { m.SetBan(now, subnet, time.Duration(seconds)*time.Second) })
}

// Bans implements node.Network.
func (n Network) Bans() (list []node.Ban) {
	n.h.Do(func(m *p2p.Machine, now time.Time) { list = Bans(m, now) })
	return list
}

// Bans returns the active bans of a machine, hosts before subnets.
func Bans(m *p2p.Machine, now time.Time) (list []node.Ban) {
	for _, b := range m.Bans(now) {
		list = append(list, node.Ban{Subnet: b.Subnet, Seconds: left(b.Left)})
	}
	return list
}

// Banned implements node.Network.
func (n Network) Banned(a netaddr.Address) (seconds uint32) {
	n.h.Do(func(m *p2p.Machine, now time.Time) { seconds = left(m.Banned(now, a)) })
	return seconds
}

// left returns a duration in seconds, rounded up.
func left(d time.Duration) uint32 {
	return uint32(min((max(d, 0)+time.Second-1)/time.Second, math.MaxUint32))
}

// BlockAdded implements node.Network.
func (n Network) BlockAdded(a chain.Added) {
	n.h.Post(func(m *p2p.Machine, now time.Time) { m.BlockAccepted(now, a.ID) })
}

// RelayTx implements node.Network.
func (n Network) RelayTx(id xmr.Hash, _ []byte) {
	n.h.Post(func(m *p2p.Machine, now time.Time) { m.TransactionAccepted(now, id) })
}
