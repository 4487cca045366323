package wallet

import (
	"errors"
	"fmt"
	"strings"

	"glim/core/xmr"
)

// Amount is an amount of money in atomic units, also called piconero. 1 XMR is 10^12 atomic units.
type Amount uint64

// XMR is 1 XMR; for example, 3*XMR/2 is 1.5 XMR.
const XMR Amount = xmr.Coin

// String returns the amount in XMR with all twelve decimals, as monero-wallet-cli prints it: "1.500000000000".
func (a Amount) String() string { return xmr.FormatAmount(uint64(a)) }

// ErrAmount reports a text that is no amount.
var ErrAmount = errors.New("not an amount of XMR: digits, with up to twelve after a point")

// decimals is how many digits an amount has after the point.
const decimals = 12

// ParseAmount reads an amount in XMR: "1", "1.5", "0.000000000001". It takes no sign, exponent, space, comma or unit,
// and no more digits than there are atomic units. Errors: ErrAmount.
func ParseAmount(s string) (Amount, error) {
	whole, fraction, point := strings.Cut(s, ".")
	if whole == "" || point && fraction == "" || len(fraction) > decimals || strings.ContainsAny(s, " \t\n\v\f\r") {
		return 0, fmt.Errorf("%w", ErrAmount)
	}
	a, err := xmr.ParseAmount(s)
	if err != nil {
		return 0, fmt.Errorf("%w", ErrAmount)
	}
	return Amount(a), nil
}
