package schnorr

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/crypto/edwards"
	"glim/core/internal/crypto/vectors"
)

func b32(t testing.TB, s string) [32]byte {
	t.Helper()
	b, err := vectors.Bytes32(s)
	require.NoError(t, err)
	return b
}

// TestPublishedVectors runs the reference's vectors (testdata/README.md names the source). Its signatures depend on
// its random numbers, so ours differ; each side must accept the other's.
func TestPublishedVectors(t *testing.T) {
	f, err := os.Open("testdata/signatures.txt.gz")
	require.NoError(t, err)
	defer f.Close()
	rows, err := vectors.Read(f)
	require.NoError(t, err)
	seen := map[string]int{}
	for row, w := range rows {
		seen[w[0]]++
		message, public := b32(t, w[1]), b32(t, w[2])
		switch w[0] {
		case "check_signature":
			err := Verify(message, public, Signature{b32(t, w[3][:64]), b32(t, w[3][64:])})
			require.Equal(t, w[4] == "true", err == nil, "line %d", row+1)
		case "generate_signature":
			require.NoError(t, Verify(message, public, Signature{b32(t, w[4][:64]), b32(t, w[4][64:])}))
			x, err := edwards.DecodeScalar(b32(t, w[3]))
			require.NoError(t, err)
			sig, err := Sign(rand.Reader, message, public, x)
			require.NoError(t, err)
			require.NoError(t, Verify(message, public, sig))
		}
	}
	require.Equal(t, map[string]int{"check_signature": 512, "generate_signature": 256}, seen)
}

func TestTampering(t *testing.T) {
	x, err := edwards.RandomScalar(rand.Reader)
	require.NoError(t, err)
	public := new(edwards.Point).ScalarBaseMult(x).Encode()
	message := [32]byte{1}
	sig, err := Sign(rand.Reader, message, public, x)
	require.NoError(t, err)
	require.NoError(t, Verify(message, public, sig))
	other := new(edwards.Point).ScalarBaseMult(edwards.ScalarFromUint64(7)).Encode()
	require.ErrorIs(t, Verify([32]byte{2}, public, sig), ErrInvalid)
	require.ErrorIs(t, Verify(message, other, sig), ErrInvalid)
	for _, field := range []*[32]byte{&sig.C, &sig.R} {
		good := *field
		field[0] ^= 1
		require.ErrorIs(t, Verify(message, public, sig), ErrInvalid)
		*field = good
		field[31] |= 0x80
		require.ErrorIs(t, Verify(message, public, sig), ErrMalformed)
		*field = good
	}
	require.ErrorIs(t, Verify(message, public, Signature{R: sig.R}), ErrMalformed, "a zero challenge")
	require.ErrorIs(t, Verify(message, [32]byte{2}, sig), ErrMalformed)
	require.NoError(t, Verify(message, public, sig))
	for _, wrong := range []*edwards.Scalar{nil, edwards.NewScalar(), edwards.ScalarFromUint64(7)} {
		_, err = Sign(rand.Reader, message, public, wrong)
		require.ErrorIs(t, err, ErrSecret)
	}
	_, err = Sign(rand.Reader, message, edwards.Identity().Encode(), edwards.NewScalar())
	require.ErrorIs(t, err, ErrSecret, "the secret key is zero")
}

// TestNoNonce: a signature with nonce zero, which reveals the key, is refused.
func TestNoNonce(t *testing.T) {
	x := edwards.ScalarFromUint64(5)
	public, message := new(edwards.Point).ScalarBaseMult(x).Encode(), [32]byte{1}
	c := challenge(message, public, edwards.Identity())
	r := edwards.NewScalar().Multiply(c, x)
	r.Negate(r)
	require.ErrorIs(t, Verify(message, public, Signature{edwards.EncodeScalar(c), edwards.EncodeScalar(r)}), ErrInvalid)
}

// TestNonce: with constant randomness, equal messages have one nonce, and different messages have different ones.
func TestNonce(t *testing.T) {
	x := edwards.ScalarFromUint64(5)
	public := new(edwards.Point).ScalarBaseMult(x).Encode()
	stuck := bytes.Repeat([]byte{0}, 64)
	nonceOf := func(message [32]byte) *edwards.Scalar {
		sig, err := Sign(bytes.NewReader(stuck), message, public, x)
		require.NoError(t, err)
		c, err := edwards.DecodeScalar(sig.C)
		require.NoError(t, err)
		r, err := edwards.DecodeScalar(sig.R)
		require.NoError(t, err)
		return edwards.NewScalar().MultiplyAdd(c, x, r)
	}
	require.Equal(t, 1, nonceOf([32]byte{1}).Equal(nonceOf([32]byte{1})))
	require.Equal(t, 0, nonceOf([32]byte{1}).Equal(nonceOf([32]byte{2})))
	_, err := Sign(bytes.NewReader(stuck[1:]), [32]byte{}, public, x)
	require.True(t, errors.Is(err, io.ErrUnexpectedEOF))
}
