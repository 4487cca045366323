// Package chacha encrypts the reference's files. It is the original ChaCha, with a 64-bit counter.
package chacha

import (
	"encoding/binary"
	"math/bits"

	"golang.org/x/crypto/chacha20"

	"glim/core/internal/crypto/cryptonight"
)

// IVSize is the length of the initialization vector in bytes. Messages with the same key need different ones.
const IVSize = 8

// XOR encrypts or decrypts in and writes the result to out, which may be in itself. It equals IETF ChaCha20 with four
// zero bytes before iv as nonce, for up to 256 GiB.
// Source: src/crypto/chacha.c, chacha20.
func XOR(out, in []byte, key *[32]byte, iv [IVSize]byte) {
	var nonce [chacha20.NonceSize]byte
	copy(nonce[4:], iv[:])
	c, err := chacha20.NewUnauthenticatedCipher(key[:], nonce[:])
	if err != nil {
		panic("unreachable: the sizes are right")
	}
	c.XORKeyStream(out, in)
}

// XOR8 is XOR with eight rounds instead of 20, for old files.
// Source: D. J. Bernstein, ChaCha, a variant of Salsa20; src/crypto/chacha.c, chacha8.
func XOR8(out, in []byte, key *[32]byte, iv [IVSize]byte) {
	var state, x [16]uint32
	defer clear(state[:])
	defer clear(x[:])
	for i := range 4 {
		state[i] = binary.LittleEndian.Uint32([]byte("expand 32-byte k")[4*i:])
	}
	for i := range 8 {
		state[4+i] = binary.LittleEndian.Uint32(key[4*i:])
	}
	state[14], state[15] = binary.LittleEndian.Uint32(iv[:4]), binary.LittleEndian.Uint32(iv[4:])
	var block [64]byte
	defer clear(block[:])
	for counter := uint64(0); len(in) > 0; counter++ {
		state[12], state[13] = uint32(counter), uint32(counter>>32)
		x = state
		for range 4 {
			for i := range 4 {
				quarter(&x[i], &x[4+i], &x[8+i], &x[12+i])
			}
			for i := range 4 {
				quarter(&x[i], &x[4+(i+1)%4], &x[8+(i+2)%4], &x[12+(i+3)%4])
			}
		}
		for i := range x {
			binary.LittleEndian.PutUint32(block[4*i:], x[i]+state[i])
		}
		n := min(len(in), len(block))
		for i := range n {
			out[i] = in[i] ^ block[i]
		}
		in, out = in[n:], out[n:]
	}
}

func quarter(a, b, c, d *uint32) {
	*a += *b
	*d = bits.RotateLeft32(*d^*a, 16)
	*c += *d
	*b = bits.RotateLeft32(*b^*c, 12)
	*a += *b
	*d = bits.RotateLeft32(*d^*a, 8)
	*c += *d
	*b = bits.RotateLeft32(*b^*c, 7)
}

// Key derives a key from secret, such as a password. It hashes secret rounds times, but at least once. Each round
// takes about 20 milliseconds.
// Source: src/crypto/chacha.h, generate_chacha_key.
func Key(secret []byte, rounds int) (key [32]byte) {
	var h cryptonight.Hasher
	defer h.Wipe()
	for range max(rounds, 1) {
		sum, err := h.Sum(secret, cryptonight.Variant0, 0)
		if err != nil {
			panic("unreachable: the original variant takes everything")
		}
		key = sum
		secret = key[:]
	}
	return key
}
