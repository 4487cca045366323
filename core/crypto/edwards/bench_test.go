package edwards

import "testing"

// benchKeys returns n points, none a multiple of another that a table would know.
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

// BenchmarkDeriver reports the time of one key.
func BenchmarkDeriver(b *testing.B) {
	d := NewDeriver(HashToScalar([]byte("view")))
	keys := benchKeys(1024)
	out := make([]Derivation, len(keys))
	b.ReportAllocs()
	for b.Loop() {
		d.Derive(out, keys)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(keys)), "ns/key")
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

// BenchmarkElement reports the time of what everything else is made of.
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
