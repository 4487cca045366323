package nextfork

import (
	"strconv"
	"testing"

	"glim/core/chain"
	"glim/core/crypto/edwards"
)

// BenchmarkGrow adds outputs to a tree, a few as with a block, or many as after a restart.
func BenchmarkGrow(b *testing.B) {
	for _, n := range []int{1, 1000} {
		outputs := make([]chain.TreeOutput, n)
		for i := range outputs {
			p := new(edwards.Point).ScalarBaseMult(edwards.ScalarFromUint64(uint64(i) + 1)).Encode()
			outputs[i] = chain.TreeOutput{Key: p, Commitment: p, Carrot: true}
		}
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			t := Fork{}.NewTree().Grow(outputs)
			for b.Loop() {
				t = t.Grow(outputs)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/output")
		})
	}
}
