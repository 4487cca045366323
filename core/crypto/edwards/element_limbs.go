//go:build wasm || 386 || arm || mips || mipsle

package edwards

import "glim/core/internal/crypto/field25519"

const (
	low25 = field25519.Low25
	low26 = field25519.Low26
)

// slowWords reports that elements are faster than the field elements of the library, which have 64-bit words.
const slowWords = true

// packed is an element with two limbs in each word. Limbs of reduced elements, and of their sums and differences, are
// below 2^29.
type packed [5]uint64

// or sets v to the bitwise OR of v and a where mask has ones.
func (p *packed) or(a *packed, mask uint64) {
	p[0] |= a[0] & mask
	p[1] |= a[1] & mask
	p[2] |= a[2] & mask
	p[3] |= a[3] & mask
	p[4] |= a[4] & mask
}

func (v *element) pack(p *packed) {
	for i := range p {
		p[i] = v[2*i] | v[2*i+1]<<32
	}
}

func (v *element) unpack(p *packed) {
	for i, w := range p {
		v[2*i], v[2*i+1] = w&(1<<32-1), w>>32
	}
}

// sumDifference sets s = a + b and d = a − b; a and b must be reduced. A call costs as much as the operations, so it
// does both.
func sumDifference(s, d, a, b *element) {
	s[0], d[0] = a[0]+b[0], a[0]+2*(low26-18)-b[0]
	s[1], d[1] = a[1]+b[1], a[1]+2*low25-b[1]
	s[2], d[2] = a[2]+b[2], a[2]+2*low26-b[2]
	s[3], d[3] = a[3]+b[3], a[3]+2*low25-b[3]
	s[4], d[4] = a[4]+b[4], a[4]+2*low26-b[4]
	s[5], d[5] = a[5]+b[5], a[5]+2*low25-b[5]
	s[6], d[6] = a[6]+b[6], a[6]+2*low26-b[6]
	s[7], d[7] = a[7]+b[7], a[7]+2*low25-b[7]
	s[8], d[8] = a[8]+b[8], a[8]+2*low26-b[8]
	s[9], d[9] = a[9]+b[9], a[9]+2*low25-b[9]
}

// doubled computes the end of a doubling from the squares: h = a + b, e = e − h, g = b − a, f = 2c − g.
func doubled(e, f, g, h, a, b, c *element) {
	difference := func(e, f, g, h *uint64, a, b, c, p2 uint64) {
		*h = a + b
		*e += 2*p2 - (a + b)
		*g = b + p2 - a
		*f = 2*c + p2 - b + a // 2c + 4p − g
	}
	difference(&e[0], &f[0], &g[0], &h[0], a[0], b[0], c[0], 2*(low26-18))
	difference(&e[1], &f[1], &g[1], &h[1], a[1], b[1], c[1], 2*low25)
	difference(&e[2], &f[2], &g[2], &h[2], a[2], b[2], c[2], 2*low26)
	difference(&e[3], &f[3], &g[3], &h[3], a[3], b[3], c[3], 2*low25)
	difference(&e[4], &f[4], &g[4], &h[4], a[4], b[4], c[4], 2*low26)
	difference(&e[5], &f[5], &g[5], &h[5], a[5], b[5], c[5], 2*low25)
	difference(&e[6], &f[6], &g[6], &h[6], a[6], b[6], c[6], 2*low26)
	difference(&e[7], &f[7], &g[7], &h[7], a[7], b[7], c[7], 2*low25)
	difference(&e[8], &f[8], &g[8], &h[8], a[8], b[8], c[8], 2*low26)
	difference(&e[9], &f[9], &g[9], &h[9], a[9], b[9], c[9], 2*low25)
}
