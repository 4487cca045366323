package lws

import (
	"context"
	"slices"

	"glim/core/crypto/edwards"
	"glim/core/decoy"
)

// Limits of /get_random_outs. Source: monero-lws, src/rest_server.cpp, max_ring_size and max_rings.
const (
	maxRing  = 20
	maxRings = 150
)

// decoyAnswer selects decoys of the current chain.
type decoyAnswer struct{ picker *decoy.Picker }

// picks is how many indices are drawn for an output before the chain counts as too short.
const picks = 1000

func randomOuts(ctx context.Context, a *API, r *randomRequest) (any, error) {
	if err := required("count and amounts", r.Count != nil && r.Amounts != nil); err != nil {
		return nil, err
	}
	switch {
	case *r.Count > maxRing || len(r.Amounts) > maxRings:
		return nil, ErrLimits
	case slices.ContainsFunc(r.Amounts, func(amount Amount) bool { return amount != 0 }):
		return nil, ErrOldAmounts
	}
	out := randomResponse{AmountOuts: make([]ringForm, len(r.Amounts))}
	if *r.Count == 0 || len(r.Amounts) == 0 {
		return out, nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	d, err := a.decoys.get(a.Now(), func() (decoyAnswer, error) { return a.picker(ctx) })
	if err != nil {
		return nil, err
	}
	for i := range out.AmountOuts {
		if out.AmountOuts[i].Outputs, err = a.ring(ctx, d.picker, int(*r.Count)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// picker returns the selection of decoys on the daemon's chain; its picker is nil if the chain is too short.
func (a *API) picker(ctx context.Context) (decoyAnswer, error) {
	start, cumulative, err := a.Node.Distribution(ctx, 0, 0)
	if err != nil {
		return decoyAnswer{}, err
	}
	d, err := decoy.NewDistribution(start, cumulative)
	if err != nil {
		return decoyAnswer{}, nil
	}
	p, err := decoy.NewPicker(d)
	if err != nil {
		return decoyAnswer{}, nil
	}
	return decoyAnswer{p}, nil
}

// ring returns count outputs that can be spent, or none if the chain has too few.
func (a *API) ring(ctx context.Context, p *decoy.Picker, count int) ([]randomForm, error) {
	if p == nil || p.Usable() < uint64(count) {
		return nil, nil
	}
	seen := map[uint64]bool{}
	var ring []randomForm
	for range decoy.Attempts {
		var indices []uint64
		for range picks * count {
			if len(ring)+len(indices) >= count+count/2 || uint64(len(seen)) == p.Usable() {
				break
			}
			i, ok, err := p.Pick(a.Random)
			if err != nil {
				return nil, err
			}
			if ok && !seen[i] {
				seen[i] = true
				indices = append(indices, i)
			}
		}
		if len(indices) == 0 {
			break
		}
		slices.Sort(indices) // the order would reveal which were picked first
		members, err := a.Node.Outputs(ctx, indices)
		if err != nil {
			return nil, ErrDaemon
		}
		for _, m := range members {
			if _, err := edwards.DecodePoint(m.Key); err != nil || !m.Unlocked || len(ring) == count {
				continue
			}
			ring = append(ring, randomForm{
				Amount(m.Index), m.Key, slices.Concat(m.Commitment[:], make([]byte, 64)),
			})
		}
		if len(ring) == count {
			return ring, nil
		}
	}
	return nil, nil
}
