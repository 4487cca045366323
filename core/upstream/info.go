package upstream

import (
	"context"

	"glim/core/consensus"
	"glim/core/daemonrpc"
	"glim/core/fee"
	"glim/core/rpc"
)

func (s service) getHeight(ctx context.Context, _ daemonrpc.None) (r daemonrpc.GetHeightResponse, err error) {
	info, err := s.Front.info(ctx)
	return daemonrpc.GetHeightResponse{Common: ok, Height: info.Height, Hash: info.TopBlockHash}, err
}

func (s service) getBlockCount(ctx context.Context, _ []string) (r daemonrpc.GetBlockCountResponse, err error) {
	info, err := s.Front.info(ctx)
	return daemonrpc.GetBlockCountResponse{Common: ok, Count: info.Height}, err
}

// getInfo returns the state of the upstream in use, and its address. Restricted callers receive neither the address nor
// details of the daemon's operation.
// Source: src/rpc/core_rpc_server.cpp of release 0.18, on_get_info.
func (s service) getInfo(ctx context.Context, req daemonrpc.PayerOnly) (r daemonrpc.GetInfoResponse, err error) {
	if !s.active(ctx) {
		if r, err = rpc.Call(ctx, s.local, daemonrpc.GetInfo, req); err == nil && !s.limited {
			r.BootstrapDaemonAddress, r.WasBootstrapEverUsed = s.address(), s.everUsed()
		}
		return r, err
	}
	if r, err = s.Front.info(ctx); err != nil {
		return r, err
	}
	r.SetUntrusted()
	r.Restricted, r.Credits, r.TopHash = s.limited, 0, ""
	if s.limited {
		r.OutgoingConnectionsCount, r.IncomingConnectionsCount, r.RPCConnectionsCount = 0, 0, 0
		r.WhitePeerlistSize, r.GreyPeerlistSize, r.AltBlocksCount = 0, 0, 0
		r.StartTime, r.FreeSpace, r.Version, r.UpdateAvailable = 0, 1<<64-1, "", false
		r.BootstrapDaemonAddress, r.HeightWithoutBootstrap, r.WasBootstrapEverUsed = "", 0, false
		return r, nil
	}
	r.BootstrapDaemonAddress, r.WasBootstrapEverUsed = s.address(), true
	r.HeightWithoutBootstrap, err = s.localHeight(ctx)
	return r, err
}

// infoOver returns getInfo for a wire, which decides whether a failure becomes a status or an error.
func (s service) infoOver(w rpc.Wire) func(context.Context, daemonrpc.PayerOnly) (daemonrpc.GetInfoResponse, error) {
	return func(ctx context.Context, req daemonrpc.PayerOnly) (daemonrpc.GetInfoResponse, error) {
		r, err := s.getInfo(ctx, req)
		if err != nil {
			r = daemonrpc.GetInfoResponse{}
			r.SetUntrusted()
			r.Status, err = excuse(w, err)
		}
		return r, err
	}
}

func (f *Front) everUsed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.used
}

func (s service) hardForkInfo(
	ctx context.Context, req daemonrpc.HardForkInfoRequest,
) (daemonrpc.HardForkInfoResponse, error) {
	return pass(ctx, s.Front, daemonrpc.HardForkInfo, req, nil)
}

func (s service) getVersion(ctx context.Context, req daemonrpc.None) (daemonrpc.GetVersionResponse, error) {
	return pass(ctx, s.Front, daemonrpc.GetVersion, req, nil)
}

// getFeeEstimate rejects fees above the highest that the consensus rules can require.
func (s service) getFeeEstimate(
	ctx context.Context, req daemonrpc.GetFeeEstimateRequest,
) (daemonrpc.GetFeeEstimateResponse, error) {
	today, next := fee.CeilingFor(s.c.Network).PerByte(), consensus.HighestNextFees(s.c.Network)
	return pass(ctx, s.Front, daemonrpc.GetFeeEstimate, req, func(r *daemonrpc.GetFeeEstimateResponse) error {
		ceiling := today[:]
		if len(r.Fees) == len(next) { // after the next hard fork
			ceiling = next
		}
		switch {
		case r.Fee == 0 || r.Fee > ceiling[0]:
			return invalid("a fee of %d a byte", r.Fee)
		case len(r.Fees) > len(ceiling):
			return invalid("%d fees", len(r.Fees))
		case r.QuantizationMask == 0:
			return invalid("fees rounded to multiples of 0")
		}
		for i, f := range r.Fees {
			if f == 0 || f > ceiling[i] {
				return invalid("a fee of %d a byte", f)
			}
		}
		return nil
	})
}
