package edwards

import (
	"math"
	"testing"
	"time"
)

// benchKeys returns n independent points.
func benchKeys(n int) [][32]byte {
	keys := make([][32]byte, n)
	seed := [32]byte{1}
	for i := range keys {
		keys[i] = HashToPoint(seed).Encode()
		seed = keys[i]
	}
	return keys
}

func BenchmarkDerive(b *testing.B) {
	view := HashToScalar([]byte("view"))
	keys := benchKeys(256)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := Derive(view, keys[i%len(keys)]); err != nil {
			b.Fatal(err)
		}
	}
}

// operations returns the numbers of squares and products for one derivation. Additions are negligible.
func operations(d *Deriver) (squares, products int) {
	squares, products = 3+251+1, 7+11+1 // decoding: the root, its powers, T
	// a doubling, odd multiples, which are made ready
	squares, products = squares+4, products+4+multiples+(multiples-1)*8+1
	for _, s := range d.steps {
		squares, products = squares+4*s.doublings, products+3*s.doublings
		if s.digit != 0 {
			products += 1 + 7 // T, and an addition that leaves none
		}
	}
	return squares, products + 5 // a share of the inversion, x and y
}

// benchDerivations reports the time of one derivation, and its ratio to the lower limit: the time of its squares and
// products alone. Both are the best of many short runs, because other processes use the processor too. square and
// multiply compute many independent operations.
func benchDerivations(b *testing.B, d *Deriver, square, multiply func(), many int) {
	keys := benchKeys(8 * many)
	out := make([]Derivation, len(keys))
	perKey, perSquare, perProduct := math.Inf(1), math.Inf(1), math.Inf(1)
	shorter := func(best *float64, times, many int, f func()) {
		start := time.Now()
		for range times {
			f()
		}
		*best = min(*best, float64(time.Since(start).Nanoseconds())/float64(times*many))
	}
	for b.Loop() {
		shorter(&perKey, 1, len(keys), func() { d.Derive(out, keys) })
		shorter(&perSquare, 500, many, square)
		shorter(&perProduct, 500, many, multiply)
	}
	squares, products := operations(d)
	limit := float64(squares)*perSquare + float64(products)*perProduct
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(perKey, "ns/key")
	b.ReportMetric(perSquare, "ns/square")
	b.ReportMetric(perProduct, "ns/product")
	b.ReportMetric(limit, "limit-ns/key")
	b.ReportMetric(perKey/limit, "times-limit")
}

// plain computes four squares, or four products, of elements.
func plain() (square, multiply func(), many int) {
	var v [4]element
	for i := range v {
		v[i] = elementD
	}
	square = func() {
		v[0].square(&v[0])
		v[1].square(&v[1])
		v[2].square(&v[2])
		v[3].square(&v[3])
	}
	multiply = func() {
		v[0].multiply(&v[0], &elementI)
		v[1].multiply(&v[1], &elementI)
		v[2].multiply(&v[2], &elementI)
		v[3].multiply(&v[3], &elementI)
	}
	return square, multiply, 4
}

// BenchmarkDeriver reports the time of one derivation in the fastest way, relative to the limit for elements.
func BenchmarkDeriver(b *testing.B) {
	square, multiply, many := plain()
	benchDerivations(b, NewDeriver(HashToScalar([]byte("view"))), square, multiply, many)
}

// BenchmarkSpendKeys reports the time of one output.
func BenchmarkSpendKeys(b *testing.B) {
	payments := make([]Payment, 1024)
	for i, k := range benchKeys(len(payments)) {
		payments[i] = Payment{Derivation: Derivation{1}, Index: uint64(i), Output: k}
	}
	SpendKeys(payments)
	b.ReportAllocs()
	for b.Loop() {
		SpendKeys(payments)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(payments)), "ns/output")
}

func BenchmarkViewTag(b *testing.B) {
	d := Derivation{1}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		d.ViewTag(uint64(i % 16))
	}
}

func BenchmarkDerivationScalar(b *testing.B) {
	d := Derivation{1}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		d.Scalar(uint64(i % 16))
	}
}

func BenchmarkHashToPoint(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		HashToPoint([32]byte{1})
	}
}

func BenchmarkDecodePoint(b *testing.B) {
	keys := benchKeys(16)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if _, err := DecodePoint(keys[i%len(keys)]); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkElement reports the time of field operations.
func BenchmarkElement(b *testing.B) {
	v := elementD
	for _, c := range []struct {
		name string
		do   func()
	}{
		{"multiply", func() { v.multiply(&v, &elementI) }},
		{"square", func() { v.square(&v) }},
		{"add", func() { v.add(&elementD, &elementI) }},
		{"subtract", func() { v.subtract(&elementD, &elementI) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				for range 1000 {
					c.do()
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(1000*b.N), "ns/op")
		})
	}
}
