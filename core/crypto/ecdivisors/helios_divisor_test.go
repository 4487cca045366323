package ecdivisors

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/crypto/helioselene"
)

// minus3Helios is the parameter a of the curve whose coordinates are scalars of Helios.
func minus3Helios() *helioselene.Element {
	a := new(helioselene.Element).SetUint64(3)
	return a.Negate(a)
}

// generatorHelios returns the generator of Selene.
func generatorHelios() *HeliosGenerator {
	points := make([]helioselene.Selene, Selene.Bits())
	points[0] = *helioselene.SeleneBase()
	for i := 1; i < len(points); i++ {
		points[i].Double(&points[i-1])
	}
	x, y := helioselene.SeleneXY(points)
	return NewHeliosGenerator(minus3Helios(), x, y)
}

// TestMultiplesHelios makes multiples of the generator of Selene.
func TestMultiplesHelios(t *testing.T) {
	g := generatorHelios()
	for _, scalar := range scalarsOf(Selene) {
		m := checkHelios(t, g, Selene, scalar)
		var s helioselene.Element25519
		require.NoError(t, s.SetBytes(scalar))
		x, y, _ := new(helioselene.Selene).ScalarMult(&s, helioselene.SeleneBase()).XY()
		require.True(t, m.X.Equal(&x) && m.Y.Equal(&y))
		m.Wipe()
		require.True(t, m.X.IsZero() && m.Y.IsZero() && m.Divisor == nil)
	}
}

// checkHelios checks that the zeros of a multiple's function are the doublings and minus the multiple: it vanishes
// there, and its norm a² − b²·(x³ + a·x + b) is the product of all differences of x, which shows how often
// it does and that there is no other zero. It returns the multiple.
func checkHelios(t *testing.T, g *HeliosGenerator, group *Group, scalar [size]byte) *HeliosMultiple {
	l, err := group.Decompose(&scalar)
	require.NoError(t, err)
	m, err := g.Multiple(l)
	require.NoError(t, err)
	require.Len(t, m.Divisor, group.Bits())
	withY := (len(l)+2)/2 - 2 // beyond y

	parts := func(x *helioselene.Element) (a, b helioselene.Element) {
		// a + x + x²·(…), and b
		for i := len(l) - 2; i > withY; i-- {
			a.Multiply(&a, x)
			a.Add(&a, &m.Divisor[i])
		}
		a.Multiply(&a, x)
		a.Add(&a, new(helioselene.Element).SetUint64(1))
		a.Multiply(&a, x)
		a.Add(&a, &m.Divisor[len(l)-1])
		for i := withY; i >= 0; i-- {
			b.Multiply(&b, x)
			b.Add(&b, &m.Divisor[i])
		}
		return a, b
	}
	at := func(x, y *helioselene.Element) helioselene.Element {
		a, b := parts(x)
		b.Multiply(&b, y)
		a.Add(&a, &b)
		return a
	}
	minus := new(helioselene.Element).Negate(&m.Y)
	value := at(&m.X, minus)
	require.True(t, value.IsZero())
	for i := range g.doublings {
		value := at(&g.doublings[i].x, &g.doublings[i].y)
		if l[i] != 0 {
			require.True(t, value.IsZero(), i)
		}
	}

	for range 3 {
		x := randomHelios(t)
		norm, b := parts(&x)
		norm.Square(&norm)
		b.Square(&b)
		var square helioselene.Element
		square.Square(&x)
		square.Add(&square, &g.a)
		square.Multiply(&square, &x)
		square.Add(&square, &g.b)
		norm.Subtract(&norm, b.Multiply(&b, &square))
		// The highest coefficient of a is that of the norm, squared.
		var want, d helioselene.Element
		want.Square(&m.Divisor[len(l)-2])
		want.Multiply(&want, d.Subtract(&x, &m.X))
		for i := range g.doublings {
			d.Subtract(&x, &g.doublings[i].x)
			for range l[i] {
				want.Multiply(&want, &d)
			}
		}
		require.True(t, norm.Equal(&want))
	}
	return m
}

func randomHelios(t *testing.T) (x helioselene.Element) {
	var b [2 * size]byte
	fill(t, b[:])
	return *x.SetWide(&b)
}

// TestSumsHelios joins functions of points that add up to the identity on the way, in every order of some points.
func TestSumsHelios(t *testing.T) {
	g := generatorHelios()
	d := g.doublings[:4]
	one, two, four := d[0], d[1], d[2]
	minus := func(p heliosXY) heliosXY {
		p.y.Negate(&p.y)
		return p
	}
	for _, points := range [][]heliosXY{
		{one},
		{one, one},
		{one, one, one, two},
		{one, minus(one), two},
		{one, minus(one), two, minus(two), four},
		{one, two, minus(one), minus(two), four},
		{one, two, minus(two), minus(one), four, four},
		{four, one, minus(one)},
		{one, one, minus(two), four},
		{one, one, two, minus(four), d[3], minus(one)},
		{one, minus(one)},
		{one, minus(one), two, minus(two)},
		{one, minus(one), two, minus(two), four, minus(four)},
	} {
		nodes := make([]heliosFunction, len(points))
		for i, p := range points {
			var minusX, one helioselene.Element
			one.SetUint64(1)
			nodes[i].points, nodes[i].sum.x, nodes[i].sum.y = 1, p.x, p.y
			nodes[i].a = []helioselene.Element{*minusX.Negate(&p.x), one}
		}
		scratch := newHeliosScratch(len(points))
		for len(nodes) > 1 {
			nodes = g.pair(nodes, scratch)
		}
		f := nodes[0]
		require.Equal(t, len(points), f.points)
		require.Len(t, f.a, (len(points)+1)/2+1)
		require.Len(t, f.b, len(points)/2)
		evaluate := func(p []helioselene.Element, x *helioselene.Element) (v helioselene.Element) {
			for i := len(p) - 1; i >= 0; i-- {
				v.Multiply(&v, x)
				v.Add(&v, &p[i])
			}
			return v
		}
		// The quotient of the norm and the product of differences is the same for every x.
		var quotients [2]helioselene.Element
		for i := range quotients {
			x := randomHelios(t)
			norm, b := evaluate(f.a, &x), evaluate(f.b, &x)
			norm.Square(&norm)
			b.Square(&b)
			square := []helioselene.Element{g.b, g.a, {}, *new(helioselene.Element).SetUint64(1)}
			value := evaluate(square, &x)
			norm.Subtract(&norm, b.Multiply(&b, &value))
			var product, difference, one helioselene.Element
			one.SetUint64(1)
			product.Subtract(&x, &f.sum.x)
			product.Select(&one, &product, f.sum.identity)
			for _, p := range points {
				product.Multiply(&product, difference.Subtract(&x, &p.x))
			}
			quotients[i].Multiply(&norm, product.Invert(&product))
		}
		require.True(t, quotients[0].Equal(&quotients[1]))
		require.False(t, quotients[0].IsZero())
		for _, p := range points {
			a, b := evaluate(f.a, &p.x), evaluate(f.b, &p.x)
			b.Multiply(&b, &p.y)
			require.True(t, a.Add(&a, &b).IsZero())
		}
	}
}

func BenchmarkMultipleHelios(b *testing.B) {
	g := generatorHelios()
	scalar := scalarsOf(Selene)[0]
	for b.Loop() {
		l, err := Selene.Decompose(&scalar)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := g.Multiple(l); err != nil {
			b.Fatal(err)
		}
	}
}
