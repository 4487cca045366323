package upstream

import (
	"context"
	"slices"

	"glim/core/daemon"
	"glim/core/daemonrpc"
	"glim/core/xmr"
)

// Limits for restricted callers (restricted…) and for all (most…). Source: src/rpc/core_rpc_server.cpp,
// MAX_RESTRICTED_GLOBAL_FAKE_OUTS_COUNT and OUTPUT_HISTOGRAM_RECENT_CUTOFF_RESTRICTION.
const (
	restrictedOuts   = 5000
	mostOuts         = 100_000
	restrictedCutoff = 3 * 86400 // seconds
	outputBytes      = 160
)

// outs returns the requested outputs in order. It caches unlocked outputs of buried blocks, because these stay
// unlocked.
func (s service) outs(ctx context.Context, refs []daemonrpc.OutputRef) ([]daemonrpc.OutKeyBin, error) {
	if len(refs) > mostOuts || s.limited && len(refs) > restrictedOuts {
		return nil, refuse("Too many outs requested")
	}
	m, err := s.memory(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]daemonrpc.OutKeyBin, len(refs))
	missing := map[uint64][]uint64{} // indices by amount
	at := map[daemonrpc.OutputRef][]int{}
	var amounts []uint64
	for i, ref := range refs {
		if o, ok := get[daemonrpc.OutKeyBin](s.store, key{kind: ofOutput, n: ref.Index, m: ref.Amount}); ok {
			list[i] = o
			continue
		}
		if at[ref] == nil {
			if missing[ref.Amount] == nil {
				amounts = append(amounts, ref.Amount)
			}
			missing[ref.Amount] = append(missing[ref.Amount], ref.Index)
		}
		at[ref] = append(at[ref], i)
	}
	for _, amount := range amounts {
		found, err := ask(ctx, s.Front, func(ctx context.Context, c *daemon.Client) ([]daemon.RingMember, error) {
			return c.OutputsOf(ctx, amount, missing[amount])
		})
		if err != nil {
			return nil, err
		}
		for _, o := range found {
			out := daemonrpc.OutKeyBin{
				Key: o.Key, Mask: o.Commitment, Unlocked: o.Unlocked, Height: o.Height, TxID: o.TxID,
			}
			if o.Unlocked {
				m.put(key{kind: ofOutput, n: o.Index, m: amount}, o.Height, out, outputBytes)
			}
			for _, i := range at[daemonrpc.OutputRef{Amount: amount, Index: o.Index}] {
				list[i] = out
			}
		}
	}
	return list, nil
}

func (s service) getOutsBin(
	ctx context.Context, req daemonrpc.GetOutsBinRequest,
) (r daemonrpc.GetOutsBinResponse, err error) {
	list, err := s.outs(ctx, req.Outputs)
	if err != nil {
		return r, err
	}
	if !req.GetTxID {
		for i := range list {
			list[i].TxID = xmr.Hash{}
		}
	}
	return daemonrpc.GetOutsBinResponse{Metered: metered, Outs: list}, nil
}

func (s service) getOuts(ctx context.Context, req daemonrpc.GetOutsRequest) (r daemonrpc.GetOutsResponse, err error) {
	list, err := s.outs(ctx, req.Outputs)
	if err != nil {
		return r, err
	}
	r.Metered = metered
	for i := range list {
		r.Outs = append(r.Outs, list[i].Text(req.GetTxID))
	}
	return r, nil
}

func (s service) getOutputIndices(
	ctx context.Context, req daemonrpc.GetOutputIndicesRequest,
) (r daemonrpc.GetOutputIndicesResponse, err error) {
	if _, err := s.top(ctx); err != nil {
		return r, err
	}
	r.Metered = metered
	if p := s.remembered(req.TxID, false); p != nil {
		r.OIndexes = p.indices
		return r, nil
	}
	r.OIndexes, err = ask(ctx, s.Front, func(ctx context.Context, c *daemon.Client) ([]uint64, error) {
		return c.OutputIndices(ctx, req.TxID)
	})
	return r, err
}

func (s service) getOutputHistogram(
	ctx context.Context, req daemonrpc.GetOutputHistogramRequest,
) (r daemonrpc.GetOutputHistogramResponse, err error) {
	switch {
	case len(req.Amounts) > mostOuts:
		return r, refuse("Too many amounts requested")
	case s.limited && len(req.Amounts) == 0:
		return r, refuse("Restricted RPC will not serve histograms on the whole blockchain. Use your own node.")
	case s.limited && req.RecentCutoff > 0 && req.RecentCutoff+restrictedCutoff < s.c.Now():
		return r, refuse("Recent cutoff is too old")
	}
	return pass(ctx, s.Front, daemonrpc.GetOutputHistogram, req, func(r *daemonrpc.GetOutputHistogramResponse) error {
		for _, e := range r.Histogram {
			switch {
			case len(req.Amounts) > 0 && !slices.Contains(req.Amounts, e.Amount):
				return invalid("a count of amount %d", e.Amount)
			case e.UnlockedInstances > e.TotalInstances || e.RecentInstances > e.TotalInstances:
				return invalid("more outputs of amount %d than there are", e.Amount)
			}
		}
		return nil
	})
}
