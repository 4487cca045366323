package field25519

import "encoding/binary"

// Limbs is an element in ten limbs of alternately 26 and 25 bits, the sum of v[i]·2^⌈25.5·i⌉. Without an instruction
// that multiplies two words into a double word, as in WebAssembly, ten limbs need no carries before the final sums,
// which fit into 64 bits. Source of the radix: Bernstein, "Curve25519: new Diffie-Hellman speed records", section 4.
//
// Sizes are in units of 2^26 for even limbs and 2^25 for odd ones. A reduced element is below 1.005 units. The size of
// a sum is the sum of the sizes; a − b is below a + 2 for reduced b, and below a + 4 with SubtractSum. The product of
// the sizes of two factors must be at most 31; the largest in package edwards is 30, for E·F in projective.double. No
// operation branches on values.
type Limbs [10]uint64

// Low25 and Low26 are the masks of odd and even limbs.
const (
	Low25 = 1<<25 - 1
	Low26 = 1<<26 - 1
)

// SetBytes sets v to the low 255 bits of b; v is reduced.
func (v *Limbs) SetBytes(b *[32]byte) {
	w0, w1 := binary.LittleEndian.Uint64(b[0:]), binary.LittleEndian.Uint64(b[8:])
	w2, w3 := binary.LittleEndian.Uint64(b[16:]), binary.LittleEndian.Uint64(b[24:])
	v[0] = w0 & Low26
	v[1] = w0 >> 26 & Low25
	v[2] = (w0>>51 | w1<<13) & Low26
	v[3] = w1 >> 13 & Low25
	v[4] = w1 >> 38
	v[5] = w2 & Low25
	v[6] = w2 >> 25 & Low26
	v[7] = (w2>>51 | w3<<13) & Low25
	v[8] = w3 >> 12 & Low26
	v[9] = w3 >> 38 & Low25
}

// Carry reduces every limb to its 26 or 25 bits. The carry of the last limb times 19 is added to the first.
func (v *Limbs) Carry() {
	for i := 0; i < 10; i += 2 {
		v[i+1] += v[i] >> 26
		v[i] &= Low26
		if i < 8 {
			v[i+2] += v[i+1] >> 25
			v[i+1] &= Low25
		}
	}
	v[0] += 19 * (v[9] >> 25)
	v[9] &= Low25
}

// Bytes returns v modulo p, little-endian.
func (v *Limbs) Bytes() (out [32]byte) {
	t := *v
	t.Carry()
	t.Carry() // a carry from the last limb is at most 1, and then t[0] is small
	// t ≥ p exactly if t + 19 ≥ 2^255, and then t − p = t + 19 − 2^255.
	over := (t[0] + 19) >> 26
	for i := 1; i < 10; i += 2 {
		over = (t[i] + over) >> 25
		if i < 9 {
			over = (t[i+1] + over) >> 26
		}
	}
	t[0] += 19 * over
	t.Carry() // subtracts over·2^255 and adds over·19
	t[0] -= 19 * over
	binary.LittleEndian.PutUint64(out[0:], t[0]|t[1]<<26|t[2]<<51)
	binary.LittleEndian.PutUint64(out[8:], t[2]>>13|t[3]<<13|t[4]<<38)
	binary.LittleEndian.PutUint64(out[16:], t[5]|t[6]<<25|t[7]<<51)
	binary.LittleEndian.PutUint64(out[24:], t[7]>>13|t[8]<<12|t[9]<<38)
	return out
}

// Add sets v = a + b.
func (v *Limbs) Add(a, b *Limbs) {
	v[0] = a[0] + b[0]
	v[1] = a[1] + b[1]
	v[2] = a[2] + b[2]
	v[3] = a[3] + b[3]
	v[4] = a[4] + b[4]
	v[5] = a[5] + b[5]
	v[6] = a[6] + b[6]
	v[7] = a[7] + b[7]
	v[8] = a[8] + b[8]
	v[9] = a[9] + b[9]
}

// Subtract sets v = a − b + 2p; b must be reduced.
func (v *Limbs) Subtract(a, b *Limbs) {
	v[0] = a[0] + 2*(Low26-18) - b[0]
	v[1] = a[1] + 2*Low25 - b[1]
	v[2] = a[2] + 2*Low26 - b[2]
	v[3] = a[3] + 2*Low25 - b[3]
	v[4] = a[4] + 2*Low26 - b[4]
	v[5] = a[5] + 2*Low25 - b[5]
	v[6] = a[6] + 2*Low26 - b[6]
	v[7] = a[7] + 2*Low25 - b[7]
	v[8] = a[8] + 2*Low26 - b[8]
	v[9] = a[9] + 2*Low25 - b[9]
}

// SubtractSum sets v = a − b + 4p; b must be below 4 units.
func (v *Limbs) SubtractSum(a, b *Limbs) {
	v[0] = a[0] + 4*(Low26-18) - b[0]
	v[1] = a[1] + 4*Low25 - b[1]
	v[2] = a[2] + 4*Low26 - b[2]
	v[3] = a[3] + 4*Low25 - b[3]
	v[4] = a[4] + 4*Low26 - b[4]
	v[5] = a[5] + 4*Low25 - b[5]
	v[6] = a[6] + 4*Low26 - b[6]
	v[7] = a[7] + 4*Low25 - b[7]
	v[8] = a[8] + 4*Low26 - b[8]
	v[9] = a[9] + 4*Low25 - b[9]
}

// Sum sets v = a + b; v is reduced if a and b are. Every carry is added to the next limb as it is: limbs of a few units
// exceed their 26 or 25 bits by a few afterwards.
func (v *Limbs) Sum(a, b *Limbs) {
	t0, t1, t2, t3, t4 := a[0]+b[0], a[1]+b[1], a[2]+b[2], a[3]+b[3], a[4]+b[4]
	t5, t6, t7, t8, t9 := a[5]+b[5], a[6]+b[6], a[7]+b[7], a[8]+b[8], a[9]+b[9]
	v[0] = t0&Low26 + 19*(t9>>25)
	v[1] = t1&Low25 + t0>>26
	v[2] = t2&Low26 + t1>>25
	v[3] = t3&Low25 + t2>>26
	v[4] = t4&Low26 + t3>>25
	v[5] = t5&Low25 + t4>>26
	v[6] = t6&Low26 + t5>>25
	v[7] = t7&Low25 + t6>>26
	v[8] = t8&Low26 + t7>>25
	v[9] = t9&Low25 + t8>>26
}

// Difference sets v = a − b; v is reduced if a and b are. See Sum.
func (v *Limbs) Difference(a, b *Limbs) {
	t0, t1, t2 := a[0]+2*(Low26-18)-b[0], a[1]+2*Low25-b[1], a[2]+2*Low26-b[2]
	t3, t4 := a[3]+2*Low25-b[3], a[4]+2*Low26-b[4]
	t5, t6, t7 := a[5]+2*Low25-b[5], a[6]+2*Low26-b[6], a[7]+2*Low25-b[7]
	t8, t9 := a[8]+2*Low26-b[8], a[9]+2*Low25-b[9]
	v[0] = t0&Low26 + 19*(t9>>25)
	v[1] = t1&Low25 + t0>>26
	v[2] = t2&Low26 + t1>>25
	v[3] = t3&Low25 + t2>>26
	v[4] = t4&Low26 + t3>>25
	v[5] = t5&Low25 + t4>>26
	v[6] = t6&Low26 + t5>>25
	v[7] = t7&Low25 + t6>>26
	v[8] = t8&Low26 + t7>>25
	v[9] = t9&Low25 + t8>>26
}

// Multiply sets v = a·b; v is reduced.
//
// With X = 2^51 a factor is A + 2^26·C, where A (the even limbs) and C (the odd limbs) are polynomials in X with five
// coefficients, and X^5 = 19. The product is P + 2X·Q + 2^26·(S − P − Q) with P = A·B, Q = C·D and S = (A + C)·(B +
// D). These are 75 instead of 100 multiplications (Karatsuba). Intermediate differences may exceed 2^64, results do
// not.
func (v *Limbs) Multiply(a, b *Limbs) {
	a0, a1, a2, a3, a4 := a[0], a[2], a[4], a[6], a[8]
	b0, b1, b2, b3, b4 := b[0], b[2], b[4], b[6], b[8]
	p0 := a0*b0 + 19*(a1*b4+a2*b3+a3*b2+a4*b1)
	p1 := a0*b1 + a1*b0 + 19*(a2*b4+a3*b3+a4*b2)
	p2 := a0*b2 + a1*b1 + a2*b0 + 19*(a3*b4+a4*b3)
	p3 := a0*b3 + a1*b2 + a2*b1 + a3*b0 + 19*(a4*b4)
	p4 := a0*b4 + a1*b3 + a2*b2 + a3*b1 + a4*b0

	c0, c1, c2, c3, c4 := a[1], a[3], a[5], a[7], a[9]
	d0, d1, d2, d3, d4 := b[1], b[3], b[5], b[7], b[9]
	q0 := c0*d0 + 19*(c1*d4+c2*d3+c3*d2+c4*d1)
	q1 := c0*d1 + c1*d0 + 19*(c2*d4+c3*d3+c4*d2)
	q2 := c0*d2 + c1*d1 + c2*d0 + 19*(c3*d4+c4*d3)
	q3 := c0*d3 + c1*d2 + c2*d1 + c3*d0 + 19*(c4*d4)
	q4 := c0*d4 + c1*d3 + c2*d2 + c3*d1 + c4*d0

	a0, a1, a2, a3, a4 = a0+c0, a1+c1, a2+c2, a3+c3, a4+c4
	b0, b1, b2, b3, b4 = b0+d0, b1+d1, b2+d2, b3+d3, b4+d4
	s0 := a0*b0 + 19*(a1*b4+a2*b3+a3*b2+a4*b1)
	s1 := a0*b1 + a1*b0 + 19*(a2*b4+a3*b3+a4*b2)
	s2 := a0*b2 + a1*b1 + a2*b0 + 19*(a3*b4+a4*b3)
	s3 := a0*b3 + a1*b2 + a2*b1 + a3*b0 + 19*(a4*b4)
	s4 := a0*b4 + a1*b3 + a2*b2 + a3*b1 + a4*b0

	h0, h1 := p0+38*q4, s0-p0-q0
	h2, h3 := p1+2*q0, s1-p1-q1
	h4, h5 := p2+2*q1, s2-p2-q2
	h6, h7 := p3+2*q2, s3-p3-q3
	h8, h9 := p4+2*q3, s4-p4-q4
	// Two carry chains run in parallel. The carry of the last limb is multiplied by 19.
	h1 += h0 >> 26
	h6 += h5 >> 25
	h2 += h1 >> 25
	h7 += h6 >> 26
	h3 += h2 >> 26
	h8 += h7 >> 25
	h4 += h3 >> 25
	h9 += h8 >> 26
	h5 = h5&Low25 + h4>>26
	h0 = h0&Low26 + 19*(h9>>25)
	v[0] = h0 & Low26
	v[1] = h1&Low25 + h0>>26
	v[2] = h2 & Low26
	v[3] = h3 & Low25
	v[4] = h4 & Low26
	v[5] = h5 & Low25
	v[6] = h6&Low26 + h5>>25
	v[7] = h7 & Low25
	v[8] = h8 & Low26
	v[9] = h9 & Low25
}

// Square sets v = a²; v is reduced. See Multiply.
func (v *Limbs) Square(a *Limbs) {
	a0, a1, a2, a3, a4 := a[0], a[2], a[4], a[6], a[8]
	p0 := a0*a0 + 19*(2*(a1*a4+a2*a3))
	p1 := 2*a0*a1 + 19*(2*a2*a4+a3*a3)
	p2 := 2*a0*a2 + a1*a1 + 19*(2*a3*a4)
	p3 := 2*(a0*a3+a1*a2) + 19*(a4*a4)
	p4 := 2*(a0*a4+a1*a3) + a2*a2

	c0, c1, c2, c3, c4 := a[1], a[3], a[5], a[7], a[9]
	q0 := c0*c0 + 19*(2*(c1*c4+c2*c3))
	q1 := 2*c0*c1 + 19*(2*c2*c4+c3*c3)
	q2 := 2*c0*c2 + c1*c1 + 19*(2*c3*c4)
	q3 := 2*(c0*c3+c1*c2) + 19*(c4*c4)
	q4 := 2*(c0*c4+c1*c3) + c2*c2

	a0, a1, a2, a3, a4 = a0+c0, a1+c1, a2+c2, a3+c3, a4+c4
	s0 := a0*a0 + 19*(2*(a1*a4+a2*a3))
	s1 := 2*a0*a1 + 19*(2*a2*a4+a3*a3)
	s2 := 2*a0*a2 + a1*a1 + 19*(2*a3*a4)
	s3 := 2*(a0*a3+a1*a2) + 19*(a4*a4)
	s4 := 2*(a0*a4+a1*a3) + a2*a2

	h0, h1 := p0+38*q4, s0-p0-q0
	h2, h3 := p1+2*q0, s1-p1-q1
	h4, h5 := p2+2*q1, s2-p2-q2
	h6, h7 := p3+2*q2, s3-p3-q3
	h8, h9 := p4+2*q3, s4-p4-q4
	// Two carry chains run in parallel. The carry of the last limb is multiplied by 19.
	h1 += h0 >> 26
	h6 += h5 >> 25
	h2 += h1 >> 25
	h7 += h6 >> 26
	h3 += h2 >> 26
	h8 += h7 >> 25
	h4 += h3 >> 25
	h9 += h8 >> 26
	h5 = h5&Low25 + h4>>26
	h0 = h0&Low26 + 19*(h9>>25)
	v[0] = h0 & Low26
	v[1] = h1&Low25 + h0>>26
	v[2] = h2 & Low26
	v[3] = h3 & Low25
	v[4] = h4 & Low26
	v[5] = h5 & Low25
	v[6] = h6&Low26 + h5>>25
	v[7] = h7 & Low25
	v[8] = h8 & Low26
	v[9] = h9 & Low25
}
