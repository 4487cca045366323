package node

import (
	"context"
	"slices"

	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/daemonrpc"
	"glim/core/xmr"
)

// Limits of restricted RPC. Source: src/rpc/core_rpc_server.cpp, MAX_RESTRICTED_GLOBAL_FAKE_OUTS_COUNT and
// OUTPUT_HISTOGRAM_RECENT_CUTOFF_RESTRICTION.
const (
	restrictedOuts   = 5000
	restrictedCutoff = 3 * 86400 // seconds
)

func (s service) getOutputIndices(
	_ context.Context, req daemonrpc.GetOutputIndicesRequest,
) (r daemonrpc.GetOutputIndicesResponse, err error) {
	s.view(func(v chain.View) {
		at, found := v.Tx(req.TxID)
		if !found {
			r.Metered = meteredStatus(daemonrpc.StatusFailed)
			return
		}
		r.Metered, r.OIndexes = metered, v.Block(at.Height).Indices[at.Index]
	})
	return r, nil
}

// outs returns the requested outputs, or a status if the request is refused.
func (s service) outs(refs []daemonrpc.OutputRef, ids bool) (list []daemonrpc.OutKeyBin, refused string) {
	if s.limited && len(refs) > restrictedOuts {
		return nil, "Too many outs requested"
	}
	s.view(func(v chain.View) {
		list = make([]daemonrpc.OutKeyBin, 0, len(refs))
		time, height := v.AdjustedTime(), v.Height()
		for _, ref := range refs {
			o, found := v.Output(ref.Amount, ref.Index)
			if !found {
				list, refused = nil, daemonrpc.StatusFailed
				return
			}
			out := daemonrpc.OutKeyBin{
				Key: o.Key, Mask: xmr.PublicKey(o.Commitment), Height: o.Height,
				Unlocked: consensus.Unlocked(o.Unlock, height, time),
			}
			if ids {
				out.TxID = o.TxID
			}
			list = append(list, out)
		}
	})
	return list, refused
}

func (s service) getOutsBin(
	_ context.Context, req daemonrpc.GetOutsBinRequest,
) (r daemonrpc.GetOutsBinResponse, err error) {
	list, refused := s.outs(req.Outputs, req.GetTxID)
	if refused != "" {
		r.Metered = meteredStatus(refused)
		return r, nil
	}
	return daemonrpc.GetOutsBinResponse{Metered: metered, Outs: list}, nil
}

func (s service) getOuts(_ context.Context, req daemonrpc.GetOutsRequest) (r daemonrpc.GetOutsResponse, err error) {
	list, refused := s.outs(req.Outputs, req.GetTxID)
	if refused != "" {
		r.Metered = meteredStatus(refused)
		return r, nil
	}
	r.Metered = metered
	for i := range list {
		r.Outs = append(r.Outs, list[i].Text(req.GetTxID))
	}
	return r, nil
}

// getOutputHistogram counts outputs. Source: src/blockchain_db/lmdb/db_lmdb.cpp, get_output_histogram.
func (s service) getOutputHistogram(
	_ context.Context, req daemonrpc.GetOutputHistogramRequest,
) (r daemonrpc.GetOutputHistogramResponse, err error) {
	r.Metered = metered
	s.view(func(v chain.View) {
		switch {
		case s.limited && len(req.Amounts) == 0:
			r.Metered = meteredStatus(
				"Restricted RPC will not serve histograms on the whole blockchain. Use your own node.",
			)
			return
		case s.limited && req.RecentCutoff > 0 && req.RecentCutoff < v.Now()-min(restrictedCutoff, v.Now()):
			r.Metered = meteredStatus("Recent cutoff is too old")
			return
		}
		amounts := slices.Clone(req.Amounts)
		if len(amounts) == 0 {
			amounts = v.Amounts()
		}
		slices.Sort(amounts)
		for _, amount := range slices.Compact(amounts) {
			list := v.Outputs(amount)
			e := daemonrpc.HistogramEntry{Amount: amount, TotalInstances: uint64(len(list))}
			if e.TotalInstances < req.MinCount || req.MaxCount != 0 && e.TotalInstances > req.MaxCount {
				continue
			}
			if req.Unlocked || req.RecentCutoff > 0 {
				for len(list) > 0 && list[len(list)-1].Height+xmr.SpendableAge > v.Height() {
					list = list[:len(list)-1]
				}
				e.UnlockedInstances = uint64(len(list))
			}
			for i := len(list) - 1; i >= 0 && req.RecentCutoff > 0; i-- {
				if v.Block(list[i].Height).Block.Timestamp < req.RecentCutoff {
					break
				}
				e.RecentInstances++
			}
			r.Histogram = append(r.Histogram, e)
		}
	})
	return r, nil
}

// distribution returns the number of outputs of an amount in each block of a range, or the cumulative numbers; the
// first block of the range; and the number of outputs before it. It returns false if the range is not in the chain.
// Source: src/rpc/rpc_handler.cpp, get_output_distribution; src/cryptonote_core/blockchain.cpp,
// get_output_distribution.
func distribution(
	v chain.View, amount, from, to uint64, cumulative bool,
) (numbers []uint64, start, base uint64, found bool) {
	if to == 0 {
		to = v.Height() - 1
	}
	start = from
	if amount == 0 {
		start = max(from, firstRingCT(v.Network()))
	}
	if to < from || to >= v.Height() || start > to {
		return nil, 0, 0, false
	}
	numbers = make([]uint64, to-start+1)
	if amount == 0 {
		if start > 0 {
			base = v.Block(start - 1).RingCT
		}
		for i := range numbers {
			numbers[i] = v.Block(start + uint64(i)).RingCT
		}
	} else {
		for _, o := range v.Outputs(amount) {
			if o.Height <= to {
				numbers[max(o.Height, start)-start]++
			}
		}
		for i := 1; i < len(numbers); i++ {
			numbers[i] += numbers[i-1]
		}
	}
	if !cumulative {
		for i := len(numbers) - 1; i > 0; i-- {
			numbers[i] -= numbers[i-1]
		}
		numbers[0] -= base
	}
	return numbers, start, base, true
}

// firstRingCT returns the height of the first RingCT outputs. Source: src/hardforks/hardforks.cpp, version 4.
func firstRingCT(n xmr.Network) uint64 {
	switch n {
	case xmr.Mainnet:
		return 1220516
	case xmr.Testnet:
		return 801219
	case xmr.Stagenet:
		return 34000
	}
	return 0
}

// maxNumbers limits the total length of all distributions of a response but the first. Each amount adds one number for
// each block, and a request can name many amounts.
const maxNumbers = 4 << 20

const (
	tooManyAmounts = "Too many amounts requested"
	onlyRingCT     = "Restricted RPC can only get output distribution for rct outputs. Use your own node."
	noDistribution = "Failed to get output distribution"
)

func (s service) getOutputDistributionBin(
	_ context.Context, req daemonrpc.GetOutputDistributionRequest,
) (r daemonrpc.GetOutputDistributionBinResponse, err error) {
	if s.limited && !slices.Equal(req.Amounts, []uint64{0}) {
		r.Metered = meteredStatus(onlyRingCT)
		return r, nil
	}
	if !req.Binary {
		r.Metered = meteredStatus("Binary only call")
		return r, nil
	}
	r.Metered = metered
	s.view(func(v chain.View) {
		all := 0
		for _, amount := range req.Distinct() {
			numbers, start, base, found := distribution(v, amount, req.FromHeight, req.ToHeight, req.Cumulative)
			if !found {
				r = daemonrpc.GetOutputDistributionBinResponse{Metered: meteredStatus(noDistribution)}
				return
			}
			if all += len(numbers); all > maxNumbers && len(r.Distributions) > 0 {
				r = daemonrpc.GetOutputDistributionBinResponse{Metered: meteredStatus(tooManyAmounts)}
				return
			}
			d := daemonrpc.NewDistributionBin(amount, start, base, numbers, req.Compress)
			r.Distributions = append(r.Distributions, d)
		}
	})
	return r, nil
}

func (s service) getOutputDistribution(
	_ context.Context, req daemonrpc.GetOutputDistributionRequest,
) (r daemonrpc.GetOutputDistributionResponse, err error) {
	if s.limited && !slices.Equal(req.Amounts, []uint64{0}) {
		return r, fail(daemonrpc.CodeRestricted, onlyRingCT)
	}
	r.Metered = metered
	s.view(func(v chain.View) {
		all := 0
		for _, amount := range req.Distinct() {
			numbers, start, base, found := distribution(v, amount, req.FromHeight, req.ToHeight, req.Cumulative)
			if all += len(numbers); found && all > maxNumbers && len(r.Distributions) > 0 {
				r, err = daemonrpc.GetOutputDistributionResponse{}, fail(daemonrpc.CodeInternal, tooManyAmounts)
				return
			}
			if !found {
				err = fail(daemonrpc.CodeInternal, noDistribution)
				return
			}
			d := daemonrpc.NewDistribution(amount, start, base, numbers, req.Binary, req.Compress)
			r.Distributions = append(r.Distributions, d)
		}
	})
	return r, err
}
