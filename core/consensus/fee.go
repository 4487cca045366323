package consensus

import (
	"math/big"
	"math/bits"

	"glim/core/fee"
	"glim/core/xmr"
)

// CheckFee returns nil if paid, in atomic units, is at least the fee that daemons require for a transaction of weight
// bytes: a price per byte, rounded up, with a tolerance of two per cent. Otherwise it returns ErrFeeTooLow. Daemons
// apply this rule to relayed transactions, not to those in blocks. base is the base reward of the next block in atomic
// units.
// Source: src/cryptonote_core/blockchain.cpp, check_fee.
func (r *Rules) CheckFee(weight, paid, base uint64, limits Limits) error {
	over, needed := bits.Mul64(weight, r.minimumFee(base, min(limits.Median, limits.LongTerm)))
	if over != 0 || needed > 1<<63 {
		return refuse(ErrFeeTooLow, "no fee is sufficient for %d bytes", weight)
	}
	needed = (needed + fee.Quantum - 1) / fee.Quantum * fee.Quantum
	if paid < needed-needed/50 {
		return refuse(ErrFeeTooLow, "%d, at least %d is required", paid, needed)
	}
	return nil
}

// CheckRelay returns nil if a transaction may be relayed, as far as that depends on the transaction itself. These
// rules apply to pools, not to blocks. extra is the length of the extra field in bytes. CheckRelay returns
// ErrExtraTooBig or ErrUnlockTime.
// Source: src/cryptonote_core/tx_pool.cpp, add_tx.
func CheckRelay(extra int, unlockTime uint64) error {
	if extra > maxExtra {
		return refuse(ErrExtraTooBig, "%d bytes, at most %d are relayed", extra, maxExtra)
	}
	if unlockTime != 0 {
		return refuse(ErrUnlockTime, "%d", unlockTime)
	}
	return nil
}

// minimumFee returns the fee per byte below which daemons refuse a transaction. base is the base reward in atomic
// units, and median a weight in bytes.
// Source: src/cryptonote_core/blockchain.cpp, get_dynamic_base_fee.
func (r *Rules) minimumFee(base, median uint64) uint64 {
	if !r.HasTree() {
		return fee.Minimum(base, median)
	}
	median = max(median, r.FullRewardZone)
	return max(share(base, r.referenceWeight, median, median), 1)
}

// share returns a·b/c/d, rounded down, or 2^64−1 if it is larger.
func share(a, b, c, d uint64) uint64 {
	n := new(big.Int).SetUint64(a)
	n.Mul(n, new(big.Int).SetUint64(b))
	n.Div(n, new(big.Int).SetUint64(c))
	n.Div(n, new(big.Int).SetUint64(d))
	if !n.IsUint64() {
		return 1<<64 - 1
	}
	return n.Uint64()
}

// NextFees returns the five fee levels of the next hard fork, in atomic units per byte, ascending: each is four times
// the one before, and the last is the largest penalty for a byte. base is the base reward in atomic units, and median
// the long-term median in bytes.
// Source: src/cryptonote_core/blockchain.cpp of the beta, get_dynamic_base_fee_estimate_2026_scaling.
func NextFees(base, median uint64) []uint64 {
	median = max(median, treeRules.FullRewardZone)
	low := share(base, treeRules.referenceWeight, median, median)
	levels := make([]uint64, 5)
	for i := range levels[:4] {
		levels[i] = fee.RoundUp(low << (2 * i))
	}
	levels[4] = fee.RoundUp(share(base, 2, median, 1))
	return levels
}

// HighestNextFees returns the levels of NextFees at the smallest median and the largest reward of a network, which on
// mainnet is the tail emission: no honest daemon asks for more.
func HighestNextFees(network xmr.Network) []uint64 {
	reward := uint64(fee.TailReward)
	if network != xmr.Mainnet {
		reward = fee.FirstReward
	}
	return NextFees(reward, 0)
}
