package uniform_test

import (
	"bytes"
	"crypto/rand"
	"io"
	"math"
	"math/big"
	mathrand "math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/internal/crypto/uniform"
)

// TestAsCryptoRand compares with crypto/rand.Int: the results are equal, and so are the numbers of consumed bytes.
func TestAsCryptoRand(t *testing.T) {
	source := mathrand.New(mathrand.NewSource(1))
	for _, n := range []int{1, 2, 3, 7, 8, 9, 128, 255, 256, 257, 65535, 65536, 65537, 1<<24 + 1, math.MaxInt32} {
		for range 50 {
			random := make([]byte, 4096)
			source.Read(random)
			a, b := bytes.NewReader(random), bytes.NewReader(random)
			want, err := rand.Int(a, big.NewInt(int64(n)))
			require.NoError(t, err)
			got, err := uniform.Below(b, n)
			require.NoError(t, err)
			require.Equal(t, want.Int64(), int64(got), n)
			require.Equal(t, a.Len(), b.Len(), n)
		}
	}
}

func TestFailures(t *testing.T) {
	_, err := uniform.Below(bytes.NewReader([]byte{1}), 1000)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.Panics(t, func() { _, _ = uniform.Below(bytes.NewReader(nil), 0) })
}
