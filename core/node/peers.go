package node

import (
	"context"

	"glim/core/chain"
	"glim/core/daemonrpc"
)

// Operations about peers. They exist only on a node with a network.

func (s service) getConnections(context.Context, daemonrpc.None) (daemonrpc.GetConnectionsResponse, error) {
	r := daemonrpc.GetConnectionsResponse{Common: ok}
	if w := s.network(); w != nil {
		r.Connections = w.Connections()
	}
	return r, nil
}

func (s service) getPeerList(
	_ context.Context, req daemonrpc.GetPeerListRequest,
) (daemonrpc.GetPeerListResponse, error) {
	r := daemonrpc.GetPeerListResponse{Common: ok}
	if w := s.network(); w != nil {
		r.WhiteList, r.GrayList = w.Peers(req.IncludeBlocked)
	}
	return r, nil
}

// getPublicNodes lists the peers that announce their RPC port.
func (s service) getPublicNodes(
	_ context.Context, req daemonrpc.GetPublicNodesRequest,
) (r daemonrpc.GetPublicNodesResponse, err error) {
	r.Common = ok
	w := s.network()
	if w == nil {
		return r, nil
	}
	white, gray := w.Peers(req.IncludeBlocked)
	for _, l := range []struct {
		wanted bool
		from   []daemonrpc.Peer
		to     *[]daemonrpc.PublicNode
	}{{req.White, white, &r.White}, {req.Gray, gray, &r.Gray}} {
		for _, p := range l.from {
			if l.wanted && p.RPCPort != 0 {
				*l.to = append(*l.to, daemonrpc.PublicNode{
					Host: p.Host, LastSeen: p.LastSeen, RPCPort: p.RPCPort, RPCCreditsPerHash: p.RPCCreditsPerHash})
			}
		}
	}
	return r, nil
}

func (s service) getNetStats(context.Context, daemonrpc.None) (r daemonrpc.GetNetStatsResponse, err error) {
	if w := s.network(); w != nil {
		r = w.Traffic()
	}
	r.Common, r.StartTime = ok, s.started
	return r, nil
}

// Pruned nodes store one stripe of the chain. These are the number of stripes and their length in blocks.
// Source: src/cryptonote_config.h, CRYPTONOTE_PRUNING_STRIPE_SIZE and CRYPTONOTE_PRUNING_LOG_STRIPES.
const (
	stripe     = 4096
	logStripes = 3
	stripes    = 1 << logStripes
)

// syncInfo describes synchronisation. Source: src/rpc/core_rpc_server.cpp, on_sync_info.
func (s service) syncInfo(context.Context, daemonrpc.PayerOnly) (r daemonrpc.SyncInfoResponse, err error) {
	r.Overview = "[]"
	s.view(func(v chain.View) { r.NextNeededPruningSeed = uint32(v.Height()/stripe%stripes) + 1 })
	if w := s.network(); w != nil {
		r, _, _ = w.Sync()
		for _, c := range w.Connections() {
			r.Peers = append(r.Peers, daemonrpc.SyncPeer{Info: c})
		}
	}
	r.Metered = metered
	s.view(func(v chain.View) { r.Height = v.Height() })
	return r, nil
}
