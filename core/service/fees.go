package service

import (
	"context"

	"glim/core/fee"
	"glim/core/keys"
	"glim/core/txbuild"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// feeRates determines the fees of transactions.
type feeRates struct {
	active  *active
	witness *witness
	network xmr.Network
	log     Log
}

// rate requests the fee per byte from the daemon. A fee above the network's ceiling is an error.
func (s *feeRates) rate(ctx context.Context, o *openWallet, requested fee.Priority) (txbuild.Rate, error) {
	l := s.active.connection()
	client := l.client
	var busy fee.Demand
	waitForDemand := func() error { return nil }
	if requested == fee.Default {
		waitForDemand = inBackground(func() (err error) {
			busy, err = demand(ctx, l)
			return err
		})
	}
	fees, mask, err := client.FeeEstimate(ctx)
	if err != nil {
		return txbuild.Rate{}, err
	}
	ceiling := s.ceiling(o)
	if keys.HasHierarchies {
		ceiling = nextCeiling(o, s.network, ceiling)
	}
	estimate, err := fee.NewEstimate(ceiling, fees, mask)
	if err != nil {
		return txbuild.Rate{}, err
	}
	if err := waitForDemand(); err != nil {
		// The demand only decides whether the lowest level is enough, so its absence is not an error.
		s.log.Info("the daemon does not say how busy it is; paying the lowest fee level", "error", err)
	}
	rate := txbuild.Rate{Fees: estimate, Priority: estimate.Resolve(requested, fee.Default, true, busy)}
	return s.witness.compareFees(ctx, ceiling, requested, rate)
}

// ceiling returns the fee ceiling. A mainnet wallet on a private chain pays that chain's higher fees; the wallet
// recognises a private chain by its own height rather than by the daemon's claim, because mainnet is longer.
func (s *feeRates) ceiling(o *openWallet) fee.Ceiling {
	var height uint64
	o.View(func(w *wallet.Wallet) { height = w.Height() })
	return ceilingAt(s.network, height)
}

func (s *feeRates) estimateTxSizeAndWeight(
	_ context.Context, req walletrpc.EstimateTxSizeAndWeightRequest,
) (resp walletrpc.EstimateTxSizeAndWeightResponse, err error) {
	if _, err := s.active.current(); err != nil {
		return resp, err
	}
	resp.Size, resp.Weight, err = fee.RPCEstimate(fee.Shape{
		Inputs: int(req.NInputs), RingSize: int(req.RingSize), Outputs: int(req.NOutputs)}, req.Rct)
	if err != nil {
		return resp, walletrpc.Fail(walletrpc.CodeUnknown, "Failed to determine size and weight")
	}
	return resp, nil
}

func (s *feeRates) getDefaultFeePriority(
	ctx context.Context, _ empty,
) (resp walletrpc.GetDefaultFeePriorityResponse, err error) {
	o, err := s.active.current()
	if err != nil {
		return resp, err
	}
	rate, err := s.rate(ctx, o, fee.Default)
	resp.Priority = uint32(rate.Priority)
	return resp, err
}

// demand requests the daemon's pool and recent block weights concurrently, and again if the top has changed meanwhile.
func demand(ctx context.Context, l *connection) (d fee.Demand, err error) {
	height := l.lastTop().height
	if height <= fee.RecentBlocks {
		return l.client.Demand(ctx)
	}
	var waiting []fee.PoolEntry
	var weights []uint64
	pool := inBackground(func() (err error) {
		waiting, err = l.client.Backlog(ctx)
		return err
	})
	recent := inBackground(func() (err error) {
		weights, err = l.client.RecentWeights(ctx, height)
		return err
	})
	info, err := l.client.Info(ctx)
	if err == nil {
		err = pool()
	}
	if err != nil {
		return d, err
	}
	if err = recent(); info.Height != height {
		return l.client.Demand(ctx)
	}
	return fee.Demand{Pool: waiting, WeightLimit: info.WeightLimit, Recent: weights}, err
}
