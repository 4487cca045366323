package edwards

// Sums are sums of multiples, Σ scalar·point each, that are made at once: the more at once, the better do those do who work on several
// side by side. Sums that nothing was added to have none.
//
// This is the one place where sums leave Go's compiler. Make asks, in this order, the host's SumsKernel, the vectors of the processor
// and the code that runs everywhere; what the first two make is what the last makes, which is what they are checked against. A kernel
// reads the exported members, all of them plain: scalars as 32 bytes, points by Coordinates. It makes what tables it likes, in whatever
// digits: of a table only the point and the number are meant for it.
type Sums struct {
	Scalars [][32]byte // of all terms, those of one sum behind one another: little-endian and below the group order
	Which   []int      // the point of every term: an index of Points, or, if negative, −1 − an index of Tables
	Ends    []int      // of every sum, how many terms there are up to its end
	Points  []*Point   // of this task; several terms may share one, and with it its table
	Tables  []*Table   // points that have a table, for other tasks too
	// Secret says that time and what is read of memory must not depend on scalars; they may always depend on everything else. Who
	// makes secret sums leaves no digits or scalars lying about where it can help it.
	Secret bool

	parts []part // of Splits, which stand where Points has nil
}

// SumsKernel sets out[i] to X, Y, Z and T of sum i, 32 bytes each, little-endian, with any Z that is not zero and T = XY/Z, or returns
// false when it does nothing: then Go's code goes on, so that a kernel may choose what pays. There is at least one sum; a sum may have
// no terms; points may be the neutral one or have torsion. It is called by one goroutine at a time, and keeps nothing of s but
// what belongs to tables with a number.
type SumsKernel func(out [][128]byte, s *Sums) bool

// What adds to slices is not copied into its callers: that is much code.

// Point adds a point that terms may have, and returns its name for Add. It must not change before Make.
//
//go:noinline
func (s *Sums) Point(p *Point) int {
	s.Points = append(s.Points, p)
	return len(s.Points) - 1
}

// Table adds a point that has a table, and returns its name for Add.
//
//go:noinline
func (s *Sums) Table(t *Table) int {
	s.Tables = append(s.Tables, t)
	return -len(s.Tables)
}

// Add adds scalar times the point of a name to the sum that is being written.
//
//go:noinline
func (s *Sums) Add(scalar *Scalar, name int) {
	if s.Secret && len(s.Scalars) == cap(s.Scalars) { // nothing is left behind where the list was
		old := s.Scalars
		s.Scalars = append(make([][32]byte, 0, 2*len(old)+8), old...)
		clear(old)
	}
	s.Scalars = append(s.Scalars, EncodeScalar(scalar))
	s.Which = append(s.Which, name)
}

// End ends a sum; what is added next belongs to another.
func (s *Sums) End() { s.Ends = append(s.Ends, len(s.Which)) }

// Make returns the sums in the order of their ends. Time depends on everything, unless Secret: then not on the scalars, which are wiped
// here.
func (s *Sums) Make() []*Point {
	out := make([]*Point, len(s.Ends))
	if len(out) == 0 {
		return out
	}
	if s.Secret {
		defer func() { clear(s.Scalars) }()
		door{}.sums(s, out)
	} else {
		s.make(out)
	}
	return out
}

// make makes the sums with what is fastest.
func (s *Sums) make(out []*Point) {
	if !s.makeElsewhere(out) && !s.makeWide(out) {
		s.makeHere(out)
	}
}

// sumsKernel is nil where the host has none.
var sumsKernel SumsKernel

// SetSums makes sums with k from now on, where a host has something faster than Go's compiler makes. It must be called before any sum is
// made. It returns false, and k is not used, when k does not make what it must.
func SetSums(k SumsKernel) bool {
	if !sumsWork(k) {
		return false
	}
	sumsKernel = k
	return true
}

// sumsWork reports whether k makes sums of every kind. Those it declines are none of its mistakes, but one it must make.
func sumsWork(k SumsKernel) bool {
	var points []*Point
	key := [32]byte{1}
	for range 4 {
		p := HashToPoint(key)
		key = p.Encode()
		points = append(points, p)
	}
	points = append(points, Identity(), ofOrderEight)
	tables := KeptTables(points[:3], 4)
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
		scalars := []*Scalar{NewScalar(), ScalarFromUint64(1), minusOne, NewScalar().Invert(ScalarFromUint64(8)), HashToScalar(key[:])}
		for i := range 6 {
			for j := range i { // the first sum has no terms
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
		s.makeHere(want)
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

// makeElsewhere makes the sums in the host's kernel, or returns false.
func (s *Sums) makeElsewhere(out []*Point) bool {
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
			panic("edwards: the host's sum is no point")
		}
	}
	return true
}

// makeHere makes the sums with code that runs everywhere, one after the other.
func (s *Sums) makeHere(out []*Point) {
	s.fill()
	first := 0
	for i, end := range s.Ends {
		// Terms with tables from the front, those with points from behind.
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

// pointOfCoordinates is the reverse, nil for what is on no point.
func pointOfCoordinates(b *[128]byte) *Point {
	var q projective
	q.x, q.y, q.z, q.t = elementOf(b[0:32]), elementOf(b[32:64]), elementOf(b[64:96]), elementOf(b[96:128])
	var p Point
	if q.z.isZero() || !q.setPoint(&p) {
		return nil
	}
	return &p
}

// sumsLeave reports whether one sum of some terms is worth writing down for others than the code that runs everywhere.
func sumsLeave(terms int) bool { return sumsKernel != nil || terms >= worthWide }
