package helioselene

// heliosJacobian is a point with coordinates x/z² and y/z³; the identity has z = 0. Its formulas take less time than
// those of Helios, but additions have exceptions, which take another time.
type heliosJacobian struct{ x, y, z Element25519 }

// set sets v = p.
func (v *heliosJacobian) set(p *Helios) {
	v.x.Multiply(&p.x, &p.z)
	v.z.Square(&p.z)
	v.y.Multiply(&p.y, &v.z)
	v.z = p.z
}

// get sets p = v.
func (v *heliosJacobian) get(p *Helios) *Helios {
	var one, zz Element25519
	one.SetUint64(1)
	zz.Square(&v.z)
	p.x.Multiply(&v.x, &v.z)
	p.y.Select(&one, &v.y, v.z.isZero()) // y of the identity may be 0
	p.z.Multiply(&zz, &v.z)
	return p
}

// double sets v = 2·p, for all points.
//
// Source: "dbl-2001-b" of the Explicit-Formulas Database, shortw/jacobian-3.
func (v *heliosJacobian) double(p *heliosJacobian) {
	var delta, gamma, beta, alpha, t Element25519
	delta.Square(&p.z)
	gamma.Square(&p.y)
	beta.Multiply(&p.x, &gamma)
	alpha.Subtract(&p.x, &delta)
	t.Add(&p.x, &delta)
	alpha.Multiply(&alpha, &t)
	t.Add(&alpha, &alpha)
	alpha.Add(&alpha, &t)
	t.Add(&p.y, &p.z)
	t.Square(&t)
	t.Subtract(&t, &gamma)
	v.z.Subtract(&t, &delta)
	beta.Add(&beta, &beta)
	beta.Add(&beta, &beta)
	v.x.Square(&alpha)
	t.Add(&beta, &beta)
	v.x.Subtract(&v.x, &t)
	gamma.Square(&gamma)
	gamma.Add(&gamma, &gamma)
	gamma.Add(&gamma, &gamma)
	gamma.Add(&gamma, &gamma)
	beta.Subtract(&beta, &v.x)
	v.y.Multiply(&alpha, &beta)
	v.y.Subtract(&v.y, &gamma)
}

// varTimeAdd sets v = p + q, for all points.
func (v *heliosJacobian) varTimeAdd(p, q *heliosJacobian) {
	if p.z.IsZero() {
		*v = *q
		return
	}
	if q.z.IsZero() {
		*v = *p
		return
	}
	var zz1, zz2, x1, x2, y1, y2, z Element25519
	zz1.Square(&p.z)
	zz2.Square(&q.z)
	x1.Multiply(&p.x, &zz2)
	x2.Multiply(&q.x, &zz1)
	y1.Multiply(&q.z, &zz2)
	y1.Multiply(&y1, &p.y)
	y2.Multiply(&p.z, &zz1)
	y2.Multiply(&y2, &q.y)
	z.Multiply(&p.z, &q.z)
	v.varTimeChord(p, &x1, &y1, &x2, &y2, &z)
}

// varTimeAddAffine sets v = p + q, for all points p.
func (v *heliosJacobian) varTimeAddAffine(p *heliosJacobian, q *heliosAffine) {
	if p.z.IsZero() {
		v.x, v.y = q.x, q.y
		v.z.SetUint64(1)
		return
	}
	var zz, x1, y1, x2, y2, z Element25519
	x1, y1, z = p.x, p.y, p.z
	zz.Square(&p.z)
	x2.Multiply(&q.x, &zz)
	y2.Multiply(&p.z, &zz)
	y2.Multiply(&y2, &q.y)
	v.varTimeChord(p, &x1, &y1, &x2, &y2, &z)
}

// varTimeChord sets v to the sum of the points (x1, y1) and (x2, y2) in Jacobian coordinates with the same z. The first
// of them is p.
func (v *heliosJacobian) varTimeChord(p *heliosJacobian, x1, y1, x2, y2, z *Element25519) {
	var h, r Element25519
	h.Subtract(x2, x1)
	r.Subtract(y2, y1)
	if h.IsZero() && r.IsZero() {
		v.double(p)
		return
	}
	v.chord(x1, y1, z, &h, &r) // if only h is 0, the sum is the identity, and z becomes 0
}

// chord sets v to the sum of the points (x, y) and (x + h, y + r) in Jacobian coordinates with the same z, which must
// not be equal.
func (v *heliosJacobian) chord(x, y, z, h, r *Element25519) {
	var hh, hhh, t, u Element25519
	hh.Square(h)
	hhh.Multiply(h, &hh)
	t.Multiply(x, &hh)
	u.Multiply(&hhh, y)
	v.z.Multiply(z, h)
	v.x.Square(r)
	v.x.Subtract(&v.x, &hhh)
	v.x.Subtract(&v.x, &t)
	v.x.Subtract(&v.x, &t)
	t.Subtract(&t, &v.x)
	t.Multiply(&t, r)
	v.y.Subtract(&t, &u)
}

// add sets v = p + q, for points that are different and not the identity.
func (v *heliosJacobian) add(p, q *heliosJacobian) {
	var zz1, zz2, x1, y1, z, h, r Element25519
	zz1.Square(&p.z)
	zz2.Square(&q.z)
	x1.Multiply(&p.x, &zz2)
	h.Multiply(&q.x, &zz1)
	h.Subtract(&h, &x1)
	y1.Multiply(&q.z, &zz2)
	y1.Multiply(&y1, &p.y)
	r.Multiply(&p.z, &zz1)
	r.Multiply(&r, &q.y)
	r.Subtract(&r, &y1)
	z.Multiply(&p.z, &q.z)
	v.chord(&x1, &y1, &z, &h, &r)
}

// addAffine is add for a point q without z.
func (v *heliosJacobian) addAffine(p *heliosJacobian, q *heliosAffine) {
	var zz, x, y, z, h, r Element25519
	x, y, z = p.x, p.y, p.z
	zz.Square(&z)
	h.Multiply(&q.x, &zz)
	h.Subtract(&h, &x)
	r.Multiply(&z, &zz)
	r.Multiply(&r, &q.y)
	r.Subtract(&r, &y)
	v.chord(&x, &y, &z, &h, &r)
}

// chooseAffine sets v to p if condition is 1, and leaves it if it is 0.
func (v *heliosJacobian) chooseAffine(p *heliosAffine, condition int) {
	var one Element25519
	one.SetUint64(1)
	v.x.Select(&p.x, &v.x, condition)
	v.y.Select(&p.y, &v.y, condition)
	v.z.Select(&one, &v.z, condition)
}

// choose sets v to p if condition is 1, and leaves it if it is 0.
func (v *heliosJacobian) choose(p *heliosJacobian, condition int) {
	v.x.Select(&p.x, &v.x, condition)
	v.y.Select(&p.y, &v.y, condition)
	v.z.Select(&p.z, &v.z, condition)
}

// heliosAffine is a point that is not the identity.
type heliosAffine struct{ x, y Element25519 }

// negate sets v = −p.
func (v *heliosAffine) negate(p *heliosAffine) {
	v.x = p.x
	v.y.Negate(&p.y)
}
