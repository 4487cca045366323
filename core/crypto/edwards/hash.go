package edwards

import (
	"filippo.io/edwards25519"
	"filippo.io/edwards25519/field"

	"glim/core/crypto/keccak"
)

// HashToPoint returns Hp(b) = 8·map(Keccak(b)), a point of the prime-order subgroup.
// Source: src/crypto/crypto.cpp, hash_to_ec.
func HashToPoint(b [32]byte) *Point {
	p := MapToPoint(keccak.Sum256(b[:]))
	return p.MultByCofactor(p)
}

// HashToPoints returns Hp of every element of b, faster than HashToPoint one by one.
func HashToPoints(b [][32]byte) []*Point {
	return secretArithmetic{}.hashToPoints(b)
}

// MapToPoint maps any 32 bytes to a point, which may have torsion. Its time depends on b, which is public.
// Source: src/crypto/crypto-ops.c, ge_fromfe_frombytes_vartime; an Elligator map, see Shen Noether, "Understanding
// ge_fromfe_frombytes_vartime".
func MapToPoint(b [32]byte) *Point {
	return secretArithmetic{}.mapToPoint(b)
}

// mapping is MapToPoint without the square root, which callers compute between begin and end.
type mapping struct {
	u, v, w           field.Element
	over, under, root element // for own alone: root is the almostRoot of the other two
}

// begin returns the fraction over/under whose SqrtRatio end needs.
func (m *mapping) begin(b [32]byte) (over, under field.Element) {
	if _, err := m.u.SetBytes(b[:]); err != nil {
		panic("unreachable: 32 bytes are a field element")
	}
	if b[31]&0x80 != 0 {
		m.u.Add(&m.u, fe19) // the library ignores bit 255, which is 2^255 = 19 modulo p
	}
	var t field.Element
	m.v.Square(&m.u)
	m.v.Add(&m.v, &m.v)  // v = 2u²
	m.w.Add(&m.v, feOne) // w = 2u² + 1
	under.Square(&m.w)
	t.Multiply(&m.v, feA2)
	under.Subtract(&under, &t) // w² − 2A²u², named x below

	over.Multiply(&m.w, fe2AA2) // 2A(A+2)w
	return over, under
}

// setFractions is begin for own.
func (m *mapping) setFractions(b [32]byte) {
	over, under := m.begin(b)
	m.over, m.under = elementOf(over.Bytes()), elementOf(under.Bytes())
}

// ofRoot is end for own; root must be set.
func (m *mapping) ofRoot() *Point {
	var rx field.Element
	square := sqrtRatio(&rx, &m.root, &m.over, &m.under)
	return m.end(&rx, square)
}

// end returns the point. rx and square are the results of SqrtRatio for the fraction of begin. end modifies rx.
func (m *mapping) end(rx *field.Element, square bool) *Point {
	var z field.Element
	sign := 0
	if square {
		rx.Multiply(rx, &m.u)
		z.Multiply(&m.v, feA)
		z.Negate(&z) // z = −2Au²
	} else {
		// SqrtRatio returned √(i·2A(A+2)w/x), but the map needs √(A(A+2)w/x); 2i = (1+i)².
		rx.Multiply(rx, feInvOnePlusI)
		z.Negate(feA)
		sign = 1
	}
	if rx.IsNegative() != sign {
		rx.Negate(rx)
	}
	// The affine point is (rx, (z−w)/(z+w)); in extended coordinates with Z = z+w.
	var X, Y, Z, T field.Element
	Z.Add(&z, &m.w)
	Y.Subtract(&z, &m.w)
	X.Multiply(rx, &Z)
	T.Multiply(rx, &Y)
	p, err := new(edwards25519.Point).SetExtendedCoordinates(&X, &Y, &Z, &T)
	if err != nil {
		panic("unreachable: the map ends on the curve")
	}
	return &Point{*p}
}

// sqrtRatio sets r = √(a/b) and returns true, or sets r = √(i·a/b) and returns false, like the library's SqrtRatio,
// whose multiplication is slow on architectures without words. root is the almostRoot of a and b.
func sqrtRatio(r *field.Element, root, a, b *element) bool {
	var check element
	check.square(root) // times b it is ±a or ±i·a
	check.multiply(&check, b)
	var negative, turned element
	negative.subtract(&element{}, a)
	turned.multiply(&negative, &elementI)
	square := check.equal(a) || check.equal(&negative)
	if check.equal(&negative) || check.equal(&turned) {
		root.multiply(root, &elementI)
	}
	root.toField(r)
	r.Absolute(r)
	return square
}

// Constants of MapToPoint, from the curve's A = 486662.
var (
	feOne  = new(field.Element).One()
	fe19   = feUint(19)
	feA    = feUint(486662)
	feA2   = new(field.Element).Square(feA)
	fe2AA2 = func() *field.Element {
		t := new(field.Element).Multiply(feA, feUint(486664))
		return t.Add(t, t)
	}()
	feRoot = func() *field.Element { // √−1
		minusOne := new(field.Element).Negate(feOne)
		i, ok := new(field.Element).SqrtRatio(minusOne, feOne)
		if ok != 1 {
			panic("unreachable: −1 is a square modulo 2^255−19")
		}
		return i
	}()
	feInvOnePlusI = func() *field.Element {
		// i must be the root of −1 that the library uses, i = 2^((p−1)/4), which sqrtM1 returns.
		t := new(field.Element).Add(feOne, sqrtM1(feRoot))
		return t.Invert(t)
	}()
)

// sqrtM1 returns i or −i, whichever SqrtRatio multiplies by if its ratio is not a square.
func sqrtM1(i *field.Element) *field.Element {
	// For 2, which is not a square, SqrtRatio returns r with r² = 2i.
	two := feUint(2)
	r, ok := new(field.Element).SqrtRatio(two, feOne)
	if ok != 0 {
		panic("unreachable: 2 is no square modulo 2^255−19")
	}
	r2 := new(field.Element).Square(r)
	if new(field.Element).Multiply(two, i).Equal(r2) == 1 {
		return i
	}
	return new(field.Element).Negate(i)
}

func feUint(v uint32) *field.Element { return new(field.Element).Mult32(new(field.Element).One(), v) }
