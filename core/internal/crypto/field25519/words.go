package field25519

import (
	"encoding/binary"
	"math/bits"
)

// Words is an element in four 64-bit words, little-endian. Any 256-bit number represents its residue. On processors
// that multiply 64 by 64 bits, four words need fewer multiplications than the library's five.
//
// Reduced means below 2^255 + 2^11. No operation branches on values.
type Words [4]uint64

// Low63 is the mask of a reduced element's highest word, but for the bit that carries.
const Low63 = 1<<63 - 1

// SetBytes sets v to the low 255 bits of b; v is reduced.
func (v *Words) SetBytes(b *[32]byte) {
	for i := range v {
		v[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	v[3] &= Low63
}

// Bytes returns v modulo p, little-endian.
func (v *Words) Bytes() (out [32]byte) {
	// Fold bit 255; then t < 2^255 + 19.
	t0, c := bits.Add64(v[0], v[3]>>63*19, 0)
	t1, c := bits.Add64(v[1], 0, c)
	t2, c := bits.Add64(v[2], 0, c)
	t3 := v[3]&Low63 + c
	// t ≥ p exactly if t + 19 ≥ 2^255, and then t − p = t + 19 − 2^255.
	u0, c := bits.Add64(t0, 19, 0)
	u1, c := bits.Add64(t1, 0, c)
	u2, c := bits.Add64(t2, 0, c)
	u3 := t3 + c
	over := -(u3 >> 63) // all ones, or zero
	binary.LittleEndian.PutUint64(out[0:], t0^(t0^u0)&over)
	binary.LittleEndian.PutUint64(out[8:], t1^(t1^u1)&over)
	binary.LittleEndian.PutUint64(out[16:], t2^(t2^u2)&over)
	binary.LittleEndian.PutUint64(out[24:], (t3^(t3^u3)&over)&Low63)
	return out
}

// Add sets v = a + b. a and b must be reduced, but v may not be.
func (v *Words) Add(a, b *Words) {
	t0, c := bits.Add64(a[0], b[0], 0)
	t1, c := bits.Add64(a[1], b[1], c)
	t2, c := bits.Add64(a[2], b[2], c)
	t3, c := bits.Add64(a[3], b[3], c)
	// 2^256 = 38. The sum is below 2^256 + 2^12. After a carry less than 2^12 remains, so adding 38 does not overflow
	// t0.
	v[0], v[1], v[2], v[3] = t0+38*c, t1, t2, t3
}

// Subtract sets v = a − b.
func (v *Words) Subtract(a, b *Words) {
	t0, c := bits.Sub64(a[0], b[0], 0)
	t1, c := bits.Sub64(a[1], b[1], c)
	t2, c := bits.Sub64(a[2], b[2], c)
	t3, c := bits.Sub64(a[3], b[3], c)
	t0, c = bits.Sub64(t0, 38*c, 0)
	t1, c = bits.Sub64(t1, 0, c)
	t2, c = bits.Sub64(t2, 0, c)
	t3, c = bits.Sub64(t3, 0, c)
	// A second borrow leaves t near 2^256, so subtracting 38 does not underflow t0.
	v[0], v[1], v[2], v[3] = t0-38*c, t1, t2, t3
}

// Sum sets v = a + b, for all operands.
func (v *Words) Sum(a, b *Words) {
	t0, c := bits.Add64(a[0], b[0], 0)
	t1, c := bits.Add64(a[1], b[1], c)
	t2, c := bits.Add64(a[2], b[2], c)
	t3, c := bits.Add64(a[3], b[3], c)
	t0, c = bits.Add64(t0, 38*c, 0)
	t1, c = bits.Add64(t1, 0, c)
	t2, c = bits.Add64(t2, 0, c)
	t3, c = bits.Add64(t3, 0, c)
	// A second carry leaves t below 38.
	v[0], v[1], v[2], v[3] = t0+38*c, t1, t2, t3
}

// Difference is Subtract, which accepts all operands.
func (v *Words) Difference(a, b *Words) { v.Subtract(a, b) }

// SubtractSum is Subtract, which accepts all subtrahends.
func (v *Words) SubtractSum(a, b *Words) { v.Subtract(a, b) }

// Multiply sets v = a·b; v is reduced.
func (v *Words) Multiply(a, b *Words) {
	// Schoolbook multiplication: t7…t0 = a·b.
	b0, b1, b2, b3 := b[0], b[1], b[2], b[3]
	x := a[0]
	h0, t0 := bits.Mul64(x, b0)
	h1, t1 := bits.Mul64(x, b1)
	h2, t2 := bits.Mul64(x, b2)
	h3, t3 := bits.Mul64(x, b3)
	t1, c := bits.Add64(t1, h0, 0)
	t2, c = bits.Add64(t2, h1, c)
	t3, c = bits.Add64(t3, h2, c)
	t4 := h3 + c

	x = a[1]
	h0, l0 := bits.Mul64(x, b0)
	h1, l1 := bits.Mul64(x, b1)
	h2, l2 := bits.Mul64(x, b2)
	h3, l3 := bits.Mul64(x, b3)
	t1, c = bits.Add64(t1, l0, 0)
	t2, c = bits.Add64(t2, l1, c)
	t3, c = bits.Add64(t3, l2, c)
	t4, c = bits.Add64(t4, l3, c)
	t5 := h3 + c
	t2, c = bits.Add64(t2, h0, 0)
	t3, c = bits.Add64(t3, h1, c)
	t4, c = bits.Add64(t4, h2, c)
	t5 += c

	x = a[2]
	h0, l0 = bits.Mul64(x, b0)
	h1, l1 = bits.Mul64(x, b1)
	h2, l2 = bits.Mul64(x, b2)
	h3, l3 = bits.Mul64(x, b3)
	t2, c = bits.Add64(t2, l0, 0)
	t3, c = bits.Add64(t3, l1, c)
	t4, c = bits.Add64(t4, l2, c)
	t5, c = bits.Add64(t5, l3, c)
	t6 := h3 + c
	t3, c = bits.Add64(t3, h0, 0)
	t4, c = bits.Add64(t4, h1, c)
	t5, c = bits.Add64(t5, h2, c)
	t6 += c

	x = a[3]
	h0, l0 = bits.Mul64(x, b0)
	h1, l1 = bits.Mul64(x, b1)
	h2, l2 = bits.Mul64(x, b2)
	h3, l3 = bits.Mul64(x, b3)
	t3, c = bits.Add64(t3, l0, 0)
	t4, c = bits.Add64(t4, l1, c)
	t5, c = bits.Add64(t5, l2, c)
	t6, c = bits.Add64(t6, l3, c)
	t7 := h3 + c
	t4, c = bits.Add64(t4, h0, 0)
	t5, c = bits.Add64(t5, h1, c)
	t6, c = bits.Add64(t6, h2, c)
	t7 += c

	// The upper half is multiplied by 38. The code is repeated in Square, because a call would be slower.
	h0, l0 = bits.Mul64(t4, 38)
	h1, l1 = bits.Mul64(t5, 38)
	h2, l2 = bits.Mul64(t6, 38)
	h3, l3 = bits.Mul64(t7, 38)
	t0, c = bits.Add64(t0, l0, 0)
	t1, c = bits.Add64(t1, l1, c)
	t2, c = bits.Add64(t2, l2, c)
	t3, c = bits.Add64(t3, l3, c)
	h3 += c
	t1, c = bits.Add64(t1, h0, 0)
	t2, c = bits.Add64(t2, h1, c)
	t3, c = bits.Add64(t3, h2, c)
	h3 += c
	// The bits from 255 on, at most 77, are multiplied by 19.
	t0, c = bits.Add64(t0, 19*(h3<<1|t3>>63), 0)
	t1, c = bits.Add64(t1, 0, c)
	t2, c = bits.Add64(t2, 0, c)
	v[0], v[1], v[2], v[3] = t0, t1, t2, t3&Low63+c
}

// Square sets v = a²; v is reduced.
func (v *Words) Square(a *Words) {
	// t6…t1 = the products of different words, doubled.
	a0, a1, a2, a3 := a[0], a[1], a[2], a[3]
	h01, t1 := bits.Mul64(a0, a1)
	h02, t2 := bits.Mul64(a0, a2)
	h03, t3 := bits.Mul64(a0, a3)
	h13, t4 := bits.Mul64(a1, a3)
	h23, t5 := bits.Mul64(a2, a3)
	h12, l12 := bits.Mul64(a1, a2)
	t2, c := bits.Add64(t2, h01, 0)
	t3, c = bits.Add64(t3, h02, c)
	t4, c = bits.Add64(t4, h03, c)
	t5, c = bits.Add64(t5, h13, c)
	t6 := h23 + c
	t3, c = bits.Add64(t3, l12, 0)
	t4, c = bits.Add64(t4, h12, c)
	t5, c = bits.Add64(t5, 0, c)
	t6 += c
	t1, c = bits.Add64(t1, t1, 0)
	t2, c = bits.Add64(t2, t2, c)
	t3, c = bits.Add64(t3, t3, c)
	t4, c = bits.Add64(t4, t4, c)
	t5, c = bits.Add64(t5, t5, c)
	t6, c = bits.Add64(t6, t6, c)
	t7 := c

	h0, t0 := bits.Mul64(a0, a0)
	h1, l1 := bits.Mul64(a1, a1)
	h2, l2 := bits.Mul64(a2, a2)
	h3, l3 := bits.Mul64(a3, a3)
	t1, c = bits.Add64(t1, h0, 0)
	t2, c = bits.Add64(t2, l1, c)
	t3, c = bits.Add64(t3, h1, c)
	t4, c = bits.Add64(t4, l2, c)
	t5, c = bits.Add64(t5, h2, c)
	t6, c = bits.Add64(t6, l3, c)
	t7 += h3 + c

	// The same reduction as in Multiply.
	h0, l0 := bits.Mul64(t4, 38)
	h1, l1 = bits.Mul64(t5, 38)
	h2, l2 = bits.Mul64(t6, 38)
	h3, l3 = bits.Mul64(t7, 38)
	t0, c = bits.Add64(t0, l0, 0)
	t1, c = bits.Add64(t1, l1, c)
	t2, c = bits.Add64(t2, l2, c)
	t3, c = bits.Add64(t3, l3, c)
	h3 += c
	t1, c = bits.Add64(t1, h0, 0)
	t2, c = bits.Add64(t2, h1, c)
	t3, c = bits.Add64(t3, h2, c)
	h3 += c
	t0, c = bits.Add64(t0, 19*(h3<<1|t3>>63), 0)
	t1, c = bits.Add64(t1, 0, c)
	t2, c = bits.Add64(t2, 0, c)
	v[0], v[1], v[2], v[3] = t0, t1, t2, t3&Low63+c
}
