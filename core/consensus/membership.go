package consensus

import (
	"bytes"

	"glim/core/block"
	"glim/core/crypto/edwards"
	"glim/core/tx"
	"glim/core/xmr"
)

// The rules for transactions with membership proofs, in addition to those for all transactions.

// checkKeyOrder checks that the keys of the outputs ascend, so that they are distinct.
// Source: src/cryptonote_core/tx_verification_utils.cpp of the beta, are_transaction_output_pubkeys_sorted.
func checkKeyOrder(t *tx.Transaction) error {
	var last xmr.PublicKey
	for i := range t.Outputs {
		key := t.Outputs[i].Key
		if bytes.Compare(key[:], last[:]) <= 0 {
			return refuse(ErrOutput, "the key of output %d is not greater than the one before", i)
		}
		last = key
	}
	return nil
}

// checkNoRings checks that inputs refer to no outputs and show no amounts.
// Source: src/cryptonote_core/blockchain.cpp of the beta, check_tx_inputs.
func checkNoRings(t *tx.Transaction) error {
	for i := range t.Inputs {
		if in := &t.Inputs[i]; in.Amount != 0 || len(in.KeyOffsets) != 0 {
			return refuse(ErrInput, "input %d has an amount or a ring beside its membership proof", i)
		}
	}
	return nil
}

// checkCarrotOutputs checks that all outputs are of Carrot, and show no amounts.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp of the beta, check_output_types;
// src/cryptonote_core/blockchain.cpp, check_tx_outputs.
func checkCarrotOutputs(t *tx.Transaction) error {
	n := len(t.Outputs)
	if n > xmr.MaxOutputs {
		return refuse(ErrOutput, "%d outputs", n)
	}
	if len(t.Carrot) != n || len(t.RingCT.Commitments) != n || len(t.RingCT.Ecdh) != n {
		return refuse(ErrOutput, "outputs are not of Carrot, or lack commitments")
	}
	for i := range t.Outputs {
		if t.Outputs[i].Amount != 0 {
			return refuse(ErrOutput, "the amount of output %d is public", i)
		}
	}
	return nil
}

// CheckReference returns nil if a transaction with membership proofs may refer to the tree of a block: the block is in
// the chain before the block at height, and its tree has as many layers as the transaction says. tree is the one at
// that block; zero if the block is not in the chain. There is no limit to the age of the block.
// Otherwise it returns ErrReference, or ErrBadInput for what no chain can contain.
// Source: src/cryptonote_core/blockchain.cpp of the beta, get_fcmp_tx_tree_root;
// src/cryptonote_core/tx_verification_utils.cpp, is_canonical_fcmp_plus_plus_layout.
func CheckReference(reference uint64, layers uint8, height uint64, tree block.Tree) error {
	switch {
	case reference == 0 || layers == 0 || layers > block.MaxLayers:
		return refuse(ErrBadInput, "reference block %d with %d layers", reference, layers)
	case reference >= height:
		return refuse(ErrReference, "block %d is not in the chain", reference)
	case layers != tree.Layers:
		return refuse(ErrReference, "%d layers, but the tree at block %d has %d", layers, reference, tree.Layers)
	}
	return nil
}

// checkOutputPoints checks that the keys and commitments of outputs are in the prime-order subgroup, and not the
// neutral element.
// Source: src/ringct/rctSigs.cpp of the beta, verPointsForTorsion; src/cryptonote_core/tx_verification_utils.cpp,
// collect_points_for_torsion_check.
func checkOutputPoints(t *tx.Transaction) error {
	for i := range t.Outputs {
		for _, encoded := range [][32]byte{t.Outputs[i].Key, t.RingCT.Commitments[i]} {
			if p, err := edwards.DecodePoint(encoded); err != nil || p.IsIdentity() || !p.IsTorsionFree() {
				return refuse(ErrOutput, "the key or commitment of output %d is not in the prime-order subgroup", i)
			}
		}
	}
	return nil
}
