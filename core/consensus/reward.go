package consensus

import "math/bits"

// Emission of blocks with a target time of two minutes. Source: src/cryptonote_config.h,
// EMISSION_SPEED_FACTOR_PER_MINUTE and FINAL_SUBSIDY_PER_MINUTE.
const (
	emissionShift = 19
	tailReward    = 600_000_000_000
)

// BaseReward returns the reward of a block without penalty, in atomic units. generated is the number of atomic units
// created before it. Source: src/cryptonote_basic/cryptonote_basic_impl.cpp, get_block_reward.
func BaseReward(generated uint64) uint64 {
	return max((MoneySupply-generated)>>emissionShift, tailReward)
}

// Reward returns the reward of a block of the given weight, in atomic units: the base reward minus a penalty, which
// grows from nothing at the median to the complete reward at twice the median. It returns ErrWeight for heavier
// blocks. A median below FullRewardZone is replaced by FullRewardZone.
// Source: src/cryptonote_basic/cryptonote_basic_impl.cpp, get_block_reward.
func Reward(median, weight, generated uint64) (uint64, error) {
	base := BaseReward(generated)
	median = max(median, FullRewardZone)
	if weight <= median {
		return base, nil
	}
	if weight > 2*median {
		return 0, refuse(ErrWeight, "%d bytes, at most %d are allowed", weight, 2*median)
	}
	// base · (2·median − weight) · weight / median², rounded down at each division. The product of the two weights is
	// at most median², so it does not overflow.
	hi, lo := bits.Mul64(base, (2*median-weight)*weight)
	for range 2 {
		var q uint64
		q, hi = hi/median, hi%median
		lo, _ = bits.Div64(hi, lo, median)
		hi = q
	}
	return lo, nil
}

// AddCoins returns the number of atomic units created up to a block with this reward: the sum, but at most MoneySupply.
// Source: src/cryptonote_core/blockchain.cpp, handle_block_to_main_chain.
func AddCoins(generated, reward uint64) uint64 {
	if reward < MoneySupply-generated {
		return generated + reward
	}
	return MoneySupply
}
