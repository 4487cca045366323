package txbuild

import (
	"io"
	"math"
	"slices"

	"glim/core/address"
	"glim/core/fee"
	"glim/core/keys"
	"glim/core/xmr"
)

// Sweep is a request to send everything to one address.
type Sweep struct {
	To        Destination
	Outputs   int // outputs of each transaction, 1 to 16
	Available []Input
	Change    address.Address // of the account; receives nothing
	Rate      Rate
	// Weigh returns the weights of transactions of the next hard fork; nil if inputs have rings. There a transaction
	// has at most 15 outputs, and change of zero.
	Weigh Weigher
}

// ProposeSweep spends all available outputs, except those that cost more to spend than they are worth, in as many
// transactions as needed. It returns ErrNotPossible when no output is worth its fee, ErrNotUnlocked when a transaction
// cannot pay its fee, ErrTooManyOutputs, and the errors of package fee and of random.
// Source: src/wallet/wallet2.cpp, create_transactions_all, create_transactions_from.
func ProposeSweep(random io.Reader, w Sweep) ([]Plan, error) {
	if w.Outputs < 1 || w.Outputs > xmr.MaxOutputs {
		return nil, ErrTooManyOutputs
	}
	id := 0
	if w.To.Address.Kind == address.Integrated {
		id = 11
	}
	more, limit := 0, uint64(fee.TargetWeight)
	if keys.HasHierarchies && w.Weigh != nil {
		if more, limit = 1, math.MaxUint64; w.Weigh(1, w.Outputs+1) == limit {
			return nil, ErrTooManyOutputs
		}
	}
	weight := func(inputs, outputs int) uint64 {
		if keys.HasHierarchies && w.Weigh != nil {
			return w.Weigh(inputs, outputs+1)
		}
		return fee.Shape{Inputs: inputs, RingSize: xmr.RingSize, Outputs: max(outputs, 2), Extra: id}.Weight()
	}
	worth := w.Rate.perByte() * (weight(2, 2) - weight(1, 2))
	var unused []int
	for i := range w.Available {
		if w.Available[i].Amount >= worth {
			unused = append(unused, i)
		}
	}
	if len(unused) == 0 {
		return nil, ErrNotPossible
	}
	var plans []Plan
	var picked []int
	for len(unused) > 0 {
		pick, err := oneOf(random, leastRelated(w.Available, unused, picked))
		if err != nil {
			return nil, err
		}
		unused = slices.DeleteFunc(unused, func(i int) bool { return i == pick })
		picked = append(picked, pick)
		if len(unused) > 0 && weight(len(picked)+more, w.Outputs) < limit {
			continue
		}
		p := Plan{Change: w.Change, Sweep: true}
		for _, i := range picked {
			p.Inputs = append(p.Inputs, w.Available[i])
		}
		for range w.Outputs {
			p.Destinations = append(p.Destinations, w.To)
		}
		if p.Fee, err = w.Rate.fee(weight(len(picked), w.Outputs)); err != nil {
			return nil, err
		}
		if _, err := p.paying(p.Fee); err != nil {
			return nil, ErrNotUnlocked
		}
		plans, picked = append(plans, p), nil
	}
	return plans, nil
}
