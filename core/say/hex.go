package say

import "errors"

// ErrHex reports a text that is not pairs of hexadecimal digits.
var ErrHex = errors.New("not pairs of hexadecimal digits")

// Unhex returns the bytes that a text of hexadecimal digits, of either case, stands for. Error: ErrHex.
func Unhex[T string | []byte](text T) ([]byte, error) {
	b := make([]byte, len(text)/2)
	if err := UnhexTo(b, text); err != nil {
		return nil, err
	}
	return b, nil
}

// UnhexTo is Unhex for a text of twice the length of b, to b. Error: ErrHex, also when it is of another length; then b holds anything.
func UnhexTo[T string | []byte](b []byte, text T) error {
	if len(text) != 2*len(b) {
		return ErrHex
	}
	bad := 0
	for i := range b {
		high, low := digit(text[2*i]), digit(text[2*i+1])
		b[i] = byte(high<<4 | low)
		bad |= (high | low) >> 8
	}
	if bad != 0 {
		return ErrHex
	}
	return nil
}

// digit returns what a digit stands for, or more than a byte can, in the same time for all digits.
func digit(c byte) int {
	n := int(c)
	// One of the three is what the character is, and its mask all ones.
	number := mask(n, '0', '9') & (n - '0')
	lower := mask(n, 'a', 'f') & (n - 'a' + 10)
	upper := mask(n, 'A', 'F') & (n - 'A' + 10)
	known := mask(n, '0', '9') | mask(n, 'a', 'f') | mask(n, 'A', 'F')
	return number | lower | upper | ^known&0x100
}

// mask is -1 when from <= n <= to, and otherwise 0.
func mask(n, from, to int) int { return ^(((n - from) | (to - n)) >> 8) }
