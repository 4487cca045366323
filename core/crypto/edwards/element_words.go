//go:build !wasm && !386 && !arm && !mips && !mipsle

package edwards

const slowWords = false

// packed is an element in tables that lookups read completely.
type packed [4]uint64

// or sets v to the bitwise OR of v and a where mask has ones.
func (p *packed) or(a *packed, mask uint64) {
	p[0] |= a[0] & mask
	p[1] |= a[1] & mask
	p[2] |= a[2] & mask
	p[3] |= a[3] & mask
}

func (v *element) pack(p *packed)   { *p = packed(*v) }
func (v *element) unpack(p *packed) { *v = element(*p) }

// sumDifference sets s = a + b and d = a − b; a and b must be reduced.
func sumDifference(s, d, a, b *element) {
	s.add(a, b)
	d.subtract(a, b)
}

// doubled computes the end of a doubling from the squares: h = a + b, e = e − h, g = b − a, f = 2c − g.
func doubled(e, f, g, h, a, b, c *element) {
	h.add(a, b)
	e.subtractSum(e, h)
	g.subtract(b, a)
	f.add(c, c)
	f.subtractSum(f, g)
}
