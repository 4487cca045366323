package tx

import (
	"slices"

	"glim/core/xmr"
)

// AbsoluteOffsets turns a ring's offsets, each relative to the one before, into global output indices.
// Errors: xmr.ErrOverflow beyond 64 bits.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp, relative_output_offsets_to_absolute.
func AbsoluteOffsets(rel []uint64) ([]uint64, error) {
	abs := make([]uint64, len(rel))
	var at uint64
	for i, d := range rel {
		at += d
		if at < d {
			return nil, xmr.ErrOverflow
		}
		abs[i] = at
	}
	return abs, nil
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
