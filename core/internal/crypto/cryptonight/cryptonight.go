// Package cryptonight is the slow hash that stretches Monero's passphrases, its proof of work until 2019.
//
// It fills 2 MiB from Keccak's state, works on random places of it and hashes what is left with one of four functions.
// Those places, and the tables of AES and of Grøstl, are read where what is hashed says: a program that shares the
// processor may learn of a passphrase from the caches. The algorithm is made that way and leaves no other.
//
// Source: CryptoNote Standard 008; src/crypto/slow-hash.c, cn_slow_hash.
package cryptonight

import (
	"encoding/binary"
	"errors"
	"math/bits"

	"glim/core/internal/crypto/aesround"
)

// Variants of the hash by the major version of the blocks they are the proof of work for, in Monero's numbering.
const (
	Original = 0 // up to version 6, and passphrases
	Tweaked  = 1 // version 7
	Shuffled = 2 // version 8, and as 3 version 9
	Random   = 4 // version 10, and as 5 version 11: CryptoNight-R
)

// Errors of hashing.
var (
	ErrVariant = errors.New("cryptonight: no such variant")
	ErrShort   = errors.New("cryptonight: variant 1 takes 43 bytes or more")
)

const (
	padWords   = 1 << 18 // 2 MiB
	padMask    = padWords - 2
	iterations = 1 << 19
	nonceAt    = 35
)

// Hasher keeps the 2 MiB a hash works on, for the next one. The zero value is ready. It is not for use by several
// goroutines at a time.
type Hasher struct{ pad *[padWords]uint64 }

// Wipe forgets what was hashed last.
func (h *Hasher) Wipe() {
	if h.pad != nil {
		clear(h.pad[:])
	}
}

// Sum returns the hash of data. The height, which counts from 0 at the genesis block, matters to variants 4 and 5
// only. Errors: ErrVariant, ErrShort.
func (h *Hasher) Sum(data []byte, variant int, height uint64) ([32]byte, error) {
	switch {
	case variant < Original || variant > Random+1:
		return [32]byte{}, ErrVariant
	case variant == Tweaked && len(data) < nonceAt+8:
		return [32]byte{}, ErrShort
	}
	if h.pad == nil {
		h.pad = new([padWords]uint64)
	}
	s := absorb(data)
	defer clear(s[:])
	h.fill(&s)
	switch {
	case variant == Original:
		h.work(&s, 0, false)
	case variant == Tweaked:
		h.work(&s, s[24]^binary.LittleEndian.Uint64(data[nonceAt:]), true)
	case variant < Random:
		h.workShuffled(&s, nil)
	default:
		h.workShuffled(&s, newProgram(height))
	}
	h.drain(&s)
	permute(&s)
	return finish(&s), nil
}

// fill writes the scratchpad with what the rounds of AES make of the state. Source: CNS008, section 3.
func (h *Hasher) fill(s *[25]uint64) {
	t := aesround.Get()
	keys := expand(t, s[:4])
	text := [16]uint64(s[8:24])
	for i := 0; i < padWords; i += len(text) {
		pseudo(t, &text, &keys)
		copy(h.pad[i:], text[:])
	}
}

// drain gathers the scratchpad into the state. Source: CNS008, section 5.
func (h *Hasher) drain(s *[25]uint64) {
	t := aesround.Get()
	keys := expand(t, s[4:8])
	text := [16]uint64(s[8:24])
	for i := 0; i < padWords; i += len(text) {
		for j, v := range h.pad[i : i+len(text)] {
			text[j] ^= v
		}
		pseudo(t, &text, &keys)
	}
	copy(s[8:], text[:])
}

// work is the loop that waits for memory: one round of AES at one random place, one multiplication at another. The
// tweak is 0 for the original. Source: CNS008, section 4; slow-hash.c, VARIANT1_1 and VARIANT1_2.
func (h *Hasher) work(s *[25]uint64, tweak uint64, tweaked bool) {
	t, m := aesround.Get(), h.pad
	a0, a1, b0, b1 := s[0]^s[4], s[1]^s[5], s[2]^s[6], s[3]^s[7]
	for range iterations {
		j := uint32(a0>>3) & padMask
		c0, c1 := t.Encrypt(m[j], m[j+1], a0, a1)
		v := c1 ^ b1
		if tweaked {
			v = flip(v)
		}
		m[j], m[j+1] = c0^b0, v
		b0, b1 = c0, c1

		j = uint32(c0>>3) & padMask
		d0, d1 := m[j], m[j+1]
		hi, lo := bits.Mul64(c0, d0)
		a0 += hi
		a1 += lo
		m[j], m[j+1] = a0, a1^tweak
		a0 ^= d0
		a1 ^= d1
	}
}

// flip changes bits 4 and 5 of the fourth byte of v by what three of its bits tell.
func flip(v uint64) uint64 {
	b := v >> 24
	index := (b>>3&6 | b&1) << 1
	return v ^ 0x75310>>index&0x30<<24
}

// finish hashes the state with the function that its first two bits choose. Source: CNS008, section 5.
func finish(s *[25]uint64) [32]byte {
	var b [200]byte
	for i, v := range s {
		binary.LittleEndian.PutUint64(b[8*i:], v)
	}
	defer clear(b[:])
	switch b[0] & 3 {
	case 0:
		return blake256(b[:])
	case 1:
		return groestl256(b[:])
	case 2:
		return jh256(b[:])
	default:
		return skein256(b[:])
	}
}
