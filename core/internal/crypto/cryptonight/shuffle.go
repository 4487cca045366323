package cryptonight

import (
	"math"
	"math/bits"

	"glim/core/internal/crypto/aesround"
)

// workVariant2 is the main loop of variants 2 and later, which modifies the neighbours of each place. Variants 2 and 3
// mix in a division and a square root, and variants 4 and 5 a program.
// Source: slow-hash.c, cn_slow_hash and the macros VARIANT2 and VARIANT4.
func (h *Hasher) workVariant2(s *[25]uint64, p program) {
	t, m := aesround.Get(), h.pad
	var a, b, older, c block
	a = block{s[0] ^ s[4], s[1] ^ s[5]}
	b = block{s[2] ^ s[6], s[3] ^ s[7]}
	older = block{s[8] ^ s[10], s[9] ^ s[11]}
	quotient, root := s[12], s[13]
	var r registers
	r[0], r[1], r[2], r[3] = uint32(s[12]), uint32(s[12]>>32), uint32(s[13]), uint32(s[13]>>32)
	for range iterations {
		j := uint32(a.lo>>3) & padMask
		c.lo, c.hi = t.Encrypt(m[j], m[j+1], a.lo, a.hi)
		sum := shuffle(m, j, a, b, older)
		if p != nil {
			c.lo ^= sum.lo
			c.hi ^= sum.hi
		}
		m[j], m[j+1] = c.lo^b.lo, c.hi^b.hi

		j = uint32(c.lo>>3) & padMask
		d := block{m[j], m[j+1]}
		next := a
		if p == nil {
			d.lo ^= quotient ^ root<<32
			quotient, root = divide(c, root)
		} else {
			d.lo ^= uint64(r[0]+r[1]) | uint64(r[2]+r[3])<<32
			r[4], r[5], r[6], r[7], r[8] = uint32(a.lo), uint32(a.hi), uint32(b.lo), uint32(older.lo), uint32(older.hi)
			p.run(&r)
			next.lo ^= uint64(r[2]) | uint64(r[3])<<32
			next.hi ^= uint64(r[0]) | uint64(r[1])<<32
		}
		hi, lo := bits.Mul64(c.lo, d.lo)
		if p == nil {
			m[j^2] ^= hi
			m[j^2+1] ^= lo
			hi ^= m[j^4]
			lo ^= m[j^4+1]
		}
		sum = shuffle(m, j, a, b, older)
		if p != nil {
			c.lo ^= sum.lo
			c.hi ^= sum.hi
		}
		next.lo += hi
		next.hi += lo
		m[j], m[j+1] = next.lo, next.hi
		a = block{next.lo ^ d.lo, next.hi ^ d.hi}
		older, b = b, c
	}
}

// block is 16 bytes as two little-endian words.
type block struct{ lo, hi uint64 }

// shuffle rotates the three other blocks of the 64 bytes around j and adds to each. It returns their previous sum
// without carries.
// Source: slow-hash.c, VARIANT2_PORTABLE_SHUFFLE_ADD.
func shuffle(m *[padWords]uint64, j uint32, a, b, older block) block {
	j &= padMask
	x, y, z := (*[2]uint64)(m[j^2:]), (*[2]uint64)(m[j^4:]), (*[2]uint64)(m[j^6:])
	x0, x1, y0, y1, z0, z1 := x[0], x[1], y[0], y[1], z[0], z[1]
	x[0], x[1] = z0+older.lo, z1+older.hi
	y[0], y[1] = x0+b.lo, x1+b.hi
	z[0], z[1] = y0+a.lo, y1+a.hi
	return block{x0 ^ y0 ^ z0, x1 ^ y1 ^ z1}
}

// divide returns the quotient, with the remainder in its high half, and the root of the next step.
// Source: slow-hash.c, VARIANT2_INTEGER_MATH_DIVISION_STEP.
func divide(c block, root uint64) (uint64, uint64) {
	divisor := uint64(uint32(c.lo+root<<1) | 0x80000001)
	quotient := uint64(uint32(c.hi/divisor)) + c.hi%divisor<<32
	return quotient, fractionRoot(c.lo + quotient)
}

// fractionRoot returns the integer part of 2·√(2^64 + n) − 2^33, which has 32 bits.
// Source: variant2_int_sqrt.h.
func fractionRoot(n uint64) uint64 {
	// Rounding n moves the root by less than half of its last place. So the result is never too small, a whole number
	// being exact, and at most one too large, when r ≤ 2·√(2^64 + n) − 2^33, or r² + r·2^34 ≤ 4·n, does not hold.
	r := uint64(math.Sqrt(float64(n)+1<<64)*2 - 1<<33)
	if exceeds(r, n) {
		return r - 1
	}
	return r
}

// exceeds reports whether r² + r·2^34 > 4·n.
func exceeds(r, n uint64) bool {
	hi, lo := bits.Mul64(r, r+1<<34)
	return hi > n>>62 || hi == n>>62 && lo > n<<2
}
