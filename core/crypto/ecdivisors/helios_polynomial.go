package ecdivisors

import "glim/core/crypto/helioselene"

// heliosScratch are polynomials for join.
type heliosScratch struct{ all, left, right, aa, bb, cross, a, b []helioselene.Element }

// newHeliosScratch returns polynomials that suffice for functions of a number of points.
func newHeliosScratch(points int) *heliosScratch {
	n := points/2 + 8
	s := &heliosScratch{all: make([]helioselene.Element, 7*n)}
	for i, p := range []*[]helioselene.Element{&s.left, &s.right, &s.aa, &s.bb, &s.cross, &s.a, &s.b} {
		*p = s.all[i*n : (i+1)*n]
	}
	return s
}

func (s *heliosScratch) wipe() { clear(s.all) }

// join sets f to left·right·line/((x − p)·(x − q)), where p and q are the x coordinates of the sums of left and
// right: the line has a zero at each sum, where left and right have one at minus that. For the identity there is no
// divisor.
//
// A function with n zeros has at most n/2 as the degree of a, and (n − 3)/2 as that of b. Products are computed to
// these degrees, although coefficients can be 0 if points add up to the identity.
func (g *HeliosGenerator) join(f, left, right *heliosFunction, line *heliosLine, s *heliosScratch) {
	degree := func(zeros int) (a, b int) { return zeros/2 + 1, (zeros - 1) / 2 } // and one more: lengths
	zeros := f.points + 2
	lenA, lenB := degree(zeros)

	// a = a₁·a₂ + b₁·b₂·(x³ + a·x + b), b = (a₁ + b₁)·(a₂ + b₂) − a₁·a₂ − b₁·b₂
	multiplyHelios(s.aa, left.a, right.a)
	bb := max(len(left.b)+len(right.b)-1, 0)
	if len(right.b) == 0 {
		bb = 0
	}
	multiplyHelios(s.bb[:bb], left.b, right.b)
	multiplyHelios(s.cross, addHelios(s.left, left.a, left.b), addHelios(s.right, right.a, right.b))
	aa := len(left.a) + len(right.a) - 1
	a, b := s.a[:lenA], s.b[:lenB]
	clear(a)
	clear(b)
	copy(a, s.aa[:aa])
	g.addSquare(a, s.bb[:bb])
	copy(b, s.cross[:min(aa, lenB)])
	subtractHelios(b, s.aa[:min(aa, lenB)])
	subtractHelios(b, s.bb[:min(bb, lenB)])

	// times slope·x + constant + withY·y
	lenA, lenB = degree(zeros + 3)
	nextA, nextB := s.aa[:lenA], s.cross[:lenB]
	line.multiply(nextA, a)
	line.multiply(nextB, b)
	var zero helioselene.Element
	for i := range b {
		s.bb[i].Select(&b[i], &zero, line.withY)
	}
	g.addSquare(nextA, s.bb[:len(b)])
	for i := range a {
		a[i].Select(&a[i], &zero, line.withY)
		nextB[i].Add(&nextB[i], &a[i])
	}

	for _, sum := range []*heliosSum{&left.sum, &right.sum} {
		nextA, nextB = sum.divide(nextA), sum.divide(nextB)
	}
	f.a = append(make([]helioselene.Element, 0, len(nextA)), nextA...)
	f.b = append(make([]helioselene.Element, 0, len(nextB)), nextB...)
}

// multiplyHelios sets the first coefficients of v to those of p·q.
func multiplyHelios(v, p, q []helioselene.Element) {
	if len(p) == 0 || len(q) == 0 {
		return
	}
	clear(v[:len(p)+len(q)-1])
	var t helioselene.Element
	for i := range p {
		row := v[i : i+len(q)]
		for j := range q {
			t.Multiply(&p[i], &q[j])
			row[j].Add(&row[j], &t)
		}
	}
}

// addHelios sets the first coefficients of v to those of p + q, and returns them. q must not be longer than p.
func addHelios(v, p, q []helioselene.Element) []helioselene.Element {
	copy(v, p)
	for i := range q {
		v[i].Add(&v[i], &q[i])
	}
	return v[:len(p)]
}

// subtractHelios sets v = v − p. p must not be longer than v.
func subtractHelios(v, p []helioselene.Element) {
	for i := range p {
		v[i].Subtract(&v[i], &p[i])
	}
}

// addSquare adds p·(x³ + a·x + b) to v.
func (g *HeliosGenerator) addSquare(v, p []helioselene.Element) {
	var t helioselene.Element
	for i := range p {
		v[i].Add(&v[i], t.Multiply(&p[i], &g.b))
		v[i+1].Add(&v[i+1], t.Multiply(&p[i], &g.a))
		v[i+3].Add(&v[i+3], &p[i])
	}
}

// multiply sets v = p·(slope·x + constant). v must be longer than p.
func (line *heliosLine) multiply(v, p []helioselene.Element) {
	clear(v)
	var t helioselene.Element
	for i := range p {
		v[i].Add(&v[i], t.Multiply(&p[i], &line.constant))
		v[i+1].Multiply(&p[i], &line.slope)
	}
}

// divide returns p divided by x minus the x of the sum, in the place of p, which must be divisible by it. If the sum is
// the identity, it returns p without its highest coefficient, which must be 0.
func (sum *heliosSum) divide(p []helioselene.Element) []helioselene.Element {
	quotient, last := p[len(p)-1], len(p)-1
	var next, t helioselene.Element
	for i := last - 1; i >= 0; i-- {
		next = p[i]
		p[i].Select(&next, &quotient, sum.identity)
		quotient.Add(&next, t.Multiply(&quotient, &sum.x))
	}
	return p[:last]
}
