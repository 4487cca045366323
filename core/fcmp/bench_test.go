package fcmp

import (
	"crypto/rand"
	"strconv"
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

// BenchmarkVerifyTransactions verifies the transactions of the beta's own tests, named by their numbers of inputs, and
// four of 128 inputs together.
func BenchmarkVerifyTransactions(b *testing.B) {
	run := func(name string, list ...Transaction) {
		require.NoError(b, verifyTransactions(list...)) // makes generators
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				require.NoError(b, verifyTransactions(list...))
			}
		})
	}
	for _, n := range stored {
		run(strconv.Itoa(n), storedTransaction(b, n))
	}
	all := storedTransaction(b, 128)
	run("four of 128", all, all, all, all)
}

// BenchmarkProveMembership makes proofs of one and two inputs in a tree of seven layers, which has up to
// 38·18·38·18·38·18·38 outputs.
func BenchmarkProveMembership(b *testing.B) {
	for _, inputs := range []int{1, 2} {
		g := newGrove(b, carrot.Plain, inputs, 7)
		_, err := g.prove() // makes generators
		require.NoError(b, err)
		b.Run(strconv.Itoa(inputs)+"-7", func(b *testing.B) {
			for b.Loop() {
				_, err := g.prove()
				require.NoError(b, err)
			}
		})
	}
}
