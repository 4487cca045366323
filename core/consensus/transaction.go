package consensus

import (
	"slices"

	"glim/core/crypto/edwards"
	"glim/core/tx"
	"glim/core/xmr"
)

const maxExtra = xmr.MaxExtra

// CheckTransaction returns nil if a transaction other than a coinbase obeys the rules that need neither the chain nor
// its proofs: weight, version and type, order of inputs, equal ring sizes, subgroup of key images, outputs. size is
// the length of the transaction in bytes and weight its weight. CheckProofs and CheckRings check the rest; for a
// transaction with membership proofs, CheckProofs, CheckReference and the verifier of those proofs. Of several faults
// it returns the one that the reference finds first.
//
// Version 1 transactions are refused, although hard fork 16 allows them to spend outputs from before RingCT whose
// amount too few other outputs share.
// Source: src/cryptonote_core/tx_verification_utils.cpp, ver_non_input_consensus; cryptonote_core.cpp,
// check_tx_semantic; blockchain.cpp, check_tx_outputs and check_tx_inputs; all 0.18.5.1. For the next hard fork: the
// same functions of the beta.
func (r *Rules) CheckTransaction(t *tx.Transaction, size int, weight uint64) error {
	if size > MaxTxSize {
		return refuse(ErrTooBig, "%d bytes", size)
	}
	if t.Version != 2 {
		return refuse(ErrMalformed, "version %d", t.Version)
	}
	if r.HasTree() {
		if err := CheckRelay(len(t.Extra), t.UnlockTime); err != nil {
			return err
		}
	}
	if weight > r.MaxTxWeight {
		return refuse(ErrTooBig, "%d bytes, weight %d", size, weight)
	}
	proven := t.RingCT.Type == tx.RingCTFCMP
	switch {
	case proven && !r.HasTree():
		return refuse(ErrOutput, "membership proofs before version %d", TreeVersion)
	case !proven && r.Version >= ProofVersion:
		return refuse(ErrOutput, "RingCT type %d; from version %d on, transactions need membership proofs",
			t.RingCT.Type, ProofVersion)
	case !proven && t.RingCT.Type != tx.RingCTNull && t.IsPruned():
		return refuse(ErrMalformed, "proofs are missing")
	}
	checks := []func(*tx.Transaction) error{
		checkInputTypes, checkOutputKeys, checkInputs, checkOutputs, checkCounts,
	}
	if proven {
		checks = []func(*tx.Transaction) error{
			checkKeyOrder, checkInputTypes, checkOutputKeys, checkInputs, checkCarrotOutputs, checkNumbers,
			checkNoRings, checkImageOrder,
		}
	}
	for _, check := range checks {
		if err := check(t); err != nil {
			return err
		}
	}
	return nil
}

func checkInputTypes(t *tx.Transaction) error {
	if len(t.Inputs) == 0 {
		return refuse(ErrInput, "it has no inputs")
	}
	for i := range t.Inputs {
		if t.Inputs[i].Coinbase {
			return refuse(ErrInput, "input %d is a coinbase input", i)
		}
	}
	return nil
}

func checkOutputKeys(t *tx.Transaction) error {
	for i := range t.Outputs {
		if _, err := edwards.DecodePoint(t.Outputs[i].Key); err != nil {
			return refuse(ErrOutput, "the key of output %d is not a point", i)
		}
	}
	return nil
}

// checkInputs checks amounts, rings and key images.
func checkInputs(t *tx.Transaction) error {
	var amounts uint64
	images := make(map[xmr.KeyImage]bool, len(t.Inputs))
	for i := range t.Inputs {
		in := &t.Inputs[i]
		var err error
		if amounts, err = xmr.Sum(amounts, in.Amount); err != nil {
			return refuse(ErrOverspend, "the inputs")
		}
		if images[in.KeyImage] {
			return refuse(ErrBadInput, "key image %s twice", in.KeyImage)
		}
		images[in.KeyImage] = true
	}
	for i := range t.Inputs {
		if o := t.Inputs[i].KeyOffsets; len(o) > 0 && slices.Contains(o[1:], 0) {
			return refuse(ErrBadInput, "the ring of input %d has a duplicate member", i)
		}
	}
	for i := range t.Inputs {
		image, err := edwards.DecodePoint(t.Inputs[i].KeyImage)
		neutral := err == nil && image.IsIdentity() && t.RingCT.Type == tx.RingCTFCMP // signatures of rings exclude it
		if err != nil || neutral || !image.IsTorsionFree() {
			return refuse(ErrBadInput, "key image %d is not in the prime-order subgroup", i)
		}
	}
	return nil
}

func checkOutputs(t *tx.Transaction) error {
	for i := range t.Outputs {
		switch out := &t.Outputs[i]; {
		case !out.Tagged:
			return refuse(ErrOutput, "output %d has no view tag", i)
		case out.Amount != 0:
			return refuse(ErrOutput, "the amount of output %d is public", i)
		}
	}
	if t.RingCT.Type != tx.RingCTBulletproofPlus {
		return refuse(ErrOutput, "RingCT type %d", t.RingCT.Type)
	}
	if n := len(t.Outputs); n > xmr.MaxOutputs {
		return refuse(ErrOutput, "%d outputs", n)
	}
	return nil
}

// checkNumbers checks that there are two outputs.
func checkNumbers(t *tx.Transaction) error {
	if n := len(t.Outputs); n < 2 {
		return refuse(ErrTooFewOutputs, "%d", n)
	}
	return nil
}

// checkCounts checks what the reference checks after the fee.
func checkCounts(t *tx.Transaction) error {
	if err := checkNumbers(t); err != nil {
		return err
	}
	size := len(t.Inputs[0].KeyOffsets)
	for i := range t.Inputs {
		if n := len(t.Inputs[i].KeyOffsets); n == 0 || n != size {
			return refuse(ErrRingSize, "rings of %d and %d members", size, n)
		}
	}
	return checkImageOrder(t)
}

// checkImageOrder checks that key images descend.
func checkImageOrder(t *tx.Transaction) error {
	for i := range t.Inputs[1:] {
		if slices.Compare(t.Inputs[i].KeyImage[:], t.Inputs[i+1].KeyImage[:]) < 0 {
			return refuse(ErrInput, "inputs are out of order")
		}
	}
	return nil
}

// CheckRingSize returns nil if the rings of a transaction have xmr.RingSize members. They may have fewer if the
// transaction spends an output from before RingCT whose amount fewer than xmr.RingSize outputs share, and at most one
// other output. count returns the number of outputs of an amount in the chain. Otherwise CheckRingSize returns
// ErrRingSize.
// Source: src/cryptonote_core/blockchain.cpp, check_tx_inputs.
func CheckRingSize(t *tx.Transaction, count func(amount uint64) uint64) error {
	size := len(t.Inputs[0].KeyOffsets)
	if size == xmr.RingSize {
		return nil
	}
	unmixable := 0
	for i := range t.Inputs {
		if a := t.Inputs[i].Amount; a != 0 && count(a) < xmr.RingSize {
			unmixable++
		}
	}
	if size > xmr.RingSize || unmixable == 0 || len(t.Inputs)-unmixable > 1 {
		return refuse(ErrRingSize, "%d members", size)
	}
	return nil
}
