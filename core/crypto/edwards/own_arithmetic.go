package edwards

import "glim/core/crypto/keccak"

// own is the arithmetic of this package, with tables, shared inversions, and vector instructions or kernels of the
// host.
type own struct{}

func (o own) mult(scalars []*Scalar, points []*Point) *Point {
	if !sumsAccelerated(len(scalars)) {
		return new(Point).secretMult(scalars, points)
	}
	s := Sums{Secret: true}
	for i := range scalars {
		s.Add(scalars[i], s.Point(points[i]))
	}
	s.End()
	defer func() { clear(s.Scalars) }()
	out := make([]*Point, 1)
	o.sums(&s, out)
	return out[0]
}

func (own) baseMult(s *Scalar) *Point {
	v := new(Point)
	if slowWords {
		return v.secretTableMult(s, tableOfG())
	}
	v.p.ScalarBaseMult(s)
	return v
}

func (own) multH(s *Scalar) *Point { return new(Point).secretTableMult(s, tableOfH()) }

func (own) sums(s *Sums, out []*Point) { s.make(out) }

func (own) subset(bits []byte, tables []*Table) *Point {
	acc := projective{y: elementOne, z: elementOne}
	var chosen affineMultiple
	for i, t := range tables {
		chosen.selects(&t.odd[0], &affineZero, uint64(bits[i]))
		acc.addAffine(&chosen.plus, &chosen.minus, &chosen.td, false, true)
	}
	return acc.toPoint(new(Point))
}

func (own) publicMult(scalars []*Scalar, tables []*Table, more []*Scalar, points []*Point) *Point {
	return new(Point).VarTimeTableMult(scalars, tables, more, points)
}

func (own) decode(b *[32]byte) (*Point, error) {
	var q projective
	if !q.decode(b) {
		return nil, ErrPoint
	}
	return q.toPoint(new(Point)), nil
}

func (o own) decodeAll(b [][32]byte) ([]*Point, error) {
	out := make([]*Point, len(b))
	if valid, done := decodeWide(out, b); done {
		if !valid {
			return nil, ErrPoint
		}
		return out, nil
	}
	for i := range b {
		p, err := o.decode(&b[i])
		if err != nil {
			return nil, err
		}
		out[i] = p
	}
	return out, nil
}

func (own) encode(p *Point) (out [32]byte) {
	x, y, z, _ := p.p.ExtendedCoordinates()
	a, b, inverse := elementOf(x.Bytes()), elementOf(y.Bytes()), elementOf(z.Bytes())
	inverse.invert(&inverse)
	a.multiply(&a, &inverse)
	b.multiply(&b, &inverse)
	out = b.bytes()
	out[31] |= a.isNegative() << 7
	return out
}

func (own) encodeAll(points []*Point) [][32]byte {
	ends := make([]end, len(points))
	for i, p := range points {
		x, y, z, _ := p.p.ExtendedCoordinates()
		ends[i] = end{x: elementOf(x.Bytes()), y: elementOf(y.Bytes()), z: elementOf(z.Bytes()), valid: true}
	}
	encodeEnds(ends)
	out := make([][32]byte, len(points))
	for i := range ends {
		out[i] = ends[i].encoded
	}
	return out
}

func (own) mapToPoint(b [32]byte) *Point {
	var m mapping
	m.setFractions(b)
	m.root.almostRoot(&m.over, &m.under)
	return m.ofRoot()
}

func (own) hashToPoints(b [][32]byte) []*Point {
	out := make([]*Point, len(b))
	maps := make([]mapping, len(b))
	for i := range b {
		maps[i].setFractions(keccak.Sum256(b[i][:]))
	}
	if !rootsWide(maps) {
		for i := range maps {
			maps[i].root.almostRoot(&maps[i].over, &maps[i].under)
		}
	}
	for i := range maps {
		out[i] = maps[i].ofRoot()
		out[i].MultByCofactor(out[i])
	}
	return out
}

func (own) newDeriver(view *Scalar) *Deriver { return newOwnDeriver(view) }

func (own) cloneDeriver(d *Deriver) *Deriver {
	return &Deriver{program: d.program, first: d.first, steps: d.steps, wide: newWide()}
}

func (own) derive(d *Deriver, out []Derivation, keys [][32]byte) {
	for len(keys) > batch {
		d.some(out[:batch], keys[:batch])
		out, keys = out[batch:], keys[batch:]
	}
	d.some(out, keys)
}

func (own) spendKeys(payments []Payment) {
	var ends [64]end // an inversion is about 270 multiplications: shared by 64 it costs no more than four of them
	for len(payments) > 0 {
		n := min(len(payments), len(ends))
		if !spendKeysWide(payments[:n], ends[:n]) {
			spendKeys(payments[:n], ends[:n])
		}
		encodeEnds(ends[:n])
		for i := range payments[:n] {
			payments[i].SpendKey = ends[i].encoded
		}
		payments = payments[n:]
	}
}

func (own) addBaseMults(out [][32]byte, p [32]byte, scalars []Scalar) error {
	var start projective
	if !start.decode(&p) {
		return ErrPoint
	}
	table := generatorMultiples()
	var ends [64]end // as in spendKeys
	for len(scalars) > 0 {
		n := min(len(scalars), len(ends))
		for i := range scalars[:n] {
			q := start
			q.addBaseMult(&scalars[i], false, table)
			ends[i].set(&q)
			ends[i].valid = true
		}
		encodeEnds(ends[:n])
		for i := range out[:n] {
			out[i] = ends[i].encoded
		}
		out, scalars = out[n:], scalars[n:]
	}
	return nil
}
