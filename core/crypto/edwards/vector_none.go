//go:build !amd64 || purego

package edwards

// wide is nothing where there are no vectors.
type wide struct{}

// Vectors returns the name of the vector instructions that derivations take: here there are none.
func Vectors() string { return "" }

func newWide() *wide { return nil }

func (d *Deriver) deriveWide([]Derivation, [][32]byte) bool { return false }

func spendKeysWide([]Payment, []end) bool { return false }

// worthWide is more terms than there are.
const worthWide = 1 << 30

// wideTables are none.
type wideTables struct{}

func (s *Sums) makeWide([]*Point) bool { return false }

// MaySplit is whether a Split may have parts.
const MaySplit = false

func splitWide([]*Split) {}

func baseMultsWide([]*Point, []*Scalar) bool { return false }

func decodeWide([]*Point, [][32]byte) (valid, done bool) { return false, false }

func rootsWide([]mapping) bool { return false }
