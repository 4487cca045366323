package consensus

import (
	"bytes"

	"glim/core/crypto/edwards"
	"glim/core/tx"
	"glim/core/xmr"
)

// CheckCoinbase returns nil if the coinbase of the block at height obeys the rules that do not depend on amounts:
// version 2 without proofs, the right height, locked for xmr.CoinbaseUnlock blocks, outputs with view tags; with the
// next hard fork outputs of Carrot, at most MaxMinerOutputs, ordered by distinct keys, and extra within a limit.
// Otherwise it returns ErrCoinbase. Source: src/cryptonote_core/blockchain.cpp, prevalidate_miner_transaction.
func (r *Rules) CheckCoinbase(t *tx.Transaction, height uint64) error {
	switch {
	case !t.IsCoinbase():
		return refuse(ErrCoinbase, "inputs other than the coinbase input")
	case t.Version != 2:
		return refuse(ErrCoinbase, "version %d", t.Version)
	case t.RingCT.Type != tx.RingCTNull:
		return refuse(ErrCoinbase, "has signatures")
	case t.Inputs[0].Height != height:
		return refuse(ErrCoinbase, "height %d in the block at %d", t.Inputs[0].Height, height)
	case t.UnlockTime != height+xmr.CoinbaseUnlock:
		return refuse(ErrCoinbase, "unlock time %d in the block at %d", t.UnlockTime, height)
	}
	if _, err := paid(t); err != nil {
		return err
	}
	if r.HasTree() {
		return checkCarrotCoinbase(t)
	}
	for i := range t.Outputs {
		if !t.Outputs[i].Tagged {
			return refuse(ErrCoinbase, "output %d has no view tag", i)
		}
	}
	return nil
}

// MaxMinerOutputs is the maximum number of outputs of a coinbase of Carrot. Source: src/cryptonote_config.h of the
// beta, FCMP_PLUS_PLUS_MAX_MINER_OUTPUTS.
const MaxMinerOutputs = 10_000

// checkCarrotCoinbase makes the checks of the next hard fork.
// Source: prevalidate_miner_transaction of the beta; src/cryptonote_core/tx_verification_utils.cpp,
// are_transaction_output_pubkeys_sorted; src/cryptonote_basic/cryptonote_format_utils.cpp, check_output_types.
func checkCarrotCoinbase(t *tx.Transaction) error {
	var last xmr.PublicKey
	for i := range t.Outputs {
		key := t.Outputs[i].Key
		switch {
		case len(t.Carrot) != len(t.Outputs):
			return refuse(ErrCoinbase, "output %d is not one of Carrot", i)
		case bytes.Compare(key[:], last[:]) <= 0:
			return refuse(ErrCoinbase, "the key of output %d is not greater than the one before", i)
		}
		last = key
	}
	if limit := maxExtra + 32*len(t.Outputs); len(t.Extra) >= limit {
		return refuse(ErrCoinbase, "extra has %d bytes, want less than %d", len(t.Extra), limit)
	}
	if n := len(t.Outputs); n > MaxMinerOutputs {
		return refuse(ErrCoinbase, "%d outputs", n)
	}
	return nil
}

// CheckCoinbaseKeys returns nil if the keys of a coinbase of Carrot are in the prime-order subgroup, and not the
// neutral element. Otherwise it returns ErrCoinbase.
// Source: src/cryptonote_core/blockchain.cpp of the beta, validate_miner_transaction; src/ringct/rctSigs.cpp,
// verPointsForTorsion.
func CheckCoinbaseKeys(t *tx.Transaction) error {
	for i := range t.Outputs {
		p, err := edwards.DecodePoint(t.Outputs[i].Key)
		if err != nil || p.IsIdentity() || !p.IsTorsionFree() {
			return refuse(ErrCoinbase, "the key of output %d is not in the prime-order subgroup", i)
		}
	}
	return nil
}

// paid returns the sum of the outputs' amounts.
func paid(t *tx.Transaction) (uint64, error) {
	var sum uint64
	for i := range t.Outputs {
		var err error
		if sum, err = xmr.Sum(sum, t.Outputs[i].Amount); err != nil {
			return 0, refuse(ErrCoinbase, "amounts exceed 64 bits")
		}
	}
	return sum, nil
}

// CheckReward returns the block reward in atomic units if the coinbase pays exactly this reward and the fees of the
// block's transactions. weight is the block's weight in bytes; limits and generated describe the chain before it.
// CheckReward returns ErrWeight, ErrReward or ErrCoinbase. Source: src/cryptonote_core/blockchain.cpp,
// validate_miner_transaction.
func CheckReward(t *tx.Transaction, weight, fees, generated uint64, limits Limits) (uint64, error) {
	reward, err := Reward(limits.Median, weight, generated)
	if err != nil {
		return 0, err
	}
	sum, err := paid(t)
	if err != nil {
		return 0, err
	}
	if due, err := xmr.Sum(reward, fees); err != nil || sum != due {
		return 0, refuse(ErrReward, "%d, but the reward is %d and the fees are %d", sum, reward, fees)
	}
	return reward, nil
}
