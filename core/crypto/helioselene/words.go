package helioselene

import (
	"encoding/binary"
	"math/bits"
)

// words is an element of the field modulo q in four 64-bit words, little-endian. Any 256-bit number represents its
// residue, and all operations accept all of them.
//
// 2^256 = d modulo q, with d = 2·(2^255 − q), which has 125 bits. So the upper half of a product is
// multiplied by two words, twice, and a last carry adds d once more. No operation branches on values.
type words [4]uint64

// q is 2^255 − c. These are its words, and those of d = 2c.
const (
	q0 = 0xf9850b68df11df53
	q1 = 0xf735481d1969f317
	q2 = 1<<64 - 1
	q3 = 1<<63 - 1

	half0 = 0x067af49720ee20ad
	half1 = 0x08cab7e2e6960ce8

	d0 = 2 * half0
	d1 = 2 * half1
)

// SetBytes sets v to b, little-endian.
func (v *words) SetBytes(b *[32]byte) {
	for i := range v {
		v[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
}

// canonical returns v modulo q.
func (v *words) canonical() words {
	// Fold bit 255; then t < 2^255 + c, which is less than 2q.
	top := -(v[3] >> 63)
	t0, c := bits.Add64(v[0], half0&top, 0)
	t1, c := bits.Add64(v[1], half1&top, c)
	t2, c := bits.Add64(v[2], 0, c)
	t3 := v[3]&q3 + c
	// t ≥ q exactly if t + c ≥ 2^255, and then t − q = t + c − 2^255.
	u0, c := bits.Add64(t0, half0, 0)
	u1, c := bits.Add64(t1, half1, c)
	u2, c := bits.Add64(t2, 0, c)
	u3 := t3 + c
	over := -(u3 >> 63) // all ones, or zero
	return words{t0 ^ (t0^u0)&over, t1 ^ (t1^u1)&over, t2 ^ (t2^u2)&over, (t3 ^ (t3^u3)&over) & q3}
}

// Bytes returns v modulo q, little-endian.
func (v *words) Bytes() (out [32]byte) {
	for i, w := range v.canonical() {
		binary.LittleEndian.PutUint64(out[8*i:], w)
	}
	return out
}

// Sum sets v = a + b.
func (v *words) Sum(a, b *words) {
	t0, c := bits.Add64(a[0], b[0], 0)
	t1, c := bits.Add64(a[1], b[1], c)
	t2, c := bits.Add64(a[2], b[2], c)
	t3, c := bits.Add64(a[3], b[3], c)
	t0, c1 := bits.Add64(t0, d0&-c, 0)
	t1, c1 = bits.Add64(t1, d1&-c, c1)
	t2, c1 = bits.Add64(t2, 0, c1)
	t3, c1 = bits.Add64(t3, 0, c1)
	// A second carry leaves t below d, so that adding d again needs two words only.
	t0, c = bits.Add64(t0, d0&-c1, 0)
	v[0], v[1], v[2], v[3] = t0, t1+d1&-c1+c, t2, t3
}

// Difference sets v = a − b.
func (v *words) Difference(a, b *words) {
	t0, c := bits.Sub64(a[0], b[0], 0)
	t1, c := bits.Sub64(a[1], b[1], c)
	t2, c := bits.Sub64(a[2], b[2], c)
	t3, c := bits.Sub64(a[3], b[3], c)
	t0, c1 := bits.Sub64(t0, d0&-c, 0)
	t1, c1 = bits.Sub64(t1, d1&-c, c1)
	t2, c1 = bits.Sub64(t2, 0, c1)
	t3, c1 = bits.Sub64(t3, 0, c1)
	// A second borrow leaves t at least 2^256 − d, so that subtracting d again needs two words only.
	t0, c = bits.Sub64(t0, d0&-c1, 0)
	v[0], v[1], v[2], v[3] = t0, t1-d1&-c1-c, t2, t3
}

// Multiply sets v = a·b.
func (v *words) Multiply(a, b *words) {
	// Schoolbook multiplication: t7…t0 = a·b.
	x, b0, b1, b2, b3 := a[0], b[0], b[1], b[2], b[3]
	h0, t0 := bits.Mul64(x, b0)
	h1, t1 := bits.Mul64(x, b1)
	h2, t2 := bits.Mul64(x, b2)
	t4, t3 := bits.Mul64(x, b3)
	t1, c := bits.Add64(t1, h0, 0)
	t2, c = bits.Add64(t2, h1, c)
	t3, c = bits.Add64(t3, h2, c)
	t4 += c

	x = a[1]
	h0, l0 := bits.Mul64(x, b0)
	h1, l1 := bits.Mul64(x, b1)
	h2, l2 := bits.Mul64(x, b2)
	t5, l3 := bits.Mul64(x, b3)
	t1, c = bits.Add64(t1, l0, 0)
	t2, c = bits.Add64(t2, l1, c)
	t3, c = bits.Add64(t3, l2, c)
	t4, c = bits.Add64(t4, l3, c)
	t5 += c
	t2, c = bits.Add64(t2, h0, 0)
	t3, c = bits.Add64(t3, h1, c)
	t4, c = bits.Add64(t4, h2, c)
	t5 += c

	x = a[2]
	h0, l0 = bits.Mul64(x, b0)
	h1, l1 = bits.Mul64(x, b1)
	h2, l2 = bits.Mul64(x, b2)
	t6, l3 := bits.Mul64(x, b3)
	t2, c = bits.Add64(t2, l0, 0)
	t3, c = bits.Add64(t3, l1, c)
	t4, c = bits.Add64(t4, l2, c)
	t5, c = bits.Add64(t5, l3, c)
	t6 += c
	t3, c = bits.Add64(t3, h0, 0)
	t4, c = bits.Add64(t4, h1, c)
	t5, c = bits.Add64(t5, h2, c)
	t6 += c

	x = a[3]
	h0, l0 = bits.Mul64(x, b0)
	h1, l1 = bits.Mul64(x, b1)
	h2, l2 = bits.Mul64(x, b2)
	t7, l3 := bits.Mul64(x, b3)
	t3, c = bits.Add64(t3, l0, 0)
	t4, c = bits.Add64(t4, l1, c)
	t5, c = bits.Add64(t5, l2, c)
	t6, c = bits.Add64(t6, l3, c)
	t7 += c
	t4, c = bits.Add64(t4, h0, 0)
	t5, c = bits.Add64(t5, h1, c)
	t6, c = bits.Add64(t6, h2, c)
	t7 += c
	v.reduce(t0, t1, t2, t3, t4, t5, t6, t7)
}

// Square sets v = a².
func (v *words) Square(a *words) {
	// t6…t1 = the products of different words, doubled.
	a0, a1, a2, a3 := a[0], a[1], a[2], a[3]
	h01, t1 := bits.Mul64(a0, a1)
	h02, t2 := bits.Mul64(a0, a2)
	h03, t3 := bits.Mul64(a0, a3)
	h13, t4 := bits.Mul64(a1, a3)
	t6, t5 := bits.Mul64(a2, a3)
	h12, l12 := bits.Mul64(a1, a2)
	t2, c := bits.Add64(t2, h01, 0)
	t3, c = bits.Add64(t3, h02, c)
	t4, c = bits.Add64(t4, h03, c)
	t5, c = bits.Add64(t5, h13, c)
	t6 += c
	t3, c = bits.Add64(t3, l12, 0)
	t4, c = bits.Add64(t4, h12, c)
	t5, c = bits.Add64(t5, 0, c)
	t6 += c
	t1, c = bits.Add64(t1, t1, 0)
	t2, c = bits.Add64(t2, t2, c)
	t3, c = bits.Add64(t3, t3, c)
	t4, c = bits.Add64(t4, t4, c)
	t5, c = bits.Add64(t5, t5, c)
	t6, t7 := bits.Add64(t6, t6, c)

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
	v.reduce(t0, t1, t2, t3, t4, t5, t6, t7)
}

// reduce sets v = t7…t0 modulo q.
func (v *words) reduce(t0, t1, t2, t3, t4, t5, t6, t7 uint64) {
	// u5…u0 = t3…t0 + t7…t4·d. Because d has 125 bits, u5 is below 2^61.
	h0, l0 := bits.Mul64(t4, d0)
	h1, l1 := bits.Mul64(t5, d0)
	h2, l2 := bits.Mul64(t6, d0)
	u4, l3 := bits.Mul64(t7, d0)
	t0, c := bits.Add64(t0, l0, 0)
	t1, c = bits.Add64(t1, l1, c)
	t2, c = bits.Add64(t2, l2, c)
	t3, c = bits.Add64(t3, l3, c)
	u4 += c
	t1, c = bits.Add64(t1, h0, 0)
	t2, c = bits.Add64(t2, h1, c)
	t3, c = bits.Add64(t3, h2, c)
	u4 += c
	h0, l0 = bits.Mul64(t4, d1)
	h1, l1 = bits.Mul64(t5, d1)
	h2, l2 = bits.Mul64(t6, d1)
	u5, l3 := bits.Mul64(t7, d1)
	t1, c = bits.Add64(t1, l0, 0)
	t2, c = bits.Add64(t2, l1, c)
	t3, c = bits.Add64(t3, l2, c)
	u4, c = bits.Add64(u4, l3, c)
	u5 += c
	t2, c = bits.Add64(t2, h0, 0)
	t3, c = bits.Add64(t3, h1, c)
	u4, c = bits.Add64(u4, h2, c)
	u5 += c
	// t3…t0 += u5…u4·d, a product of 250 bits.
	h0, l0 = bits.Mul64(u4, d0)
	h1, l1 = bits.Mul64(u4, d1)
	h2, l2 = bits.Mul64(u5, d0)
	h3, l3 := bits.Mul64(u5, d1)
	h0, c = bits.Add64(h0, l1, 0)
	h1, c = bits.Add64(h1, l3, c)
	h3 += c
	h0, c = bits.Add64(h0, l2, 0)
	h1, c = bits.Add64(h1, h2, c)
	h3 += c
	t0, c = bits.Add64(t0, l0, 0)
	t1, c = bits.Add64(t1, h0, c)
	t2, c = bits.Add64(t2, h1, c)
	t3, c = bits.Add64(t3, h3, c)
	// After a carry less than 2^250 remains, so adding d does not carry again.
	t0, b := bits.Add64(t0, d0&-c, 0)
	t1, b = bits.Add64(t1, d1&-c, b)
	t2, b = bits.Add64(t2, 0, b)
	v[0], v[1], v[2], v[3] = t0, t1, t2, t3+b
}
