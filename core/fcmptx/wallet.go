package fcmptx

import (
	"errors"

	"glim/core/block"
	"glim/core/tx"
	"glim/core/xmr"
)

// The functions below return the fork's transactions and blocks in the types of packages tx and block, in which wallets
// receive everything, without the proofs, which wallets do not need.

// ForWallet returns t without Proofs, with Carrot set. It shares the memory of t.
func (t *Transaction) ForWallet() *tx.Transaction {
	out := &tx.Transaction{
		Version: version, UnlockTime: t.UnlockTime, Inputs: t.Inputs, Outputs: make([]tx.Output, len(t.Outputs)),
		Extra: t.Extra, Carrot: make([]tx.Carrot, len(t.Outputs)),
		RingCT: tx.RingCT{
			Type: tx.RingCTFCMP, Fee: t.Fee, Commitments: t.Commitments, Ecdh: make([]tx.EcdhInfo, len(t.Amounts)),
		},
	}
	for i := range t.Outputs {
		o := &t.Outputs[i]
		out.Outputs[i] = tx.Output{Amount: o.Amount, Key: o.Key}
		out.Carrot[i] = tx.Carrot{ViewTag: o.ViewTag, Anchor: o.Anchor}
	}
	for i := range t.Amounts {
		copy(out.RingCT.Ecdh[i].Amount[:], t.Amounts[i][:])
	}
	return out
}

// ParseForWallet is Parse and ForWallet, and also returns the transaction's ID. It reads coinbases, too, under the
// limits of r; for them it also returns the errors of tx.ParseCoinbase, and ErrBlock for one from before the fork.
func (r *Rules) ParseForWallet(b []byte) (*tx.Transaction, xmr.Hash, error) {
	t, err := r.Parse(b)
	if err != nil {
		return r.coinbaseAfter(err, b)
	}
	return t.ForWallet(), r.PrunedHash(t, t.PrunableHash()), nil
}

// ParsePrunedForWallet is ParseForWallet for the pruned form, given the hash of the proofs; a coinbase has none.
func (r *Rules) ParsePrunedForWallet(b []byte, prunable xmr.Hash) (*tx.Transaction, xmr.Hash, error) {
	t, err := r.ParsePruned(b)
	if err != nil {
		return r.coinbaseAfter(err, b)
	}
	return t.ForWallet(), r.PrunedHash(t, prunable), nil
}

// coinbaseAfter returns the coinbase in b, and its ID, if err says that b has one, and otherwise err.
func (r *Rules) coinbaseAfter(err error, b []byte) (*tx.Transaction, xmr.Hash, error) {
	if !errors.Is(err, ErrCoinbase) {
		return nil, xmr.Hash{}, err
	}
	t, err := tx.ParseCoinbase(b)
	if err == nil {
		err = r.checkCoinbase(t)
	}
	if err != nil {
		return nil, xmr.Hash{}, err
	}
	id, err := t.Hash()
	return t, id, err
}

// checkCoinbase checks the parts of a coinbase whose number or kind r limits.
func (r *Rules) checkCoinbase(t *tx.Transaction) error {
	switch {
	case t.Version != version:
		return ErrVersion
	case t.RingCT.Type != tx.RingCTNull:
		return ErrType
	case t.Carrot == nil:
		return ErrBlock
	case len(t.Outputs) > r.MaxMinerOutputs:
		return ErrOutput
	}
	return nil
}

// ParseAny reads a complete transaction from before or after the fork, and returns its ID. Those of the fork are
// returned without their proofs. It returns the errors of tx.Parse and of ParseForWallet.
func (r *Rules) ParseAny(b []byte) (*tx.Transaction, xmr.Hash, error) {
	t, id, err := tx.ParseWithHash(b)
	if errors.Is(err, tx.ErrOutput) {
		return r.ParseForWallet(b)
	}
	return t, id, err
}

// ParsePrunedAny reads a pruned transaction from before or after the fork. It returns the errors of tx.ParsePruned and
// of ParsePrunedForWallet.
func (r *Rules) ParsePrunedAny(b []byte) (*tx.Transaction, error) {
	t, err := tx.ParsePruned(b)
	if !errors.Is(err, tx.ErrOutput) {
		return t, err
	}
	t, _, err = r.ParsePrunedForWallet(b, xmr.Hash{})
	return t, err
}

// ParseBlockForWallet is block.Parse for blocks of the fork, and also returns the IDs of the block and of its coinbase.
// It returns the errors of block.Parse, and for the coinbase those of ParseForWallet.
func (r *Rules) ParseBlockForWallet(b []byte) (blk *block.Block, id, coinbase xmr.Hash, err error) {
	if blk, err = block.Parse(b); err != nil {
		return nil, id, coinbase, err
	}
	if err = r.checkCoinbase(&blk.MinerTx); err != nil {
		return nil, id, coinbase, err
	}
	if coinbase, err = blk.MinerTx.Hash(); err != nil {
		return nil, id, coinbase, err
	}
	if id, err = blk.HashWith(coinbase); err != nil {
		return nil, id, coinbase, err
	}
	return blk, id, coinbase, nil
}
