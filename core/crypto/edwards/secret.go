package edwards

// secretMult sets v = Σ scalars[i]·points[i] and returns v, in constant time. It uses Straus's method with signed
// digits to the base 16, and always reads complete tables. The slices must have the same length.
// Source: eprint 2008/522; Straus, "Addition chains of vectors".
func (v *Point) secretMult(scalars []*Scalar, points []*Point) *Point {
	tables := make([]secretTable, len(points))
	digits := make([][64]int8, len(scalars))
	for i, p := range points {
		tables[i].set(p)
		scalar := EncodeScalar(scalars[i])
		digitsOf16(&digits[i], &scalar)
		clear(scalar[:])
	}
	acc := projective{y: elementOne, z: elementOne}
	var m multiple
	for place := 63; place >= 0; place-- {
		if place < 63 {
			for i := range 4 {
				acc.double(i == 3)
			}
		}
		for i := range tables {
			tables[i].choose(&m, digits[i][place])
			acc.add(&m.plus, &m.minus, &m.t2d, &m.z2, false, i < len(tables)-1 || place == 0)
		}
	}
	clear(digits)
	return acc.toPoint(v)
}

// secretTable has P, 2P, … 8P. It is small, because every lookup reads all of it.
type secretTable [8]packedMultiple

type packedMultiple [4]packed

func (t *secretTable) set(p *Point) {
	var q projective
	var m, step multiple
	q.fromPoint(p)
	step.set(&q)
	for i := range t {
		m.set(&q)
		m.plus.pack(&t[i][0])
		m.minus.pack(&t[i][1])
		m.z2.pack(&t[i][2])
		m.t2d.pack(&t[i][3])
		if i < len(t)-1 {
			q.add(&step.plus, &step.minus, &step.t2d, &step.z2, false, true)
		}
	}
}

// neutral is the neutral element as a multiple.
var neutral = func() (p packedMultiple) {
	var m multiple
	m.set(&projective{y: elementOne, z: elementOne})
	m.plus.pack(&p[0])
	m.minus.pack(&p[1])
	m.z2.pack(&p[2])
	m.t2d.pack(&p[3])
	return p
}()

// choose sets m to digit times the point of t, in constant time. digit is from −8 to 8.
func (t *secretTable) choose(m *multiple, digit int8) {
	sign := uint64(int64(digit) >> 63)           // all ones, or zero
	size := (uint64(int64(digit)) ^ sign) - sign // 0 to 8
	chosen := packedMultiple{}
	for i := range t {
		take(&chosen, &t[i], isEqual(size, uint64(i+1)))
	}
	take(&chosen, &neutral, isEqual(size, 0))
	var plus, minus, t2d element
	plus.unpack(&chosen[0])
	minus.unpack(&chosen[1])
	m.z2.unpack(&chosen[2])
	t2d.unpack(&chosen[3])
	m.plus.selects(&minus, &plus, sign&1)
	m.minus.selects(&plus, &minus, sign&1)
	var negative element
	negative.subtract(&element{}, &t2d)
	m.t2d.selects(&negative, &t2d, sign&1)
}

// isEqual returns all ones if a = b, and otherwise zero. Both must be small.
func isEqual(a, b uint64) uint64 { return uint64(int64((a^b)-1) >> 63) }

// take sets sum to the bitwise OR of sum and m where mask has ones.
func take(sum, m *packedMultiple, mask uint64) {
	for i := range sum {
		sum[i].or(&m[i], mask)
	}
}

// digitsOf16 sets digits to those of s to the base 16, from −8 to 8, in constant time.
func digitsOf16(digits *[64]int8, s *[32]byte) {
	carry := int8(0)
	for i, b := range s {
		for j, d := range [2]int8{int8(b & 15), int8(b >> 4)} {
			d += carry
			carry = (d + 8) >> 4
			digits[2*i+j] = d - carry<<4
		}
	}
	// Scalars are below 2^253, so the last digit is at most 2 and has no carry.
}
