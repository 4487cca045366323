package lws

import (
	"context"
	"crypto/rand"
	"io"
	"math/big"
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

// Limits of the draws for one ring: of each request to the daemon, and of the indices requested in all.
const (
	picks    = 1000
	maxDrawn = 1000
)

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
	d, err := a.selection(ctx)
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

// selection returns the selection of decoys, which is used for several requests.
func (a *API) selection(ctx context.Context) (decoyAnswer, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.decoys.get(a.Now(), func() (decoyAnswer, error) { return a.picker(ctx) })
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
func (a *API) ring(ctx context.Context, p *decoy.Picker, count int) (ring []randomForm, err error) {
	if p == nil || p.Usable() < uint64(count) {
		return nil, nil
	}
	seen := map[uint64]bool{}
	for len(ring) < count {
		indices, err := a.draw(p, 2*count, seen)
		if err != nil || len(indices) == 0 {
			return nil, err
		}
		members, err := a.Node.Outputs(ctx, indices)
		if err != nil {
			return nil, ErrDaemon
		}
		for _, m := range members {
			if _, err := edwards.DecodePoint(m.Key); err == nil && m.Unlocked {
				rct := slices.Concat(m.Commitment[:], make([]byte, 64))
				ring = append(ring, randomForm{Amount(m.Index), m.Key, rct})
			}
		}
	}
	if err := shuffle(a.Random, ring); err != nil { // which are left out must not depend on their indices
		return nil, err
	}
	return ring[:count], nil
}

// fewOutputs is the number of usable outputs up to which all are candidates, as on a new private chain.
const fewOutputs = 512

// draw returns up to n more indices, ascending, because the order would reveal which were drawn first. It returns none
// if draws are exhausted.
func (a *API) draw(p *decoy.Picker, n int, seen map[uint64]bool) (indices []uint64, err error) {
	switch {
	case len(seen) > maxDrawn:
		return nil, nil
	case p.Usable() <= fewOutputs && len(seen) == 0:
		for i := range p.Usable() {
			seen[i] = true
			indices = append(indices, i)
		}
		return indices, nil
	case p.Usable() <= fewOutputs:
		return nil, nil
	}
	for range picks {
		i, ok, err := p.Pick(a.Random)
		if err != nil {
			return nil, err
		}
		if ok && !seen[i] {
			seen[i] = true
			indices = append(indices, i)
		}
		if len(indices) == n {
			break
		}
	}
	slices.Sort(indices)
	return indices, nil
}

// shuffle brings list into a random order.
func shuffle[T any](random io.Reader, list []T) error {
	for i := len(list) - 1; i > 0; i-- {
		n, err := rand.Int(random, big.NewInt(int64(i)+1))
		if err != nil {
			return err
		}
		k := int(n.Int64())
		list[i], list[k] = list[k], list[i]
	}
	return nil
}
