package consensus

import (
	"glim/core/tx"
	"glim/core/xmr"
)

// CheckCoinbase returns nil when the coinbase of the block at height keeps the rules that do not depend on amounts:
// version 2 without proofs, that height, locked for xmr.CoinbaseUnlock blocks, outputs with view tags. Otherwise
// ErrCoinbase. Source: src/cryptonote_core/blockchain.cpp, prevalidate_miner_transaction.
func CheckCoinbase(t *tx.Transaction, height uint64) error {
	switch {
	case !t.IsCoinbase():
		return refuse(ErrCoinbase, "other inputs than the reward")
	case t.Version != 2:
		return refuse(ErrCoinbase, "version %d", t.Version)
	case t.RingCT.Type != tx.RingCTNull:
		return refuse(ErrCoinbase, "signatures")
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

// CheckReward returns what a block creates, in atomic units, when its coinbase pays exactly that and the fees of its
// transactions. weight is the block's, limits and generated describe the chain before it. Errors: ErrWeight, ErrReward,
// ErrCoinbase. Source: src/cryptonote_core/blockchain.cpp, validate_miner_transaction.
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
		return 0, refuse(ErrReward, "%d where the reward is %d and fees are %d", sum, reward, fees)
	}
	return reward, nil
}
