package wallet

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"glim/core/xmr"
)

// Amount is money in atomic units, also called piconero: 10^12 of them are 1 XMR.
type Amount uint64

// XMR is one XMR: 3*XMR/2 is one and a half.
const XMR Amount = xmr.Coin

// String returns the amount in XMR with all twelve decimals, as the reference shows it: "1.500000000000".
func (a Amount) String() string { return xmr.FormatAmount(uint64(a)) }

// ErrAmount reports a text that is no amount.
var ErrAmount = errors.New("not an amount of XMR: digits, with up to twelve after a point")

// decimals is how many digits an amount has after the point.
const decimals = 12

// ParseAmount reads an amount in XMR: "1", "1.5", "0.000000000001". It takes no sign, exponent, space, comma or unit,
// and no more digits than there are atomic units. Errors: ErrAmount.
func ParseAmount(s string) (Amount, error) {
	whole, fraction, point := strings.Cut(s, ".")
	if whole == "" || point && fraction == "" || len(fraction) > decimals {
		return 0, fmt.Errorf("%w", ErrAmount)
	}
	var a uint64
	for _, c := range []byte(whole + fraction + strings.Repeat("0", decimals-len(fraction))) {
		if c < '0' || c > '9' || a > (math.MaxUint64-uint64(c-'0'))/10 {
			return 0, fmt.Errorf("%w", ErrAmount)
		}
		a = 10*a + uint64(c-'0')
	}
	return Amount(a), nil
}
