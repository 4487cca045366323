package fee

import "math/bits"

// TailReward is the reward of a block in tail emission, in atomic units. Mainnet has paid it since block 2641623,
// before hard fork 16. Source: src/cryptonote_config.h, FINAL_SUBSIDY_PER_MINUTE.
const TailReward = 600_000_000_000

// FirstReward is the largest block reward since two-minute blocks, that of an empty chain: (2^64−1) >> 19.
// Source: src/cryptonote_basic/cryptonote_basic_impl.cpp, get_block_reward.
const FirstReward = ^uint64(0) >> 19

// Compute returns the levels of an honest daemon: reward is the base reward of the next block in atomic units,
// shortMedian and longMedian are the effective short-term and long-term median block weights in bytes, with the grace
// blocks counted as empty. Medians below the penalty-free zone count as that zone. Levels do not increase with a
// median, except the highest, which depends on both; all are largest at the penalty-free zone.
// Source: src/cryptonote_core/blockchain.cpp, get_dynamic_base_fee_estimate_2021_scaling; ArticMine,
// MoneroScaling2021-02.
func Compute(reward, shortMedian, longMedian uint64) Levels {
	short := max(shortMedian, minMedian)
	m := min(short, max(longMedian, minMedian))
	fast := mulDiv(16*referenceWeight, reward, minMedian, m)
	top := 4 * fast
	// The factor is m / (32 · reference · short / zone), whose divisor the reference rounds down.
	if hi, divisor := bits.Mul64(32*referenceWeight, short); hi == 0 {
		top = max(top, mulDiv(4*fast, m, divisor/minMedian, 1))
	}
	return Levels{
		RoundUp(mulDiv(referenceWeight, reward, m, m)),
		RoundUp(mulDiv(4*referenceWeight, reward, m, m)),
		RoundUp(fast),
		RoundUp(top),
	}
}

// Minimum returns the fee per byte below which daemons refuse a transaction, with a tolerance of two per cent: 95% of
// the slow level before its rounding, at least 1. The arguments are as in Compute; median is the smaller of its two.
// Source: src/cryptonote_core/blockchain.cpp, get_dynamic_base_fee and check_fee.
func Minimum(reward, median uint64) uint64 {
	median = max(median, minMedian)
	f := mulDiv(referenceWeight, reward, median, median)
	return max(f-f/20, 1)
}

// mulDiv returns ⌊⌊a·b / c⌋ / d⌋, which equals ⌊a·b / (c·d)⌋; 2^64−1 when that does not fit.
// c and d are positive.
func mulDiv(a, b, c, d uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	for _, by := range [2]uint64{c, d} {
		var q uint64
		q, hi = hi/by, hi%by
		lo, _ = bits.Div64(hi, lo, by)
		hi = q
	}
	if hi != 0 {
		return ^uint64(0)
	}
	return lo
}

// RoundUp rounds to two significant decimal digits, upwards; 2^64−1 when that does not fit.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, round_money_up.
func RoundUp(v uint64) uint64 {
	unit := uint64(1)
	limit := uint64(1)
	for range significant {
		limit *= 10
	}
	for v/unit >= limit {
		unit *= 10
	}
	rounded, err := FromWeight(1, v, unit)
	if err != nil {
		return ^uint64(0)
	}
	return rounded
}
