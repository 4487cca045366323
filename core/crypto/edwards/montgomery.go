package edwards

import "filippo.io/edwards25519/field"

// X25519 returns the u-coordinate of s times a point of Curve25519 with u-coordinate u, or zero if that is the point at
// infinity. It does not clamp s, so the result has a component of small order if the point has one. As in RFC 7748 it
// ignores the highest bit of u, and u may be 2^255 − 19 or more, or belong to the twist of the curve.
// Source: RFC 7748, section 5, without the clamping; Carrot, section 3.3.1.
func X25519(s *Scalar, u [32]byte) [32]byte {
	return secretArithmetic{}.ladder(s, &u)
}

// Montgomery returns the u-coordinate (1 + y)/(1 − y) of v on Curve25519, in constant time. It is zero for the neutral
// element. v and −v have the same. Source: RFC 7748, section 4.1; Carrot, section 3.3.3, ConvertPointE.
func (v *Point) Montgomery() [32]byte {
	return secretArithmetic{}.montgomery(v)
}

// ReduceWide returns the little-endian number b modulo ℓ.
// Source: src/crypto/crypto-ops.c, sc_reduce.
func ReduceWide(b *[64]byte) *Scalar {
	s, err := NewScalar().SetUniformBytes(b[:])
	if err != nil {
		panic("unreachable: 64 bytes always reduce")
	}
	return s
}

// The ladders below differ only in their field elements. In each step, (x2 : z2) and (x3 : z3) are u-coordinates of two
// points whose difference has u-coordinate x1. The step doubles the first and adds both, after a swap that depends on a
// bit of the scalar. Scalars are below 2^253.

const ladderBits = 253

// ladderConstant is (A + 2)/4 for the curve's A = 486662.
const ladderConstant = 121666

// Programs that link this package without the ladder should not compute it when they start.
var elementLadder = element{ladderConstant}

func (own) ladder(s *Scalar, u *[32]byte) [32]byte {
	scalar := EncodeScalar(s)
	var x1, x2, x3, z2, z3 element
	x1.setBytes(u)
	x2, x3, z3 = elementOne, x1, elementOne
	last := uint64(0)
	for i := ladderBits - 1; i >= 0; i-- {
		bit := uint64(scalar[i/8]>>(i%8)) & 1
		swapElements(&x2, &x3, last^bit)
		swapElements(&z2, &z3, last^bit)
		last = bit
		var a, b, c, d, e element
		sumDifference(&a, &b, &x2, &z2)
		sumDifference(&c, &d, &x3, &z3)
		d.multiply(&d, &a)
		c.multiply(&c, &b)
		sumDifference(&x3, &z3, &d, &c)
		x3.square(&x3)
		z3.square(&z3)
		z3.multiply(&z3, &x1)
		a.square(&a)
		b.square(&b)
		x2.multiply(&a, &b)
		e.subtract(&a, &b)
		a.multiply(&e, &elementLadder)
		a.add(&a, &b)
		z2.multiply(&e, &a)
	}
	swapElements(&x2, &x3, last)
	swapElements(&z2, &z3, last)
	clear(scalar[:])
	z2.invert(&z2)
	x2.multiply(&x2, &z2)
	return x2.bytes()
}

// swapElements exchanges a and b if bit is 1, in constant time.
func swapElements(a, b *element, bit uint64) {
	old := *a
	a.selects(b, &old, bit)
	b.selects(&old, b, bit)
}

func (own) montgomery(p *Point) [32]byte {
	_, y, z, _ := p.p.ExtendedCoordinates()
	var over, under element
	a, b := elementOf(z.Bytes()), elementOf(y.Bytes())
	sumDifference(&over, &under, &a, &b)
	under.invert(&under)
	over.multiply(&over, &under)
	return over.bytes()
}

func (library) ladder(s *Scalar, u *[32]byte) [32]byte {
	scalar := EncodeScalar(s)
	var x1, x2, x3, z2, z3 field.Element
	if _, err := x1.SetBytes(u[:]); err != nil {
		panic("unreachable: 32 bytes are a field element")
	}
	x2.One()
	x3.Set(&x1)
	z2.Zero()
	z3.One()
	last := 0
	for i := ladderBits - 1; i >= 0; i-- {
		bit := int(scalar[i/8]>>(i%8)) & 1
		x2.Swap(&x3, last^bit)
		z2.Swap(&z3, last^bit)
		last = bit
		var a, b, c, d, e field.Element
		a.Add(&x2, &z2)
		b.Subtract(&x2, &z2)
		c.Add(&x3, &z3)
		d.Subtract(&x3, &z3)
		d.Multiply(&d, &a)
		c.Multiply(&c, &b)
		x3.Add(&d, &c)
		x3.Square(&x3)
		z3.Subtract(&d, &c)
		z3.Square(&z3)
		z3.Multiply(&z3, &x1)
		a.Square(&a)
		b.Square(&b)
		x2.Multiply(&a, &b)
		e.Subtract(&a, &b)
		a.Mult32(&e, ladderConstant)
		a.Add(&a, &b)
		z2.Multiply(&e, &a)
	}
	x2.Swap(&x3, last)
	z2.Swap(&z3, last)
	clear(scalar[:])
	z2.Invert(&z2)
	return [32]byte(x2.Multiply(&x2, &z2).Bytes())
}

func (library) montgomery(p *Point) [32]byte { return [32]byte(p.p.BytesMontgomery()) }
