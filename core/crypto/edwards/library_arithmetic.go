package edwards

import (
	"filippo.io/edwards25519"
	"filippo.io/edwards25519/field"

	"glim/core/crypto/keccak"
)

// library is the arithmetic of filippo.io/edwards25519. It is constant time in all scalars except those of publicMult.
type library struct{}

func (library) mult(scalars []*Scalar, points []*Point) *Point {
	v := new(Point)
	v.p.MultiScalarMult(scalars, inner(points))
	return v
}

func (library) baseMult(s *Scalar) *Point {
	v := new(Point)
	v.p.ScalarBaseMult(s)
	return v
}

func (library) multH(s *Scalar) *Point {
	v := new(Point)
	v.p.ScalarMult(s, &generatorH.p)
	return v
}

func (l library) sums(s *Sums, out []*Point) {
	s.fill()
	first := 0
	for i, end := range s.Ends {
		scalars, points := make([]*Scalar, end-first), make([]*Point, end-first)
		for j := range scalars {
			scalar, err := DecodeScalar(s.Scalars[first+j])
			if err != nil {
				panic("edwards: scalars of sums are reduced")
			}
			scalars[j] = scalar
			if which := s.Which[first+j]; which >= 0 {
				points[j] = s.Points[which]
			} else {
				points[j] = s.Tables[^which].Point()
			}
		}
		out[i] = l.mult(scalars, points)
		for _, scalar := range scalars {
			Wipe(scalar)
		}
		first = end
	}
}

func (library) subset(bits []byte, tables []*Table) *Point {
	// The library can select field elements but not points, so select coordinates. Each sum computes both points and
	// selects one.
	v := Identity()
	for i, t := range tables {
		v.p.Set(choose(int(bits[i]), &new(Point).Add(v, t.Point()).p, &v.p))
	}
	return v
}

// choose returns a if bit is 1, and b if bit is 0, in constant time.
func choose(bit int, a, b *edwards25519.Point) *edwards25519.Point {
	ax, ay, az, at := a.ExtendedCoordinates()
	bx, by, bz, bt := b.ExtendedCoordinates()
	p, err := new(edwards25519.Point).SetExtendedCoordinates(
		ax.Select(ax, bx, bit), ay.Select(ay, by, bit), az.Select(az, bz, bit), at.Select(at, bt, bit))
	if err != nil {
		panic("unreachable: both are points")
	}
	return p
}

func (library) publicMult(scalars []*Scalar, tables []*Table, more []*Scalar, points []*Point) *Point {
	all, on := make([]*Scalar, 0, len(scalars)+len(more)), make([]*Point, 0, len(scalars)+len(more))
	for i, t := range tables {
		all, on = append(all, scalars[i]), append(on, t.Point())
	}
	return new(Point).VarTimeMultiScalarMult(append(all, more...), append(on, points...))
}

func (library) decode(b *[32]byte) (*Point, error) {
	p := new(Point)
	if !p.setLibrary(b) {
		return nil, ErrPoint
	}
	return p, nil
}

// setLibrary sets v to the point that b encodes, and reports whether b is valid. If not, v is undefined.
func (v *Point) setLibrary(b *[32]byte) bool {
	// The library accepts y ≥ p, and x = 0 with the sign bit.
	_, err := v.p.SetBytes(b[:])
	return err == nil && [32]byte(v.p.Bytes()) == *b
}

func (l library) decodeAll(b [][32]byte) ([]*Point, error) {
	out := make([]*Point, len(b))
	for i := range b {
		p, err := l.decode(&b[i])
		if err != nil {
			return nil, err
		}
		out[i] = p
	}
	return out, nil
}

func (library) encode(p *Point) [32]byte { return [32]byte(p.p.Bytes()) }

func (l library) encodeAll(points []*Point) [][32]byte {
	out := make([][32]byte, len(points))
	for i, p := range points {
		out[i] = l.encode(p)
	}
	return out
}

func (library) mapToPoint(b [32]byte) *Point {
	var m mapping
	over, under := m.begin(b)
	var root field.Element
	_, square := root.SqrtRatio(&over, &under)
	return m.end(&root, square == 1)
}

func (l library) hashToPoints(b [][32]byte) []*Point {
	out := make([]*Point, len(b))
	for i := range b {
		out[i] = l.mapToPoint(keccak.Sum256(b[i][:]))
		out[i].MultByCofactor(out[i])
	}
	return out
}

func (library) newDeriver(view *Scalar) *Deriver {
	d := new(Deriver)
	d.view.Set(view)
	return d
}

func (l library) cloneDeriver(d *Deriver) *Deriver { return l.newDeriver(&d.view) }

func (l library) derive(d *Deriver, out []Derivation, keys [][32]byte) {
	for i := range keys {
		var p Point // reused for all keys, to avoid allocations
		if !p.setLibrary(&keys[i]) {
			out[i] = Derivation{}
			continue
		}
		p.p.ScalarMult(&d.view, &p.p)
		out[i] = l.encode(p.MultByCofactor(&p))
	}
}

func (l library) spendKeys(payments []Payment) {
	for i := range payments {
		payment := &payments[i]
		var p, shared Point
		payment.Valid, payment.SpendKey = p.setLibrary(&payment.Output), [32]byte{}
		if payment.Valid {
			var s Scalar
			h := payment.Derivation.hash(payment.Index)
			reduce(&s, &h)
			shared.p.ScalarBaseMult(&s)
			payment.SpendKey = l.encode(p.Subtract(&p, &shared))
		}
	}
}

func (l library) addBaseMults(out [][32]byte, p [32]byte, scalars []Scalar) error {
	start, err := l.decode(&p)
	if err != nil {
		return err
	}
	for i := range scalars {
		q := l.baseMult(&scalars[i])
		out[i] = l.encode(q.Add(start, q))
	}
	return nil
}
