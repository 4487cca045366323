package randomx

import "math/bits"

// reciprocal returns ⌊2^x / divisor⌋ for the largest x that keeps it below 2^64. The divisor is neither 0 nor a power
// of 2. Source: RandomX specification, section 5.2.6.
func reciprocal(divisor uint32) uint64 {
	quotient, _ := bits.Div64(1<<(bits.Len32(divisor)-1), 0, uint64(divisor))
	return quotient
}

// hasReciprocal reports whether v is neither 0 nor a power of 2.
func hasReciprocal(v uint32) bool { return v&(v-1) != 0 }

// mulHigh returns the high half of a product of unsigned numbers.
func mulHigh(a, b uint64) uint64 {
	high, _ := bits.Mul64(a, b)
	return high
}

// mulHighSigned returns the high half of a product of signed numbers.
func mulHighSigned(a, b uint64) uint64 {
	high, _ := bits.Mul64(a, b)
	return high - a&uint64(int64(b)>>63) - b&uint64(int64(a)>>63)
}
