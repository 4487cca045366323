package node

import (
	"context"
	"strconv"
	"sync"

	"glim/core/daemonrpc"
)

// Defaults of the peer-to-peer network. Source: src/cryptonote_config.h, P2P_DEFAULT_LIMIT_RATE_DOWN and others.
const (
	defaultLimitDown = 8192 // kB a second
	defaultLimitUp   = 2048
	defaultOutPeers  = 12
	defaultInPeers   = 1<<32 - 1 // no limit
)

// settings are what operations set and a network heeds. Without one they are kept and told.
type settings struct {
	mu       sync.Mutex
	down, up int64
	out, in  uint32
	bans     bans
}

func newSettings() *settings {
	return &settings{down: defaultLimitDown, up: defaultLimitUp, out: defaultOutPeers, in: defaultInPeers, bans: newBans()}
}

func (s service) getLimit(context.Context, daemonrpc.None) (daemonrpc.GetLimitResponse, error) {
	s.settings.mu.Lock()
	defer s.settings.mu.Unlock()
	return daemonrpc.GetLimitResponse{Common: ok, LimitUp: uint64(s.settings.up), LimitDown: uint64(s.settings.down)}, nil
}

// setLimit sets what is above 0 and resets what is −1. Source: src/rpc/core_rpc_server.cpp, on_set_limit.
func (s service) setLimit(_ context.Context, req daemonrpc.SetLimitRequest) (r daemonrpc.SetLimitResponse, err error) {
	if req.LimitDown < -1 || req.LimitUp < -1 {
		r.Common = status("Invalid parameter")
		return r, nil
	}
	s.settings.mu.Lock()
	defer s.settings.mu.Unlock()
	for _, l := range []struct {
		limit     *int64
		to, usual int64
	}{{&s.settings.down, req.LimitDown, defaultLimitDown}, {&s.settings.up, req.LimitUp, defaultLimitUp}} {
		switch {
		case l.to > 0:
			*l.limit = l.to
		case l.to < 0:
			*l.limit = l.usual
		}
	}
	if w := s.network(); w != nil {
		w.SetLimits(uint64(s.settings.down), uint64(s.settings.up))
	}
	return daemonrpc.SetLimitResponse{Common: ok, LimitUp: s.settings.up, LimitDown: s.settings.down}, nil
}

func (s service) outPeers(_ context.Context, req daemonrpc.OutPeersRequest) (daemonrpc.OutPeersResponse, error) {
	s.settings.mu.Lock()
	defer s.settings.mu.Unlock()
	if req.Set {
		s.settings.out = req.OutPeers
		if w := s.network(); w != nil {
			w.SetOutPeers(req.OutPeers)
		}
	}
	return daemonrpc.OutPeersResponse{Common: ok, OutPeers: s.settings.out}, nil
}

func (s service) inPeers(_ context.Context, req daemonrpc.InPeersRequest) (daemonrpc.InPeersResponse, error) {
	s.settings.mu.Lock()
	defer s.settings.mu.Unlock()
	if req.Set {
		s.settings.in = req.InPeers
		if w := s.network(); w != nil {
			w.SetInPeers(req.InPeers)
		}
	}
	return daemonrpc.InPeersResponse{Common: ok, InPeers: s.settings.in}, nil
}

func (s service) update(context.Context, daemonrpc.UpdateRequest) (daemonrpc.UpdateResponse, error) {
	return daemonrpc.UpdateResponse{Common: status("Daemon is running offline")}, nil
}

func (s service) setBootstrapDaemon(
	_ context.Context, req daemonrpc.SetBootstrapDaemonRequest,
) (daemonrpc.SetBootstrapDaemonResponse, error) {
	if req.Address != "" {
		return daemonrpc.SetBootstrapDaemonResponse{Status: "Failed to set bootstrap daemon"}, nil
	}
	return daemonrpc.SetBootstrapDaemonResponse{Status: daemonrpc.StatusOK}, nil
}

// saveBlockchain has little to do: a block is stored before it is the top.
func (s service) saveBlockchain(context.Context, daemonrpc.None) (daemonrpc.Plain, error) {
	return daemonrpc.Plain{Common: ok}, s.chain.Save()
}

func (s service) flushCache(_ context.Context, req daemonrpc.FlushCacheRequest) (daemonrpc.Plain, error) {
	if req.BadBlocks {
		s.chain.ForgetInvalid()
	}
	return daemonrpc.Plain{Common: ok}, nil
}

// pruneBlockchain tells that nothing is pruned, and does not prune.
func (s service) pruneBlockchain(
	_ context.Context, req daemonrpc.PruneBlockchainRequest,
) (r daemonrpc.PruneBlockchainResponse, err error) {
	if !req.Check {
		return r, fail(daemonrpc.CodeInternal, "Failed to prune blockchain")
	}
	return daemonrpc.PruneBlockchainResponse{Common: ok}, nil
}

func (s service) stopDaemon(context.Context, daemonrpc.None) (daemonrpc.Plain, error) {
	if s.config.Stop != nil {
		s.config.Stop()
	}
	return daemonrpc.Plain{Common: ok}, nil
}

func (s service) setLogLevel(_ context.Context, req daemonrpc.SetLogLevelRequest) (daemonrpc.Plain, error) {
	if req.Level < 0 || req.Level > 4 {
		return daemonrpc.Plain{Common: status("Error: log level not valid")}, nil
	}
	s.setLog(strconv.Itoa(int(req.Level)))
	return daemonrpc.Plain{Common: ok}, nil
}

func (s service) setLogCategories(
	_ context.Context, req daemonrpc.SetLogCategoriesRequest,
) (daemonrpc.SetLogCategoriesResponse, error) {
	return daemonrpc.SetLogCategoriesResponse{Common: ok, Categories: s.setLog(req.Categories)}, nil
}

// setLog returns the categories that hold then; what was asked for where nothing is logged.
func (s service) setLog(level string) string {
	if s.config.SetLog == nil {
		return level
	}
	return s.config.SetLog(level)
}
