package build

import (
	"io"

	"glim/core/decoy"
	"glim/core/fee"
	"glim/core/keys"
	"glim/core/xmr"
)

// Settle returns plan with the exact fee of the finished transaction and the amounts that then remain, for a wallet that
// has others sign: no spend key is needed. What the plan's estimate exceeds the fee by goes to change. Errors: as Construct.
func Settle(random io.Reader, k *keys.Keys, plan Plan, rings []decoy.Ring, rate Rate) (Plan, error) {
	weigh := func(fee uint64) (uint64, error) {
		weight, err := weigh(random, k, plan, fee, rings)
		if err != nil {
			return 0, err
		}
		return rate.fee(weight)
	}
	needed, err := weigh(plan.Fee)
	for range 10 {
		if err != nil {
			return Plan{}, err
		}
		fee := needed
		if needed, err = weigh(fee); err == nil && needed <= fee {
			settled, err := plan.paying(fee)
			settled.Subtract, settled.Sweep = nil, false
			return settled, err
		}
	}
	return Plan{}, ErrNotPossible
}

// Weigh returns the weight that the transaction of plan, which is settled, will have. Errors: as Construct.
func Weigh(random io.Reader, k *keys.Keys, plan Plan, rings []decoy.Ring) (uint64, error) {
	return weigh(random, k, plan, plan.Fee, rings)
}

func weigh(random io.Reader, k *keys.Keys, plan Plan, fee uint64, rings []decoy.Ring) (uint64, error) {
	d, err := sketch(random, k, plan, fee, rings)
	if err != nil {
		return 0, err
	}
	d.images = make([]xmr.KeyImage, len(rings)) // they all weigh the same
	if err := d.lay(); err != nil {
		return 0, err
	}
	return d.weight(), nil
}

// Sign makes and signs exactly the transaction of plan, which somebody else decided on: its fee is taken as it is, if it is
// under the ceiling, and the rest of the inputs goes to change. The finished bytes are checked against the plan.
// Errors: ErrNotPossible when the plan pays out more than it spends; *fee.TooHighError; those of Construct.
func Sign(random io.Reader, k *keys.Keys, plan Plan, rings []decoy.Ring, ceiling fee.Ceiling) (*Result, error) {
	if k.Away() {
		weight, err := Weigh(random, k, plan, rings)
		if err == nil {
			err = ceiling.Check(plan.Fee, fee.Fastest, weight)
		}
		if err != nil {
			return nil, err
		}
		return signElsewhere(k, plan, rings)
	}
	d, err := newDraft(random, k, plan, plan.Fee, rings, nil)
	if err != nil {
		return nil, err
	}
	if err := ceiling.Check(d.fee, fee.Fastest, d.weight()); err != nil {
		d.forget()
		return nil, err
	}
	return d.finish(random)
}
