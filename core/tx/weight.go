package tx

import (
	"errors"

	"glim/core/xmr"
)

// ErrNegativeFee reports a version 1 transaction whose outputs exceed its inputs.
var ErrNegativeFee = errors.New("tx: outputs exceed inputs")

// ErrNoWeight reports a pruned transaction whose remaining part does not determine its weight.
var ErrNoWeight = errors.New("tx: weight of this pruned transaction is not determined")

// Clawback returns the difference between weight and size, which charges one proof for many outputs four fifths of the
// bytes it saves. padded is the number of outputs rounded up to a power of two, at most xmr.MaxOutputs.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, get_transaction_weight_clawback.
func Clawback(t RingCTType, padded int) uint64 {
	if !t.latePseudoOuts() || padded <= 2 {
		return 0
	}
	fields := uint64(9)
	if t == RingCTBulletproofPlus {
		fields = 6
	}
	rounds := uint64(minRounds)
	for n := 1; n < padded; n <<= 1 {
		rounds++
	}
	perOutput := 32 * (fields + 2*(minRounds+1)) / 2 // half a proof for two outputs
	return (perOutput*uint64(padded) - 32*(fields+2*rounds)) * 4 / 5
}

// Weight returns the size in bytes plus Clawback, which determines fees and counts for block limits. Zero for a pruned
// transaction.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, get_transaction_weight.
func (t *Transaction) Weight() uint64 {
	if t.IsPruned() {
		return 0
	}
	size := uint64(len(t.Append(nil)))
	if t.Version == 1 || t.RingCT.Prunable == nil {
		return size
	}
	padded := 0
	for i := range t.RingCT.Prunable.Bulletproofs {
		padded += capacity(t.RingCT.Prunable.Bulletproofs[i].L)
	}
	for i := range t.RingCT.Prunable.BulletproofsPlus {
		padded += capacity(t.RingCT.Prunable.BulletproofsPlus[i].L)
	}
	return size + Clawback(t.RingCT.Type, padded)
}

// capacity returns the most outputs of a proof with these rounds; zero for too few or too many rounds.
func capacity(rounds [][32]byte) int {
	if len(rounds) < minRounds || len(rounds) > maxRounds {
		return 0
	}
	return 1 << (len(rounds) - minRounds)
}

// PrunedWeight returns Weight computed from prefix and base alone: from RingCTBulletproof2 on they determine it if
// proofs have their minimal length. It returns ErrNoWeight for all other types.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, get_pruned_transaction_weight.
func (t *Transaction) PrunedWeight() (uint64, error) {
	typ := t.RingCT.Type
	if t.Version == 1 || !typ.compact() || typ == RingCTFCMP || len(t.Outputs) > xmr.MaxOutputs || len(t.Inputs) == 0 ||
		t.Inputs[0].Coinbase {
		return 0, ErrNoWeight
	}
	rounds, padded := uint64(minRounds), 1
	for padded < len(t.Outputs) {
		padded <<= 1
		rounds++
	}
	fields := uint64(9)
	if typ == RingCTBulletproofPlus {
		fields = 6
	}
	inputs, ring := uint64(len(t.Inputs)), uint64(len(t.Inputs[0].KeyOffsets))
	weight := uint64(len(t.AppendPruned(nil)))
	weight += 1 + 2 + 32*(fields+2*rounds) // the counts of proofs and rounds have a byte each
	if typ.clsag() {
		weight += inputs * 32 * (ring + 2)
	} else {
		weight += inputs * 32 * (2*ring + 1)
	}
	weight += inputs * 32 // pseudo outputs
	return weight + Clawback(typ, padded), nil
}

// Fee returns the fee of t in atomic units: a field in version 2, inputs less outputs in version 1, zero for a
// coinbase. It returns xmr.ErrOverflow or ErrNegativeFee.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, get_tx_fee.
func (t *Transaction) Fee() (uint64, error) {
	if t.Version != 1 {
		return t.RingCT.Fee, nil
	}
	if t.IsCoinbase() {
		return 0, nil
	}
	var in, out uint64
	var err error
	for i := range t.Inputs {
		if in, err = xmr.Sum(in, t.Inputs[i].Amount); err != nil {
			return 0, err
		}
	}
	for i := range t.Outputs {
		if out, err = xmr.Sum(out, t.Outputs[i].Amount); err != nil {
			return 0, err
		}
	}
	if out > in {
		return 0, ErrNegativeFee
	}
	return in - out, nil
}
