package randomx

import "glim/core/internal/crypto/aesround"

// column is 16 bytes as two little-endian words, state the four of a generator or a hash.
type (
	column struct{ lo, hi uint64 }
	state  [4]column
)

// The keys of the generators and of the hash, and the state that hashing begins with.
// Source: RandomX specification, sections 3.2 to 3.4, which says what they are hashes of (TestKeysOfAES).
var (
	keys1R = state{
		{0x627166096daca553, 0xb4f44917dbb5552b}, {0x846a710d6d7caf07, 0x0da1dc4e1725d378},
		{0x9f947ec63f1262f1, 0x3e20e345f4c0794f}, {0xb1ba317c6aef8135, 0x4916915416314c88},
	}
	keys4R = [2]state{{
		{0xd1833ddb6421aadd, 0x99e5d23f2f546d2b}, {0xb6913f55b20e3450, 0xa5dfcde506f79d53},
		{0x515e7baf5c3ed904, 0x171c02bf0aa4679f}, {0xe78f5d0885623763, 0xd8ded291cd673785},
	}, {
		{0xe3d6a7a6b5826f73, 0x229effb43d518b6d}, {0x9c10b3d9c7566bf3, 0xb272b7d2e9024d4e},
		{0xf765a38bf273c9e7, 0xf63befa72ba9660a}, {0x915839de7a7cd609, 0xc0b0762d0c06d1fd},
	}}
	hashState = state{
		{0x9fa856de92b52c0d, 0xd7983aadcc82db47}, {0x15c7b798338d996e, 0xace78057f59e125a},
		{0xae62c7d06a770017, 0xe8a07ce45079506b}, {0x07ad828d630a240c, 0x7e99494879a10005},
	}
	hashKeys = [2]column{{0x8b24949ff6fa8389, 0x0689020190dc56bf}, {0x51f4e03c61b263d1, 0xed18f99bee1043c6}}
)

// step1R makes the next 64 bytes, which are the state too. Source: RandomX specification, section 3.2.
func (s *state) step1R(t *aesround.Tables) {
	s[0].lo, s[0].hi = t.Decrypt(s[0].lo, s[0].hi, keys1R[0].lo, keys1R[0].hi)
	s[1].lo, s[1].hi = t.Encrypt(s[1].lo, s[1].hi, keys1R[1].lo, keys1R[1].hi)
	s[2].lo, s[2].hi = t.Decrypt(s[2].lo, s[2].hi, keys1R[2].lo, keys1R[2].hi)
	s[3].lo, s[3].hi = t.Encrypt(s[3].lo, s[3].hi, keys1R[3].lo, keys1R[3].hi)
}

// step4R is the slower one with four rounds. Source: RandomX specification, section 3.3.
func (s *state) step4R(t *aesround.Tables) {
	for i := range 4 {
		a, b := keys4R[0][i], keys4R[1][i]
		s[0].lo, s[0].hi = t.Decrypt(s[0].lo, s[0].hi, a.lo, a.hi)
		s[1].lo, s[1].hi = t.Encrypt(s[1].lo, s[1].hi, a.lo, a.hi)
		s[2].lo, s[2].hi = t.Decrypt(s[2].lo, s[2].hi, b.lo, b.hi)
		s[3].lo, s[3].hi = t.Encrypt(s[3].lo, s[3].hi, b.lo, b.hi)
	}
}

// absorb1R takes 64 bytes in as the keys of a round. Source: RandomX specification, section 3.4.
func (s *state) absorb1R(t *aesround.Tables, in *line) {
	s[0].lo, s[0].hi = t.Encrypt(s[0].lo, s[0].hi, in[0], in[1])
	s[1].lo, s[1].hi = t.Decrypt(s[1].lo, s[1].hi, in[2], in[3])
	s[2].lo, s[2].hi = t.Encrypt(s[2].lo, s[2].hi, in[4], in[5])
	s[3].lo, s[3].hi = t.Decrypt(s[3].lo, s[3].hi, in[6], in[7])
}

func (s *state) line() line {
	return line{s[0].lo, s[0].hi, s[1].lo, s[1].hi, s[2].lo, s[2].hi, s[3].lo, s[3].hi}
}

// fill1R writes pad, whose length is a multiple of 8, from AesGenerator1R, and leaves the last state in s.
func (s *state) fill1R(pad []uint64) {
	t := aesround.Get()
	for ; len(pad) >= 8; pad = pad[8:] {
		s.step1R(t)
		*(*line)(pad) = s.line()
	}
}

// fill4R does the same from AesGenerator4R.
func (s *state) fill4R(pad []uint64) {
	t := aesround.Get()
	for ; len(pad) >= 8; pad = pad[8:] {
		s.step4R(t)
		*(*line)(pad) = s.line()
	}
}

// hash1R returns AesHash1R of pad, whose length is a multiple of 8.
func hash1R(pad []uint64) line {
	t := aesround.Get()
	s := hashState
	for ; len(pad) >= 8; pad = pad[8:] {
		s.absorb1R(t, (*line)(pad))
	}
	for _, k := range hashKeys {
		s.absorb1R(t, &line{k.lo, k.hi, k.lo, k.hi, k.lo, k.hi, k.lo, k.hi})
	}
	return s.line()
}
