package tx

import "slices"

// AbsoluteOffsets converts a ring's offsets, each relative to the previous one, to global output indices. Sums are
// modulo 2^64: the reference does not check for overflow, so consensus allows a ring to go back, and even to repeat an
// output.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, relative_output_offsets_to_absolute.
func AbsoluteOffsets(rel []uint64) []uint64 {
	abs := make([]uint64, len(rel))
	var at uint64
	for i, d := range rel {
		at += d
		abs[i] = at
	}
	return abs
}

// RelativeOffsets is the inverse: it returns the first of the ascending indices abs and then differences. It does not
// change abs.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, absolute_output_offsets_to_relative.
func RelativeOffsets(abs []uint64) []uint64 {
	rel := slices.Clone(abs)
	slices.Sort(rel)
	for i := len(rel) - 1; i > 0; i-- {
		rel[i] -= rel[i-1]
	}
	return rel
}
