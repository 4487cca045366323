package node

import (
	"context"
	"strconv"
	"sync"

	"glim/core/chain"
	"glim/core/daemonrpc"
)

// Default limits of the peer-to-peer network. Source: src/cryptonote_config.h, P2P_DEFAULT_LIMIT_RATE_DOWN and others.
const (
	defaultLimitDown = 32768 // kB a second
	defaultLimitUp   = 8192
	defaultOutPeers  = 12
	defaultInPeers   = 1<<32 - 1 // no limit
)

// settings are set by operations and applied by a network. Without a network they are only stored and returned.
type settings struct {
	mu       sync.Mutex
	down, up int64
	out, in  uint32
	bans     bans
}

func newSettings() *settings {
	return &settings{
		down: defaultLimitDown,
		up:   defaultLimitUp,
		out:  defaultOutPeers,
		in:   defaultInPeers,
		bans: newBans(),
	}
}

func (s service) getLimit(context.Context, daemonrpc.None) (daemonrpc.GetLimitResponse, error) {
	s.settings.mu.Lock()
	defer s.settings.mu.Unlock()
	return daemonrpc.GetLimitResponse{
		Common:    ok,
		LimitUp:   uint64(s.settings.up),
		LimitDown: uint64(s.settings.down),
	}, nil
}

// setLimit sets limits above 0 and resets limits of −1. Source: src/rpc/core_rpc_server.cpp, on_set_limit.
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

// saveBlockchain stores what is not stored yet; blocks are stored before they become the top.
func (s service) saveBlockchain(context.Context, daemonrpc.None) (daemonrpc.Plain, error) {
	return daemonrpc.Plain{Common: ok}, s.chain.Save()
}

func (s service) flushCache(_ context.Context, req daemonrpc.FlushCacheRequest) (daemonrpc.Plain, error) {
	if req.BadBlocks {
		s.chain.ForgetInvalid()
	}
	return daemonrpc.Plain{Common: ok}, nil
}

// pruneBlockchain reports whether the chain is pruned, after it has chosen a stripe if requested. The stripe follows
// from the start time and is stored with the chain. All blocks stay whole, and peers are offered all of them.
// Source: src/rpc/core_rpc_server.cpp, on_prune_blockchain; src/common/pruning.cpp, make_pruning_seed.
func (s service) pruneBlockchain(
	_ context.Context, req daemonrpc.PruneBlockchainRequest,
) (daemonrpc.PruneBlockchainResponse, error) {
	s.pruning.Lock()
	defer s.pruning.Unlock()
	var seed uint32
	s.view(func(v chain.View) { seed = v.PruningSeed() })
	if seed == 0 && !req.Check {
		seed = logStripes<<7 | uint32(s.started%stripes)
		if err := s.chain.SetPruningSeed(seed); err != nil {
			return daemonrpc.PruneBlockchainResponse{}, errNotStored
		}
	}
	return daemonrpc.PruneBlockchainResponse{Common: ok, Pruned: seed != 0, PruningSeed: seed}, nil
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

// setLog changes the log categories and returns the new ones. Without a log it returns its argument.
func (s service) setLog(level string) string {
	if s.config.SetLog == nil {
		return level
	}
	return s.config.SetLog(level)
}
