package keccak

import "testing"

// BenchmarkSum256 hashes messages of the sizes of view tags and of transaction prefixes.
func BenchmarkSum256(b *testing.B) {
	for _, c := range []struct {
		name string
		size int
	}{{"41B", 41}, {"1KB", 1024}} {
		b.Run(c.name, func(b *testing.B) {
			in := make([]byte, c.size)
			b.SetBytes(int64(c.size))
			b.ReportAllocs()
			for b.Loop() {
				Sum256(in)
			}
		})
	}
}
