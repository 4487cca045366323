package uri

import (
	"strconv"
	"strings"
)

const decimals = 12

// parseAmount reads XMR as atomic units: digits with at most one point, at most twelve of them behind it save zeros,
// with white space around. Signs, exponents, hexadecimal and what exceeds 64 bits are refused.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, parse_amount.
func parseAmount(s string) (uint64, error) {
	whole, fraction, _ := strings.Cut(strings.Trim(s, " \t\n\v\f\r"), ".")
	if len(fraction) > decimals {
		fraction = fraction[:decimals] + strings.TrimRight(fraction[decimals:], "0")
	}
	if len(fraction) > decimals || whole == "" && fraction == "" {
		return 0, strconv.ErrSyntax
	}
	digits := whole + fraction + strings.Repeat("0", decimals-len(fraction))
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return 0, strconv.ErrSyntax
		}
	}
	return strconv.ParseUint(digits, 10, 64)
}
