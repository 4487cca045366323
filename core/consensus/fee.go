package consensus

import (
	"math/bits"

	"glim/core/fee"
)

// CheckFee returns nil when a fee is what daemons ask for a transaction of weight bytes: a price per byte, rounded up,
// with two per cent of tolerance; otherwise ErrFeeTooLow. The rule is one of relay, not of blocks. base is the base
// reward of the next block. Source: src/cryptonote_core/blockchain.cpp, check_fee.
func CheckFee(weight, paid, base uint64, limits Limits) error {
	over, needed := bits.Mul64(weight, fee.Minimum(base, min(limits.Median, limits.LongTerm)))
	if over != 0 || needed > 1<<63 {
		return refuse(ErrFeeTooLow, "no fee suffices for %d bytes", weight)
	}
	needed = (needed + fee.Quantum - 1) / fee.Quantum * fee.Quantum
	if paid < needed-needed/50 {
		return refuse(ErrFeeTooLow, "%d where %d is needed", paid, needed)
	}
	return nil
}

// CheckRelay returns nil when a transaction that no block has yet may be passed on, as far as it alone tells: the rules
// that blocks may break and pools keep. extra is its length in bytes. Errors: ErrExtraTooBig, ErrUnlockTime.
// Source: src/cryptonote_core/tx_pool.cpp, add_tx.
func CheckRelay(extra int, unlockTime uint64) error {
	if extra > maxExtra {
		return refuse(ErrExtraTooBig, "%d bytes where %d are passed on", extra, maxExtra)
	}
	if unlockTime != 0 {
		return refuse(ErrUnlockTime, "%d", unlockTime)
	}
	return nil
}
