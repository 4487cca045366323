package edwards

import (
	"sync/atomic"

	"filippo.io/edwards25519"
	"filippo.io/edwards25519/field"
)

// Table holds odd multiples of a point, for VarTimeTableMult and Sums. It is immutable and may be shared.
type Table struct {
	width  uint             // width of the NAF that the multiples are for
	odd    []affineMultiple // P, 3P, 5P, … (2^(width−1) − 1)P
	number uint32           // see Number
	wide   wideTables       // for vectors
}

// Number identifies a table of NewPermanentTables, counted from 1; it is 0 for other tables. A host may cache data by
// it.
func (t *Table) Number() uint32 { return t.number }

// Point returns the point that t holds multiples of.
func (t *Table) Point() *Point {
	q := t.projective()
	return q.toPoint(new(Point))
}

func (t *Table) projective() (q projective) {
	m := &t.odd[0]
	sumDifference(&q.y, &q.x, &m.plus, &m.minus)
	q.x.multiply(&q.x, &elementOne)
	q.y.multiply(&q.y, &elementOne)
	q.z = elementOne
	q.t.multiply(&q.x, &q.y)
	return q
}

// numbers is the last assigned Number.
var numbers atomic.Uint32

// NewPermanentTables is NewTables for points that are used until the program ends, such as generators. It numbers the
// tables.
func NewPermanentTables(points []*Point, width uint) []*Table {
	tables := NewTables(points, width)
	for i := range tables {
		tables[i].number = numbers.Add(1)
	}
	return tables
}

// NewTables returns a table for every point. A table of width w, from 2 to 8, has 2^(w−2) multiples of three field
// elements, and a multiplication costs about 256/(w+1) additions. Good widths are 4 or 5 for points used once or
// twice, and 7 or 8 for generators.
func NewTables(points []*Point, width uint) []*Table {
	if width < 2 || width > 8 {
		panic("edwards: table width must be from 2 to 8")
	}
	each := 1 << (width - 2)
	multiples := make([]projective, each*len(points))
	for i, p := range points {
		m := multiples[i*each : (i+1)*each]
		m[0].fromPoint(p)
		if each == 1 {
			continue
		}
		var step multiple
		double := m[0]
		double.double(true)
		step.set(&double)
		for j := 1; j < each; j++ {
			m[j] = m[j-1]
			m[j].add(&step.plus, &step.minus, &step.t2d, &step.z2, false, true)
		}
	}
	entries := normalize(multiples)
	tables := make([]*Table, len(points))
	for i := range tables {
		tables[i] = &Table{width: width, odd: entries[i*each : (i+1)*each : (i+1)*each]}
	}
	return tables
}

// VarTimeTableMult sets v = Σ scalars[i]·tables[i] + Σ more[i]·points[i] and returns v, in time that depends on the
// scalars, but not on the points. All terms share the doublings (Straus). Both slices of a pair must have the same
// length.
func (v *Point) VarTimeTableMult(scalars []*Scalar, tables []*Table, more []*Scalar, points []*Point) *Point {
	if len(scalars) != len(tables) || len(more) != len(points) {
		panic("edwards: numbers of scalars and points differ")
	}
	if !sumsAccelerated(len(scalars) + len(more)) {
		return v.varTimeTableMult(scalars, tables, more, points)
	}
	var s Sums
	for i := range scalars {
		s.Add(scalars[i], s.Table(tables[i]))
	}
	for i := range more {
		s.Add(more[i], s.Point(points[i]))
	}
	s.End()
	*v = *s.Make()[0]
	return v
}

// PublicScalarsMult is VarTimeTableMult for points that may be secret. Its time depends on the scalars only.
func (v *Point) PublicScalarsMult(scalars []*Scalar, tables []*Table, more []*Scalar, points []*Point) *Point {
	return v.Set(secretArithmetic{}.publicMult(scalars, tables, more, points))
}

// varTimeTableMult is VarTimeTableMult in portable code.
func (v *Point) varTimeTableMult(scalars []*Scalar, tables []*Table, more []*Scalar, points []*Point) *Point {
	const width = 5
	const each = 1 << (width - 2)
	odd := make([]multiple, each*len(points))
	for i, p := range points {
		var m projective
		var step multiple
		m.fromPoint(p)
		double := m
		double.double(true)
		step.set(&double)
		for j := range each {
			odd[i*each+j].set(&m)
			if j < each-1 {
				m.add(&step.plus, &step.minus, &step.t2d, &step.z2, false, true)
			}
		}
	}
	// The digits have a row for each bit and a column for each point, because the loop below reads rows.
	n := len(scalars) + len(more)
	digits := make([]int8, 257*n)
	for i, s := range scalars {
		nonAdjacentForm(digits[i:], n, s, tables[i].width)
	}
	for i, s := range more {
		nonAdjacentForm(digits[len(scalars)+i:], n, s, width)
	}

	acc := projective{y: elementOne, z: elementOne}
	started := false
	hits := make([]int, 0, n) // columns with a digit other than zero
	for bit := 256; bit >= 0; bit-- {
		row := digits[bit*n : (bit+1)*n]
		hits = hits[:0]
		for i, d := range row {
			if d != 0 {
				hits = append(hits, i)
			}
		}
		// Only additions need T, so it is not computed before a doubling.
		if started {
			acc.double(len(hits) > 0 || bit == 0)
		}
		started = started || len(hits) > 0
		for k, i := range hits {
			t := k < len(hits)-1 || bit == 0
			d, negative := row[i], row[i] < 0
			if negative {
				d = -d
			}
			if i < len(scalars) {
				m := &tables[i].odd[d/2]
				if negative {
					acc.addAffine(&m.minus, &m.plus, &m.td, true, t)
				} else {
					acc.addAffine(&m.plus, &m.minus, &m.td, false, t)
				}
				continue
			}
			m := &odd[(i-len(scalars))*each+int(d/2)]
			if negative {
				acc.add(&m.minus, &m.plus, &m.t2d, &m.z2, true, t)
			} else {
				acc.add(&m.plus, &m.minus, &m.t2d, &m.z2, false, t)
			}
		}
	}
	return acc.toPoint(v)
}

// Sum sets v = Σ bits[i]·tables[i] and returns v, in constant time. Each bit is 0 or 1. The slices must have the same
// length.
func (v *Point) Sum(bits []byte, tables []*Table) *Point {
	if len(bits) != len(tables) {
		panic("edwards: numbers of bits and points differ")
	}
	return v.Set(secretArithmetic{}.subset(bits, tables))
}

// nonAdjacentForm writes the width-w NAF of s to every stride-th element of out: Σ out[i·stride]·2^i = s. Each digit
// is zero, or odd with a magnitude below 2^(w−1), and at most one of w consecutive digits is not zero.
func nonAdjacentForm(out []int8, stride int, s *Scalar, w uint) {
	b := s.Bytes()
	var words [5]uint64
	for i, c := range b {
		words[i/8] |= uint64(c) << (8 * (i % 8))
	}
	carry := uint64(0)
	mask := uint64(1)<<w - 1
	for pos := uint(0); pos < 257; {
		word, shift := pos/64, pos%64
		window := words[word] >> shift
		if shift+w > 64 && word < 4 {
			window |= words[word+1] << (64 - shift)
		}
		window = carry + window&mask
		if window&1 == 0 {
			pos++
			continue
		}
		if window < 1<<(w-1) {
			carry = 0
			out[int(pos)*stride] = int8(window)
		} else {
			carry = 1
			out[int(pos)*stride] = int8(int64(window) - 1<<w)
		}
		pos += w
	}
}

var (
	feD = func() *field.Element {
		t := new(field.Element).Invert(feUint(121666))
		t.Multiply(t, feUint(121665))
		return t.Negate(t) // d = −121665/121666
	}()
	fe2d       = new(field.Element).Add(feD, feD)
	affineZero = affineMultiple{plus: elementHalf, minus: elementHalf}
)

// fromPoint sets v = p, including T.
func (v *projective) fromPoint(p *Point) {
	x, y, z, t := p.p.ExtendedCoordinates()
	v.x, v.y, v.z, v.t = elementOf(x.Bytes()), elementOf(y.Bytes()), elementOf(z.Bytes()), elementOf(t.Bytes())
}

// toPoint sets p = v, whose T must be set, and returns p.
func (v *projective) toPoint(p *Point) *Point {
	if !v.setPoint(p) {
		panic("unreachable: sums of points are on the curve")
	}
	return p
}

// setPoint sets p = v, whose T must be set, and reports whether it is on the curve.
func (v *projective) setPoint(p *Point) bool {
	var x, y, z, t field.Element
	v.x.toField(&x)
	v.y.toField(&y)
	v.z.toField(&z)
	v.t.toField(&t)
	var q edwards25519.Point
	if _, err := q.SetExtendedCoordinates(&x, &y, &z, &t); err != nil {
		return false
	}
	p.p = q
	return true
}

func (v *element) toField(f *field.Element) {
	b := v.bytes()
	if _, err := f.SetBytes(b[:]); err != nil {
		panic("unreachable: 32 bytes are a field element")
	}
}

// selects sets v = a if bit is 1, and v = b if bit is 0, in constant time.
func (v *affineMultiple) selects(a, b *affineMultiple, bit uint64) {
	v.plus.selects(&a.plus, &b.plus, bit)
	v.minus.selects(&a.minus, &b.minus, bit)
	v.td.selects(&a.td, &b.td, bit)
}

// selects sets v = a if bit is 1, and v = b if bit is 0, in constant time.
func (v *element) selects(a, b *element, bit uint64) {
	for i := range v {
		v[i] = b[i] ^ (a[i]^b[i])&-bit
	}
}

// normalize divides every point by its Z, with one inversion.
func normalize(points []projective) []affineMultiple {
	out := make([]affineMultiple, len(points))
	before := make([]element, len(points)) // Z[0]⋯Z[i−1]
	acc := elementOne
	for i := range points {
		before[i] = acc
		acc.multiply(&acc, &points[i].z)
	}
	acc.invert(&acc)
	for i := len(points) - 1; i >= 0; i-- {
		var inverse, x, y element
		inverse.multiply(&acc, &before[i])
		acc.multiply(&acc, &points[i].z)
		x.multiply(&points[i].x, &inverse)
		y.multiply(&points[i].y, &inverse)
		out[i].set(&x, &y)
	}
	return out
}

// set sets v to the point with affine coordinates x and y.
func (v *affineMultiple) set(x, y *element) {
	sumDifference(&v.plus, &v.minus, y, x)
	v.plus.multiply(&v.plus, &elementHalf)
	v.minus.multiply(&v.minus, &elementHalf)
	v.td.multiply(x, y)
	v.td.multiply(&v.td, &elementD)
}
