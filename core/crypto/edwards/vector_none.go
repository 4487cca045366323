//go:build !amd64 || purego

package edwards

// wide is unused without vector instructions.
type wide struct{}

// Vectors returns an empty string, because there are no vector instructions.
func Vectors() string { return "" }

func newWide() *wide { return nil }

func (d *Deriver) deriveWide([]Derivation, [][32]byte) bool { return false }

func spendKeysWide([]Payment, []end) bool { return false }

// worthWide is larger than any number of terms.
const worthWide = 1 << 30

// wideTables is empty without vector instructions.
type wideTables struct{}

func (s *Sums) makeWide([]*Point) bool { return false }

// MaySplit reports whether NewSplits may prepare points for vector instructions.
const MaySplit = false

func splitWide([]*Split) {}

func baseMultsWide([]*Point, []*Scalar) bool { return false }

func decodeWide([]*Point, [][32]byte) (valid, done bool) { return false, false }

func rootsWide([]mapping) bool { return false }

// wideRows is empty without vector instructions.
type wideRows struct{}

func (*wideRows) set(*KeyTable) {}

// wideTableWork is empty without vector instructions.
type wideTableWork struct{}

func (*wideTableWork) wipe() {}

func (*tableWork) deriveWide(*KeyTable, []viewGroup) bool { return false }
