package smallfmt

import "errors"

// ErrHex reports a text that does not consist of pairs of hexadecimal digits.
var ErrHex = errors.New("not pairs of hexadecimal digits")

// Unhex decodes hexadecimal digits of either case. It returns ErrHex if text is something else.
func Unhex[T string | []byte](text T) ([]byte, error) {
	b := make([]byte, len(text)/2)
	if err := UnhexTo(b, text); err != nil {
		return nil, err
	}
	return b, nil
}

// UnhexTo decodes text, which must have twice the length of b, into b. If it returns ErrHex, the content of b is
// undefined.
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

// digit returns the value of a digit, or a value above 15 for other characters. It takes the same time for all digits.
func digit(c byte) int {
	n := int(c)
	// At most one of the three masks is all ones.
	number := mask(n, '0', '9') & (n - '0')
	lower := mask(n, 'a', 'f') & (n - 'a' + 10)
	upper := mask(n, 'A', 'F') & (n - 'A' + 10)
	known := mask(n, '0', '9') | mask(n, 'a', 'f') | mask(n, 'A', 'F')
	return number | lower | upper | ^known&0x100
}

// mask returns -1 if from <= n <= to, and otherwise 0.
func mask(n, from, to int) int { return ^(((n - from) | (to - n)) >> 8) }
