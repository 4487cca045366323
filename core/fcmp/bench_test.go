package fcmp

import (
	"crypto/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/carrot"
)

// BenchmarkVerifyMembership verifies the proofs of testdata, named by their numbers of inputs and layers, and ten
// together.
func BenchmarkVerifyMembership(b *testing.B) {
	run := func(name string, proofs ...Membership) {
		require.NoError(b, VerifyMembership(rand.Reader, carrot.Plain, proofs)) // makes generators
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				require.NoError(b, VerifyMembership(rand.Reader, carrot.Plain, proofs))
			}
		})
	}
	for _, name := range memberships {
		run(name, membership(b, name))
	}
	one := membership(b, "1-3")
	run("ten", one, one, one, one, one, one, one, one, one, one)
}
