package fcmptx

import (
	"errors"

	"glim/core/block"
	"glim/core/tx"
	"glim/core/xmr"
)

// The functions below return the fork's transactions and blocks in the types of packages tx and block, in which wallets
// receive everything. What wallets do not need is left out: proofs, and what a block commits to of the tree.

// ForWallet returns t without Proofs, with Carrot set. It shares the memory of t.
func (t *Transaction) ForWallet() *tx.Transaction {
	out := &tx.Transaction{
		Version: version, UnlockTime: t.UnlockTime, Inputs: t.Inputs, Outputs: make([]tx.Output, len(t.Outputs)),
		Extra: t.Extra, Carrot: make([]tx.Carrot, len(t.Outputs)),
	}
	for i := range t.Outputs {
		o := &t.Outputs[i]
		out.Outputs[i] = tx.Output{Amount: o.Amount, Key: o.Key}
		out.Carrot[i] = tx.Carrot{ViewTag: o.ViewTag, Anchor: o.Anchor}
	}
	if !t.IsCoinbase() {
		out.RingCT = tx.RingCT{Type: tx.RingCTFCMP, Fee: t.Fee, Commitments: t.Commitments}
		out.RingCT.Ecdh = make([]tx.EcdhInfo, len(t.Amounts))
		for i := range t.Amounts {
			copy(out.RingCT.Ecdh[i].Amount[:], t.Amounts[i][:])
		}
	}
	return out
}

// ParseForWallet is Parse and ForWallet, and also returns the transaction's ID.
func (r *Rules) ParseForWallet(b []byte) (*tx.Transaction, xmr.Hash, error) {
	t, err := r.Parse(b)
	if err != nil {
		return nil, xmr.Hash{}, err
	}
	return t.ForWallet(), r.PrunedHash(t, t.PrunableHash()), nil
}

// ParsePrunedForWallet is ParsePruned and ForWallet, and also returns the transaction's ID, given the hash of its
// proofs.
func (r *Rules) ParsePrunedForWallet(b []byte, prunable xmr.Hash) (*tx.Transaction, xmr.Hash, error) {
	t, err := r.ParsePruned(b)
	if err != nil {
		return nil, xmr.Hash{}, err
	}
	return t.ForWallet(), r.PrunedHash(t, prunable), nil
}

// ParsePrunedAny reads a pruned transaction from before or after the fork. It returns the errors of tx.ParsePruned and
// of ParsePruned.
func (r *Rules) ParsePrunedAny(b []byte) (*tx.Transaction, error) {
	t, err := tx.ParsePruned(b)
	if !errors.Is(err, tx.ErrOutput) {
		return t, err
	}
	t, _, err = r.ParsePrunedForWallet(b, xmr.Hash{})
	return t, err
}

// ParseBlockForWallet reads a block and returns what wallets need of it, and the IDs of the block and of its coinbase.
// The result's own functions do not compute the block's ID. It returns the errors of ParseBlock.
func (r *Rules) ParseBlockForWallet(b []byte) (out *block.Block, id, coinbase xmr.Hash, err error) {
	blk, err := r.ParseBlock(b)
	if err != nil {
		return nil, id, coinbase, err
	}
	if id, err = r.BlockHash(blk); err != nil {
		return nil, id, coinbase, err
	}
	return &block.Block{
		Major: blk.Major, Minor: blk.Minor, Timestamp: blk.Timestamp, Prev: blk.Prev, Nonce: blk.Nonce,
		MinerTx: *blk.Coinbase.ForWallet(), TxHashes: blk.TxHashes,
	}, id, r.PrunedHash(&blk.Coinbase, xmr.Hash{}), nil
}
