//go:build !purego

package edwards

// worthWide is from how many terms on one sum is made with vectors.
const worthWide = 1 << 30

// makeWide makes the sums with vectors, or returns false.
func (s *Sums) makeWide([]*Point) bool { return false }
