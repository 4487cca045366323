package consensus

import (
	"slices"

	"glim/core/crypto/edwards"
	"glim/core/tx"
	"glim/core/xmr"
)

const maxExtra = xmr.MaxExtra

// CheckTransaction returns nil when a transaction that is no coinbase keeps every rule that needs neither the chain nor
// its proofs: weight, kind, inputs in order with rings of one size, key images of the right group, outputs. weight is
// the transaction's and size its length in bytes. What is left are CheckProofs and CheckRings.
//
// Transactions of version 1, which hard fork 16 allows to spend outputs from before RingCT that have no company, are
// refused.
// Source: src/cryptonote_core/cryptonote_core.cpp, check_tx_semantic; blockchain.cpp, check_tx_outputs and
// check_tx_inputs; tx_pool.cpp, add_tx.
func CheckTransaction(t *tx.Transaction, size int, weight uint64) error {
	if size > MaxTxSize || weight > MaxTxWeight {
		return refuse(ErrTooBig, "%d bytes, weight %d", size, weight)
	}
	if t.Version != 2 {
		return refuse(ErrMalformed, "version %d", t.Version)
	}
	if t.IsPruned() {
		return refuse(ErrMalformed, "proofs are missing")
	}
	if err := checkOutputs(t); err != nil {
		return err
	}
	return checkInputs(t)
}

func checkOutputs(t *tx.Transaction) error {
	switch t.RingCT.Type {
	case tx.RingCTBulletproofPlus:
	case tx.RingCTNull:
		return refuse(ErrMalformed, "no signatures")
	default:
		return refuse(ErrOutput, "RingCT type %d", t.RingCT.Type)
	}
	for i := range t.Outputs {
		out := &t.Outputs[i]
		switch {
		case out.Amount != 0:
			return refuse(ErrOutput, "output %d shows its amount", i)
		case !out.Tagged:
			return refuse(ErrMalformed, "output %d has no view tag", i)
		}
		if _, err := edwards.DecodePoint(out.Key); err != nil {
			return refuse(ErrMalformed, "the key of output %d is no point", i)
		}
	}
	if n := len(t.Outputs); n < 2 {
		return refuse(ErrTooFewOutputs, "%d", n)
	} else if n > xmr.MaxOutputs {
		return refuse(ErrOutput, "%d outputs", n)
	}
	return nil
}

func checkInputs(t *tx.Transaction) error {
	var amounts uint64
	for i := range t.Inputs {
		in := &t.Inputs[i]
		if in.Coinbase {
			return refuse(ErrInput, "input %d is a reward", i)
		}
		var err error
		if amounts, err = xmr.Sum(amounts, in.Amount); err != nil {
			return refuse(ErrMalformed, "amounts exceed 64 bits")
		}
		if len(in.KeyOffsets) == 0 || len(in.KeyOffsets) != len(t.Inputs[0].KeyOffsets) {
			return refuse(ErrRingSize, "rings of %d and %d members", len(t.Inputs[0].KeyOffsets), len(in.KeyOffsets))
		}
		if slices.Contains(in.KeyOffsets[1:], 0) {
			return refuse(ErrMalformed, "the ring of input %d has a member twice", i)
		}
		if i > 0 {
			switch c := slices.Compare(t.Inputs[i-1].KeyImage[:], in.KeyImage[:]); {
			case c == 0:
				return refuse(ErrMalformed, "key image %s twice", in.KeyImage)
			case c < 0:
				return refuse(ErrInput, "inputs are out of order")
			}
		}
		if image, err := edwards.DecodePoint(in.KeyImage); err != nil || !image.IsTorsionFree() {
			return refuse(ErrMalformed, "key image %d is not of the group", i)
		}
	}
	if len(t.Inputs) == 0 {
		return refuse(ErrInput, "none")
	}
	return nil
}

// CheckRingSize returns nil when the rings of a transaction have the right size: xmr.RingSize, or fewer when it spends
// an output from before RingCT that too few others share an amount with, beside at most one that has company. count
// returns how many outputs of an amount the chain has.
// Source: src/cryptonote_core/blockchain.cpp, check_tx_inputs.
func CheckRingSize(t *tx.Transaction, count func(amount uint64) uint64) error {
	size := len(t.Inputs[0].KeyOffsets)
	if size == xmr.RingSize {
		return nil
	}
	alone := 0
	for i := range t.Inputs {
		if a := t.Inputs[i].Amount; a != 0 && count(a) < xmr.RingSize {
			alone++
		}
	}
	if size > xmr.RingSize || alone == 0 || len(t.Inputs)-alone > 1 {
		return refuse(ErrRingSize, "%d members", size)
	}
	return nil
}
