package cryptonight

import (
	"encoding/binary"
	"math/bits"
)

// skeinRotations are the rotations of Threefish-512. Source: The Skein Hash Function Family, version 1.3, table 4.
var skeinRotations = [8][4]int{
	{46, 36, 19, 37}, {33, 27, 14, 42}, {17, 49, 36, 39}, {44, 9, 54, 56},
	{39, 30, 34, 24}, {13, 50, 10, 17}, {25, 29, 39, 43}, {8, 35, 56, 22},
}

// The types of blocks. Source: the same, table 6.
const (
	skeinConfiguration = 4
	skeinMessage       = 48
	skeinOutput        = 63
)

// skeinBlock encrypts a block with Threefish-512 under key h, and sets h to the exclusive or of plaintext and
// ciphertext. Source: the same, sections 3.3 and 3.4.
func skeinBlock(h *[8]uint64, block *[64]byte, position uint64, flags uint64) {
	tweak := [3]uint64{position, flags, position ^ flags}
	key := [9]uint64{8: 0x1bd11bdaa9fc1a22}
	var text, v [8]uint64
	for i := range v {
		key[i] = h[i]
		key[8] ^= h[i]
		text[i] = binary.LittleEndian.Uint64(block[8*i:])
		v[i] = text[i]
	}
	addKey := func(s int) {
		for i := range v {
			v[i] += key[(s+i)%9]
		}
		v[5] += tweak[s%3]
		v[6] += tweak[(s+1)%3]
		v[7] += uint64(s)
	}
	for round := range 72 {
		if round%4 == 0 {
			addKey(round / 4)
		}
		for i, turn := range skeinRotations[round%8] {
			v[2*i] += v[2*i+1]
			v[2*i+1] = bits.RotateLeft64(v[2*i+1], turn) ^ v[2*i]
		}
		v = [8]uint64{v[2], v[1], v[4], v[7], v[6], v[5], v[0], v[3]}
	}
	addKey(18)
	for i := range h {
		h[i] = v[i] ^ text[i]
	}
}

// skeinChain hashes data of one type into h, in UBI mode. Source: the same, section 3.4.
func skeinChain(h *[8]uint64, data []byte, kind uint64) {
	const first, final = 1 << 62, 1 << 63
	flags := kind<<56 | first
	var position uint64
	for len(data) > 64 {
		position += 64
		skeinBlock(h, (*[64]byte)(data), position, flags)
		flags &^= first
		data = data[64:]
	}
	var last [64]byte
	position += uint64(copy(last[:], data))
	skeinBlock(h, &last, position, flags|final)
}

// skein256 returns the Skein-512-256 of data. Source: the same, section 3.5.
func skein256(data []byte) (out [32]byte) {
	configuration := [32]byte{'S', 'H', 'A', '3', 1, 9: 256 >> 8}
	var counter [8]byte
	var h [8]uint64
	skeinChain(&h, configuration[:], skeinConfiguration)
	skeinChain(&h, data, skeinMessage)
	skeinChain(&h, counter[:], skeinOutput)
	for i := range 4 {
		binary.LittleEndian.PutUint64(out[8*i:], h[i])
	}
	return out
}
