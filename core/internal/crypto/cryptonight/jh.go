package cryptonight

import (
	"encoding/binary"
	"sync"
)

// This is the unoptimised form of JH in its specification, which handles elements of four bits. It is slow, but its
// time is negligible compared to that of the scratchpad, and a few lines compute all constants.
// Source: The Hash Function JH, of 16 January 2011.

const jhRounds = 42

// jhBoxes are the S-boxes S0 and S1. Source: the section on S-boxes.
var jhBoxes = [2][16]byte{
	{9, 0, 4, 11, 13, 12, 3, 15, 1, 10, 2, 6, 7, 5, 8, 14},
	{3, 12, 6, 13, 5, 7, 1, 9, 15, 2, 0, 4, 11, 10, 14, 8},
}

// jhStart holds the values that all hashes share: the bits of the round constants, and the initial state.
type jhStart struct {
	constants [jhRounds][256]byte
	state     [128]byte
}

var jhStarts = sync.OnceValue(func() *jhStart {
	start := new(jhStart)
	// The first constant is the fraction of √2. A round on 64 elements turns each constant into the next.
	root := [4]uint64{0x6a09e667f3bcc908, 0xb2fb1366ea957d3e, 0x3adec17512775099, 0xda2f590b0667322a}
	var c [64]byte
	for i := range c {
		c[i] = byte(root[i/16]>>(60-i%16*4)) & 15
	}
	var zero [64]byte
	for r := range start.constants {
		for i := range start.constants[r] {
			start.constants[r][i] = c[i/4] >> (3 - i%4) & 1
		}
		jhRound(c[:], zero[:])
	}
	start.state[0] = 256 >> 8 // the size of the hash in bits, in two bytes
	var block [64]byte
	start.compress(&start.state, block[:])
	return start
})

// jhRound is the round function: S-boxes, linear transformation, permutation. Source: the section on R_d.
func jhRound(a, constant []byte) {
	n := len(a)
	var t [256]byte
	for i, v := range a {
		t[i] = jhBoxes[constant[i]][v]
	}
	for i := 0; i < n; i += 2 {
		t[i+1] ^= jhDouble(t[i])
		t[i] ^= jhDouble(t[i+1])
	}
	for i := 0; i < n; i += 4 {
		t[i+2], t[i+3] = t[i+3], t[i+2]
	}
	for i := range n / 2 {
		a[i] = t[2*i]
		a[(n/2+i)^1] = t[2*i+1]
	}
}

// jhDouble multiplies by x in GF(2^4) modulo x^4+x+1.
func jhDouble(v byte) byte { return (v<<1 ^ v>>3 ^ v>>2&2) & 15 }

// compress adds one block to h: the functions F8 and E8.
func (start *jhStart) compress(h *[128]byte, block []byte) {
	for i := range 64 {
		h[i] ^= block[i]
	}
	// An element consists of one bit of each quarter of the state. Elements of the two halves alternate.
	var a [256]byte
	for i := range a {
		for quarter := range 4 {
			at := quarter*256 + i
			a[i%128*2+i/128] |= h[at/8] >> (7 - at%8) & 1 << (3 - quarter)
		}
	}
	for r := range start.constants {
		jhRound(a[:], start.constants[r][:])
	}
	clear(h[:])
	for i := range a {
		for quarter := range 4 {
			at := quarter*256 + i
			h[at/8] |= a[i%128*2+i/128] >> (3 - quarter) & 1 << (7 - at%8)
		}
	}
	for i := range 64 {
		h[64+i] ^= block[i]
	}
}

// jh256 returns the JH-256 of data, 42 rounds.
func jh256(data []byte) (out [32]byte) {
	start := jhStarts()
	h := start.state
	total := uint64(len(data)) * 8
	for ; len(data) >= 64; data = data[64:] {
		start.compress(&h, data)
	}
	// The padding has at least 512 bits.
	var tail [128]byte
	end := 64
	if len(data) > 0 {
		end = 128
	}
	n := copy(tail[:], data)
	tail[n] = 0x80
	binary.BigEndian.PutUint64(tail[end-8:], total)
	for i := 0; i < end; i += 64 {
		start.compress(&h, tail[i:])
	}
	copy(out[:], h[96:])
	return out
}
