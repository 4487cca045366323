package cryptonight

import (
	"encoding/binary"
	"math/bits"
)

// blakeConstants are the first digits of π. Source: SHA-3 proposal BLAKE, section 2.1.1.
var blakeConstants = [16]uint32{
	0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0x082efa98, 0xec4e6c89,
	0x452821e6, 0x38d01377, 0xbe5466cf, 0x34e90c6c, 0xc0ac29b7, 0xc97c50dd, 0x3f84d5b5, 0xb5470917,
}

// blakeOrders are the permutations of the message words, as hexadecimal digits. Source: the same, section 2.1.1.
var blakeOrders = [10]string{
	"0123456789abcdef", "ea489fd61c02b753", "b8c052fdae367194", "7931dcbe265a40f8", "905724afe1bc683d",
	"2c6a0b834d75fe19", "c51fed4a0763928b", "db7ec13950f4862a", "6fe9b308c2d714a5", "a2847615fb9e3cd0",
}

// blakeLanes are the state words of each of the eight steps of a round: four columns, four diagonals.
var blakeLanes = [8][4]byte{
	{0, 4, 8, 12}, {1, 5, 9, 13}, {2, 6, 10, 14}, {3, 7, 11, 15},
	{0, 5, 10, 15}, {1, 6, 11, 12}, {2, 7, 8, 13}, {3, 4, 9, 14},
}

// blake256 returns the BLAKE-256 of data, as in the final round of the SHA-3 competition: 14 rounds, no salt.
func blake256(data []byte) (out [32]byte) {
	h := [8]uint32{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}
	total := uint64(len(data)) * 8
	var count uint64
	for ; len(data) >= 64; data = data[64:] {
		count += 512
		blakeCompress(&h, data, count)
	}
	// The padding fills one or two blocks: the remaining data, a one bit, zeros, a one bit (zero in BLAKE-224), and the
	// length.
	var tail [128]byte
	end := 64
	if len(data) > 55 {
		end = 128
	}
	n := copy(tail[:], data)
	tail[n] |= 0x80
	tail[end-9] |= 0x01
	binary.BigEndian.PutUint64(tail[end-8:], total)
	for i := 0; i < end; i += 64 {
		if i < n {
			blakeCompress(&h, tail[i:], total)
		} else {
			blakeCompress(&h, tail[i:], 0) // the count is 0 for a block without message bits
		}
	}
	for i, v := range h {
		binary.BigEndian.PutUint32(out[4*i:], v)
	}
	return out
}

// blakeCompress adds one block to h. count is the number of message bits up to the end of the block.
func blakeCompress(h *[8]uint32, block []byte, count uint64) {
	var m, v [16]uint32
	for i := range m {
		m[i] = binary.BigEndian.Uint32(block[4*i:])
	}
	copy(v[:], h[:])
	copy(v[8:], blakeConstants[:8])
	v[12] ^= uint32(count)
	v[13] ^= uint32(count)
	v[14] ^= uint32(count >> 32)
	v[15] ^= uint32(count >> 32)
	for round := range 14 {
		order := blakeOrders[round%10]
		for i, l := range blakeLanes {
			x, y := digit(order[2*i]), digit(order[2*i+1])
			a, b, c, d := v[l[0]], v[l[1]], v[l[2]], v[l[3]]
			a += b + (m[x] ^ blakeConstants[y])
			d = bits.RotateLeft32(d^a, -16)
			c += d
			b = bits.RotateLeft32(b^c, -12)
			a += b + (m[y] ^ blakeConstants[x])
			d = bits.RotateLeft32(d^a, -8)
			c += d
			b = bits.RotateLeft32(b^c, -7)
			v[l[0]], v[l[1]], v[l[2]], v[l[3]] = a, b, c, d
		}
	}
	for i, w := range v {
		h[i%8] ^= w
	}
}

// digit returns the value of a lower case hexadecimal digit.
func digit(c byte) byte {
	if c >= 'a' {
		return c - 'a' + 10
	}
	return c - '0'
}
