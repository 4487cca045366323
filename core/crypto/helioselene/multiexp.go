package helioselene

// pippengerEntries is the number of points that multiexponentiations sort into buckets at once. More save inversions
// and need more memory, which leaves the cache.
const pippengerEntries = 8192

// pippengerWidth returns the width of the digits for which Pippenger's algorithm takes the least time with n points, or
// 0 if Straus's algorithm is faster. Found by BenchmarkWidths.
func pippengerWidth(n int) int {
	switch {
	case n < 64:
		return 0
	case n < 128:
		return 4
	case n < 256:
		return 5
	case n < 768:
		return 6
	case n < 1536:
		return 7
	case n < 6144:
		return 8
	case n < 16384:
		return 9
	default:
		return 10
	}
}

// pairKind distinguishes pairs of points for their addition.
type pairKind uint8

const (
	pairDifferent pairKind = iota
	pairEqual
	pairOpposite
)
