package cryptonight

import (
	"encoding/binary"
	"math/bits"
)

// rate is the number of bytes a permutation absorbs.
const rate = 136

// absorb returns the complete state of Keccak[1088] after data, with the original padding, which SHA-3 changed.
// Source: src/crypto/keccak.c, keccak1600.
func absorb(data []byte) (s [25]uint64) {
	var last [rate]byte
	defer clear(last[:])
	for ; len(data) >= rate; data = data[rate:] {
		addBlock(&s, data)
	}
	n := copy(last[:], data)
	last[n] ^= 0x01
	last[rate-1] ^= 0x80
	addBlock(&s, last[:])
	return s
}

func addBlock(s *[25]uint64, block []byte) {
	for i := range rate / 8 {
		s[i] ^= binary.LittleEndian.Uint64(block[8*i:])
	}
	permute(s)
}

// permute is Keccak-f[1600]. It computes its constants each time, because it runs only a few times for each hash.
// Source: FIPS 202, section 3.
func permute(s *[25]uint64) {
	register := byte(1) // state of the feedback shift register that generates the round constants
	for range 24 {
		// θ
		var c [5]uint64
		for x := range c {
			c[x] = s[x] ^ s[x+5] ^ s[x+10] ^ s[x+15] ^ s[x+20]
		}
		for i := range s {
			s[i] ^= c[(i+4)%5] ^ bits.RotateLeft64(c[(i+1)%5], 1)
		}
		// ρ, π
		x, y, lane := 1, 0, s[1]
		for t := range 24 {
			x, y = y, (2*x+3*y)%5
			lane, s[x+5*y] = s[x+5*y], bits.RotateLeft64(lane, (t+1)*(t+2)/2)
		}
		// χ
		for y := 0; y < 25; y += 5 {
			row := [5]uint64(s[y : y+5])
			for x := range row {
				s[y+x] = row[x] ^ ^row[(x+1)%5]&row[(x+2)%5]
			}
		}
		// ι
		for j := range 7 {
			s[0] ^= uint64(register&1) << (1<<j - 1)
			register = register<<1 ^ byte(int8(register)>>7)&0x71
		}
	}
}
