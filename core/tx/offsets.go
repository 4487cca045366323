package tx

import "slices"

// AbsoluteOffsets turns a ring's offsets, each relative to the one before, into global output indices. Sums are modulo 2^64, for that is
// what the network agreed on without meaning to: a ring may go back, and even name an output twice.
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

// RelativeOffsets is the inverse: abs in ascending order, each less the one before. abs itself is left alone.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, absolute_output_offsets_to_relative.
func RelativeOffsets(abs []uint64) []uint64 {
	rel := slices.Clone(abs)
	slices.Sort(rel)
	for i := len(rel) - 1; i > 0; i-- {
		rel[i] -= rel[i-1]
	}
	return rel
}
