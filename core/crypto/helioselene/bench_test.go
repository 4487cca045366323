package helioselene

import (
	"fmt"
	"math"
	"math/big"
	"testing"
	"time"
)

// best reports the shortest time of an operation in many short runs, because other processes use the processor too.
func best(b *testing.B, times int, f func()) {
	shortest := math.Inf(1)
	for b.Loop() {
		start := time.Now()
		for range times {
			f()
		}
		shortest = min(shortest, float64(time.Since(start).Nanoseconds())/float64(times))
	}
	b.ReportMetric(shortest, "best-ns")
	b.ReportMetric(0, "ns/op")
}

func BenchmarkElement(b *testing.B)      { benchElements[Element](b, modulusQ) }
func BenchmarkElement25519(b *testing.B) { benchElements[Element25519](b, modulusP) }

func benchElements[E any, P elementOps[E]](b *testing.B, modulus *big.Int) {
	x, y := P(new(E)), P(new(E))
	half := new(big.Int).Rsh(modulus, 1)
	if x.SetBytes(encoded(half)) != nil || y.SetBytes(encoded(new(big.Int).Rsh(half, 1))) != nil {
		b.Fatal("not an element")
	}
	b.Run("multiply", func(b *testing.B) { best(b, 1000, func() { x.Multiply(x, y) }) })
	b.Run("square", func(b *testing.B) { best(b, 1000, func() { x.Square(x) }) })
	b.Run("add", func(b *testing.B) { best(b, 1000, func() { x.Add(x, y) }) })
	b.Run("subtract", func(b *testing.B) { best(b, 1000, func() { x.Subtract(x, y) }) })
	b.Run("invert", func(b *testing.B) { best(b, 10, func() { x.Invert(x) }) })
	y.Square(x)
	b.Run("sqrt", func(b *testing.B) { best(b, 10, func() { x.Sqrt(y) }) })
}

func BenchmarkHelios(b *testing.B) { c := helios(); c.bench(b) }
func BenchmarkSelene(b *testing.B) { c := selene(); c.bench(b) }

func (c *testCurve[G, S, C, P, T]) bench(b *testing.B) {
	p, q := c.base(), P(new(G)).Double(c.base())
	n := new(big.Int).Rsh(c.order, 1)
	s := c.scalar(n.Div(n, big.NewInt(5)))
	b.Run("add", func(b *testing.B) { best(b, 100, func() { P(p).Add(p, q) }) })
	b.Run("double", func(b *testing.B) { best(b, 100, func() { P(p).Double(p) }) })
	b.Run("mult", func(b *testing.B) { best(b, 1, func() { P(p).ScalarMult(&s, p) }) })
	b.Run("encode", func(b *testing.B) { best(b, 10, func() { P(p).Encode() }) })
	encoding := P(p).Encode()
	b.Run("decode", func(b *testing.B) {
		best(b, 10, func() {
			if _, err := c.decode(encoding); err != nil {
				b.Fatal(err)
			}
		})
	})
	for _, n := range []int{2, 16, 256, 4096} {
		scalars, points := c.terms(n)
		b.Run(fmt.Sprint("multiexp ", n), func(b *testing.B) {
			best(b, 1, func() { P(p).VarTimeMultiScalarMult(scalars, points) })
		})
		if n == 256 { // in constant time; the points are independent enough to measure
			b.Run("secret multiexp 256", func(b *testing.B) {
				best(b, 1, func() { P(p).MultiScalarMult(scalars, points) })
			})
			b.Run("secret multiexp 256 of generators", func(b *testing.B) {
				best(b, 1, func() { P(p).GeneratorMult(scalars, points, 0) })
			})
		}
	}
}

// terms returns n different scalars and points.
func (c *testCurve[G, S, C, P, T]) terms(n int) (scalars []S, points []G) {
	scalars, points = make([]S, n), make([]G, n)
	p := c.base()
	var wideBytes [wide]byte
	for i := range points {
		points[i] = *P(P(new(G)).Double(p)).Add(p, P(new(G)).Double(p))
		p = &points[i]
		encoding := P(p).Encode()
		copy(wideBytes[:], encoding[:])
		copy(wideBytes[size:], encoding[:])
		T(&scalars[i]).SetWide(&wideBytes)
	}
	return scalars, points
}

// BenchmarkWidths finds the best algorithm and width for every number of terms.
func BenchmarkWidths(b *testing.B) {
	c := selene()
	for _, n := range []int{16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192} {
		scalars, points := c.terms(n)
		digits, list := make([][size]byte, n), make([]seleneJacobian, n)
		for i := range list {
			digits[i] = scalars[i].Bytes()
			list[i].set(&points[i])
		}
		if n <= 256 {
			b.Run(fmt.Sprint(n, " Straus"), func(b *testing.B) {
				best(b, 1, func() { seleneStraus(digits, list) })
			})
		}
		for width := 3; width < 11; width++ {
			b.Run(fmt.Sprint(n, " Pippenger ", width), func(b *testing.B) {
				best(b, 1, func() { selenePippenger(digits, seleneAffineOf(list), width) })
			})
		}
	}
}
