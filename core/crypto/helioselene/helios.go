package helioselene

import "errors"

var errHelios = errors.New("helioselene: not the encoding of a point of Helios")

// Helios is a point of the curve Helios. The zero value is not valid: use NewHelios, HeliosBase or DecodeHelios.
// Representations are not unique: compare with Equal. Results may be stored in operands.
type Helios struct{ x, y, z Element25519 } // x/z and y/z; 0, y and 0 is the identity

// NewHelios returns the identity.
func NewHelios() *Helios {
	p := new(Helios)
	p.y.SetUint64(1)
	return p
}

// HeliosBase returns the generator.
func HeliosBase() *Helios {
	p := &Helios{y: heliosY}
	p.x.SetUint64(1)
	p.z.SetUint64(1)
	return p
}

// DecodeHelios returns the point with an encoding: the 255 bits of x, little-endian, and in the highest bit whether y
// is odd. The identity is all zeros. It returns an error if x is not below the modulus, if no point has this x, or if
// the identity has a sign.
func DecodeHelios(b [size]byte) (*Helios, error) {
	odd := b[size-1] >> 7
	b[size-1] &= 0x7f
	p := new(Helios)
	if err := p.x.SetBytes(b); err != nil {
		return nil, errHelios
	}
	if p.x.IsZero() { // no point of prime order has x = 0, so the encoding stands for the identity
		if odd != 0 {
			return nil, errHelios
		}
		return NewHelios(), nil
	}
	var square, minus Element25519
	square.heliosSquare(&p.x)
	if !p.y.Sqrt(&square) {
		return nil, errHelios
	}
	minus.Negate(&p.y)
	p.y.Select(&minus, &p.y, int(odd))
	p.z.SetUint64(1)
	return p, nil
}

// HeliosFromXY returns the point with coordinates x and y, or an error if they are not on the curve.
func HeliosFromXY(x, y *Element25519) (*Helios, error) {
	p := &Helios{x: *x, y: *y}
	p.z.SetUint64(1)
	if !p.OnCurve() {
		return nil, errHelios
	}
	return p, nil
}

// heliosSquare sets v = x³ − 3x + b, the square of y.
func (v *Element25519) heliosSquare(x *Element25519) {
	var t, three Element25519
	three.SetUint64(3)
	t.Square(x)
	t.Subtract(&t, &three)
	t.Multiply(&t, x)
	v.Add(&t, &heliosB)
}

// OnCurve reports whether p satisfies the curve's equation, as all points that this package returns do. The curve has a
// prime number of points, so that each of them but the identity has this order.
func (p *Helios) OnCurve() bool {
	// y²·z = x³ − 3·x·z² + b·z³, and not all of x, y and z are 0
	var left, right, zz, t, three Element25519
	three.SetUint64(3)
	zz.Square(&p.z)
	left.Square(&p.y)
	left.Multiply(&left, &p.z)
	right.Square(&p.x)
	t.Multiply(&zz, &three)
	right.Subtract(&right, &t)
	right.Multiply(&right, &p.x)
	t.Multiply(&zz, &heliosB)
	t.Multiply(&t, &p.z)
	right.Add(&right, &t)
	return left.equal(&right)&^(p.y.isZero()&p.z.isZero()) == 1
}

// Encode returns the encoding that DecodeHelios documents.
func (p *Helios) Encode() [size]byte {
	x, y := p.affine()
	b := x.Bytes()
	b[size-1] |= y.IsOdd() << 7 // y of the identity is 0 here
	return b
}

// XY returns the coordinates of p; ok is false if p is the identity, which has none.
func (p *Helios) XY() (x, y Element25519, ok bool) {
	x, y = p.affine()
	return x, y, !p.IsIdentity()
}

// affine returns the coordinates of p, and zeros for the identity.
func (p *Helios) affine() (x, y Element25519) {
	var inverse Element25519
	inverse.Invert(&p.z)
	x.Multiply(&p.x, &inverse)
	y.Multiply(&p.y, &inverse)
	return x, y
}

// HeliosXY returns the coordinates of all points, and zeros for the identity, with one inversion.
func HeliosXY(points []Helios) (x, y []Element25519) {
	inverses := make([]Element25519, len(points))
	for i := range points {
		inverses[i] = points[i].z
	}
	InvertElements25519(inverses)
	x, y = make([]Element25519, len(points)), make([]Element25519, len(points))
	for i := range points {
		x[i].Multiply(&points[i].x, &inverses[i])
		y[i].Multiply(&points[i].y, &inverses[i])
	}
	return x, y
}

// Set sets v = p and returns v.
func (v *Helios) Set(p *Helios) *Helios {
	*v = *p
	return v
}

// Negate sets v = −p and returns v.
func (v *Helios) Negate(p *Helios) *Helios {
	v.x, v.z = p.x, p.z
	v.y.Negate(&p.y)
	return v
}

// Select sets v to p if condition is 1, and to q if it is 0, and returns v.
func (v *Helios) Select(p, q *Helios, condition int) *Helios {
	v.x.Select(&p.x, &q.x, condition)
	v.y.Select(&p.y, &q.y, condition)
	v.z.Select(&p.z, &q.z, condition)
	return v
}

// Equal reports whether p = q.
func (p *Helios) Equal(q *Helios) bool {
	var a, b, c, d Element25519
	a.Multiply(&p.x, &q.z)
	b.Multiply(&q.x, &p.z)
	c.Multiply(&p.y, &q.z)
	d.Multiply(&q.y, &p.z)
	// If one of them is the identity, both products of y differ: one is 0, and no point has y = 0.
	return a.equal(&b)&c.equal(&d) == 1
}

// IsIdentity reports whether p is the identity.
func (p *Helios) IsIdentity() bool { return p.z.IsZero() }

// Add sets v = p + q, for all points, and returns v.
//
// Source: algorithm 4 of Renes, Costello, Batina, "Complete addition formulas for prime order elliptic curves", eprint
// 2015/1060.
func (v *Helios) Add(p, q *Helios) *Helios {
	var xx, yy, zz, xy, yz, xz, t, u Element25519
	xx.Multiply(&p.x, &q.x)
	yy.Multiply(&p.y, &q.y)
	zz.Multiply(&p.z, &q.z)
	cross := func(v, a, b, c, d, ac, bd *Element25519) { // v = a·d + b·c
		t.Add(a, b)
		u.Add(c, d)
		v.Multiply(&t, &u)
		t.Add(ac, bd)
		v.Subtract(v, &t)
	}
	cross(&xy, &p.x, &p.y, &q.x, &q.y, &xx, &yy)
	cross(&yz, &p.y, &p.z, &q.y, &q.z, &yy, &zz)
	cross(&xz, &p.x, &p.z, &q.x, &q.z, &xx, &zz)

	var sum, difference, m, n Element25519
	t.Multiply(&heliosB, &zz)
	t.Subtract(&xz, &t)
	u.Add(&t, &t)
	t.Add(&t, &u) // 3·(xz − b·zz)
	sum.Add(&yy, &t)
	difference.Subtract(&yy, &t)
	t.Add(&zz, &zz)
	zz.Add(&zz, &t) // 3·zz
	n.Multiply(&heliosB, &xz)
	n.Subtract(&n, &zz)
	n.Subtract(&n, &xx)
	t.Add(&n, &n)
	n.Add(&n, &t) // 3·(b·xz − 3·zz − xx)
	t.Add(&xx, &xx)
	m.Add(&xx, &t)
	m.Subtract(&m, &zz) // 3·(xx − zz)

	t.Multiply(&xy, &sum)
	u.Multiply(&yz, &n)
	v.x.Subtract(&t, &u)
	t.Multiply(&sum, &difference)
	u.Multiply(&m, &n)
	v.y.Add(&t, &u)
	t.Multiply(&yz, &difference)
	u.Multiply(&xy, &m)
	v.z.Add(&t, &u)
	return v
}

// Subtract sets v = p − q and returns v.
func (v *Helios) Subtract(p, q *Helios) *Helios {
	var minus Helios
	return v.Add(p, minus.Negate(q))
}

// Double sets v = 2·p, for all points, and returns v.
//
// Source: "dbl-2007-bl-2" of the Explicit-Formulas Database, shortw/projective-3.
func (v *Helios) Double(p *Helios) *Helios {
	var w, s, ss, r, rr, b, h, t, u, one Element25519
	one.SetUint64(1)
	identity := p.z.isZero()
	t.Subtract(&p.x, &p.z)
	u.Add(&p.x, &p.z)
	t.Multiply(&t, &u)
	w.Add(&t, &t)
	w.Add(&w, &t) // 3·(x − z)·(x + z)
	s.Multiply(&p.y, &p.z)
	s.Add(&s, &s)
	ss.Square(&s)
	r.Multiply(&p.y, &s)
	rr.Square(&r)
	b.Multiply(&p.x, &r)
	b.Add(&b, &b)
	h.Square(&w)
	t.Add(&b, &b)
	h.Subtract(&h, &t)
	v.x.Multiply(&h, &s)
	t.Subtract(&b, &h)
	t.Multiply(&t, &w)
	rr.Add(&rr, &rr)
	t.Subtract(&t, &rr)
	v.y.Select(&one, &t, identity) // the formula makes all zeros of the identity
	v.z.Multiply(&ss, &s)
	return v
}
