package upstream

import (
	"context"
	"errors"
	"slices"

	"glim/core/daemon"
	"glim/core/daemonrpc"
	"glim/core/internal/flight"
)

const (
	maxAmounts     = 100
	onlyRingCT     = "Restricted RPC can only get output distribution for rct outputs. Use your own node."
	noDistribution = "Failed to get output distribution"
)

// spread is the cumulative output distribution of an amount: numbers holds the number of outputs after each block from
// index start, base the number before it. The numbers never decrease.
type spread struct {
	start, base uint64
	numbers     []uint64
}

// end returns the index after that of the last block.
func (d *spread) end() uint64 { return d.start + uint64(len(d.numbers)) }

// part returns the distribution of the blocks from index from to index to, inclusive.
func (d *spread) part(from, to uint64) *spread {
	from = max(from, d.start)
	out := &spread{from, d.base, d.numbers[from-d.start : to+1-d.start]}
	if from > d.start {
		out.base = d.numbers[from-d.start-1]
	}
	return out
}

// askSpread requests the distribution of the blocks from index from to index to, inclusive, and checks it.
func askSpread(ctx context.Context, c *daemon.Client, amount, from, to uint64) (*spread, error) {
	r, err := question(ctx, c, daemonrpc.GetOutputDistributionBin, daemonrpc.GetOutputDistributionRequest{
		Amounts: []uint64{amount}, FromHeight: from, ToHeight: to, Cumulative: true, Binary: true, Compress: true})
	if err != nil {
		return nil, err
	}
	if len(r.Distributions) != 1 || r.Distributions[0].Amount != amount {
		return nil, invalid("distributions of other amounts")
	}
	d := r.Distributions[0]
	out := &spread{start: d.StartHeight, base: d.Base}
	if n := d.Count(); d.StartHeight < from || d.StartHeight > to || d.StartHeight+uint64(n) != to+1 {
		return nil, invalid("a distribution of %d blocks from %d for %d to %d", n, d.StartHeight, from, to)
	}
	if out.numbers, err = d.Numbers(); err != nil {
		return nil, invalid("distribution: %w", err)
	}
	before := d.Base
	for i, n := range out.numbers {
		if n < before || n > maxIndex {
			return nil, invalid(
				"the number of outputs falls from %d to %d at block %d", before, n, d.StartHeight+uint64(i),
			)
		}
		before = n
	}
	return out, nil
}

const maxIndex = 1 << 48 // more outputs than a chain can have

// spread returns the output distribution of an amount. For RingCT outputs (amount 0), the part of buried blocks is
// cached.
func (f *Front) spread(ctx context.Context, amount, from, to uint64) (*spread, error) {
	wanted := to
	if to == 0 {
		wanted = maxHeight // the current top
	}
	m, err := f.memoryOf(ctx, wanted)
	if err != nil {
		return nil, err
	}
	if to == 0 {
		to = m.tip.height - 1
	}
	if to < from || to >= m.tip.height {
		return nil, refuse(noDistribution)
	}
	if amount != 0 || from != 0 && !f.knowsSpread() {
		return ask(ctx, f, func(ctx context.Context, c *daemon.Client) (*spread, error) {
			return askSpread(ctx, c, amount, from, to)
		})
	}
	all, err := flight.Get(ctx, &f.group, "get_output_distribution", func(ctx context.Context) (*spread, error) {
		return f.growSpread(ctx, m, to)
	})
	if err != nil {
		return nil, err
	}
	if all.end() <= to { // a concurrent request covered fewer blocks
		if all, err = f.growSpread(ctx, m, to); err != nil {
			return nil, err
		}
	}
	if to < all.start {
		return nil, refuse(noDistribution)
	}
	return all.part(from, to), nil
}

func (f *Front) knowsSpread() bool {
	_, ok := get[*spread](f.store, key{kind: ofSpread})
	return ok
}

// growSpread returns the distribution of all blocks up to index to or beyond, and caches the part of buried blocks.
func (f *Front) growSpread(ctx context.Context, m memory, to uint64) (*spread, error) {
	known, ok := get[*spread](f.store, key{kind: ofSpread})
	if ok && to < known.end() {
		return known, nil
	}
	all, err := ask(ctx, f, func(ctx context.Context, c *daemon.Client) (*spread, error) {
		if !ok {
			return askSpread(ctx, c, 0, 0, to)
		}
		more, err := askSpread(ctx, c, 0, known.end(), to)
		if err != nil {
			return nil, err
		}
		if last := known.numbers[len(known.numbers)-1]; more.start != known.end() || more.base != last {
			return askSpread(ctx, c, 0, 0, to) // another chain, or a daemon that omits the base
		}
		return &spread{known.start, known.base, append(slices.Clip(known.numbers), more.numbers...)}, nil
	})
	if err != nil {
		return nil, err
	}
	if m.tip.held && all.start <= m.tip.anchor {
		stay := all.part(all.start, min(m.tip.anchor, all.end()-1))
		stay.numbers = slices.Clone(stay.numbers)
		m.put(key{kind: ofSpread}, stay.end()-1, stay, 8*len(stay.numbers))
	}
	return all, nil
}

// list returns the number of outputs after each block if cumulative, otherwise the number that each block added.
func (d *spread) list(cumulative bool) []uint64 {
	if cumulative {
		return d.numbers
	}
	out := slices.Clone(d.numbers)
	for i := len(out) - 1; i > 0; i-- {
		out[i] -= out[i-1]
	}
	out[0] -= d.base
	return out
}

func (s service) getOutputDistributionBin(
	ctx context.Context, req daemonrpc.GetOutputDistributionRequest,
) (r daemonrpc.GetOutputDistributionBinResponse, err error) {
	amounts := req.Distinct()
	switch {
	case s.limited && !slices.Equal(req.Amounts, []uint64{0}):
		return r, refuse(onlyRingCT)
	case !req.Binary:
		return r, refuse("Binary only call")
	case len(amounts) > maxAmounts:
		return r, refuse(noDistribution)
	}
	r.Metered = metered
	for _, amount := range amounts {
		found, err := s.spread(ctx, amount, req.FromHeight, req.ToHeight)
		if err != nil {
			return daemonrpc.GetOutputDistributionBinResponse{}, err
		}
		r.Distributions = append(r.Distributions,
			daemonrpc.NewDistributionBin(amount, found.start, found.base, found.list(req.Cumulative), req.Compress))
	}
	return r, nil
}

func (s service) getOutputDistribution(
	ctx context.Context, req daemonrpc.GetOutputDistributionRequest,
) (r daemonrpc.GetOutputDistributionResponse, err error) {
	amounts := req.Distinct()
	switch {
	case s.limited && !slices.Equal(req.Amounts, []uint64{0}):
		return r, fail(daemonrpc.CodeRestricted, onlyRingCT)
	case len(amounts) > maxAmounts:
		return r, fail(daemonrpc.CodeInternal, noDistribution)
	}
	r.Metered = metered
	for _, amount := range amounts {
		found, err := s.spread(ctx, amount, req.FromHeight, req.ToHeight)
		if errors.Is(err, daemon.ErrRefused) {
			err = fail(daemonrpc.CodeInternal, noDistribution)
		}
		if err != nil {
			return daemonrpc.GetOutputDistributionResponse{}, err
		}
		r.Distributions = append(r.Distributions,
			daemonrpc.NewDistribution(
				amount, found.start, found.base, found.list(req.Cumulative), req.Binary, req.Compress,
			))
	}
	return r, nil
}
