package consensus

import (
	"glim/core/tx"
	"glim/core/xmr"
)

// CheckCoinbase returns nil if the coinbase of the block at height obeys the rules that do not depend on amounts:
// version 2 without proofs, the right height, locked for xmr.CoinbaseUnlock blocks, outputs with view tags. Otherwise
// it returns ErrCoinbase. Source: src/cryptonote_core/blockchain.cpp, prevalidate_miner_transaction.
func CheckCoinbase(t *tx.Transaction, height uint64) error {
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
	for i := range t.Outputs {
		if !t.Outputs[i].Tagged {
			return refuse(ErrCoinbase, "output %d has no view tag", i)
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
