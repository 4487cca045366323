package bulletproofsplus

import (
	"bytes"
	"fmt"
	"io"
	"math"
	mathrand "math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/crypto/edwards"
)

// source is a deterministic source of random bytes.
func source(seed byte) io.Reader { return mathrand.NewChaCha8([32]byte{seed}) }

func someMasks(t testing.TB, rand io.Reader, n int) []*edwards.Scalar {
	t.Helper()
	masks := make([]*edwards.Scalar, n)
	for i := range masks {
		s, err := edwards.RandomScalar(rand)
		require.NoError(t, err)
		masks[i] = s
	}
	return masks
}

func verifyOne(p Proof, commitments [][32]byte) error {
	return Verify(source(99), []Proof{p}, [][][32]byte{commitments})
}

// TestProveVerifies proves every number of outputs, with the limits of the range among the amounts.
func TestProveVerifies(t *testing.T) {
	rand := mathrand.NewChaCha8([32]byte{1})
	edges := []uint64{0, math.MaxUint64, 1, 1 << 63, math.MaxUint64 - 1, math.MaxInt64}
	var proofs []Proof
	var all [][][32]byte
	for n := 1; n <= MaxOutputs; n++ {
		amounts := make([]uint64, n)
		for i := range amounts {
			if amounts[i] = edges[(n+i)%len(edges)]; i%3 == 2 {
				amounts[i] = rand.Uint64()
			}
		}
		masks := someMasks(t, rand, n)
		proof, commitments, err := Prove(rand, amounts, masks)
		require.NoError(t, err)
		require.Len(t, commitments, n)
		for i := range amounts {
			require.Equal(t, edwards.Commit(masks[i], amounts[i]).Encode(), commitments[i])
		}
		require.NoError(t, verifyOne(proof, commitments), "%d outputs", n)
		proofs, all = append(proofs, proof), append(all, commitments)
	}
	require.NoError(t, Verify(source(2), proofs, all))
}

func TestEdgeAmounts(t *testing.T) {
	rand := source(3)
	const most = math.MaxUint64
	for _, amounts := range [][]uint64{{0}, {most}, {0, 0}, {most, most}, {0, most, 0}} {
		proof, commitments, err := Prove(rand, amounts, someMasks(t, rand, len(amounts)))
		require.NoError(t, err)
		require.NoError(t, verifyOne(proof, commitments), amounts)
	}
	// A mask of zero hides nothing, but can be proven.
	proof, commitments, err := Prove(rand, []uint64{5}, []*edwards.Scalar{edwards.NewScalar()})
	require.NoError(t, err)
	require.NoError(t, verifyOne(proof, commitments))
}

func TestProveRefusesCounts(t *testing.T) {
	rand := source(4)
	for _, n := range [][2]int{{0, 0}, {1, 0}, {2, 3}, {17, 17}} {
		_, _, err := Prove(rand, make([]uint64, n[0]), someMasks(t, rand, n[1]))
		require.ErrorIs(t, err, ErrCount, n)
	}
	_, _, err := Prove(rand, []uint64{1}, []*edwards.Scalar{nil})
	require.ErrorIs(t, err, ErrCount)
	_, _, err = Prove(bytes.NewReader(make([]byte, 63)), []uint64{1}, someMasks(t, rand, 1))
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}

// TestBadRandomness: with constant randomness, different amounts or masks still have different nonces.
func TestBadRandomness(t *testing.T) {
	stuck := func() io.Reader { return bytes.NewReader(make([]byte, 64)) }
	masks := someMasks(t, source(5), 2)
	a, ca, err := Prove(stuck(), []uint64{1, 2}, masks)
	require.NoError(t, err)
	again, _, err := Prove(stuck(), []uint64{1, 2}, masks)
	require.NoError(t, err)
	require.Equal(t, a, again)
	b, cb, err := Prove(stuck(), []uint64{1, 3}, masks)
	require.NoError(t, err)
	require.NoError(t, verifyOne(a, ca))
	require.NoError(t, verifyOne(b, cb))
	require.Equal(t, ca[0], cb[0])
	require.NotEqual(t, a.A, b.A)
	require.NotEqual(t, a.D1, b.D1)
	c, _, err := Prove(bytes.NewReader(bytes.Repeat([]byte{1}, 64)), []uint64{1, 2}, masks)
	require.NoError(t, err)
	require.NotEqual(t, a.A, c.A)
}

func BenchmarkProve(b *testing.B) {
	for _, n := range []int{2, 16} {
		b.Run(fmt.Sprint(n, " outputs"), func(b *testing.B) {
			rand := source(6)
			masks := someMasks(b, rand, n)
			amounts := make([]uint64, n)
			for i := range amounts {
				amounts[i] = uint64(i) << 40
			}
			for b.Loop() {
				if _, _, err := Prove(rand, amounts, masks); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
