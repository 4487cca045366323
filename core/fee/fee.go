// Package fee decides what a transaction may cost: weights, levels, rounding and the ceilings no daemon can raise.
package fee

import (
	"errors"
	"math/bits"

	"glim/core/say"
	"glim/core/xmr"
)

// Constants of hard fork 16. Source: src/cryptonote_config.h and src/cryptonote_core/blockchain.h.
const (
	// Quantum is what a fee is a multiple of, in atomic units: eight decimals of an XMR.
	Quantum = 10_000
	// GraceBlocks is how long an estimate must stay good, the grace_blocks to ask a daemon for.
	// Source: src/wallet/wallet2.cpp, FEE_ESTIMATE_GRACE_BLOCKS.
	GraceBlocks = 10

	minMedian       = 300_000 // bytes, the smallest penalty-free zone
	referenceWeight = 3_000   // bytes, the transaction the formula is tuned to
	significant     = 2       // decimal digits a level is rounded up to
)

// Errors of an estimate. All mean the daemon's answer must not be used; another daemon may do better.
var (
	ErrLevels    = errors.New("fee: the daemon did not give four rising fee levels; update it or choose another")
	ErrUnrounded = errors.New("fee: a fee level has more than two significant digits, which would mark the wallet's transactions; choose another daemon")
	ErrQuantum   = errors.New("fee: the daemon's rounding step is not the network's; choose another daemon")
	ErrOverflow  = errors.New("fee: fee exceeds 64 bits")
)

// Levels are fees per byte of weight in atomic units: slow, normal, fast, fastest.
type Levels [4]uint64

// Estimate is a daemon's answer that passed every check. The zero value offers no fee: obtain one from NewEstimate.
type Estimate struct {
	levels  Levels
	ceiling Ceiling
}

// NewEstimate checks the fees and quantization_mask of a get_fee_estimate answer against what honest daemons can say:
// four rising levels, none zero, each rounded as the reference rounds, none above ceiling, and the network's rounding
// step. It returns ErrLevels, ErrUnrounded, ErrQuantum or a *TooHighError.
//
// What a lying daemon can still do is name levels below the ceiling that fit other medians than the chain's: too low
// and the transaction is not relayed, too high and it costs at most the ceiling.
func NewEstimate(ceiling Ceiling, fees []uint64, mask uint64) (Estimate, error) {
	if len(fees) != len(Levels{}) {
		return Estimate{}, ErrLevels
	}
	if mask != Quantum {
		return Estimate{}, ErrQuantum
	}
	levels := Levels(fees)
	last := uint64(1)
	for i, f := range levels {
		if f < last {
			return Estimate{}, ErrLevels
		}
		last = f
		if f > ceiling.perByte[i] {
			return Estimate{}, &TooHighError{Asked: f, Limit: ceiling.perByte[i], PerByte: true}
		}
		if roundUp(f) != f {
			return Estimate{}, ErrUnrounded
		}
	}
	return Estimate{levels, ceiling}, nil
}

// Levels returns the four fees per byte, in atomic units.
func (e Estimate) Levels() Levels { return e.levels }

// PerByte returns the fee of a byte of weight at priority p, in atomic units.
func (e Estimate) PerByte(p Priority) uint64 { return e.levels[p.level()] }

// Fee returns what a transaction of weight bytes costs at priority p, in atomic units: a multiple of Quantum, at most
// what the ceiling allows. The error is ErrOverflow or a *TooHighError.
func (e Estimate) Fee(p Priority, weight uint64) (uint64, error) {
	fee, err := FromWeight(e.PerByte(p), weight, Quantum)
	if err != nil {
		return 0, err
	}
	return fee, e.ceiling.Check(fee, p, weight)
}

// FromWeight returns perByte·weight rounded up to a multiple of mask, in atomic units; mask 0 counts as 1. ErrOverflow
// when that exceeds 64 bits.
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

// Error says what was asked, what is allowed, what to do.
func (e *TooHighError) Error() string {
	if e.PerByte {
		return say.Sprintf("fee: the daemon asks %d atomic units a byte where the network's rules never ask more than %d; nothing was spent: choose another daemon", e.Asked, e.Limit)
	}
	return say.Sprintf("fee: %s XMR is more than the %s XMR a transaction of this weight can need; nothing was spent: choose a lower priority or another daemon", xmr.FormatAmount(e.Asked), xmr.FormatAmount(e.Limit))
}
