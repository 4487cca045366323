package keys_test

import (
	"testing"

	"glim/core/keys"
)

// BenchmarkSpendKeys reports the time per address for the lookahead of an account.
func BenchmarkSpendKeys(b *testing.B) {
	k, err := keys.FromSeed([32]byte{1})
	if err != nil {
		b.Fatal(err)
	}
	const n = 200
	k.SpendKeys(1, 0, n)
	b.ReportAllocs()
	for b.Loop() {
		k.SpendKeys(1, 0, n)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/address")
}
