//go:build !wasm && !386 && !arm && !mips && !mipsle

package edwards

type element = words

const slowWords = false

// packed is an element as tables have it that are read whole.
type packed words

// or adds a, bit by bit, where mask has ones.
func (p *packed) or(a *packed, mask uint64) {
	p[0] |= a[0] & mask
	p[1] |= a[1] & mask
	p[2] |= a[2] & mask
	p[3] |= a[3] & mask
}

func (v *element) pack(p *packed)   { *p = packed(*v) }
func (v *element) unpack(p *packed) { *v = element(*p) }

// sumDifference sets s = a + b and d = a − b, of a and b that are reduced.
func sumDifference(s, d, a, b *element) {
	s.add(a, b)
	d.subtract(a, b)
}

// doubled sets what is left of a doubling when the squares are known: h = a + b, e = e − h, g = b − a, f = 2c − g.
func doubled(e, f, g, h, a, b, c *element) {
	h.add(a, b)
	e.subtractSum(e, h)
	g.subtract(b, a)
	f.add(c, c)
	f.subtractSum(f, g)
}
