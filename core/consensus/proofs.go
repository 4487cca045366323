package consensus

import (
	"io"

	"glim/core/build"
	"glim/core/crypto/bulletproofsplus"
	"glim/core/crypto/clsag"
	"glim/core/crypto/edwards"
	"glim/core/tx"
)

// CheckProofs returns nil when every transaction creates as much as it spends, fee included, and no amount is out of
// range. The range proofs are verified together: when one of several is false, which one it is takes another call for
// each. Transactions must have passed CheckTransaction; random is used as bulletproofsplus.Verify says. Errors:
// ErrMalformed, or random's. Source: src/ringct/rctSigs.cpp, verRctSemanticsSimple.
func CheckProofs(random io.Reader, txs ...*tx.Transaction) error {
	proofs := make([]bulletproofsplus.Proof, 0, len(txs))
	commitments := make([][][32]byte, 0, len(txs))
	for _, t := range txs {
		p := t.RingCT.Prunable
		if len(p.PseudoOuts) != len(t.Inputs) || len(p.CLSAGs) != len(t.Inputs) || len(p.BulletproofsPlus) != 1 ||
			len(t.RingCT.Commitments) != len(t.Outputs) || len(t.RingCT.Ecdh) != len(t.Outputs) {
			return refuse(ErrMalformed, "numbers of proofs, inputs and outputs differ")
		}
		if err := checkBalance(t); err != nil {
			return err
		}
		proofs = append(proofs, bulletproofsplus.Proof(p.BulletproofsPlus[0]))
		commitments = append(commitments, t.RingCT.Commitments)
	}
	if err := bulletproofsplus.Verify(random, proofs, commitments); err != nil {
		return refuse(ErrMalformed, "%w", err)
	}
	return nil
}

// checkBalance adds up commitments: pseudo outputs = outputs + fee·H.
func checkBalance(t *tx.Transaction) error {
	sum := new(edwards.Point).ScalarMult(edwards.ScalarFromUint64(t.RingCT.Fee), edwards.H())
	for _, c := range t.RingCT.Commitments {
		point, err := edwards.DecodePoint(c)
		if err != nil {
			return refuse(ErrMalformed, "a commitment is no point")
		}
		sum.Add(sum, point)
	}
	for _, c := range t.RingCT.Prunable.PseudoOuts {
		point, err := edwards.DecodePoint(c)
		if err != nil {
			return refuse(ErrMalformed, "a pseudo output is no point")
		}
		sum.Subtract(sum, point)
	}
	if !sum.IsIdentity() {
		return refuse(ErrMalformed, "inputs and outputs do not balance")
	}
	return nil
}

// CheckRings returns nil when every input of a transaction is signed by a member of its ring; rings has the outputs
// that the inputs name, in order. The transaction must have passed CheckProofs. Otherwise ErrInput.
// Source: src/ringct/rctSigs.cpp, verRctNonSemanticsSimple.
func CheckRings(t *tx.Transaction, rings [][]clsag.Member) error {
	if len(rings) != len(t.Inputs) {
		return refuse(ErrInput, "%d rings for %d inputs", len(rings), len(t.Inputs))
	}
	message := build.Message(t)
	for i := range t.Inputs {
		if err := CheckRing(t, message, i, rings[i]); err != nil {
			return err
		}
	}
	return nil
}

// CheckRing is CheckRings for one input; message is build.Message of the transaction.
func CheckRing(t *tx.Transaction, message [32]byte, input int, ring []clsag.Member) error {
	p := t.RingCT.Prunable
	if len(p.PseudoOuts) != len(t.Inputs) || len(p.CLSAGs) != len(t.Inputs) {
		return refuse(ErrMalformed, "numbers of signatures and inputs differ")
	}
	if err := clsag.Verify(message, ring, p.PseudoOuts[input], t.Inputs[input].KeyImage, clsag.Signature(p.CLSAGs[input])); err != nil {
		return refuse(ErrInput, "input %d: %w", input, err)
	}
	return nil
}
