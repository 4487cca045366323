package build

import (
	"context"

	"glim/core/decoy"
	"glim/core/keys"
	"glim/core/tx"
)

// Signer is a keys.Spender that makes and signs transactions.
type Signer interface {
	// SignPlan makes and signs exactly the transaction of plan, as Sign does, under a ceiling of its own.
	SignPlan(ctx context.Context, plan Plan, rings []decoy.Ring) (*Result, error)
}

// signElsewhere has plan, which is settled, made and signed where the spend secret is. That place is the wallet's own, so what it returns
// is looked at only to be the answer to this question.
func signElsewhere(k *keys.Keys, plan Plan, rings []decoy.Ring) (*Result, error) {
	place, ctx, err := k.Place()
	if err != nil {
		return nil, err
	}
	s, ok := place.(Signer)
	if !ok {
		return nil, keys.ErrAway
	}
	r, err := s.SignPlan(ctx, plan, rings)
	if err != nil {
		return nil, err
	}
	if r.Fee != plan.Fee || r.Tx.RingCT.Fee != plan.Fee || len(r.Tx.Inputs) != len(plan.Inputs) || len(r.Inputs) != len(plan.Inputs) ||
		len(r.Rings) != len(plan.Inputs) {
		return nil, insane("another transaction came back than was to be signed")
	}
	for i := range r.Rings {
		indices := tx.AbsoluteOffsets(r.Tx.Inputs[i].KeyOffsets)
		if len(indices) != len(r.Rings[i].Members) {
			return nil, insane("a ring changed while signing elsewhere")
		}
		for j, m := range r.Rings[i].Members {
			if indices[j] != m.Index {
				return nil, insane("a ring changed while signing elsewhere")
			}
		}
	}
	return r, nil
}
