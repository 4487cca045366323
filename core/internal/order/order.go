// Package order sorts slices as package slices does, with code that is compiled once for all types: a browser downloads it.
package order

import (
	"iter"
	"slices"
	"sort"
)

// Sort sorts s by compare, in any order what is equal.
func Sort[E any](s []E, compare func(a, b E) int) {
	sort.Slice(s, func(i, j int) bool { return compare(s[i], s[j]) < 0 })
}

// Stable sorts s by compare and leaves what is equal in its order.
func Stable[E any](s []E, compare func(a, b E) int) {
	sort.SliceStable(s, func(i, j int) bool { return compare(s[i], s[j]) < 0 })
}

// Sorted returns what values has, sorted by compare.
func Sorted[E any](values iter.Seq[E], compare func(a, b E) int) []E {
	s := slices.Collect(values)
	Sort(s, compare)
	return s
}
