// Package cryptonight computes CryptoNight, the slow hash that stretches Monero's passphrases, and its proof of work
// until 2019.
//
// It fills a scratchpad of 2 MiB from Keccak's state, modifies it at pseudorandom places, and hashes the result with
// one of four hash functions. The places, and the lookups in tables of AES and Grøstl, depend on the input, so the
// hash is not constant time: another program on the same processor may learn about a passphrase from the caches. This
// follows from the algorithm. On amd64 the AES instructions of the processor take the place of the tables of AES.
//
// Source: CryptoNote Standard 008; src/crypto/slow-hash.c, cn_slow_hash.
package cryptonight

import (
	"encoding/binary"
	"errors"
	"math/bits"

	"glim/core/internal/crypto/aesround"
)

// Variants of the hash in Monero's numbering, with the major versions of blocks that use them as proof of work.
const (
	Variant0 = 0 // version 6 and below, and passphrases
	Variant1 = 1 // version 7
	Variant2 = 2 // version 8; variant 3, version 9, is the same
	Variant4 = 4 // version 10, CryptoNight-R; variant 5, version 11, is the same
)

// Errors of hashing.
var (
	ErrVariant = errors.New("cryptonight: unknown variant")
	ErrShort   = errors.New("cryptonight: variant 1 needs at least 43 bytes")
)

const (
	padWords   = 1 << 18 // 2 MiB
	padMask    = padWords - 2
	iterations = 1 << 19
	nonceAt    = 35
)

// Hasher computes hashes and reuses its memory of 2 MiB. The zero value is ready for use. It must not be used by
// several goroutines at the same time.
type Hasher struct{ pad *[padWords]uint64 }

// Wipe overwrites the data of the last hash.
func (h *Hasher) Wipe() {
	if h.pad != nil {
		clear(h.pad[:])
	}
}

// Sum returns the hash of data. height, which is 0 for the genesis block, matters only for variants 4 and 5. Sum
// returns ErrVariant or ErrShort.
func (h *Hasher) Sum(data []byte, variant int, height uint64) ([32]byte, error) {
	switch {
	case variant < Variant0 || variant > Variant4+1:
		return [32]byte{}, ErrVariant
	case variant == Variant1 && len(data) < nonceAt+8:
		return [32]byte{}, ErrShort
	}
	if h.pad == nil {
		h.pad = new([padWords]uint64)
	}
	s := absorb(data)
	defer clear(s[:])
	h.fill(&s)
	switch {
	case variant == Variant0:
		h.work(&s, 0, false)
	case variant == Variant1:
		h.work(&s, s[24]^binary.LittleEndian.Uint64(data[nonceAt:]), true)
	case variant < Variant4:
		h.workVariant2(&s, nil)
	default:
		h.workVariant2(&s, newProgram(height))
	}
	h.drain(&s)
	permute(&s)
	return finish(&s), nil
}

// fill fills the scratchpad from the state with rounds of AES. Source: CNS008, section 3.
func (h *Hasher) fill(s *[25]uint64) {
	t := aesround.Get()
	keys := expand(t, s[:4])
	text := [16]uint64(s[8:24])
	if hardware {
		fillAES(h.pad, &text, &keys)
		return
	}
	for i := 0; i < padWords; i += len(text) {
		pseudo(t, &text, &keys)
		copy(h.pad[i:], text[:])
	}
}

// drain combines the scratchpad into the state. Source: CNS008, section 5.
func (h *Hasher) drain(s *[25]uint64) {
	t := aesround.Get()
	keys := expand(t, s[4:8])
	text := [16]uint64(s[8:24])
	if hardware {
		drainAES(h.pad, &text, &keys)
		copy(s[8:], text[:])
		return
	}
	for i := 0; i < padWords; i += len(text) {
		for j, v := range h.pad[i : i+len(text)] {
			text[j] ^= v
		}
		pseudo(t, &text, &keys)
	}
	copy(s[8:], text[:])
}

// work is the main loop: one AES round at one pseudorandom place, and one multiplication at another. tweak is 0 for
// variant 0.
// Source: CNS008, section 4; slow-hash.c, VARIANT1_1 and VARIANT1_2.
func (h *Hasher) work(s *[25]uint64, tweak uint64, tweaked bool) {
	t, m := aesround.Get(), h.pad
	a0, a1, b0, b1 := s[0]^s[4], s[1]^s[5], s[2]^s[6], s[3]^s[7]
	if hardware && !tweaked {
		workAES(m, &[4]uint64{a0, a1, b0, b1})
		return
	}
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

// flip changes bits 4 and 5 of the fourth byte of v depending on three of its bits.
func flip(v uint64) uint64 {
	b := v >> 24
	index := (b>>3&6 | b&1) << 1
	return v ^ 0x75310>>index&0x30<<24
}

// finish hashes the state with the function that its first two bits select. Source: CNS008, section 5.
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
