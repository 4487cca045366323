package edwards

// projective is the point (X/Z, Y/Z). T = XY/Z is set only if an addition follows. All coordinates are reduced. The
// formulas hold for every pair of points. Source: eprint 2008/522, sections 3.1, 3.3 and 4.3, with a = −1.
type projective struct{ x, y, z, t element }

// multiple is a point in the form for additions: Y+X, Y−X, 2Z and 2dT.
type multiple struct{ plus, minus, z2, t2d element }

// affineMultiple is a multiple with Z = 1. It has half of each value, (y+x)/2, (y−x)/2 and dxy, which saves a doubling
// in additions.
type affineMultiple struct{ plus, minus, td element }

// decode sets v to the point that b encodes, including T, and reports whether b is valid: on the curve, with y < p,
// and without the sign bit if x = 0. Its time depends on b.
// Source: src/crypto/crypto-ops.c, ge_frombytes_vartime; RFC 8032, section 5.1.3.
func (v *projective) decode(b *[32]byte) bool {
	v.y.setBytes(b)
	canonical := *b
	canonical[31] &= 0x7f
	if v.y.bytes() != canonical {
		return false
	}
	// x² = u/w with u = y² − 1, w = dy² + 1.
	var y2, u, w, x, t element
	y2.square(&v.y)
	u.subtract(&y2, &elementOne)
	w.multiply(&y2, &elementD)
	w.add(&w, &elementOne)
	x.almostRoot(&u, &w)

	t.square(&x)
	t.multiply(&t, &w)
	if !t.equal(&u) {
		u.subtractSum(&element{}, &u)
		if !t.equal(&u) {
			return false
		}
		x.multiply(&x, &elementI)
	}
	sign := b[31] >> 7
	if x.isNegative() != sign {
		if x.isZero() {
			return false
		}
		t.subtract(&element{}, &x)
		x.multiply(&t, &elementOne) // reduced again
	}
	v.x, v.z = x, elementOne
	v.t.multiply(&v.x, &v.y)
	return true
}

// double sets v = 2v, including T if t is true.
func (v *projective) double(t bool) {
	var a, b, c, e, f, g, h element
	a.square(&v.x)
	b.square(&v.y)
	c.square(&v.z)
	e.add(&v.x, &v.y)
	e.square(&e)
	doubled(&e, &f, &g, &h, &a, &b, &c)
	// F and H both have the opposite sign of those in the paper, which does not change the point.
	v.finish(&e, &f, &g, &h, t)
}

// add sets v = v + q. To subtract q, exchange plus and minus and set negative. v.t must be set; afterwards it is set
// if t is true.
func (v *projective) add(plus, minus, t2d, z2 *element, negative, t bool) {
	var a, b, c, d, e, f, g, h element
	sumDifference(&b, &a, &v.y, &v.x)
	a.multiply(&a, minus)
	b.multiply(&b, plus)
	c.multiply(&v.t, t2d)
	d.multiply(&v.z, z2)
	sumDifference(&h, &e, &b, &a)
	if negative {
		sumDifference(&f, &g, &d, &c)
	} else {
		sumDifference(&g, &f, &d, &c)
	}
	v.finish(&e, &f, &g, &h, t)
}

// finish sets v from the four factors that both formulas end with.
func (v *projective) finish(e, f, g, h *element, t bool) {
	v.x.multiply(e, f)
	v.y.multiply(g, h)
	v.z.multiply(f, g)
	if t {
		v.t.multiply(e, h)
	}
}

func (v *multiple) set(p *projective) {
	sumDifference(&v.plus, &v.minus, &p.y, &p.x)
	v.z2.add(&p.z, &p.z)
	v.t2d.multiply(&p.t, &elementD2)
}

// addAffine sets v = v + q. To subtract q, exchange plus and minus and set negative. T is as in add.
func (v *projective) addAffine(plus, minus, td *element, negative, t bool) {
	var a, b, c, e, f, g, h element
	sumDifference(&b, &a, &v.y, &v.x)
	a.multiply(&a, minus)
	b.multiply(&b, plus)
	c.multiply(&v.t, td)
	sumDifference(&h, &e, &b, &a)
	if negative {
		sumDifference(&f, &g, &v.z, &c)
	} else {
		sumDifference(&g, &f, &v.z, &c)
	}
	v.finish(&e, &f, &g, &h, t)
}

// end is a result before and after the division by Z.
type end struct {
	x, y, z element
	before  element // the product of all Z of earlier ends
	encoded [32]byte
	valid   bool
}

func (e *end) set(p *projective) { e.x, e.y, e.z = p.x, p.y, p.z }

// encodeEnds divides all ends by their Z and encodes them, with one inversion. Invalid ends are encoded as zeros.
// Source: Montgomery's trick, "Speeding the Pollard and elliptic curve methods of factorization", section 10.3.1.
func encodeEnds(ends []end) {
	acc := elementOne
	for i := range ends {
		if e := &ends[i]; e.valid {
			e.before = acc
			acc.multiply(&acc, &e.z)
		}
	}
	acc.invert(&acc)
	for i := len(ends) - 1; i >= 0; i-- {
		e := &ends[i]
		if !e.valid {
			e.encoded = [32]byte{}
			continue
		}
		var inverse element
		inverse.multiply(&acc, &e.before)
		acc.multiply(&acc, &e.z)
		e.x.multiply(&e.x, &inverse)
		e.y.multiply(&e.y, &inverse)
		e.encoded = e.y.bytes()
		e.encoded[31] |= e.x.isNegative() << 7
	}
}

// almostRoot sets r = u·w³·(u·w^7)^((p−5)/8). If u/w is a square, r is √(u/w) or √(u/w)/√−1. r must not alias u or w.
// Source: RFC 8032, section 5.1.3.
func (r *element) almostRoot(u, w *element) {
	var w3, t element
	t.square(w)
	w3.multiply(&t, w)
	t.square(&w3)
	t.multiply(&t, w)
	t.multiply(&t, u)
	t.power252(&t)
	t.multiply(&t, &w3)
	r.multiply(&t, u)
}
