package edwards

import (
	"filippo.io/edwards25519"
	"filippo.io/edwards25519/field"
)

// Table holds odd multiples of one point, for VarTimeTableMult. It is read only and may be shared.
type Table struct {
	width uint     // NAF width the multiples serve
	odd   []affine // P, 3P, 5P, … (2^(width−1) − 1)P
}

// NewTables returns a table for every point. A table of width w (2 to 8) has 2^(w−2) multiples of 120 bytes; a
// multiplication then costs about 256/(w+1) additions. Points used once or twice want 4 or 5, generators 7 or 8.
func NewTables(points []*Point, width uint) []*Table {
	if width < 2 || width > 8 {
		panic("edwards: table width is 2 to 8") // a constant of the caller
	}
	each := 1 << (width - 2)
	multiples := make([]extended, each*len(points))
	for i, p := range points {
		m := multiples[i*each : (i+1)*each]
		m[0].fromPoint(p)
		if each == 1 {
			continue
		}
		var double extended
		var step cached
		double.double(&m[0], true)
		step.from(&double)
		for j := 1; j < each; j++ {
			m[j].add(&m[j-1], &step, true)
		}
	}
	entries := normalize(multiples)
	tables := make([]*Table, len(points))
	for i := range tables {
		tables[i] = &Table{width, entries[i*each : (i+1)*each : (i+1)*each]}
	}
	return tables
}

// VarTimeTableMult sets v = Σ scalars[i]·tables[i] + Σ more[i]·points[i] and returns v, in time that depends on the
// scalars, though not on the points. Straus: the doublings are shared. Each pair of slices must be of one length.
func (v *Point) VarTimeTableMult(scalars []*Scalar, tables []*Table, more []*Scalar, points []*Point) *Point {
	if len(scalars) != len(tables) || len(more) != len(points) {
		panic("edwards: as many scalars as points")
	}
	const width = 5
	const each = 1 << (width - 2)
	odd := make([]cached, each*len(points))
	for i, p := range points {
		var m, double extended
		var step cached
		m.fromPoint(p)
		double.double(&m, true)
		step.from(&double)
		for j := range each {
			odd[i*each+j].from(&m)
			if j < each-1 {
				m.add(&m, &step, true)
			}
		}
	}
	// One row a bit, one column a point: the loop below reads along rows.
	n := len(scalars) + len(more)
	digits := make([]int8, 257*n)
	for i, s := range scalars {
		nonAdjacentForm(digits[i:], n, s, tables[i].width)
	}
	for i, s := range more {
		nonAdjacentForm(digits[len(scalars)+i:], n, s, width)
	}

	var acc extended
	acc.zero()
	started := false
	hits := make([]int, 0, n) // columns whose digit is not zero
	for bit := 256; bit >= 0; bit-- {
		row := digits[bit*n : (bit+1)*n]
		hits = hits[:0]
		for i, d := range row {
			if d != 0 {
				hits = append(hits, i)
			}
		}
		// T is for additions alone: before a doubling nobody makes it.
		if started {
			acc.double(&acc, len(hits) > 0 || bit == 0)
		}
		started = started || len(hits) > 0
		for k, i := range hits {
			t := k < len(hits)-1 || bit == 0
			switch d := row[i]; {
			case i < len(scalars) && d > 0:
				acc.addAffine(&acc, &tables[i].odd[d/2], t)
			case i < len(scalars):
				acc.subAffine(&acc, &tables[i].odd[-d/2], t)
			case d > 0:
				acc.add(&acc, &odd[(i-len(scalars))*each+int(d/2)], t)
			default:
				acc.sub(&acc, &odd[(i-len(scalars))*each+int(-d/2)], t)
			}
		}
	}
	return acc.toPoint(v)
}

// Sum sets v = Σ bits[i]·tables[i] and returns v, in constant time. Bits are 0 or 1; the slices must be of one length.
func (v *Point) Sum(bits []byte, tables []*Table) *Point {
	if len(bits) != len(tables) {
		panic("edwards: as many bits as points")
	}
	var acc extended
	acc.zero()
	var chosen affine
	for i, t := range tables {
		chosen.selects(&t.odd[0], &affineZero, int(bits[i]))
		acc.addAffine(&acc, &chosen, true)
	}
	return acc.toPoint(v)
}

// nonAdjacentForm writes the width-w NAF of s to every stride-th place of out: Σ out[i·stride]·2^i = s, each digit zero
// or odd and below 2^(w−1) in magnitude, at most one of w neighbours not zero.
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

// extended is a point in coordinates X/Z, Y/Z and T = XY/Z.
// Source of the formulas: eprint 2008/522, sections 3.1 and 3.3, with a = −1.
type extended struct{ x, y, z, t field.Element }

// cached is a point ready to be added: Y+X, Y−X, Z and 2dT.
type cached struct{ plus, minus, z, t2d field.Element }

// affine is a cached point with Z = 1.
type affine struct{ plus, minus, t2d field.Element }

var (
	feD = func() *field.Element {
		t := new(field.Element).Invert(feUint(121666))
		t.Multiply(t, feUint(121665))
		return t.Negate(t) // d = −121665/121666
	}()
	fe2d       = new(field.Element).Add(feD, feD)
	affineZero = affine{plus: *feOne, minus: *feOne}
)

func (v *extended) zero() {
	v.x, v.y, v.z, v.t = field.Element{}, *feOne, *feOne, field.Element{}
}

func (v *extended) fromPoint(p *Point) {
	x, y, z, t := p.p.ExtendedCoordinates()
	v.x, v.y, v.z, v.t = *x, *y, *z, *t
}

func (v *extended) toPoint(p *Point) *Point {
	var q edwards25519.Point
	if _, err := q.SetExtendedCoordinates(&v.x, &v.y, &v.z, &v.t); err != nil {
		panic("unreachable: sums of points are on the curve")
	}
	p.p = q
	return p
}

// double sets v = 2p, with T if t.
func (v *extended) double(p *extended, t bool) {
	var a, b, c, e, f, g, h field.Element
	a.Square(&p.x)
	b.Square(&p.y)
	c.Square(&p.z)
	c.Add(&c, &c)
	h.Add(&a, &b)
	e.Add(&p.x, &p.y)
	e.Square(&e)
	e.Subtract(&e, &h)
	g.Subtract(&b, &a)
	f.Subtract(&c, &g)
	// F and H both have the opposite sign of the paper's, which leaves the point the same.
	v.finish(&e, &f, &g, &h, t)
}

// finish sets v from the four factors every formula ends in; T only if t.
func (v *extended) finish(e, f, g, h *field.Element, t bool) {
	v.x.Multiply(e, f)
	v.y.Multiply(g, h)
	v.z.Multiply(f, g)
	if t {
		v.t.Multiply(e, h)
	}
}

// The sums and differences of p, whose T must be there, and q; with T if t.
func (v *extended) add(p *extended, q *cached, t bool) {
	v.addParts(p, &q.plus, &q.minus, &q.t2d, &q.z, false, t)
}
func (v *extended) sub(p *extended, q *cached, t bool) {
	v.addParts(p, &q.minus, &q.plus, &q.t2d, &q.z, true, t)
}
func (v *extended) addAffine(p *extended, q *affine, t bool) {
	v.addParts(p, &q.plus, &q.minus, &q.t2d, nil, false, t)
}
func (v *extended) subAffine(p *extended, q *affine, t bool) {
	v.addParts(p, &q.minus, &q.plus, &q.t2d, nil, true, t)
}

func (v *extended) addParts(p *extended, plus, minus, t2d, z *field.Element, negative, t bool) {
	var a, b, c, d, e, f, g, h field.Element
	a.Subtract(&p.y, &p.x)
	a.Multiply(&a, minus)
	b.Add(&p.y, &p.x)
	b.Multiply(&b, plus)
	c.Multiply(&p.t, t2d)
	if z == nil {
		d.Add(&p.z, &p.z)
	} else {
		d.Multiply(&p.z, z)
		d.Add(&d, &d)
	}
	e.Subtract(&b, &a)
	h.Add(&b, &a)
	if negative {
		f.Add(&d, &c)
		g.Subtract(&d, &c)
	} else {
		f.Subtract(&d, &c)
		g.Add(&d, &c)
	}
	v.finish(&e, &f, &g, &h, t)
}

func (v *cached) from(p *extended) {
	v.plus.Add(&p.y, &p.x)
	v.minus.Subtract(&p.y, &p.x)
	v.z = p.z
	v.t2d.Multiply(&p.t, fe2d)
}

// selects sets v to a if cond is 1, to b if it is 0.
func (v *affine) selects(a, b *affine, cond int) {
	v.plus.Select(&a.plus, &b.plus, cond)
	v.minus.Select(&a.minus, &b.minus, cond)
	v.t2d.Select(&a.t2d, &b.t2d, cond)
}

// normalize divides every point by its Z, with one inversion.
func normalize(points []extended) []affine {
	out := make([]affine, len(points))
	if len(points) == 0 {
		return out
	}
	prefix := make([]field.Element, len(points)) // prefix[i] = Z[0]⋯Z[i−1]
	acc := *feOne
	for i := range points {
		prefix[i] = acc
		acc.Multiply(&acc, &points[i].z)
	}
	acc.Invert(&acc)
	for i := len(points) - 1; i >= 0; i-- {
		var inv, x, y field.Element
		inv.Multiply(&acc, &prefix[i])
		acc.Multiply(&acc, &points[i].z)
		x.Multiply(&points[i].x, &inv)
		y.Multiply(&points[i].y, &inv)
		out[i].plus.Add(&y, &x)
		out[i].minus.Subtract(&y, &x)
		out[i].t2d.Multiply(&x, &y)
		out[i].t2d.Multiply(&out[i].t2d, fe2d)
	}
	return out
}
