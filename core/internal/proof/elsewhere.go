package proof

import (
	"context"

	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// Prover is a keys.Spender that makes proofs, each as the function of its name does.
type Prover interface {
	ProveSpend(ctx context.Context, id xmr.Hash, t *tx.Transaction, rings [][]xmr.PublicKey, spent []Owned, message string) (string, error)
	ProveReserve(ctx context.Context, all []Holding, txs []*tx.Transaction, message string) (string, error)
	SignMessage(ctx context.Context, i keys.Index, kind KeyKind, data string) (string, error)
}

// elsewhere has a proof made where the spend secret is.
func elsewhere(k *keys.Keys, prove func(context.Context, Prover) (string, error)) (string, error) {
	place, ctx, err := k.Place()
	if err != nil {
		return "", err
	}
	p, ok := place.(Prover)
	if !ok {
		return "", keys.ErrAway
	}
	return prove(ctx, p)
}
