package cryptonight

import (
	"math/bits"
	"sync"
)

// aes holds the S-box of AES with the tables that do SubBytes, ShiftRows and MixColumns of one round together.
type aes struct {
	sbox [256]byte
	t    [4][256]uint32 // by row of the state; entries are columns, the first row in the low byte
}

// tables are made when first asked for: a program that never hashes pays nothing at its start.
var tables = sync.OnceValue(newAES)

// double multiplies by x in the field of AES, GF(2^8) modulo x^8+x^4+x^3+x+1.
func double(v byte) byte { return v<<1 ^ byte(int8(v)>>7)&0x1b }

// newAES computes the tables. Source: FIPS 197, sections 5.1.1 to 5.1.3.
func newAES() *aes {
	// x+1 generates the field's units, so that their logarithms tell inverses.
	var exp, log [256]byte
	for i, v := 0, byte(1); i < 255; i++ {
		exp[i], log[v] = v, byte(i)
		v ^= double(v)
	}
	a := new(aes)
	for i := range a.sbox {
		var inverse byte
		if i != 0 {
			inverse = exp[(255-int(log[i]))%255]
		}
		s := byte(0x63)
		for turn := range 5 {
			s ^= bits.RotateLeft8(inverse, turn)
		}
		a.sbox[i] = s
		d := double(s)
		column := uint32(d) | uint32(s)<<8 | uint32(s)<<16 | uint32(d^s)<<24
		for row := range a.t {
			a.t[row][i] = bits.RotateLeft32(column, 8*row)
		}
	}
	return a
}

// round is one round of AES, with the key added last, on a block as two little-endian words.
func (a *aes) round(lo, hi, keyLo, keyHi uint64) (uint64, uint64) {
	x0, x1, x2, x3 := uint32(lo), uint32(lo>>32), uint32(hi), uint32(hi>>32)
	y0 := a.t[0][byte(x0)] ^ a.t[1][byte(x1>>8)] ^ a.t[2][byte(x2>>16)] ^ a.t[3][x3>>24]
	y1 := a.t[0][byte(x1)] ^ a.t[1][byte(x2>>8)] ^ a.t[2][byte(x3>>16)] ^ a.t[3][x0>>24]
	y2 := a.t[0][byte(x2)] ^ a.t[1][byte(x3>>8)] ^ a.t[2][byte(x0>>16)] ^ a.t[3][x1>>24]
	y3 := a.t[0][byte(x3)] ^ a.t[1][byte(x0>>8)] ^ a.t[2][byte(x1>>16)] ^ a.t[3][x2>>24]
	return keyLo ^ (uint64(y0) | uint64(y1)<<32), keyHi ^ (uint64(y2) | uint64(y3)<<32)
}

// roundKeys are the first ten round keys of AES-256, two words each.
type roundKeys [20]uint64

// expand returns the keys of a key of four little-endian words. Source: FIPS 197, section 5.2.
func (a *aes) expand(key []uint64) (out roundKeys) {
	var w [40]uint32
	for i := range 8 {
		w[i] = uint32(key[i/2] >> (32 * (i % 2)))
	}
	for i, constant := 8, uint32(1); i < len(w); i++ {
		v := w[i-1]
		switch i % 8 {
		case 0:
			v = a.sub(bits.RotateLeft32(v, -8)) ^ constant
			constant <<= 1
		case 4:
			v = a.sub(v)
		}
		w[i] = w[i-8] ^ v
	}
	for i := range out {
		out[i] = uint64(w[2*i]) | uint64(w[2*i+1])<<32
	}
	return out
}

// sub puts each byte of v through the S-box.
func (a *aes) sub(v uint32) uint32 {
	return uint32(a.sbox[byte(v)]) | uint32(a.sbox[byte(v>>8)])<<8 | uint32(a.sbox[byte(v>>16)])<<16 | uint32(a.sbox[v>>24])<<24
}

// pseudo does ten rounds on each block of text. It is no AES: no key is added before the first round, and the last
// mixes columns too. Source: src/crypto/aesb.c, aesb_pseudo_round.
func (a *aes) pseudo(text *[16]uint64, keys *roundKeys) {
	for i := 0; i < len(text); i += 2 {
		lo, hi := text[i], text[i+1]
		for k := 0; k < len(keys); k += 2 {
			lo, hi = a.round(lo, hi, keys[k], keys[k+1])
		}
		text[i], text[i+1] = lo, hi
	}
}
