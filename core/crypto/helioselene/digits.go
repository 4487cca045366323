package helioselene

import "encoding/binary"

// Secret scalars are written in 64 digits from −7 to 8, for which a table holds 8 multiples of a point. A scalar or
// its negative is below 2^254, so that the last digit needs no carry.
const (
	secretWidth  = 4
	secretDigits = 64
	smallDigits  = 3 // of scalars below 256
)

// digitsOf16 sets digits to those of s, which must be below 2^254, to the base 16, the lowest first. It takes the same
// time for all s.
func digitsOf16(digits *[secretDigits]int8, s [size]byte) {
	carry := uint64(0)
	for i := range digits {
		value := bitsAt(&s, secretWidth*i, secretWidth) + carry
		carry = (value + 7) >> secretWidth
		digits[i] = int8(value) - int8(carry<<secretWidth)
	}
}

// bitsAt returns n bits of s from bit at on, for n below 57. Bits beyond the last are 0.
func bitsAt(s *[size]byte, at, n int) uint64 {
	var b [8]byte
	copy(b[:], s[min(at/8, size):])
	return binary.LittleEndian.Uint64(b[:]) >> (at % 8) & (1<<n - 1)
}

// equalUint32 returns 1 if a = b, and 0 otherwise.
func equalUint32(a, b uint32) int { return int((uint64(a^b) - 1) >> 63) }

// nonAdjacentForm sets digits to odd numbers between −2^(width−1) and 2^(width−1) and zeros whose sum, each times
// 2 to the power of its index, is s. Of width adjacent digits at most one is not 0. It returns the number of digits
// up to the last that is not 0. The time depends on s.
func nonAdjacentForm(digits *[257]int8, s [size]byte, width int) (n int) {
	*digits = [257]int8{}
	carry := uint64(0)
	for at := 0; at < len(digits); {
		value := bitsAt(&s, at, width) + carry
		if value&1 == 0 {
			at++ // the carry, if any, stays: value is the carry plus an odd number
			continue
		}
		digits[at], carry = int8(value), 0
		if value >= 1<<(width-1) {
			digits[at], carry = int8(int(value)-1<<width), 1
		}
		n = at + 1
		at += width
	}
	return n
}

// digitRows returns a row for each digit to the base 2^width, with the digits of all scalars, which must be below
// 2^255. Digits are from −2^(width−1) to 2^(width−1). The time depends on the scalars.
func digitRows(scalars [][size]byte, width int) [][]int16 {
	rows := make([][]int16, 255/width+1) // the last digit has fewer than width bits, so that it needs no carry
	all := make([]int16, len(rows)*len(scalars))
	for at := range rows {
		rows[at] = all[at*len(scalars):][:len(scalars)]
	}
	for i := range scalars {
		carry := 0
		for at := range rows {
			value := int(bitsAt(&scalars[i], at*width, width)) + carry
			carry = 0
			if at != len(rows)-1 && value >= 1<<(width-1) {
				value, carry = value-1<<width, 1
			}
			rows[at][i] = int16(value)
		}
	}
	return rows
}
