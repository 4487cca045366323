package cryptonight

import (
	"math/bits"

	"glim/core/internal/crypto/aesround"
)

// roundKeys are the first ten round keys of AES-256, each with two words.
type roundKeys [20]uint64

// expand returns the round keys for a key of four little-endian words. Source: FIPS 197, section 5.2.
func expand(t *aesround.Tables, key []uint64) (out roundKeys) {
	var w [40]uint32
	for i := range 8 {
		w[i] = uint32(key[i/2] >> (32 * (i % 2)))
	}
	for i, constant := 8, uint32(1); i < len(w); i++ {
		v := w[i-1]
		switch i % 8 {
		case 0:
			v = t.Substitute(bits.RotateLeft32(v, -8)) ^ constant
			constant <<= 1
		case 4:
			v = t.Substitute(v)
		}
		w[i] = w[i-8] ^ v
	}
	for i := range out {
		out[i] = uint64(w[2*i]) | uint64(w[2*i+1])<<32
	}
	return out
}

// pseudo applies ten AES rounds to each block of text. Unlike AES, it adds no key before the first round, and the last
// round includes MixColumns. Source: src/crypto/aesb.c, aesb_pseudo_round.
func pseudo(t *aesround.Tables, text *[16]uint64, keys *roundKeys) {
	for i := 0; i < len(text); i += 2 {
		lo, hi := text[i], text[i+1]
		for k := 0; k < len(keys); k += 2 {
			lo, hi = t.Encrypt(lo, hi, keys[k], keys[k+1])
		}
		text[i], text[i+1] = lo, hi
	}
}
