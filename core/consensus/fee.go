package consensus

import (
	"math/bits"

	"glim/core/fee"
)

// CheckFee returns nil if paid, in atomic units, is at least the fee that daemons require for a transaction of weight
// bytes: a price per byte, rounded up, with a tolerance of two per cent. Otherwise it returns ErrFeeTooLow. Daemons
// apply this rule to relayed transactions, not to those in blocks. base is the base reward of the next block in atomic
// units.
// Source: src/cryptonote_core/blockchain.cpp, check_fee.
func CheckFee(weight, paid, base uint64, limits Limits) error {
	over, needed := bits.Mul64(weight, fee.Minimum(base, min(limits.Median, limits.LongTerm)))
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
