package txbuild

import (
	"io"
	"math/bits"
	"slices"

	"glim/core/fee"
	"glim/core/internal/crypto/uniform"
	"glim/core/xmr"
)

const (
	// shareUnit is the smallest share of change; the largest is less than three times as much. So the parts differ, and
	// each of them is useful.
	shareUnit = 1 << 20
	// usefulFees is how many times the fee of the smallest transaction a part of change must be.
	usefulFees = 10
)

// ChangeParts returns the amounts of the outputs of change: change divided in the proportions of ChangeShares, or
// change alone if that would make an output of zero. It returns nothing without change. If the shares add up to change,
// they are the parts.
func (p *Plan) ChangeParts(change uint64) []uint64 {
	if change == 0 {
		return nil
	}
	total, err := xmr.Sum(p.ChangeShares...)
	if err != nil || len(p.ChangeShares) < 2 {
		return []uint64{change}
	}
	parts := make([]uint64, len(p.ChangeShares))
	rest := change
	for i, share := range p.ChangeShares {
		if share == 0 {
			return []uint64{change}
		}
		high, low := bits.Mul64(change, share)
		parts[i], _ = bits.Div64(high, low, total) // share is less than total
		if parts[i] == 0 {
			return []uint64{change}
		}
		rest -= parts[i]
	}
	parts[0] += rest
	return parts
}

// Remainder returns the change of a settled plan in atomic units: what remains of the inputs after destinations and
// fee; 0 if they do not suffice.
func (p *Plan) Remainder() uint64 {
	in, out, err := p.sums()
	if err != nil {
		return 0
	}
	if out, err = xmr.Sum(out, p.Fee); err != nil || in < out {
		return 0
	}
	return in - out
}

// divide divides the change of the finished plans as the request asks, and adds the fee of the additional outputs.
func (s *selection) divide(random io.Reader) error {
	if s.ChangeOutputs < 2 {
		return nil
	}
	smallest, err := s.Rate.fee(s.weight(1, 2))
	if err != nil {
		return err
	}
	for i := range s.done {
		p := &s.done[i]
		shares := make([]uint64, max(0, min(s.ChangeOutputs, xmr.MaxOutputs-len(p.Destinations))))
		for j := range shares {
			more, err := uniform.Below(random, 2*shareUnit)
			if err != nil {
				return err
			}
			shares[j] = shareUnit + uint64(more)
		}
		for ; len(shares) > 1; shares = shares[:len(shares)-1] {
			if s.divided(p, shares, smallest) {
				break
			}
		}
	}
	return nil
}

// divided divides the change of p into shares and reports true if its inputs suffice and each part is useful.
func (s *selection) divided(p *Plan, shares []uint64, smallest uint64) bool {
	weight := s.weight(len(p.Inputs), len(p.Destinations)+len(shares))
	needed, err := s.Rate.fee(weight)
	if err != nil || weight >= fee.TargetWeight {
		return false
	}
	q, err := p.paying(needed)
	if err != nil {
		return false
	}
	q.ChangeShares = slices.Clone(shares)
	parts := q.ChangeParts(q.Remainder())
	if len(parts) < len(shares) || slices.Min(parts)/usefulFees < smallest {
		return false
	}
	p.Fee, p.ChangeShares = needed, q.ChangeShares
	return true
}
