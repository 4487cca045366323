package proof

import (
	"context"

	"glim/core/keys"
	"glim/core/tx"
	"glim/core/xmr"
)

// ExternalProver is a keys.ExternalSigner that makes proofs, each like the function of that name.
type ExternalProver interface {
	ProveSpend(
		ctx context.Context, id xmr.Hash, t *tx.Transaction, rings [][]xmr.PublicKey, spent []keys.OwnOutput,
		message string,
	) (string, error)
	ProveReserve(ctx context.Context, all []Holding, txs []*tx.Transaction, message string) (string, error)
	SignMessage(ctx context.Context, i keys.Index, kind KeyKind, data string) (string, error)
}

// proveExternally has the external signer make a proof.
func proveExternally(k *keys.Keys, prove func(context.Context, ExternalProver) (string, error)) (string, error) {
	external, ctx, err := k.Signer()
	if err != nil {
		return "", err
	}
	p, ok := external.(ExternalProver)
	if !ok {
		return "", keys.ErrNoSigner
	}
	return prove(ctx, p)
}
