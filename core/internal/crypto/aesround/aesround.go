// Package aesround computes single rounds of AES, which proofs of work are built from. Package crypto/aes does not
// offer them.
//
// It uses lookup tables, so it is not constant time: another program on the same processor may learn about the data
// from the caches.
package aesround

import (
	"math/bits"
	"sync"
)

// Tables hold the S-box of AES, and tables that combine SubBytes, ShiftRows and MixColumns.
type Tables struct {
	sbox    [256]byte
	forward [4][256]uint32 // by row of the state; entries are columns, the first row in the low byte
	inverse [4][256]uint32
}

// Get returns the tables, which are computed in the first call.
var Get = sync.OnceValue(newTables)

// Double multiplies by x in the field of AES, GF(2^8) modulo x^8+x^4+x^3+x+1.
func Double(v byte) byte { return v<<1 ^ byte(int8(v)>>7)&0x1b }

// newTables computes the tables. Source: FIPS 197, sections 5.1.1 to 5.1.3 and 5.3.1 to 5.3.3.
func newTables() *Tables {
	// x+1 generates the field's units, so that their logarithms tell inverses.
	var exp, log [256]byte
	for i, v := 0, byte(1); i < 255; i++ {
		exp[i], log[v] = v, byte(i)
		v ^= Double(v)
	}
	t := new(Tables)
	for i := range 256 {
		var reciprocal byte
		if i != 0 {
			reciprocal = exp[(255-int(log[i]))%255]
		}
		s := byte(0x63)
		for turn := range 5 {
			s ^= bits.RotateLeft8(reciprocal, turn)
		}
		t.sbox[i] = s
		d := Double(s)
		column := uint32(d) | uint32(s)<<8 | uint32(s)<<16 | uint32(d^s)<<24
		// The inverse of the S-box gives i for s, and 14, 9, 13 and 11 times i are the inverse mix.
		two := Double(byte(i))
		four := Double(two)
		eight := Double(four)
		back := uint32(eight^four^two) | uint32(eight^byte(i))<<8 | uint32(eight^four^byte(i))<<16 |
			uint32(eight^two^byte(i))<<24
		for row := range 4 {
			t.forward[row][i] = bits.RotateLeft32(column, 8*row)
			t.inverse[row][s] = bits.RotateLeft32(back, 8*row)
		}
	}
	return t
}

// Encrypt returns one round of encryption of a block of two little-endian words.
// Source: FIPS 197, section 5.1; the instruction AESENC.
func (t *Tables) Encrypt(lo, hi, keyLo, keyHi uint64) (uint64, uint64) {
	x0, x1, x2, x3 := uint32(lo), uint32(lo>>32), uint32(hi), uint32(hi>>32)
	y0 := t.forward[0][byte(x0)] ^ t.forward[1][byte(x1>>8)] ^ t.forward[2][byte(x2>>16)] ^ t.forward[3][x3>>24]
	y1 := t.forward[0][byte(x1)] ^ t.forward[1][byte(x2>>8)] ^ t.forward[2][byte(x3>>16)] ^ t.forward[3][x0>>24]
	y2 := t.forward[0][byte(x2)] ^ t.forward[1][byte(x3>>8)] ^ t.forward[2][byte(x0>>16)] ^ t.forward[3][x1>>24]
	y3 := t.forward[0][byte(x3)] ^ t.forward[1][byte(x0>>8)] ^ t.forward[2][byte(x1>>16)] ^ t.forward[3][x2>>24]
	return keyLo ^ (uint64(y0) | uint64(y1)<<32), keyHi ^ (uint64(y2) | uint64(y3)<<32)
}

// Decrypt returns one round of the equivalent inverse cipher, with a key that is not transformed by InvMixColumns.
// Source: FIPS 197, section 5.3.5; the instruction AESDEC.
func (t *Tables) Decrypt(lo, hi, keyLo, keyHi uint64) (uint64, uint64) {
	x0, x1, x2, x3 := uint32(lo), uint32(lo>>32), uint32(hi), uint32(hi>>32)
	y0 := t.inverse[0][byte(x0)] ^ t.inverse[1][byte(x3>>8)] ^ t.inverse[2][byte(x2>>16)] ^ t.inverse[3][x1>>24]
	y1 := t.inverse[0][byte(x1)] ^ t.inverse[1][byte(x0>>8)] ^ t.inverse[2][byte(x3>>16)] ^ t.inverse[3][x2>>24]
	y2 := t.inverse[0][byte(x2)] ^ t.inverse[1][byte(x1>>8)] ^ t.inverse[2][byte(x0>>16)] ^ t.inverse[3][x3>>24]
	y3 := t.inverse[0][byte(x3)] ^ t.inverse[1][byte(x2>>8)] ^ t.inverse[2][byte(x1>>16)] ^ t.inverse[3][x0>>24]
	return keyLo ^ (uint64(y0) | uint64(y1)<<32), keyHi ^ (uint64(y2) | uint64(y3)<<32)
}

// Substitute applies the S-box to each byte of v.
func (t *Tables) Substitute(v uint32) uint32 {
	return uint32(t.sbox[byte(v)]) | uint32(t.sbox[byte(v>>8)])<<8 | uint32(t.sbox[byte(v>>16)])<<16 |
		uint32(t.sbox[v>>24])<<24
}
