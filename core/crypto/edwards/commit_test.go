package edwards_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/crypto/edwards"
	"glim/core/crypto/keccak"
)

// TestGeneratorH: the second generator is eight times the point that Keccak of the first one maps to.
// Source: src/ringct/rctTypes.h, H, and rctOps.cpp, hashToPoint.
func TestGeneratorH(t *testing.T) {
	g := edwards.Base().Encode()
	p, err := edwards.DecodePoint(keccak.Sum256(g[:]))
	require.NoError(t, err)
	require.True(t, p.MultByCofactor(p).Equal(edwards.H()))
	require.True(t, edwards.H().IsTorsionFree())
	// H returns a copy.
	h := edwards.H()
	h.Add(h, h)
	require.False(t, h.Equal(edwards.H()))
}

// TestCommit: commitments with mask 0 are multiples of H, those to amount 0 are multiples of G, and sums commit to
// sums.
func TestCommit(t *testing.T) {
	scalar := func(s string) *edwards.Scalar { return edwards.HashToScalar([]byte(s)) }
	zero := edwards.NewScalar()
	require.True(t, edwards.Commit(zero, 0).IsIdentity())
	require.True(t, edwards.Commit(zero, 1).Equal(edwards.H()))
	require.True(t, edwards.Commit(edwards.ScalarFromUint64(1), 0).Equal(edwards.Base()))
	sum := edwards.Identity()
	for range 5 {
		sum.Add(sum, edwards.H())
	}
	require.True(t, edwards.Commit(zero, 5).Equal(sum))

	const top = math.MaxUint64
	for _, c := range [][2]uint64{{1, 2}, {0, top}, {top - 7, 7}, {1 << 63, 1<<63 - 1}} {
		a, b := scalar("a"), scalar("b")
		left := edwards.Commit(a, c[0])
		left.Add(left, edwards.Commit(b, c[1]))
		require.True(t, left.Equal(edwards.Commit(edwards.NewScalar().Add(a, b), c[0]+c[1])))
	}
	// Scalars do not wrap at 64 bits: 2^64·H is not the neutral element.
	wrap := edwards.Commit(zero, top)
	wrap.Add(wrap, edwards.Commit(zero, 1))
	require.False(t, wrap.IsIdentity())
	require.False(t, edwards.Commit(scalar("a"), 5).Equal(edwards.Commit(scalar("a"), 6)))
	require.False(t, edwards.Commit(scalar("a"), 5).Equal(edwards.Commit(scalar("b"), 5)))
}

// TestCommitPublic compares with Commit and mask 1.
func TestCommitPublic(t *testing.T) {
	one := edwards.ScalarFromUint64(1)
	amounts := []uint64{
		0, 1, 255, 256, 257, 65535, 1 << 32, 35_184_338_534_400, 600_000_000_000, 1<<63 - 1, math.MaxUint64,
	}
	for i := range uint64(64) {
		amounts = append(amounts, 1<<i, math.MaxUint64>>i, 0x9e3779b97f4a7c15*(i+1))
	}
	for _, a := range amounts {
		require.Equal(t, edwards.Commit(one, a).Encode(), edwards.CommitPublic(a).Encode(), a)
	}
}
