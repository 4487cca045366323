//go:build !purego

package edwards

import (
	"math"
	"slices"
)

// vector is eight elements, one in each lane, in five limbs of 51 bits. The limbs are floating-point numbers of either
// sign, or integers with IFMA. scripts/vector explains the representation.
type vector [5][8]uint64

type vectorPoint struct{ x, y, z, t vector }

type vectorMultiple [4]vector // Y+X, Y−X, 2Z, 2dT

type vectorAffine [3]vector // (y+x)/2, (y−x)/2, dxy of a point with Z = 1

type vectorTable [8]vectorMultiple // P, 2P, … 8P

type vectorScratch [6]vector

// negative is 0, or −1 to subtract. t is 1 if T is needed.

func multiplyAVX2(to, a, b *vector)
func squareAVX2(to, a *vector, n int)
func doubleAVX2(p *vectorPoint, scratch *vectorScratch, n, t int)
func addAVX2(p *vectorPoint, scratch *vectorScratch, m *vectorMultiple, negative, t int)
func readyAVX2(m *vectorMultiple, p *vectorPoint, d2 *vector)
func addAffineAVX2(p *vectorPoint, scratch *vectorScratch, m *vectorAffine, t int)
func lookAVX2(m *vectorAffine, entries *[8]*wideEntry, digits *[8]int64)
func pickAVX2(m *vectorAffine, row *wideRow, digits *[8]uint8)
func chooseAVX2(m *vectorMultiple, table *vectorTable, digits *[8]int64, neutral *vectorMultiple)

func multiplyAVX512(to, a, b *vector)
func squareAVX512(to, a *vector, n int)
func doubleAVX512(p *vectorPoint, scratch *vectorScratch, n, t int)
func addAVX512(p *vectorPoint, scratch *vectorScratch, m *vectorMultiple, negative, t int)
func readyAVX512(m *vectorMultiple, p *vectorPoint, d2 *vector)
func addAffineAVX512(p *vectorPoint, scratch *vectorScratch, m *vectorAffine, t int)
func lookAVX512(m *vectorAffine, entries *[8]*wideEntry, digits *[8]int64)
func pickAVX512(m *vectorAffine, row *wideRow, digits *[8]uint8)
func chooseAVX512(m *vectorMultiple, table *vectorTable, digits *[8]int64, neutral *vectorMultiple)

func multiplyIFMA(to, a, b *vector)
func squareIFMA(to, a *vector, n int)
func doubleIFMA(p *vectorPoint, scratch *vectorScratch, n, t int)
func addIFMA(p *vectorPoint, scratch *vectorScratch, m *vectorMultiple, negative, t int)
func readyIFMA(m *vectorMultiple, p *vectorPoint, d2 *vector)
func addAffineIFMA(p *vectorPoint, scratch *vectorScratch, m *vectorAffine, t int)
func lookIFMA(m *vectorAffine, entries *[8]*wideEntry, digits *[8]int64)
func pickIFMA(m *vectorAffine, row *wideRow, digits *[8]uint8)
func chooseIFMA(m *vectorMultiple, table *vectorTable, digits *[8]int64, neutral *vectorMultiple)

// vectorUnit is a set of functions with one kind of vector instructions.
type vectorUnit struct {
	name     string
	integers bool // whether limbs are integers
	multiply func(to, a, b *vector)
	square   func(to, a *vector, n int) // n times, n positive
	double   func(p *vectorPoint, scratch *vectorScratch, n, t int)
	add      func(p *vectorPoint, scratch *vectorScratch, m *vectorMultiple, negative, t int)
	ready    func(m *vectorMultiple, p *vectorPoint, d2 *vector) // makes a multiple of a point
	affine   func(p *vectorPoint, scratch *vectorScratch, m *vectorAffine, t int)
	// choose sets m to the multiples of the table's points by digits from −8 to 8, in constant time.
	choose func(m *vectorMultiple, table *vectorTable, digits *[8]int64, neutral *vectorMultiple)
	// look sets m to entries, negated for negative digits.
	look func(m *vectorAffine, entries *[8]*wideEntry, digits *[8]int64)
	// pick sets m to the entries of a row by digits of a KeyTable, in constant time.
	pick func(m *vectorAffine, row *wideRow, digits *[8]uint8)
}

func cpuid(leaf, sub uint32) (a, b, c, d uint32)
func xgetbv() (a uint32)

// without is set to "AVX512" by the linker, to measure processors without it.
var without string

// vectorUnits are the units that the processor has and the operating system supports, the fastest last.
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
	const avx2, avx512f, ifma = 1 << 5, 1 << 16, 1 << 21
	_, b, _, _ := cpuid(7, 0)
	saved := xgetbv()
	if b&avx2 != 0 && saved&0x06 == 0x06 {
		units = append(units, vectorUnit{
			"AVX2", false, multiplyAVX2, squareAVX2, doubleAVX2, addAVX2, readyAVX2,
			addAffineAVX2, chooseAVX2, lookAVX2, pickAVX2,
		})
	}
	if b&avx512f != 0 && saved&0xe6 == 0xe6 && without != "AVX512" {
		units = append(units, vectorUnit{
			"AVX512", false, multiplyAVX512, squareAVX512, doubleAVX512, addAVX512, readyAVX512,
			addAffineAVX512, chooseAVX512, lookAVX512, pickAVX512,
		})
		if b&ifma != 0 {
			units = append(units, vectorUnit{
				"IFMA", true, multiplyIFMA, squareIFMA, doubleIFMA, addIFMA, readyIFMA,
				addAffineIFMA, chooseIFMA, lookIFMA, pickIFMA,
			})
		}
	}
	return slices.DeleteFunc(units, func(u vectorUnit) bool { return !u.works() })
}()

// Vectors returns the name of the vector instructions that are used: AVX2, AVX512 or IFMA, or an empty string.
func Vectors() string {
	if len(vectorUnits) == 0 {
		return ""
	}
	return vectorUnits[len(vectorUnits)-1].name
}

// works reports whether the unit multiplies correctly. It guards against processors on which nobody has tested this
// code.
func (u *vectorUnit) works() bool {
	work := new(struct{ a, b, product vector })
	var a [8]element
	for lane := range a {
		a[lane] = element{^uint64(lane), 1 << lane, ^uint64(0) >> lane, 1<<63 - 1}
		u.set(&work.a, lane, &a[lane])
		u.set(&work.b, lane, &elementI)
	}
	u.square(&work.a, &work.a, 2)
	u.multiply(&work.product, &work.a, &work.b)
	for lane := range a {
		var want element
		want.squares(&a[lane], 2)
		want.multiply(&want, &elementI)
		if got := u.get(&work.product, lane); !got.equal(&want) {
			return false
		}
	}
	return true
}

// wide is the working memory of a Deriver with a vector unit.
type wide struct {
	point, next, twice vectorPoint
	table              [multiples]vectorMultiple
	step               vectorMultiple
	scratch            vectorScratch
	temp               [10]vector
	one, two, d, d2, i vector
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
	two := element{2}
	for lane := range 8 {
		unit.set(&w.one, lane, &elementOne)
		unit.set(&w.two, lane, &two)
		unit.set(&w.d, lane, &elementD)
		unit.set(&w.d2, lane, &elementD2)
		unit.set(&w.i, lane, &elementI)
	}
	return w
}

// set sets a lane to a.
func (u *vectorUnit) set(v *vector, lane int, a *element) {
	if u.integers {
		setIntegers(v, lane, a)
	} else {
		setFloats(v, lane, a)
	}
}

// get returns the element of a lane.
func (u *vectorUnit) get(v *vector, lane int) element {
	if u.integers {
		return fromLimbs51([5]uint64{v[0][lane], v[1][lane], v[2][lane], v[3][lane], v[4][lane]})
	}
	return getFloats(v, lane)
}

const low51 = 1<<51 - 1

func limbs51(a *element) [5]uint64 {
	return [5]uint64{
		a[0] & low51,
		(a[0]>>51 | a[1]<<13) & low51,
		(a[1]>>38 | a[2]<<26) & low51,
		(a[2]>>25 | a[3]<<39) & low51,
		a[3] >> 12,
	}
}

// setFloats sets a lane to a, with limbs from −2^50 to 2^50 + 38.
func setFloats(v *vector, lane int, a *element) {
	carry := int64(0)
	var first int64
	for i, l := range limbs51(a) {
		x := int64(l) + carry
		carry = (x + 1<<50) >> 51
		x -= carry << 51
		if i == 0 {
			first = x
		}
		v[i][lane] = math.Float64bits(float64(x))
	}
	v[0][lane] = math.Float64bits(float64(first + 19*carry))
}

// getFloats returns the element of a lane, whose limbs must be below 2^52.
func getFloats(v *vector, lane int) element {
	// 4p makes all limbs positive.
	var l [5]uint64
	for i := range l {
		l[i] = uint64(int64(math.Float64frombits(v[i][lane])) + 4*low51)
	}
	l[0] -= 4 * 18
	return fromLimbs51(l)
}

// setIntegers sets a lane to a, with limbs below 2^51 + 19.
func setIntegers(v *vector, lane int, a *element) {
	l := limbs51(a)
	l[0] += 19 * (l[4] >> 51)
	l[4] &= low51
	for i := range v {
		v[i][lane] = l[i]
	}
}

// fromLimbs51 returns the element with limbs below 2^54.
func fromLimbs51(l [5]uint64) element {
	for range 2 {
		for i := range 4 {
			l[i+1] += l[i] >> 51
			l[i] &= low51
		}
		l[0] += 19 * (l[4] >> 51)
		l[4] &= low51
	}
	return element{l[0] | l[1]<<51, l[1]>>13 | l[2]<<38, l[2]>>26 | l[3]<<25, l[3]>>39 | l[4]<<12}
}

// derive sets the ends of at most eight keys. valid is false for keys that are not points.
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
			e.x, e.y, e.z = u.get(&w.point.x, lane), u.get(&w.point.y, lane), u.get(&w.point.z, lane)
		}
	}
}

// decode is projective.decode for at most eight keys. It replaces invalid keys by the neutral element.
func (w *wide) decode(ends []end, keys [][32]byte) {
	p, m, s := &w.point, w.unit.multiply, w.unit.square
	p.x, p.y, p.z = vector{}, w.one, w.one
	for lane := range keys {
		var y element
		y.setBytes(&keys[lane])
		canonical := keys[lane]
		canonical[31] &= 0x7f
		ends[lane].valid = y.bytes() == canonical
		w.unit.set(&p.y, lane, &y)
	}
	u, v, x, xi, check, t := &w.temp[0], &w.temp[1], &w.temp[3], &w.temp[4], &w.temp[5], &w.temp[6]
	s(u, &p.y, 1)
	m(v, u, &w.d)
	for lane := range 8 {
		a, b := w.unit.get(u, lane), w.unit.get(v, lane)
		a.subtract(&a, &elementOne)
		b.add(&b, &elementOne)
		w.unit.set(u, lane, &a)
		w.unit.set(v, lane, &b)
	}
	w.almostRoot()
	s(t, x, 1)
	m(check, t, v)
	m(xi, x, &w.i)
	for lane := range keys {
		e := &ends[lane]
		root := x
		var negative element
		c, u := w.unit.get(check, lane), w.unit.get(u, lane)
		if e.valid && !c.equal(&u) {
			negative.subtractSum(&element{}, &u)
			e.valid, root = c.equal(&negative), xi
		}
		value := w.unit.get(root, lane)
		b := value.bytes()
		if b[0]&1 != keys[lane][31]>>7 {
			e.valid = e.valid && b != [32]byte{}
			value.subtract(&element{}, &value)
		}
		if e.valid {
			w.unit.set(&p.x, lane, &value)
		} else {
			w.unit.set(&p.y, lane, &elementOne)
		}
	}
	m(&p.t, &p.x, &p.y)
}

// almostRoot sets temporary 3 to element.almostRoot of temporaries 0 and 1. It modifies temporaries from 2 on.
func (w *wide) almostRoot() {
	m, s := w.unit.multiply, w.unit.square
	u, v, v3, x, t := &w.temp[0], &w.temp[1], &w.temp[2], &w.temp[3], &w.temp[6]
	s(t, v, 1)
	m(v3, t, v)
	s(t, v3, 1)
	m(t, t, v)
	m(t, t, u)
	w.power252(t)
	m(t, t, v3)
	m(x, t, u)
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

// worthVectors is the number of keys from which eight lanes are faster than portable code.
const worthVectors = 3

// deriveWide is derive with vector instructions. It returns false if the processor has none, or if the view key is
// zero.
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
