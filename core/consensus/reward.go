package consensus

import "math/bits"

// Emission of two-minute blocks. Source: src/cryptonote_config.h, EMISSION_SPEED_FACTOR_PER_MINUTE and
// FINAL_SUBSIDY_PER_MINUTE.
const (
	emissionShift = 19
	tailReward    = 600_000_000_000
)

// BaseReward returns what a block without penalty creates, in atomic units, when generated were created before it.
// Source: src/cryptonote_basic/cryptonote_basic_impl.cpp, get_block_reward.
func BaseReward(generated uint64) uint64 {
	return max((MoneySupply-generated)>>emissionShift, tailReward)
}

// Reward returns what a block of the given weight creates, in atomic units: the base reward, less a penalty that grows
// to all of it as the weight goes from the median to twice the median. ErrWeight beyond that. Medians below
// FullRewardZone count as that zone.
// Source: src/cryptonote_basic/cryptonote_basic_impl.cpp, get_block_reward.
func Reward(median, weight, generated uint64) (uint64, error) {
	base := BaseReward(generated)
	median = max(median, FullRewardZone)
	if weight <= median {
		return base, nil
	}
	if weight > 2*median {
		return 0, refuse(ErrWeight, "%d bytes where %d are allowed", weight, 2*median)
	}
	// base · (2·median − weight) · weight / median², rounded down at each division. The product of the two weights is
	// at most median² and so fits.
	hi, lo := bits.Mul64(base, (2*median-weight)*weight)
	for range 2 {
		var q uint64
		q, hi = hi/median, hi%median
		lo, _ = bits.Div64(hi, lo, median)
		hi = q
	}
	return lo, nil
}

// AddCoins returns the coins created after a block that created reward: their sum, but at most MoneySupply.
// Source: src/cryptonote_core/blockchain.cpp, handle_block_to_main_chain.
func AddCoins(generated, reward uint64) uint64 {
	if reward < MoneySupply-generated {
		return generated + reward
	}
	return MoneySupply
}
