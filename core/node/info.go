package node

import (
	"context"

	"glim/core/chain"
	"glim/core/daemonrpc"
	"glim/core/fee"
	"glim/core/xmr"
)

func (s service) getHeight(context.Context, daemonrpc.None) (r daemonrpc.GetHeightResponse, err error) {
	s.view(func(v chain.View) {
		r = daemonrpc.GetHeightResponse{Common: ok, Height: v.Height(), Hash: v.Top().ID.String()}
	})
	return r, nil
}

// sizeGrain is the precision of the database size for restricted callers, in bytes.
// Source: src/rpc/core_rpc_server.cpp, on_get_info.
const sizeGrain = 5 << 30

// getInfo describes the state of the daemon.
// Source: src/rpc/core_rpc_server.cpp, on_get_info.
func (s service) getInfo(context.Context, daemonrpc.PayerOnly) (r daemonrpc.GetInfoResponse, err error) {
	r.Metered = metered
	s.view(func(v chain.View) {
		top, limits := v.Top(), v.Limits()
		r.Height, r.TopBlockHash = v.Height(), top.ID.String()
		r.Difficulty, r.WideDifficulty, r.DifficultyTop64 = wide(v.NextDifficulty())
		r.CumulativeDifficulty, r.WideCumulativeDifficulty, r.CumulativeDifficultyTop64 = wide(top.Cumulative)
		r.Target = xmr.TargetSeconds
		r.TxCount = v.TxCount() - v.Height()
		r.TxPoolSize = uint64(len(s.pool(v)))
		n := v.Network()
		r.Mainnet, r.Testnet, r.Stagenet, r.NetType = n == xmr.Mainnet, n == xmr.Testnet, n == xmr.Stagenet, n.String()
		r.BlockSizeLimit, r.BlockWeightLimit = limits.Limit, limits.Limit
		r.BlockSizeMedian, r.BlockWeightMedian = limits.Median, limits.Median
		r.AdjustedTime = v.AdjustedTime()
		r.DatabaseSize = v.Size()
		if !s.limited {
			r.AltBlocksCount = uint64(len(v.OffMain()))
			r.HeightWithoutBootstrap = v.Height()
		}
	})
	r.Offline, r.Synchronized, r.Restricted = true, true, s.limited
	if w := s.network(); w != nil {
		var sync daemonrpc.SyncInfoResponse
		r.Offline = false
		sync, r.Synchronized, r.BusySyncing = w.Sync()
		r.TargetHeight = sync.TargetHeight
		if !s.limited {
			c := w.Counts()
			r.OutgoingConnectionsCount, r.IncomingConnectionsCount = uint64(c.Out), uint64(c.In)
			r.WhitePeerlistSize, r.GreyPeerlistSize = uint64(c.White), uint64(c.Gray)
		}
	}
	r.FreeSpace = 1<<64 - 1
	if s.config.DatabaseSize != nil {
		r.DatabaseSize = s.config.DatabaseSize()
	}
	if s.limited {
		r.DatabaseSize = (r.DatabaseSize + sizeGrain - 1) / sizeGrain * sizeGrain
	}
	if !s.limited {
		r.StartTime, r.Version = s.started, s.config.Version
		if s.config.Connections != nil {
			r.RPCConnectionsCount = s.config.Connections()
		}
		if s.config.FreeSpace != nil {
			r.FreeSpace = s.config.FreeSpace()
		}
	}
	return r, nil
}

func (s service) getVersion(context.Context, daemonrpc.None) (r daemonrpc.GetVersionResponse, err error) {
	r.Common, r.Version, r.Release = ok, rpcVersion, true
	s.view(func(v chain.View) {
		r.CurrentHeight = v.Height()
		for _, f := range v.Forks() {
			r.HardForks = append(r.HardForks, daemonrpc.HardForkEntry{HFVersion: f.Version, Height: f.Height})
		}
	})
	return r, nil
}

// The number of blocks whose votes count, and the times after a fork at which the software counts as outdated, in
// seconds.
// Source: src/cryptonote_basic/hardfork.h, DEFAULT_WINDOW_SIZE, DEFAULT_UPDATE_TIME and DEFAULT_FORKED_TIME.
const (
	voteWindow    = 10080
	updateSeconds = 31557600 / 2
	forkedSeconds = 31557600
)

// hardForkInfo describes a hard fork version. All networks have a vote threshold of 0.
// Source: src/rpc/core_rpc_server.cpp, on_hard_fork_info; src/cryptonote_basic/hardfork.cpp, get_voting_info.
func (s service) hardForkInfo(
	_ context.Context, req daemonrpc.HardForkInfoRequest,
) (r daemonrpc.HardForkInfoResponse, err error) {
	s.view(func(v chain.View) {
		forks := v.Forks()
		last := forks[len(forks)-1]
		asked := req.Version
		if asked == 0 {
			asked = last.Version
		}
		current := v.VersionAt(v.Height())
		r = daemonrpc.HardForkInfoResponse{
			Metered: metered, Version: current, Enabled: current >= asked, Voting: last.Version,
		}
		switch {
		case v.Now() < last.Time+updateSeconds:
			r.State = 2
		case v.Now() < last.Time+forkedSeconds:
			r.State = 1
		}
		r.Window = uint32(min(v.Height(), voteWindow))
		for h := v.Height() - uint64(r.Window); h < v.Height(); h++ {
			if max(v.Block(h).Block.Minor, 1) >= asked {
				r.Votes++
			}
		}
		r.EarliestHeight = 1<<64 - 1
		for i := len(forks) - 1; i >= 0; i-- {
			if forks[i].Version >= asked {
				r.EarliestHeight = forks[i].Height
			}
		}
	})
	return r, nil
}

// getFeeEstimate returns the fee levels of the next block's version.
// Source: src/rpc/core_rpc_server.cpp, on_get_base_fee_estimate.
func (s service) getFeeEstimate(
	_ context.Context, req daemonrpc.GetFeeEstimateRequest,
) (r daemonrpc.GetFeeEstimateResponse, err error) {
	s.view(func(v chain.View) {
		var levels []uint64
		if levels, err = v.Fees(req.GraceBlocks); err != nil {
			err = fail(daemonrpc.CodeInternal, "Too many grace blocks")
			return
		}
		r = daemonrpc.GetFeeEstimateResponse{
			Metered: metered, Fee: levels[0], Fees: levels, QuantizationMask: fee.Quantum,
		}
	})
	return r, err
}
