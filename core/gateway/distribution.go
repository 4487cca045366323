package gateway

import (
	"context"
	"slices"
	"strconv"

	"glim/core/codec/epee"
	"glim/core/daemonrpc"
	"glim/core/smallfmt"
)

// distribution handles get_output_distribution.bin for RingCT outputs, in the form that wallets request. The part of
// blocks in segments, which is nearly all of it, is cached; the remainder is requested. ok is false if the request must
// be passed to a daemon.
func (g *Gateway) distribution(ctx context.Context, body []byte) (answer []byte, ok bool, err error) {
	q := daemonrpc.GetOutputDistributionRequest{Binary: true}
	if epee.Unmarshal(body, &q) != nil || !slices.Equal(q.Amounts, []uint64{0}) || !q.Binary || !q.Compress {
		return nil, false, nil
	}
	end, err := g.tip(ctx, q.ToHeight)
	if err != nil {
		return nil, false, err
	}
	id, stays, err := g.settled(ctx, end)
	if err != nil {
		return nil, false, err
	}
	if q.FromHeight >= stays || q.ToHeight != 0 && q.ToHeight < stays {
		return nil, false, nil
	}
	past, future := q, q
	past.ToHeight, future.FromHeight = stays-1, stays
	name := "distribution-1-" + g.c.Network + "-" + strconv.FormatUint(q.FromHeight, 10) + "-" +
		strconv.FormatBool(q.Cumulative) + "-" + id
	done, err := g.turns.take(ctx, name)
	if err != nil {
		return nil, false, err
	}
	defer done()
	kept, found := g.recall(ctx, name)
	first, err := distributionOf(kept)
	if !found || err != nil {
		ask, err := epee.Marshal(&past)
		if err != nil {
			return nil, false, err
		}
		var sure bool
		if kept, sure, err = g.agreed(ctx, "/get_output_distribution.bin", ask, func(b []byte) (string, error) {
			r, err := distributionOf(b)
			d := &r.Distributions[0]
			return digest(string(d.CompressedData), strconv.FormatUint(d.Base, 10)), err
		}); err != nil {
			return nil, false, err
		}
		if first, err = distributionOf(kept); err != nil {
			return nil, false, err
		}
		if sure {
			g.keep(ctx, name, kept, maxKeep)
		}
	}
	ask, err := epee.Marshal(&future)
	if err != nil {
		return nil, false, err
	}
	rest, err := g.lasting(ctx, "get_output_distribution.bin", "/get_output_distribution.bin", ask)
	if err != nil {
		return nil, false, err
	}
	second, err := distributionOf(rest)
	if err != nil || second.Distributions[0].StartHeight != stays {
		return nil, false, nil
	}
	d := &second.Distributions[0]
	d.CompressedData = slices.Concat(first.Distributions[0].CompressedData, d.CompressedData)
	d.StartHeight, d.Base = first.Distributions[0].StartHeight, first.Distributions[0].Base
	answer, err = epee.Marshal(&second)
	return answer, true, err
}

// distributionOf decodes a response, which must have one compressed distribution of amount 0. With an error it returns
// a response with one empty distribution, so that callers may index it.
func distributionOf(b []byte) (r daemonrpc.GetOutputDistributionBinResponse, err error) {
	if err = epee.Unmarshal(b, &r); err == nil &&
		(r.Status != daemonrpc.StatusOK || len(r.Distributions) != 1 || r.Distributions[0].Amount != 0 ||
			!r.Distributions[0].Compress) {
		err = wrong("get_output_distribution.bin returns the status %q and %d distributions",
			smallfmt.Short(r.Status), len(r.Distributions))
	}
	if err != nil {
		r.Distributions = make([]daemonrpc.DistributionBin, 1)
	}
	return r, err
}
