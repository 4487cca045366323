// Package fee computes transaction fees: weights, fee levels, rounding, and ceilings that no daemon can raise.
package fee

import (
	"errors"
	"math/bits"

	"glim/core/smallfmt"
	"glim/core/xmr"
)

// Constants of hard fork 16. Source: src/cryptonote_config.h and src/cryptonote_core/blockchain.h.
const (
	// Quantum is the unit of fees in atomic units: fees are multiples of it, eight decimals of an XMR.
	Quantum = 10_000
	// GraceBlocks is the number of blocks for which an estimate must remain valid: the grace_blocks of a request.
	// Source: src/wallet/wallet2.cpp, FEE_ESTIMATE_GRACE_BLOCKS.
	GraceBlocks = 10

	minMedian       = 300_000 // bytes, the smallest penalty-free zone
	referenceWeight = 3_000   // bytes, the transaction weight for which the formula was designed
	significant     = 2       // decimal digits to which a level is rounded up
)

// Errors of an estimate. All mean that the daemon's answer must not be used; another daemon may answer correctly.
var (
	ErrLevels = errors.New("fee: the daemon did not return four increasing fee levels, or five after the next " +
		"hard fork; update it or choose another")
	ErrUnrounded = errors.New("fee: a fee level has more than two significant digits, which would identify the " +
		"wallet's transactions; choose another daemon")
	ErrQuantum  = errors.New("fee: the daemon's rounding step is not the network's; choose another daemon")
	ErrOverflow = errors.New("fee: fee exceeds 64 bits")
)

// Levels are fees per byte of weight in atomic units: slow, normal, fast, fastest.
type Levels [4]uint64

// Estimate is a daemon's answer that passed all checks. Obtain one from NewEstimate; the zero value is unusable.
type Estimate struct {
	levels  Levels
	ceiling Ceiling
}

// NewEstimate checks the fees and quantization_mask of a get_fee_estimate answer against the answers that honest
// daemons give: four increasing levels, or five with NextCeiling, none zero, each rounded as the reference rounds, none
// above ceiling, and the network's rounding step. It returns ErrLevels, ErrUnrounded, ErrQuantum or a *TooHighError.
//
// A malicious daemon can still return levels below the ceiling that do not match the chain's medians: if they are too
// low, the transaction is not relayed; if they are too high, it costs at most the ceiling.
func NewEstimate(ceiling Ceiling, fees []uint64, mask uint64) (Estimate, error) {
	if len(fees) != len(Levels{})+ceiling.higher {
		return Estimate{}, ErrLevels
	}
	if mask != Quantum {
		return Estimate{}, ErrQuantum
	}
	levels := Levels(fees)
	last := uint64(1)
	for i, f := range fees {
		if f < last {
			return Estimate{}, ErrLevels
		}
		last = f
		if i < len(levels) && f > ceiling.perByte[i] {
			return Estimate{}, &TooHighError{Asked: f, Limit: ceiling.perByte[i], PerByte: true}
		}
		if RoundUp(f) != f {
			return Estimate{}, ErrUnrounded
		}
	}
	return Estimate{levels, ceiling}, nil
}

// Levels returns the four fees per byte, in atomic units.
func (e Estimate) Levels() Levels { return e.levels }

// PerByte returns the fee of a byte of weight at priority p, in atomic units.
func (e Estimate) PerByte(p Priority) uint64 { return e.levels[p.level()] }

// Fee returns the fee of a transaction of weight bytes at priority p, in atomic units: a multiple of Quantum, at most
// the ceiling. The error is ErrOverflow or a *TooHighError.
func (e Estimate) Fee(p Priority, weight uint64) (uint64, error) {
	fee, err := FromWeight(e.PerByte(p), weight, Quantum)
	if err != nil {
		return 0, err
	}
	return fee, e.ceiling.Check(fee, p, weight)
}

// FromWeight returns perByte·weight rounded up to a multiple of mask, in atomic units; mask 0 counts as 1. It returns
// ErrOverflow beyond 64 bits.
// Source: src/wallet/wallet2.cpp, calculate_fee_from_weight.
func FromWeight(perByte, weight, mask uint64) (uint64, error) {
	hi, fee := bits.Mul64(perByte, weight)
	if hi != 0 {
		return 0, ErrOverflow
	}
	if mask <= 1 || fee%mask == 0 {
		return fee, nil
	}
	fee, carry := bits.Add64(fee, mask-fee%mask, 0)
	if carry != 0 {
		return 0, ErrOverflow
	}
	return fee, nil
}

// TooHighError reports a fee above its ceiling, in atomic units.
type TooHighError struct {
	Asked, Limit uint64
	PerByte      bool // whether both are per byte of weight
}

// Error returns the requested fee, the limit and advice.
func (e *TooHighError) Error() string {
	if e.PerByte {
		return smallfmt.Sprintf("fee: the daemon asks %d atomic units a byte where the network's rules never ask "+
			"more than %d; nothing was spent: choose another daemon", e.Asked, e.Limit)
	}
	return smallfmt.Sprintf("fee: %s XMR is more than the %s XMR a transaction of this weight can need; nothing was "+
		"spent: choose a lower priority or another daemon", xmr.FormatAmount(e.Asked), xmr.FormatAmount(e.Limit))
}
