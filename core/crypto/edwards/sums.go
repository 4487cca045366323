package edwards

// Sums are sums of multiples, Σ scalar·point, that are computed together. Vector units and kernels compute several
// sums side by side, so it is faster to compute many sums at once. A sum without terms is the neutral element.
//
// Make uses the first of these that is available: the host's SumsKernel, the vector instructions of the processor,
// portable code. Tests and SetSumsKernel compare the first two with the last. A kernel reads the exported fields:
// scalars as 32 bytes, and points by Coordinates. It makes its own tables; of a Table it uses only Point and Number.
type Sums struct {
	Scalars [][32]byte // scalars of all terms, sum by sum, little-endian and below the group order
	Which   []int      // point of each term: an index into Points, or, if negative, −1 − an index into Tables
	Ends    []int      // for each sum, the number of terms up to its end
	Points  []*Point   // points that only these sums use; terms may share a point
	Tables  []*Table   // points with a table, which other sums may use too
	// Secret requires that neither the time nor memory accesses depend on the scalars, and that digits and scalars are
	// wiped from memory as far as possible.
	Secret bool

	parts []part // parts of Splits, for the entries of Points that are nil
}

// SumsKernel sets out[i] to X, Y, Z and T of sum i, 32 bytes each, little-endian, with Z ≠ 0 and T = XY/Z. It may
// decline and return false, for example if there is too little to compute; then Make uses Go code. There is at least
// one sum. A sum may have no terms, and points may be the neutral element or have torsion. Calls do not overlap. The
// kernel must not keep references to s, but it may cache data of numbered tables.
type SumsKernel func(out [][128]byte, s *Sums) bool

// The following methods are not inlined, because append is a lot of code.

// Point adds a point and returns its name for Add. The point must not change before Make.
//
//go:noinline
func (s *Sums) Point(p *Point) int {
	s.Points = append(s.Points, p)
	return len(s.Points) - 1
}

// Table adds a point with a table and returns its name for Add.
//
//go:noinline
func (s *Sums) Table(t *Table) int {
	s.Tables = append(s.Tables, t)
	return -len(s.Tables)
}

// Add adds the term scalar times the point with a name to the current sum.
//
//go:noinline
func (s *Sums) Add(scalar *Scalar, name int) {
	if s.Secret && len(s.Scalars) == cap(s.Scalars) { // wipe the old list
		old := s.Scalars
		s.Scalars = append(make([][32]byte, 0, 2*len(old)+8), old...)
		clear(old)
	}
	s.Scalars = append(s.Scalars, EncodeScalar(scalar))
	s.Which = append(s.Which, name)
}

// End ends the current sum.
func (s *Sums) End() { s.Ends = append(s.Ends, len(s.Which)) }

// Make returns the sums in order. If Secret is set, its time does not depend on the scalars, which Make wipes.
// Otherwise it depends on everything.
func (s *Sums) Make() []*Point {
	out := make([]*Point, len(s.Ends))
	if len(out) == 0 {
		return out
	}
	if s.Secret {
		defer func() { clear(s.Scalars) }()
		secretArithmetic{}.sums(s, out)
	} else {
		s.make(out)
	}
	return out
}

// make computes the sums in the fastest available way.
func (s *Sums) make(out []*Point) {
	if !s.makeByKernel(out) && !s.makeWide(out) {
		s.makePortable(out)
	}
}

// sumsKernel may be nil.
var sumsKernel SumsKernel

// SetSumsKernel makes all following sums use k, for hosts with something faster than compiled Go code. It must be
// called before the first sum. It tests k, and returns false without using it if a result is wrong.
func SetSumsKernel(k SumsKernel) bool {
	if !sumsWork(k) {
		return false
	}
	sumsKernel = k
	return true
}

// sumsWork reports whether k computes sums of all kinds correctly. k may decline some of them, but not all.
func sumsWork(k SumsKernel) bool {
	var points []*Point
	key := [32]byte{1}
	for range 4 {
		p := HashToPoint(key)
		key = p.Encode()
		points = append(points, p)
	}
	points = append(points, Identity(), ofOrderEight)
	tables := NewPermanentTables(points[:3], 4)
	made := false
	for _, secret := range []bool{false, true} {
		s := &Sums{Secret: secret}
		var names []int
		for _, p := range points {
			names = append(names, s.Point(p))
		}
		if !secret {
			names = append(names, s.Table(tables[0]), s.Table(tables[2]), s.Table(tables[1]))
		}
		scalars := []*Scalar{
			NewScalar(), ScalarFromUint64(1), minusOne, NewScalar().Invert(ScalarFromUint64(8)), HashToScalar(key[:]),
		}
		for i := range 6 {
			for j := range i { // the first sum is empty
				s.Add(scalars[(3*i+j)%len(scalars)], names[(i+j)%len(names)])
			}
			s.End()
		}
		got := make([][128]byte, len(s.Ends))
		if !k(got, s) {
			continue
		}
		made = true
		want := make([]*Point, len(s.Ends))
		s.makePortable(want)
		for i := range want {
			if p := pointOfCoordinates(&got[i]); p == nil || !p.Equal(want[i]) {
				return false
			}
		}
	}
	return made
}

// ofOrderEight is a point of order eight. Source: eprint 2020/1244, table 5.
var ofOrderEight = func() *Point {
	p, err := DecodePoint([32]byte{
		0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0,
		0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05})
	if err != nil {
		panic("unreachable: this is a point")
	}
	return p
}()

// makeByKernel computes the sums with the host's kernel, or returns false.
func (s *Sums) makeByKernel(out []*Point) bool {
	if sumsKernel == nil {
		return false
	}
	s.fill()
	made := make([][128]byte, len(out))
	if !sumsKernel(made, s) {
		return false
	}
	for i := range out {
		if out[i] = pointOfCoordinates(&made[i]); out[i] == nil {
			panic("edwards: the kernel's sum is not a point")
		}
	}
	return true
}

// makePortable computes the sums one by one in portable code.
func (s *Sums) makePortable(out []*Point) {
	s.fill()
	first := 0
	for i, end := range s.Ends {
		// Terms with tables are stored from the front, those with points from the back.
		n := end - first
		scalars, tables, points := make([]*Scalar, n), make([]*Table, n), make([]*Point, n)
		front, back := 0, n
		for term := first; term < end; term++ {
			scalar, err := DecodeScalar(s.Scalars[term])
			if err != nil {
				panic("edwards: scalars of sums are reduced")
			}
			which := s.Which[term]
			if which < 0 && !s.Secret {
				scalars[front], tables[front] = scalar, s.Tables[^which]
				front++
				continue
			}
			back--
			if scalars[back] = scalar; which >= 0 {
				points[back] = s.Points[which]
			} else {
				points[back] = s.Tables[^which].Point()
			}
		}
		if s.Secret {
			out[i] = new(Point).secretMult(scalars, points)
			for _, scalar := range scalars {
				scalar.Set(NewScalar())
			}
		} else {
			out[i] = new(Point).varTimeTableMult(scalars[:front], tables[:front], scalars[front:], points[front:])
		}
		first = end
	}
}

// Coordinates returns X, Y, Z and T = XY/Z of p, 32 bytes each, little-endian and below 2^255 − 19.
func (v *Point) Coordinates() (out [128]byte) {
	x, y, z, t := v.p.ExtendedCoordinates()
	copy(out[0:], x.Bytes())
	copy(out[32:], y.Bytes())
	copy(out[64:], z.Bytes())
	copy(out[96:], t.Bytes())
	return out
}

// pointOfCoordinates is the inverse of Coordinates. It returns nil if b is not a point.
func pointOfCoordinates(b *[128]byte) *Point {
	var q projective
	q.x, q.y, q.z, q.t = elementOf(b[0:32]), elementOf(b[32:64]), elementOf(b[64:96]), elementOf(b[96:128])
	var p Point
	if q.z.isZero() || !q.setPoint(&p) {
		return nil
	}
	return &p
}

// sumsAccelerated reports whether a kernel or vector instructions compute a single sum of this many terms faster.
func sumsAccelerated(terms int) bool { return sumsKernel != nil || terms >= worthWide }
