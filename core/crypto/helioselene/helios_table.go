package helioselene

// HeliosTables holds odd multiples of points, for VarTimeTableMult. It is immutable and may be shared.
type HeliosTables struct {
	width int
	odd   []heliosAffine
}

// NewHeliosTables returns tables of points, none of which may be the identity. A table of width w, from 3 to 8, has
// 2^(w−2) multiples of 64 bytes, and a multiplication takes about 256/(w + 1) additions. Good widths are 6 or 7 for
// generators.
func NewHeliosTables(points []Helios, width int) *HeliosTables {
	if width < 3 || width > 8 {
		panic("helioselene: table width must be from 3 to 8")
	}
	list := make([]heliosJacobian, len(points))
	for i := range points {
		if points[i].IsIdentity() {
			panic("helioselene: there is no table of the identity")
		}
		list[i].set(&points[i])
	}
	return &HeliosTables{width: width, odd: heliosOdd(list, width)}
}

// VarTimeTableMult sets v to the sum of scalars[i] times point first + i of t and returns v, in time that depends on
// the scalars. It panics if t has no such points.
func (v *Helios) VarTimeTableMult(scalars []Element, t *HeliosTables, first int) *Helios {
	each := 1 << (t.width - 2)
	digits := make([][size]byte, len(scalars))
	for i := range scalars {
		digits[i] = scalars[i].Bytes()
	}
	sum := heliosTableSum(digits, t.odd[first*each:(first+len(scalars))*each], t.width)
	return sum.get(v)
}
