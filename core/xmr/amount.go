package xmr

import (
	"errors"
	"math/bits"

	"glim/core/say"
)

// Coin is the number of atomic units (piconero) in one XMR.
const Coin = 1_000_000_000_000

// ErrOverflow reports a sum of amounts beyond 2^64−1 atomic units.
var ErrOverflow = errors.New("xmr: amount overflow")

// Sum adds amounts in atomic units, or ErrOverflow.
func Sum(amounts ...uint64) (uint64, error) {
	var total uint64
	for _, a := range amounts {
		sum, carry := bits.Add64(total, a, 0)
		if carry != 0 {
			return 0, ErrOverflow
		}
		total = sum
	}
	return total, nil
}

// FormatAmount writes atomic units as XMR with twelve decimals: 1.500000000000.
func FormatAmount(atomic uint64) string {
	return say.Sprintf("%d.%012d", atomic/Coin, atomic%Coin)
}
