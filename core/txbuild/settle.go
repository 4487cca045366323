package txbuild

import (
	"io"

	"glim/core/decoy"
	"glim/core/fee"
	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// Settle returns plan with the exact fee of the finished transaction and the amounts that remain, for a wallet that
// does not sign itself: it needs no spend key. The difference to the plan's estimate goes to change. It returns the
// errors of Construct.
func Settle(random io.Reader, k *keys.Keys, plan Plan, rings []decoy.Ring, rate Rate) (Plan, error) {
	feeAt := func(assumed uint64) (uint64, error) {
		weight, err := weigh(random, k, plan, assumed, rings)
		if err != nil {
			return 0, err
		}
		return rate.fee(weight)
	}
	needed, err := feeAt(plan.Fee)
	for range 10 {
		if err != nil {
			return Plan{}, err
		}
		assumed := needed
		if needed, err = feeAt(assumed); err == nil && needed <= assumed {
			settled, err := plan.paying(assumed)
			settled.Subtract, settled.Sweep = nil, false
			return settled, err
		}
	}
	return Plan{}, ErrNotPossible
}

// Draft returns a draft of the transaction of plan, which is settled, and its weight. The draft has random output keys
// and no key images or signatures. It returns the errors of Construct.
func Draft(
	random io.Reader, k *keys.Keys, plan Plan, rings []decoy.Ring,
) (draft *tx.Transaction, weight uint64, err error) {
	d, err := outline(random, k, plan, plan.Fee, rings)
	if err != nil {
		return nil, 0, err
	}
	return d.tx, d.weight(), nil
}

func weigh(random io.Reader, k *keys.Keys, plan Plan, assumed uint64, rings []decoy.Ring) (uint64, error) {
	d, err := outline(random, k, plan, assumed, rings)
	if err != nil {
		return 0, err
	}
	return d.weight(), nil
}

// outline lays out the transaction of plan without key images, whose values do not change the weight.
func outline(random io.Reader, k *keys.Keys, plan Plan, assumed uint64, rings []decoy.Ring) (*draft, error) {
	d, err := sketch(random, k, plan, assumed, rings)
	if err != nil {
		return nil, err
	}
	d.images = make([]xmr.KeyImage, len(rings))
	return d, d.lay()
}

// Sign makes and signs exactly the transaction of plan, which another wallet settled: it keeps the fee, if that is
// under the ceiling, and sends the rest of the inputs to change. It checks the finished bytes against the plan. It
// returns ErrNotPossible when the plan pays more than it spends, *fee.TooHighError, and the errors of Construct.
func Sign(random io.Reader, k *keys.Keys, plan Plan, rings []decoy.Ring, ceiling fee.Ceiling) (*Result, error) {
	if k.External() {
		weight, err := weigh(random, k, plan, plan.Fee, rings)
		if err == nil {
			err = ceiling.Check(plan.Fee, fee.Fastest, weight)
		}
		if err != nil {
			return nil, err
		}
		return signExternally(k, plan, rings)
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
