package consensus

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"

	"glim/core/xmr"
)

// Blocks that the difficulty is computed from. Source: src/cryptonote_config.h, DIFFICULTY_WINDOW and others.
const (
	DifficultyWindow = 720 // number of blocks that count
	DifficultyLag    = 15  // number of newest blocks that do not
	DifficultyBlocks = DifficultyWindow + DifficultyLag
	difficultyCut    = 60 // number of outliers that are dropped at each end
)

// Difficulty is the average number of hashes that a block needs, or a sum of such numbers, with 128 bits.
type Difficulty struct{ Hi, Lo uint64 }

// IsZero reports whether d is 0.
func (d Difficulty) IsZero() bool { return d == Difficulty{} }

// Add returns d + e modulo 2^128. Real chains never reach 2^128.
func (d Difficulty) Add(e Difficulty) Difficulty {
	lo, carry := bits.Add64(d.Lo, e.Lo, 0)
	hi, _ := bits.Add64(d.Hi, e.Hi, carry)
	return Difficulty{hi, lo}
}

// Sub returns d − e modulo 2^128.
func (d Difficulty) Sub(e Difficulty) Difficulty {
	lo, borrow := bits.Sub64(d.Lo, e.Lo, 0)
	hi, _ := bits.Sub64(d.Hi, e.Hi, borrow)
	return Difficulty{hi, lo}
}

// Less reports whether d < e.
func (d Difficulty) Less(e Difficulty) bool { return d.Hi < e.Hi || d.Hi == e.Hi && d.Lo < e.Lo }

// String returns d in hexadecimal with the prefix 0x and without leading zeros. Source:
// src/cryptonote_basic/difficulty.cpp, hex.
func (d Difficulty) String() string {
	if d.Hi == 0 {
		return fmt.Sprintf("0x%x", d.Lo)
	}
	return fmt.Sprintf("0x%x%016x", d.Hi, d.Lo)
}

// NextDifficulty returns the difficulty of the next block. timestamps, in POSIX seconds, and cumulative describe the
// last DifficultyBlocks blocks, oldest first, or all but the genesis block of a shorter chain; they have the same
// length and are not modified. The work between the ends of the window, without outliers, is scaled to one block every
// target seconds and rounded up. It returns ErrDifficulty if the result exceeds 128 bits.
// Source: src/cryptonote_basic/difficulty.cpp, next_difficulty.
func NextDifficulty(timestamps []uint64, cumulative []Difficulty, target uint64) (Difficulty, error) {
	n := min(len(timestamps), DifficultyWindow)
	if n <= 1 {
		return Difficulty{Lo: 1}, nil
	}
	sorted := slices.Clone(timestamps[:n])
	slices.Sort(sorted)
	const kept = DifficultyWindow - 2*difficultyCut
	begin, end := 0, n
	if n > kept {
		begin = (n - kept + 1) / 2
		end = begin + kept
	}
	span := max(sorted[end-1]-sorted[begin], 1)
	work := cumulative[end-1].Sub(cumulative[begin])

	// ⌈work · target / span⌉ over 192 bits.
	carry, lo := bits.Mul64(work.Lo, target)
	top, mid := bits.Mul64(work.Hi, target)
	var c uint64
	mid, c = bits.Add64(mid, carry, 0)
	top += c
	lo, c = bits.Add64(lo, span-1, 0)
	mid, c = bits.Add64(mid, 0, c)
	top += c
	if top >= span {
		return Difficulty{}, ErrDifficulty
	}
	var d Difficulty
	d.Hi, top = bits.Div64(top, mid, span)
	d.Lo, _ = bits.Div64(top, lo, span)
	return d, nil
}

// CheckWork reports whether a proof-of-work hash meets difficulty d: the hash as a little-endian number, times d, is
// below 2^256. Any hash meets difficulty 1. Source: src/cryptonote_basic/difficulty.cpp, check_hash.
func CheckWork(hash xmr.Hash, d Difficulty) bool {
	var product [6]uint64
	for j, factor := range [2]uint64{d.Lo, d.Hi} {
		var carry uint64
		for i := range 4 {
			hi, lo := bits.Mul64(binary.LittleEndian.Uint64(hash[8*i:]), factor)
			var c uint64
			lo, c = bits.Add64(lo, product[i+j], 0)
			hi += c
			lo, c = bits.Add64(lo, carry, 0)
			hi += c
			product[i+j], carry = lo, hi
		}
		product[j+4] += carry
	}
	return product[4] == 0 && product[5] == 0
}
