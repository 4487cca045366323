package edwards

import "sync"

// H returns the second generator, 8·map(Keccak(G)). Its discrete logarithm to the base G is unknown.
// Source: src/ringct/rctTypes.h, H; checked there against toPoint(cn_fast_hash(G)).
func H() *Point { return new(Point).Set(generatorH) }

var generatorH = func() *Point {
	p, err := DecodePoint([32]byte{
		0x8b, 0x65, 0x59, 0x70, 0x15, 0x37, 0x99, 0xaf, 0x2a, 0xea, 0xdc, 0x9f, 0xf1, 0xad, 0xd0, 0xea,
		0x6c, 0x72, 0x51, 0xd5, 0x41, 0x54, 0xcf, 0xa9, 0x2c, 0x17, 0x3a, 0x0d, 0xd3, 0x9c, 0x1f, 0x94})
	if err != nil {
		panic("unreachable: H is a valid point")
	}
	return p
}()

// Commit returns the Pedersen commitment mask·G + amount·H, in constant time.
func Commit(mask *Scalar, amount uint64) *Point {
	p := new(Point).ScalarMultH(ScalarFromUint64(amount))
	return p.Add(p, new(Point).ScalarBaseMult(mask))
}

// ScalarMultH sets v = s·H and returns v, in constant time.
func (v *Point) ScalarMultH(s *Scalar) *Point { return v.Set(secretArithmetic{}.multH(s)) }

// secretTableMult sets v to s times the point of a table and returns v, in constant time.
func (v *Point) secretTableMult(s *Scalar, table *[32]affineTable) *Point {
	b := EncodeScalar(s)
	var digits [64]int8
	digitsOf16(&digits, &b)
	acc := projective{y: elementOne, z: elementOne}
	var m affineMultiple
	// First the digits at odd positions, then a multiplication by 16, then those at even positions. So two digits
	// share a row.
	for first := 1; first >= 0; first-- {
		if first == 0 {
			for i := range 4 {
				acc.double(i == 3)
			}
		}
		for place := first; place < 64; place += 2 {
			table[place/2].choose(&m, digits[place])
			acc.addAffine(&m.plus, &m.minus, &m.td, false, true)
		}
	}
	clear(digits[:])
	clear(b[:])
	return acc.toPoint(v)
}

// affineTable has P, 2P, … 8P.
type affineTable [8]affineMultiple

var (
	tableOfH = sync.OnceValue(func() *[32]affineTable { return newSecretTable(generatorH) })
	tableOfG = sync.OnceValue(func() *[32]affineTable { return newSecretTable(Base()) })
)

// newSecretTable returns the multiples of 256^i·point at index i.
func newSecretTable(point *Point) *[32]affineTable {
	table := new([32]affineTable)
	var p projective
	p.fromPoint(point)
	multiples := make([]projective, 0, 8*len(table))
	for range table {
		var step multiple
		step.set(&p)
		q := p
		for range 8 {
			multiples = append(multiples, q)
			q.add(&step.plus, &step.minus, &step.t2d, &step.z2, false, true)
		}
		for i := range 8 {
			p.double(i == 7)
		}
	}
	for i, m := range normalize(multiples) {
		table[i/8][i%8] = m
	}
	return table
}

// choose sets m to digit times the point of t, in constant time. digit is from −8 to 8.
func (t *affineTable) choose(m *affineMultiple, digit int8) {
	sign := uint64(int64(digit) >> 63)           // all ones, or zero
	size := (uint64(int64(digit)) ^ sign) - sign // 0 to 8
	*m = affineZero
	for i := range t {
		m.selects(&t[i], m, isEqual(size, uint64(i+1))&1)
	}
	plus, td := m.plus, m.td
	m.plus.selects(&m.minus, &plus, sign&1)
	m.minus.selects(&plus, &m.minus, sign&1)
	var negative element
	negative.subtract(&element{}, &td)
	m.td.selects(&negative, &td, sign&1)
}

// multiplesOfH[i][n] is n·256^i·H.
var multiplesOfH = sync.OnceValue(func() *[8][256]Point {
	table := new([8][256]Point)
	step := new(Point).Set(generatorH)
	for i := range table {
		sum := Identity()
		for n := range table[i] {
			table[i][n].Set(sum)
			sum.Add(sum, step)
		}
		step.Set(sum)
	}
	return table
})

// CommitPublic returns G + amount·H, the commitment of an output with a public amount. It is faster than Commit, and
// its time depends on the amount. Source: src/ringct/rctOps.cpp, zeroCommit.
func CommitPublic(amount uint64) *Point {
	table := multiplesOfH()
	p := Base()
	for i := 0; amount != 0; i, amount = i+1, amount>>8 {
		if n := amount & 255; n != 0 {
			p.Add(p, &table[i][n])
		}
	}
	return p
}
