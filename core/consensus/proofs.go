package consensus

import (
	"io"

	"glim/core/crypto/bulletproofsplus"
	"glim/core/crypto/clsag"
	"glim/core/crypto/edwards"
	"glim/core/tx"
)

// CheckProofs returns nil if every transaction creates as much as it spends, including the fee, and no amount is out
// of range. It verifies all range proofs together; to find out which one is invalid, call it again for each
// transaction. The transactions must have passed CheckTransaction. random is used as in bulletproofsplus.Verify.
// Of transactions with membership proofs it also checks that the points of outputs are in the prime-order subgroup.
// CheckProofs returns ErrBadInput, ErrOutput or the error of random.
// Source: src/ringct/rctSigs.cpp, verRctSemanticsSimple; for the next hard fork also verPointsForTorsion.
func CheckProofs(random io.Reader, txs ...*tx.Transaction) error {
	proofs := make([]bulletproofsplus.Proof, 0, len(txs))
	commitments := make([][][32]byte, 0, len(txs))
	for _, t := range txs {
		p, signatures := t.RingCT.Prunable, len(t.Inputs)
		if t.RingCT.Type == tx.RingCTFCMP {
			signatures = 0
		}
		if len(p.PseudoOuts) != len(t.Inputs) || len(p.CLSAGs) != signatures || len(p.BulletproofsPlus) != 1 ||
			len(t.RingCT.Commitments) != len(t.Outputs) || len(t.RingCT.Ecdh) != len(t.Outputs) {
			return refuse(ErrBadInput, "wrong number of proofs")
		}
		if err := checkBalance(t); err != nil {
			return err
		}
		proofs = append(proofs, bulletproofsplus.Proof(p.BulletproofsPlus[0]))
		commitments = append(commitments, t.RingCT.Commitments)
	}
	if err := bulletproofsplus.Verify(random, proofs, commitments); err != nil {
		return refuse(ErrBadInput, "%w", err)
	}
	for _, t := range txs {
		if t.RingCT.Type == tx.RingCTFCMP {
			if err := checkOutputPoints(t); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkBalance checks that the sum of the pseudo outputs equals the sum of the output commitments plus fee·H.
func checkBalance(t *tx.Transaction) error {
	sum := new(edwards.Point).ScalarMult(edwards.ScalarFromUint64(t.RingCT.Fee), edwards.H())
	for _, c := range t.RingCT.Commitments {
		point, err := edwards.DecodePoint(c)
		if err != nil {
			return refuse(ErrBadInput, "a commitment is not a point")
		}
		sum.Add(sum, point)
	}
	for _, c := range t.RingCT.Prunable.PseudoOuts {
		point, err := edwards.DecodePoint(c)
		if err != nil {
			return refuse(ErrBadInput, "a pseudo output is not a point")
		}
		sum.Subtract(sum, point)
	}
	if !sum.IsIdentity() {
		return refuse(ErrBadInput, "inputs and outputs do not balance")
	}
	return nil
}

// CheckRings returns nil if each input of a transaction has a valid signature by its ring. rings has the outputs that
// the inputs refer to, in order. The transaction must have passed CheckProofs. Otherwise CheckRings returns ErrInput.
// Source: src/ringct/rctSigs.cpp, verRctNonSemanticsSimple.
func CheckRings(t *tx.Transaction, rings [][]clsag.Member) error {
	if len(rings) != len(t.Inputs) {
		return refuse(ErrInput, "%d rings for %d inputs", len(rings), len(t.Inputs))
	}
	message := t.PreMLSAGHash()
	for i := range t.Inputs {
		if err := CheckRing(t, message, i, rings[i]); err != nil {
			return err
		}
	}
	return nil
}

// CheckRing is CheckRings for one input. message is the PreMLSAGHash of the transaction.
func CheckRing(t *tx.Transaction, message [32]byte, input int, ring []clsag.Member) error {
	p := t.RingCT.Prunable
	if len(p.PseudoOuts) != len(t.Inputs) || len(p.CLSAGs) != len(t.Inputs) {
		return refuse(ErrMalformed, "wrong number of signatures")
	}
	signature, image := clsag.Signature(p.CLSAGs[input]), t.Inputs[input].KeyImage
	if err := clsag.Verify(message, ring, p.PseudoOuts[input], image, signature); err != nil {
		return refuse(ErrInput, "input %d: %w", input, err)
	}
	return nil
}
