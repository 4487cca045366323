//go:build !purego

package edwards

// vector is eight elements side by side, each in five floating-point limbs of 51 bits and of either sign; scripts/vector says more.
type vector [5][8]float64

type vectorPoint struct{ x, y, z, t vector }

type vectorMultiple [4]vector // Y+X, Y−X, 2Z, 2dT

type vectorScratch [6]vector

// Negative is 0, or −1 to subtract; t is 1 where T is wanted.

func multiplyAVX2(to, a, b *vector)
func squareAVX2(to, a *vector, n int)
func doubleAVX2(p *vectorPoint, scratch *vectorScratch, n, t int)
func addAVX2(p *vectorPoint, scratch *vectorScratch, m *vectorMultiple, negative, t int)
func readyAVX2(m *vectorMultiple, p *vectorPoint, d2 *vector)

func multiplyAVX512(to, a, b *vector)
func squareAVX512(to, a *vector, n int)
func doubleAVX512(p *vectorPoint, scratch *vectorScratch, n, t int)
func addAVX512(p *vectorPoint, scratch *vectorScratch, m *vectorMultiple, negative, t int)
func readyAVX512(m *vectorMultiple, p *vectorPoint, d2 *vector)

// vectorUnit is one kind of vector instructions.
type vectorUnit struct {
	name     string
	multiply func(to, a, b *vector)
	square   func(to, a *vector, n int) // n times, n positive
	double   func(p *vectorPoint, scratch *vectorScratch, n, t int)
	add      func(p *vectorPoint, scratch *vectorScratch, m *vectorMultiple, negative, t int)
	ready    func(m *vectorMultiple, p *vectorPoint, d2 *vector) // makes a multiple of a point
}

func cpuid(leaf, sub uint32) (a, b, c, d uint32)
func xgetbv() (a uint32)

// vectorUnits are those that this processor has and its system saves, the best last.
// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, sections 14.5.3, 14.7.1 and 15.2.
var vectorUnits = func() (units []vectorUnit) {
	top, _, _, _ := cpuid(0, 0)
	if top < 7 {
		return nil
	}
	const fma, osxsave, avx = 1 << 12, 1 << 27, 1 << 28
	_, _, c, _ := cpuid(1, 0)
	if c&(fma|osxsave|avx) != fma|osxsave|avx {
		return nil
	}
	const avx2, avx512f = 1 << 5, 1 << 16
	_, b, _, _ := cpuid(7, 0)
	saved := xgetbv()
	if b&avx2 != 0 && saved&0x06 == 0x06 {
		units = append(units, vectorUnit{"AVX2", multiplyAVX2, squareAVX2, doubleAVX2, addAVX2, readyAVX2})
	}
	if b&avx512f != 0 && saved&0xe6 == 0xe6 {
		units = append(units, vectorUnit{"AVX512", multiplyAVX512, squareAVX512, doubleAVX512, addAVX512, readyAVX512})
	}
	return units
}()

// wide is what a Deriver works in when there is a vector unit.
type wide struct {
	point, next, twice vectorPoint
	table              [multiples]vectorMultiple
	step               vectorMultiple
	scratch            vectorScratch
	temp               [10]vector
	one, d, d2, i      vector
	unit               *vectorUnit
}

func newWide() *wide {
	if len(vectorUnits) == 0 {
		return nil
	}
	return newWideOf(&vectorUnits[len(vectorUnits)-1])
}

func newWideOf(unit *vectorUnit) *wide {
	w := &wide{unit: unit}
	for lane := range 8 {
		w.one.set(lane, &elementOne)
		w.d.set(lane, &elementD)
		w.d2.set(lane, &elementD2)
		w.i.set(lane, &elementI)
	}
	return w
}

// limb51 is the weight of a vector's second limb.
const limb51 = 1 << 51

// set puts a, which must be reduced, into a lane, with limbs between −2^50 and 2^50 + 19.
func (v *vector) set(lane int, a *element) {
	const mask = limb51 - 1
	limbs := [5]uint64{a[0] & mask, (a[0]>>51 | a[1]<<13) & mask, (a[1]>>38 | a[2]<<26) & mask, (a[2]>>25 | a[3]<<39) & mask, a[3] >> 12}
	carry := int64(0)
	for i, l := range limbs {
		x := int64(l) + carry
		carry = (x + limb51/2) >> 51
		v[i][lane] = float64(x - carry<<51)
	}
	v[0][lane] += float64(19 * carry)
}

// get returns a lane, whose limbs must be below 2^52.
func (v *vector) get(lane int) element {
	const mask = limb51 - 1
	// 4p makes all limbs positive.
	l0 := uint64(int64(v[0][lane]) + 4*(mask-18))
	l1 := uint64(int64(v[1][lane])+4*mask) + l0>>51
	l2 := uint64(int64(v[2][lane])+4*mask) + l1>>51
	l3 := uint64(int64(v[3][lane])+4*mask) + l2>>51
	l4 := uint64(int64(v[4][lane])+4*mask) + l3>>51
	l0 = l0&mask + 19*(l4>>51)
	l1 = l1&mask + l0>>51
	l2 = l2&mask + l1>>51
	l3 = l3&mask + l2>>51
	l4 = l4&mask + l3>>51
	l0, l1, l2, l3 = l0&mask, l1&mask, l2&mask, l3&mask
	return element{l0 | l1<<51, l1>>13 | l2<<38, l2>>26 | l3<<25, l3>>39 | l4<<12}
}

// derive sets the ends of at most eight keys, with valid false for what is no point.
func (w *wide) derive(ends []end, keys [][32]byte, first int8, steps []step) {
	w.decode(ends, keys)
	u := w.unit
	w.next, w.twice = w.point, w.point
	u.double(&w.twice, &w.scratch, 1, 1)
	u.ready(&w.step, &w.twice, &w.d2)
	for i := range w.table {
		u.ready(&w.table[i], &w.next, &w.d2)
		if int8(i) == first {
			w.point = w.next
		}
		if i < len(w.table)-1 {
			u.add(&w.next, &w.scratch, &w.step, 0, 1)
		}
	}
	for _, s := range steps {
		switch {
		case s.digit == 0:
			u.double(&w.point, &w.scratch, s.doublings, 0)
		case s.digit > 0:
			u.double(&w.point, &w.scratch, s.doublings, 1)
			u.add(&w.point, &w.scratch, &w.table[s.digit/2], 0, 0)
		default:
			u.double(&w.point, &w.scratch, s.doublings, 1)
			u.add(&w.point, &w.scratch, &w.table[-s.digit/2], -1, 0)
		}
	}
	for lane := range ends {
		if e := &ends[lane]; e.valid {
			e.x, e.y, e.z = w.point.x.get(lane), w.point.y.get(lane), w.point.z.get(lane)
		}
	}
}

// decode is projective.decode for at most eight keys. What is no point becomes the neutral element.
func (w *wide) decode(ends []end, keys [][32]byte) {
	p, m, s := &w.point, w.unit.multiply, w.unit.square
	p.x, p.y, p.z = vector{}, w.one, w.one
	for lane := range keys {
		var y element
		y.setBytes(&keys[lane])
		canonical := keys[lane]
		canonical[31] &= 0x7f
		ends[lane].valid = y.bytes() == canonical
		p.y.set(lane, &y)
	}
	u, v, v3, x, xi, check, t := &w.temp[0], &w.temp[1], &w.temp[2], &w.temp[3], &w.temp[4], &w.temp[5], &w.temp[6]
	s(u, &p.y, 1)
	m(v, u, &w.d)
	for lane := range 8 {
		u[0][lane]--
		v[0][lane]++
	}
	s(t, v, 1)
	m(v3, t, v)
	s(t, v3, 1)
	m(t, t, v)
	m(t, t, u)
	w.power252(t)
	m(t, t, v3)
	m(x, t, u)
	s(t, x, 1)
	m(check, t, v)
	m(xi, x, &w.i)
	for lane := range keys {
		e := &ends[lane]
		root := x
		var negative element
		c, u := check.get(lane), u.get(lane)
		if e.valid && !c.equal(&u) {
			negative.subtractSum(&element{}, &u)
			e.valid, root = c.equal(&negative), xi
		}
		sign := keys[lane][31] >> 7
		value := root.get(lane)
		b := value.bytes()
		turn := 1.0
		if b[0]&1 != sign {
			e.valid = e.valid && b != [32]byte{}
			turn = -1
		}
		for i := range p.x {
			if e.valid {
				p.x[i][lane] = turn * root[i][lane]
			} else {
				p.y[i][lane] = w.one[i][lane]
			}
		}
	}
	m(&p.t, &p.x, &p.y)
}

// power252 sets v = v^(2^252 − 3); see element.power252.
func (w *wide) power252(v *vector) {
	m, s := w.unit.multiply, w.unit.square
	one, five, ten, fifty, keep := &w.temp[7], &w.temp[8], &w.temp[9], &w.temp[3], &w.temp[4]
	*one = *v
	s(v, one, 1)
	m(keep, v, one)
	s(v, keep, 2)
	m(v, v, keep)
	s(v, v, 1)
	m(five, v, one)
	s(v, five, 5)
	m(ten, v, five)
	s(v, ten, 10)
	m(keep, v, ten)
	s(v, keep, 20)
	m(v, v, keep)
	s(v, v, 10)
	m(fifty, v, ten)
	s(v, fifty, 50)
	m(keep, v, fifty)
	s(v, keep, 100)
	m(v, v, keep)
	s(v, v, 50)
	m(v, v, fifty)
	s(v, v, 2)
	m(v, v, one)
}

// worthVectors is from how many keys on eight lanes are faster than one after the other.
const worthVectors = 3

// deriveWide is derive with vectors; false when there are none, or the view key is zero.
func (d *Deriver) deriveWide(out []Derivation, keys [][32]byte) bool {
	if d.wide == nil || d.first < 0 || len(keys) < worthVectors {
		return false
	}
	for i := 0; i < len(keys); i += 8 {
		n := min(len(keys), i+8)
		d.wide.derive(d.ends[i:n], keys[i:n], d.first, d.steps)
	}
	encodeEnds(d.ends[:len(keys)])
	for i := range out {
		out[i] = d.ends[i].encoded
	}
	return true
}
