package txbuild

import (
	"context"

	"glim/core/decoy"
	"glim/core/keys"
	"glim/core/tx"
)

// ExternalSigner is a keys.ExternalSigner that makes and signs transactions.
type ExternalSigner interface {
	// SignPlan makes and signs exactly the transaction of plan, as Sign does, under its own fee ceiling.
	SignPlan(ctx context.Context, plan Plan, rings []decoy.Ring) (*Result, error)
}

// signExternally has the external signer make and sign the transaction of plan, which is settled. The signer is the
// wallet's own, so the result is only checked to be an answer to this request.
func signExternally(k *keys.Keys, plan Plan, rings []decoy.Ring) (*Result, error) {
	external, ctx, err := k.Signer()
	if err != nil {
		return nil, err
	}
	s, ok := external.(ExternalSigner)
	if !ok {
		return nil, keys.ErrNoSigner
	}
	r, err := s.SignPlan(ctx, plan, rings)
	if err != nil {
		return nil, err
	}
	if r.Fee != plan.Fee || r.Tx.RingCT.Fee != plan.Fee || len(r.Tx.Inputs) != len(plan.Inputs) ||
		len(r.Inputs) != len(plan.Inputs) ||
		len(r.Rings) != len(plan.Inputs) {
		return nil, mismatch("the external signer returned another transaction")
	}
	for i := range r.Rings {
		indices := tx.AbsoluteOffsets(r.Tx.Inputs[i].KeyOffsets)
		if len(indices) != len(r.Rings[i].Members) {
			return nil, mismatch("the external signer changed a ring")
		}
		for j, m := range r.Rings[i].Members {
			if indices[j] != m.Index {
				return nil, mismatch("the external signer changed a ring")
			}
		}
	}
	return r, nil
}
