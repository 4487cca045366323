// Package smallsort sorts slices like package slices, with code that is compiled once for all types, to keep the
// download of browsers small.
package smallsort

import (
	"iter"
	"slices"
	"sort"
)

// Sort sorts s by compare. It is not stable.
func Sort[E any](s []E, compare func(a, b E) int) {
	sort.Slice(s, func(i, j int) bool { return compare(s[i], s[j]) < 0 })
}

// Stable sorts s by compare and keeps the order of equal elements.
func Stable[E any](s []E, compare func(a, b E) int) {
	sort.SliceStable(s, func(i, j int) bool { return compare(s[i], s[j]) < 0 })
}

// Sorted returns a new slice with the values, sorted by compare.
func Sorted[E any](values iter.Seq[E], compare func(a, b E) int) []E {
	s := slices.Collect(values)
	Sort(s, compare)
	return s
}
