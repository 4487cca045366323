package helioselene

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// curveOps are the methods that the points of both curves share; S are scalars and C coordinates.
type curveOps[G, S, C any] interface {
	*G
	OnCurve() bool
	Encode() [size]byte
	XY() (x, y C, ok bool)
	Set(p *G) *G
	Negate(p *G) *G
	Select(p, q *G, condition int) *G
	Equal(q *G) bool
	IsIdentity() bool
	Add(p, q *G) *G
	Subtract(p, q *G) *G
	Double(p *G) *G
	ScalarMult(s *S, p *G) *G
	MultiScalarMult(scalars []S, points []G) *G
	VarTimeMultiScalarMult(scalars []S, points []G) *G
	GeneratorMult(scalars []S, points []G, small int) *G
}

// testCurve is a curve for tests.
type testCurve[G, S, C any, P curveOps[G, S, C], T elementOps[S]] struct {
	name     string
	identity func() *G
	base     func() *G
	decode   func([size]byte) (*G, error)
	order    *big.Int
	affine   func([]G) (x, y []C)
	hash     func(string) *G
}

func helios() testCurve[Helios, Element, Element25519, *Helios, *Element] {
	return testCurve[Helios, Element, Element25519, *Helios, *Element]{
		"helios", NewHelios, HeliosBase, DecodeHelios, modulusQ, HeliosXY, HashToHelios,
	}
}

func selene() testCurve[Selene, Element25519, Element, *Selene, *Element25519] {
	return testCurve[Selene, Element25519, Element, *Selene, *Element25519]{
		"selene", NewSelene, SeleneBase, DecodeSelene, modulusP, SeleneXY, HashToSelene,
	}
}

func (c *testCurve[G, S, C, P, T]) scalar(n *big.Int) (s S) {
	if err := T(&s).SetBytes(encoded(new(big.Int).Mod(n, c.order))); err != nil {
		panic(err)
	}
	return s
}

// naive returns n·p by doubling and adding.
func (c *testCurve[G, S, C, P, T]) naive(n *big.Int, p *G) *G {
	sum := c.identity()
	for i := n.BitLen() - 1; i >= 0; i-- {
		P(sum).Double(sum)
		if n.Bit(i) == 1 {
			P(sum).Add(sum, p)
		}
	}
	return sum
}

// points returns the identity, small multiples of the generator and their negatives with several representations, and
// others.
func (c *testCurve[G, S, C, P, T]) points() (list []G) {
	list = append(list, *c.identity(), *P(c.identity()).Double(c.identity()))
	for n := int64(1); n < 6; n++ {
		p := c.naive(big.NewInt(n), c.base())
		list = append(list, *p, *P(new(G)).Negate(p), *P(new(G)).Subtract(P(new(G)).Double(p), p))
	}
	last := c.naive(new(big.Int).Sub(c.order, big.NewInt(1)), c.base())
	zero := P(new(G)).Add(last, c.base()) // the identity as the result of an addition
	return append(list, *last, *zero, *c.naive(big.NewInt(0x123456789abcdef), c.base()))
}

func TestHelios(t *testing.T) { c := helios(); c.check(t) }
func TestSelene(t *testing.T) { c := selene(); c.check(t) }

// check verifies the laws of the group on all pairs of points.
func (c *testCurve[G, S, C, P, T]) check(t *testing.T) {
	require.True(t, P(c.identity()).IsIdentity())
	require.Equal(t, [size]byte{}, P(c.identity()).Encode())
	require.False(t, P(c.base()).IsIdentity())
	require.True(t, P(c.naive(c.order, c.base())).IsIdentity(), "the order of the generator")
	list := c.points()
	x, y := c.affine(list)
	for i := range list {
		p := &list[i]
		require.True(t, P(p).OnCurve(), i)
		var v G
		require.True(t, P(P(&v).Double(p)).Equal(P(new(G)).Add(p, p)), i)
		require.True(t, P(&v).OnCurve(), i)
		require.True(t, P(P(&v).Subtract(p, p)).IsIdentity(), i)
		require.True(t, P(P(&v).Add(p, c.identity())).Equal(p), i)
		require.True(t, P(P(&v).Add(c.identity(), p)).Equal(p), i)
		decoded, err := c.decode(P(p).Encode())
		require.NoError(t, err)
		require.True(t, P(decoded).Equal(p), i)
		px, py, ok := P(p).XY()
		require.Equal(t, !P(p).IsIdentity(), ok)
		require.Equal(t, elementBytes(&px), elementBytes(&x[i]))
		require.Equal(t, elementBytes(&py), elementBytes(&y[i]))
		for j := range list {
			q := &list[j]
			sum := P(new(G)).Add(p, q)
			require.True(t, P(sum).OnCurve())
			require.True(t, P(sum).Equal(P(new(G)).Add(q, p)))
			require.True(t, P(P(&v).Subtract(sum, q)).Equal(p))
			require.Equal(t, P(p).Encode() == P(q).Encode(), P(p).Equal(q))
			require.True(t, P(P(&v).Select(p, q, 1)).Equal(p))
			require.True(t, P(P(&v).Select(p, q, 0)).Equal(q))
			P(&v).Set(p)
			require.True(t, P(P(&v).Add(&v, q)).Equal(sum), "into an operand")
			for k := range list {
				if k%5 == 0 {
					a := P(new(G)).Add(sum, &list[k])
					require.True(t, P(a).Equal(P(new(G)).Add(p, P(new(G)).Add(q, &list[k]))), "associative")
				}
			}
		}
	}
}

func elementBytes(e any) [size]byte { return e.(interface{ Bytes() [size]byte }).Bytes() }

func TestHeliosMultiples(t *testing.T) { c := helios(); c.checkMultiples(t) }
func TestSeleneMultiples(t *testing.T) { c := selene(); c.checkMultiples(t) }

// checkMultiples compares scalar multiplications with doubling and adding.
func (c *testCurve[G, S, C, P, T]) checkMultiples(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	points := c.points()
	scalars := numbers(rng, c.order)
	for d := int64(2); d < 40; d++ { // near the order, where windows meet their own points
		scalars = append(scalars, new(big.Int).Sub(c.order, big.NewInt(d)), big.NewInt(d))
	}
	half := new(big.Int).Rsh(c.order, 1)
	for d := int64(-34); d < 35; d++ {
		scalars = append(scalars, new(big.Int).Add(half, big.NewInt(d)))
	}
	for i, n := range scalars {
		p := points[i%len(points)]
		s := c.scalar(n)
		want := c.naive(n, &p)
		require.True(t, P(P(new(G)).ScalarMult(&s, &p)).Equal(want), "%x", n)
		q := p
		require.True(t, P(P(&q).ScalarMult(&s, &q)).Equal(want), "into itself")
		require.True(t, P(P(new(G)).VarTimeMultiScalarMult([]S{s}, []G{p})).Equal(want), "%x", n)
	}
	require.Panics(t, func() { P(new(G)).MultiScalarMult(nil, points) })
	require.Panics(t, func() { P(new(G)).VarTimeMultiScalarMult(nil, points) })
}

func TestHeliosSums(t *testing.T) { c := helios(); c.checkSums(t) }
func TestSeleneSums(t *testing.T) { c := selene(); c.checkSums(t) }

// checkSums compares multiexponentiations of all sizes for which the algorithm changes. Points repeat and are opposite
// to each other, so that buckets contain pairs with the same x.
func (c *testCurve[G, S, C, P, T]) checkSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	edges := c.points()
	for _, n := range []int{0, 1, 2, 3, 17, 63, 64, 65, 127, 128, 300, 800} {
		var scalars []S
		var points []G
		want := big.NewInt(0) // all points are multiples of the generator, except those added one by one
		rest := c.identity()
		p, k := c.base(), big.NewInt(1)
		for i := range n {
			var number *big.Int
			if list := numbers(rng, c.order); i%3 == 0 {
				number = list[rng.IntN(len(list))]
			} else {
				number = new(big.Int).SetUint64(rng.Uint64() >> (i % 64))
				number.Mul(number, number).Mul(number, number).Mod(number, c.order)
			}
			s := c.scalar(number)
			scalars = append(scalars, s)
			switch i % 4 {
			case 0:
				q := edges[i/4%len(edges)]
				points = append(points, q)
				P(rest).Add(rest, P(new(G)).ScalarMult(&s, &q))
				continue
			case 1:
				P(p).Double(p)
				k.Lsh(k, 1)
			case 2:
				P(p).Negate(p)
				k.Neg(k)
			}
			points = append(points, *p)
			want.Add(want, new(big.Int).Mul(number, k))
		}
		total := c.naive(want.Mod(want, c.order), c.base())
		P(total).Add(total, rest)
		require.True(t, P(P(new(G)).VarTimeMultiScalarMult(scalars, points)).Equal(total), n)
		if n < 70 {
			require.True(t, P(P(new(G)).MultiScalarMult(scalars, points)).Equal(total), n)
		}
	}
	// One bucket with many equal points, and with as many opposite ones.
	points, scalars := make([]G, 200), make([]S, 200)
	for i := range points {
		points[i], scalars[i] = *c.base(), c.scalar(big.NewInt(3))
	}
	require.True(t, P(P(new(G)).VarTimeMultiScalarMult(scalars, points)).Equal(c.naive(big.NewInt(600), c.base())))
	for i := 0; i < len(points); i += 2 {
		P(&points[i]).Negate(&points[i])
	}
	require.True(t, P(P(new(G)).VarTimeMultiScalarMult(scalars, points)).IsIdentity())
}

// TestTables compares sums with tables of all widths with other sums.
func TestTables(t *testing.T) {
	h := helios()
	scalars, points := h.terms(9)
	scalars[3], scalars[5] = Element{}, h.scalar(big.NewInt(-1))
	points[7] = points[6]
	c := selene()
	others, seleneOnes := c.terms(9)
	others[3], others[5] = Element25519{}, c.scalar(big.NewInt(-1))
	for width := 3; width <= 8; width++ {
		tables, more := NewHeliosTables(points, width), NewSeleneTables(seleneOnes, width)
		for first := range 5 {
			for n := range 5 {
				want := new(Helios).MultiScalarMult(scalars[2:2+n], points[first:first+n])
				require.True(t, new(Helios).VarTimeTableMult(scalars[2:2+n], tables, first).Equal(want))
				other := new(Selene).MultiScalarMult(others[2:2+n], seleneOnes[first:first+n])
				require.True(t, new(Selene).VarTimeTableMult(others[2:2+n], more, first).Equal(other))
			}
		}
		require.Panics(t, func() { new(Helios).VarTimeTableMult(scalars, tables, 1) })
	}
	require.Panics(t, func() { NewHeliosTables(points, 2) })
	require.Panics(t, func() { NewHeliosTables(points, 9) })
	require.Panics(t, func() { NewHeliosTables([]Helios{*NewHelios()}, 4) })
}

// FuzzPoints decodes points of both curves: an accepted encoding is the only one of its point, which is on the curve.
func FuzzPoints(f *testing.F) {
	f.Add(make([]byte, size))
	f.Add([]byte{1})
	f.Add([]byte{31: 0x80})
	f.Fuzz(func(t *testing.T, data []byte) {
		var b [size]byte
		copy(b[:], data)
		if p, err := DecodeHelios(b); err == nil {
			require.Equal(t, b, p.Encode())
			require.True(t, p.OnCurve())
			if x, y, ok := p.XY(); ok {
				q, err := HeliosFromXY(&x, &y)
				require.NoError(t, err)
				require.True(t, q.Equal(p))
			}
		}
		if p, err := DecodeSelene(b); err == nil {
			require.Equal(t, b, p.Encode())
			require.True(t, p.OnCurve())
			if x, y, ok := p.XY(); ok {
				q, err := SeleneFromXY(&x, &y)
				require.NoError(t, err)
				require.True(t, q.Equal(p))
			}
		}
	})
}

// FuzzSums compares sums of multiples in constant and in variable time, for both curves.
func FuzzSums(f *testing.F) {
	f.Add(make([]byte, 64), uint16(3))
	f.Add([]byte{1, 2, 3}, uint16(70))
	f.Fuzz(func(t *testing.T, seed []byte, n uint16) {
		h, s := helios(), selene()
		h.fuzzSums(t, seed, int(n%80))
		s.fuzzSums(t, seed, int(n%80))
	})
}

func (c *testCurve[G, S, C, P, T]) fuzzSums(t *testing.T, seed []byte, n int) {
	var b [wide]byte
	copy(b[:], seed)
	scalars, points := make([]S, n), make([]G, n)
	p := c.base()
	for i := range scalars {
		b[i%wide] += byte(i)
		T(&scalars[i]).SetWide(&b)
		points[i] = *p
		if b[i%len(b)]&1 == 0 {
			P(p).Double(p)
		} else {
			P(p).Add(p, c.base())
		}
	}
	want := P(new(G)).MultiScalarMult(scalars, points)
	require.True(t, P(P(new(G)).VarTimeMultiScalarMult(scalars, points)).Equal(want))
}

// TestOffTheCurve: coordinates that do not satisfy the equation are refused.
func TestOffTheCurve(t *testing.T) {
	var one, two Element25519
	_, err := HeliosFromXY(one.SetUint64(1), two.SetUint64(2))
	require.Error(t, err)
	_, err = HeliosFromXY(&Element25519{}, &Element25519{})
	require.Error(t, err)
	require.False(t, new(Helios).OnCurve(), "the zero value")
	require.False(t, new(Selene).OnCurve(), "the zero value")
	var x, y Element
	_, err = SeleneFromXY(x.SetUint64(1), y.SetUint64(2))
	require.Error(t, err)
}

func TestGeneratorMultHelios(t *testing.T) { c := helios(); c.checkGenerators(t) }
func TestGeneratorMultSelene(t *testing.T) { c := selene(); c.checkGenerators(t) }

// checkGenerators compares sums of multiples of independent points with those of MultiScalarMult.
func (c *testCurve[G, S, C, P, T]) checkGenerators(t *testing.T) {
	half := new(big.Int).Rsh(c.order, 1)
	var edges []S
	for _, n := range []*big.Int{new(big.Int), half, c.order} {
		for d := int64(-17); d <= 17; d++ {
			edges = append(edges, c.scalar(new(big.Int).Add(n, big.NewInt(d))))
		}
	}
	for n := range int64(256) {
		edges = append(edges, c.scalar(big.NewInt(n)))
	}
	points := make([]G, len(edges))
	for i := range points {
		points[i] = *c.hash(c.name + string(rune('a'+i)))
	}
	equal := func(scalars []S, points []G, small int) {
		want := P(new(G)).MultiScalarMult(scalars, points)
		got := P(new(G)).GeneratorMult(scalars, points, small)
		require.True(t, P(got).OnCurve())
		require.True(t, P(got).Equal(want))
	}
	for i := range edges {
		equal(edges[i:i+1], points[i:i+1], 0)
		equal(append(make([]S, 2), edges[i]), points[:3], 2)
		equal(append([]S{edges[i]}, make([]S, 2)...), points[:3], 0)
	}
	equal(edges, points, 0)
	small := edges[len(edges)-256:]
	for n := range 256 {
		equal(small[n:n+1], points[:1], 1)
	}
	equal(small, points[:256], 256)
	equal(append(append([]S{}, small...), edges[:35]...), points[:291], 256)
	equal(make([]S, 5), points[:5], 3)
	equal(nil, nil, 0)
	require.Panics(t, func() { P(new(G)).GeneratorMult(nil, points, 0) })
	require.Panics(t, func() { P(new(G)).GeneratorMult(edges[:1], []G{*c.identity()}, 0) })
}
