package cryptonight

import (
	"encoding/binary"
	"math/bits"
	"sync"

	"glim/core/internal/crypto/aesround"
)

// groestlState is the 8×8 byte matrix of Grøstl-256: one word for each column, with the first row in the high byte.
type groestlState [8]uint64

// groestlColumns combines SubBytes and MixBytes for a byte of the first row. For other rows the results are rotated.
// Source: Grøstl, a SHA-3 candidate, sections 3.4.2 and 3.4.4.
var groestlColumns = sync.OnceValue(func() *[256]uint64 {
	t, aes := new([256]uint64), aesround.Get()
	for i := range t {
		s := byte(aes.Substitute(uint32(i)))
		two := aesround.Double(s)
		four := aesround.Double(two)
		for _, product := range [8]byte{two, four ^ two ^ s, four ^ s, two ^ s, four ^ s, four, two ^ s, two} {
			t[i] = t[i]<<8 | uint64(product)
		}
	}
	return t
})

// groestlShifts are the numbers of columns by which P and Q shift each row to the left.
var groestlShifts = [2][8]int{{0, 1, 2, 3, 4, 5, 6, 7}, {1, 3, 5, 7, 0, 2, 4, 6}}

// groestlPermute returns P(s) if which is 0, and Q(s) if which is 1. Source: the same, section 3.4.
func groestlPermute(s groestlState, which int) groestlState {
	t := groestlColumns()
	for round := range uint64(10) {
		for i := range s {
			constant := uint64(i)<<4 ^ round
			if which == 0 {
				s[i] ^= constant << 56
			} else {
				s[i] ^= ^uint64(0) ^ constant
			}
		}
		var next groestlState
		for i := range next {
			for row, shift := range groestlShifts[which] {
				next[i] ^= bits.RotateLeft64(t[byte(s[(i+shift)%8]>>(56-8*row))], -8*row)
			}
		}
		s = next
	}
	return s
}

func (h *groestlState) xor(s groestlState) {
	for i, v := range s {
		h[i] ^= v
	}
}

// compress adds one block to h.
func (h *groestlState) compress(block []byte) {
	var m groestlState
	for i := range m {
		m[i] = binary.BigEndian.Uint64(block[8*i:])
	}
	sum := *h
	sum.xor(m)
	h.xor(groestlPermute(sum, 0))
	h.xor(groestlPermute(m, 1))
}

// groestl256 returns the Grøstl-256 of data, with the constants of the final round of the SHA-3 competition.
func groestl256(data []byte) (out [32]byte) {
	h := groestlState{7: 256}
	blocks := uint64(len(data)+9+63) / 64 // with the padding, which ends with this number
	for ; len(data) >= 64; data = data[64:] {
		h.compress(data)
	}
	var tail [128]byte
	end := 64
	if len(data) > 55 {
		end = 128
	}
	n := copy(tail[:], data)
	tail[n] = 0x80
	binary.BigEndian.PutUint64(tail[end-8:], blocks)
	for i := 0; i < end; i += 64 {
		h.compress(tail[i:])
	}
	h.xor(groestlPermute(h, 0))
	for i, v := range h[4:] {
		binary.BigEndian.PutUint64(out[8*i:], v)
	}
	return out
}
