package ecdivisors

import (
	"crypto/subtle"

	"glim/core/crypto/helioselene"
)

// HeliosGenerator is a point of odd order whose coordinates are scalars of Helios, on a curve y² = x³ + a·x + b.
type HeliosGenerator struct {
	a, b      helioselene.Element
	doublings []heliosXY
}

// HeliosMultiple is a multiple of a generator, with the function that proves its logarithm. It is secret: Wipe it after
// use.
type HeliosMultiple struct {
	X, Y helioselene.Element
	// Divisor has the coefficients of the function: of y; y·x, y·x² and so on; x², x³ and so on; 1. The coefficient
	// of x is 1. Their number is the bits of the group's order.
	Divisor []helioselene.Element
}

// heliosXY is a point, but not the identity.
type heliosXY struct{ x, y helioselene.Element }

// NewHeliosGenerator returns the generator with doublings at coordinates x and y: itself times 1, 2, 4 and so on, as
// many as the order of its group has bits. Its curve has the parameter a.
func NewHeliosGenerator(a *helioselene.Element, x, y []helioselene.Element) *HeliosGenerator {
	g := &HeliosGenerator{a: *a, doublings: make([]heliosXY, len(x))}
	for i := range x {
		g.doublings[i] = heliosXY{x[i], y[i]}
	}
	var t helioselene.Element
	t.Square(&x[0])
	t.Add(&t, a)
	t.Multiply(&t, &x[0])
	g.b.Square(&y[0])
	g.b.Subtract(&g.b, &t)
	return g
}

// Helios returns the coefficients as scalars of Helios.
func (l Logarithm) Helios() []helioselene.Element {
	list := make([]helioselene.Element, len(l))
	for i := range list {
		list[i].SetUint64(uint64(l[i]))
	}
	return list
}

// Wipe overwrites m with zeros.
func (m *HeliosMultiple) Wipe() {
	clear(m.Divisor)
	*m = HeliosMultiple{}
}

// Multiple returns the multiple of the generator for a logarithm of its group. Its time does not depend on the
// logarithm, unless it returns ErrFunction.
func (g *HeliosGenerator) Multiple(l Logarithm) (*HeliosMultiple, error) {
	if len(l) != len(g.doublings) {
		panic("ecdivisors: the logarithm is of another group")
	}
	nodes := g.leaves(l)
	scratch := newHeliosScratch(len(l))
	defer scratch.wipe()
	for len(nodes) > 1 {
		nodes = g.pair(nodes, scratch)
	}
	f := &nodes[0]
	defer f.wipe()
	var factor helioselene.Element
	factor.Invert(&f.a[1])
	if factor.IsZero() {
		return nil, ErrFunction
	}
	m := &HeliosMultiple{X: f.sum.x, Y: f.sum.y, Divisor: make([]helioselene.Element, 0, len(l))}
	m.Divisor = append(m.Divisor, f.b...)
	m.Divisor = append(m.Divisor, f.a[2:]...)
	m.Divisor = append(m.Divisor, f.a[0])
	for i := range m.Divisor {
		m.Divisor[i].Multiply(&m.Divisor[i], &factor)
	}
	return m, nil
}

// heliosFunction is a(x) + y·b(x), with zeros at some points and at minus their sum. Coefficients of x⁰ come first.
type heliosFunction struct {
	points int // without minus the sum
	a, b   []helioselene.Element
	sum    heliosSum
}

// heliosSum is a point.
type heliosSum struct {
	x, y     helioselene.Element // zeros for the identity
	identity int                 // 1 or 0
}

func (f *heliosFunction) wipe() {
	clear(f.a)
	clear(f.b)
	f.sum = heliosSum{}
}

// leaves returns a function for each doubling, each as often as the logarithm says: x minus its x.
func (g *HeliosGenerator) leaves(l Logarithm) []heliosFunction {
	leaves := make([]heliosFunction, len(l))
	before := 0 // leaves of lower doublings
	for i := range g.doublings {
		d := &g.doublings[i]
		// All leaves from here on, of which the next doubling overwrites all but its own.
		for j := range leaves {
			sum := &leaves[j].sum
			here := 1 - lessThan(j, before)
			sum.x.Select(&d.x, &sum.x, here)
			sum.y.Select(&d.y, &sum.y, here)
		}
		before += int(l[i])
	}
	coefficients := make([]helioselene.Element, 2*len(leaves))
	for i := range leaves {
		f := &leaves[i]
		f.points = 1
		f.a = coefficients[2*i : 2*i+2 : 2*i+2]
		f.a[0].Negate(&f.sum.x)
		f.a[1].SetUint64(1)
	}
	return leaves
}

// heliosLine is slope·x + constant, plus y if withY is 1: the line through two points, the vertical line through one,
// or 1.
type heliosLine struct {
	slope, constant helioselene.Element
	withY           int
}

// pair joins each function of even index with the next, and wipes both.
func (g *HeliosGenerator) pair(nodes []heliosFunction, scratch *heliosScratch) []heliosFunction {
	half := len(nodes) / 2
	slopes := make([]helioselene.Element, half)
	numerators := make([]helioselene.Element, half)
	same := make([][2]int, half)
	defer func() {
		clear(slopes)
		clear(numerators)
		clear(same)
	}()
	for i := range half {
		p, q := &nodes[2*i].sum, &nodes[2*i+1].sum
		var tangent, twoY helioselene.Element
		same[i] = [2]int{equalHelios(&p.x, &q.x), equalHelios(&p.y, &q.y)}
		double := same[i][0] & same[i][1]
		tangent.Square(&p.x)
		twoY.Add(&tangent, &tangent)
		tangent.Add(&tangent, &twoY)
		tangent.Add(&tangent, &g.a) // 3·x² + a
		twoY.Add(&p.y, &p.y)
		slopes[i].Subtract(&q.x, &p.x)
		slopes[i].Select(&twoY, &slopes[i], double)
		numerators[i].Subtract(&q.y, &p.y)
		numerators[i].Select(&tangent, &numerators[i], double)
	}
	helioselene.InvertElements(slopes) // 0 remains 0 if the points have no common line with a slope
	next := make([]heliosFunction, 0, len(nodes)-half)
	for i := range half {
		left, right := &nodes[2*i], &nodes[2*i+1]
		slopes[i].Multiply(&slopes[i], &numerators[i])
		line, sum := throughHelios(&left.sum, &right.sum, &slopes[i], same[i][0]&^same[i][1])
		f := heliosFunction{points: left.points + right.points, sum: sum}
		if f.points == 2 {
			f.a = []helioselene.Element{line.constant, line.slope}
			f.b = make([]helioselene.Element, 1)
			f.b[0].SetUint64(uint64(line.withY))
		} else {
			g.join(&f, left, right, &line, scratch)
		}
		left.wipe()
		right.wipe()
		next = append(next, f)
	}
	next = append(next, nodes[2*half:]...)
	clear(nodes)
	return next
}

// throughHelios returns the line through p and q, and p + q. slope is that of the line, if it has one. opposite is 1 if
// coordinates show that p = −q.
func throughHelios(p, q *heliosSum, slope *helioselene.Element, opposite int) (line heliosLine, sum heliosSum) {
	var zero, one, intercept, t helioselene.Element
	one.SetUint64(1)
	opposite &^= p.identity | q.identity
	neither := 1 - (p.identity | q.identity)
	both := p.identity & q.identity
	line.withY = neither &^ opposite

	t.Multiply(slope, &p.x)
	intercept.Subtract(&p.y, &t)
	sum.x.Square(slope)
	sum.x.Subtract(&sum.x, &p.x)
	sum.x.Subtract(&sum.x, &q.x)
	t.Multiply(slope, &sum.x)
	sum.y.Add(&t, &intercept)
	sum.y.Negate(&sum.y)

	// y − slope·x − intercept, x minus that of the point that is not the identity, or 1
	line.slope.Select(line.slope.Negate(slope), &one, line.withY)
	line.constant.Select(&q.x, &p.x, p.identity)
	line.constant.Select(&intercept, &line.constant, line.withY)
	line.constant.Negate(&line.constant)
	line.slope.Select(&zero, &line.slope, both)
	line.constant.Select(&one, &line.constant, both)

	sum.identity = both | opposite
	sum.x.Select(&q.x, &sum.x, p.identity)
	sum.y.Select(&q.y, &sum.y, p.identity)
	sum.x.Select(&p.x, &sum.x, q.identity)
	sum.y.Select(&p.y, &sum.y, q.identity)
	sum.x.Select(&zero, &sum.x, sum.identity)
	sum.y.Select(&zero, &sum.y, sum.identity)
	return line, sum
}

// equalHelios returns 1 if a = b, and 0 otherwise.
func equalHelios(a, b *helioselene.Element) int {
	x, y := a.Bytes(), b.Bytes()
	return subtle.ConstantTimeCompare(x[:], y[:])
}
