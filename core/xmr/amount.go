package xmr

import (
	"errors"
	"math/bits"
	"strconv"
	"strings"

	"glim/core/smallfmt"
)

// Coin is the number of atomic units (piconero) in one XMR.
const Coin = 1_000_000_000_000

// ErrOverflow reports a sum of amounts beyond 2^64−1 atomic units.
var ErrOverflow = errors.New("xmr: amount overflow")

// ErrAmount reports a text that is not an amount of XMR.
var ErrAmount = errors.New("xmr: not an amount of XMR")

// decimals is how many digits after the point an amount can have.
const decimals = 12

// Sum returns the sum of amounts in atomic units. It returns ErrOverflow.
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
	return smallfmt.Sprintf("%d.%012d", atomic/Coin, atomic%Coin)
}

// ParseAmount reads XMR as atomic units: digits with at most one point and at most twelve significant digits after it,
// with optional white space around. Signs, exponents, hexadecimal and values beyond 64 bits are ErrAmount.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, parse_amount.
func ParseAmount(s string) (uint64, error) {
	whole, fraction, _ := strings.Cut(strings.Trim(s, " \t\n\v\f\r"), ".")
	if len(fraction) > decimals {
		fraction = fraction[:decimals] + strings.TrimRight(fraction[decimals:], "0")
	}
	if len(fraction) > decimals || whole == "" && fraction == "" {
		return 0, ErrAmount
	}
	digits := whole + fraction + strings.Repeat("0", decimals-len(fraction))
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return 0, ErrAmount
		}
	}
	atomic, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		return 0, ErrAmount
	}
	return atomic, nil
}
