package ringsig

import (
	"bytes"
	"crypto/rand"
	"io"
	"os"
	"strconv"
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

func signatures(t testing.TB, s string) (out []Signature) {
	require.Zero(t, len(s)%128)
	for ; s != ""; s = s[128:] {
		out = append(out, Signature{b32(t, s[:64]), b32(t, s[64:128])})
	}
	return out
}

// TestPublishedVectors runs the reference's vectors (testdata/README.md names the source). Its signatures depend on
// its random numbers, so ours differ; each side must accept the other's.
func TestPublishedVectors(t *testing.T) {
	f, err := os.Open("testdata/ring_signatures.txt.gz")
	require.NoError(t, err)
	defer f.Close()
	rows, err := vectors.Read(f)
	require.NoError(t, err)
	seen := map[string]int{}
	for row, w := range rows {
		message, image := b32(t, w[1]), b32(t, w[2])
		n, err := strconv.Atoi(w[3])
		require.NoError(t, err)
		ring := make([][32]byte, n)
		for i := range ring {
			ring[i] = b32(t, w[4+i])
		}
		w = append(w[:1], w[4+n:]...)
		switch w[0] {
		case "check_ring_signature":
			seen[w[0]+" "+w[2]]++
			require.Equal(t, w[2] == "true", Verify(message, ring, image, signatures(t, w[1])) == nil, "line %d", row+1)
		case "generate_ring_signature":
			seen[w[0]]++
			require.NoError(t, Verify(message, ring, image, signatures(t, w[3])))
			x, err := edwards.DecodeScalar(b32(t, w[1]))
			require.NoError(t, err)
			realIndex, err := strconv.Atoi(w[2])
			require.NoError(t, err)
			sigs, own, err := Sign(rand.Reader, message, ring, realIndex, x)
			require.NoError(t, err)
			require.Equal(t, image, own)
			require.NoError(t, Verify(message, ring, image, sigs))
		}
	}
	require.Equal(t, map[string]int{
		"check_ring_signature true": 190, "check_ring_signature false": 414, "generate_ring_signature": 157,
	}, seen)
}

func ring(t testing.TB, size, realIndex int) (keys [][32]byte, x *edwards.Scalar) {
	keys = make([][32]byte, size)
	for i := range keys {
		s, err := edwards.RandomScalar(rand.Reader)
		require.NoError(t, err)
		keys[i] = new(edwards.Point).ScalarBaseMult(s).Encode()
		if i == realIndex {
			x = s
		}
	}
	return keys, x
}

func TestTampering(t *testing.T) {
	keys, x := ring(t, 4, 2)
	message := [32]byte{1}
	sigs, image, err := Sign(rand.Reader, message, keys, 2, x)
	require.NoError(t, err)
	require.NoError(t, Verify(message, keys, image, sigs))
	require.Equal(t, edwards.GenerateKeyImage(keys[2], x), image)
	require.ErrorIs(t, Verify([32]byte{2}, keys, image, sigs), ErrInvalid)
	require.ErrorIs(t, Verify(message, keys, edwards.H().Encode(), sigs), ErrInvalid)
	require.ErrorIs(t, Verify(message, keys[:3], image, sigs), ErrMalformed)
	require.ErrorIs(t, Verify(message, keys[:3], image, sigs[:3]), ErrInvalid)
	require.ErrorIs(t, Verify(message, nil, image, nil), ErrMalformed)
	require.ErrorIs(t, Verify(message, keys, [32]byte{2}, sigs), ErrMalformed)
	require.ErrorIs(t, Verify(message, keys, edwards.Identity().Encode(), sigs), ErrMalformed)
	for i := range sigs {
		for _, field := range []*[32]byte{&sigs[i].C, &sigs[i].R, &keys[i]} {
			good := *field
			field[0] ^= 1
			require.Error(t, Verify(message, keys, image, sigs))
			*field = good
		}
		for _, field := range []*[32]byte{&sigs[i].C, &sigs[i].R} {
			good := *field
			field[31] |= 0x80
			require.ErrorIs(t, Verify(message, keys, image, sigs), ErrMalformed)
			*field = good
		}
		good := keys[i]
		keys[i] = [32]byte{2}
		require.ErrorIs(t, Verify(message, keys, image, sigs), ErrMalformed)
		if i != 2 {
			_, _, err = Sign(rand.Reader, message, keys, 2, x)
			require.ErrorIs(t, err, ErrMalformed)
		}
		keys[i] = good
		if i != 2 {
			_, _, err = Sign(rand.Reader, message, keys, i, x)
			require.ErrorIs(t, err, ErrSecret)
		}
	}
	require.NoError(t, Verify(message, keys, image, sigs))
	for _, realIndex := range []int{-1, 4} {
		_, _, err = Sign(rand.Reader, message, keys, realIndex, x)
		require.ErrorIs(t, err, ErrMalformed)
	}
	_, _, err = Sign(rand.Reader, message, keys, 2, nil)
	require.ErrorIs(t, err, ErrMalformed)
	keys[2] = edwards.Identity().Encode()
	_, _, err = Sign(rand.Reader, message, keys, 2, edwards.NewScalar())
	require.ErrorIs(t, err, ErrSecret, "the secret key is zero")
}

// TestSecondKeyImage makes a signature that the equations alone accept: its key image has torsion, which would give an
// output a second key image.
func TestSecondKeyImage(t *testing.T) {
	minus, err := edwards.DecodePoint(b32(t, "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"))
	require.NoError(t, err)
	keys, x := ring(t, 1, 0)
	message := [32]byte{1}
	own := edwards.HashToPoint(keys[0])
	image := new(edwards.Point).ScalarMult(x, own)
	image.Add(image, minus)
	fits := false
	for range 64 { // half of the challenges are even
		k, err := edwards.RandomScalar(rand.Reader)
		require.NoError(t, err)
		hash := newTranscript(message, 1)
		hash.add(new(edwards.Point).ScalarBaseMult(k), new(edwards.Point).ScalarMult(k, own))
		c := hash.challenge()
		r := edwards.NewScalar().Multiply(c, x)
		r.Subtract(k, r)
		check := newTranscript(message, 1)
		require.NoError(t, check.member(keys[0], image, c, r))
		fits = fits || check.challenge().Equal(c) == 1
		forged := []Signature{{edwards.EncodeScalar(c), edwards.EncodeScalar(r)}}
		require.ErrorIs(t, Verify(message, keys, image.Encode(), forged), ErrMalformed)
	}
	require.True(t, fits)
}

// TestNonces: with constant randomness, two messages have two nonces.
func TestNonces(t *testing.T) {
	keys, x := ring(t, 3, 1)
	stuck := make([]byte, 64)
	nonceOf := func(message [32]byte) *edwards.Scalar {
		sigs, _, err := Sign(bytes.NewReader(stuck), message, keys, 1, x)
		require.NoError(t, err)
		c, err := edwards.DecodeScalar(sigs[1].C)
		require.NoError(t, err)
		r, err := edwards.DecodeScalar(sigs[1].R)
		require.NoError(t, err)
		return edwards.NewScalar().MultiplyAdd(c, x, r)
	}
	require.Equal(t, 1, nonceOf([32]byte{1}).Equal(nonceOf([32]byte{1})))
	require.Equal(t, 0, nonceOf([32]byte{1}).Equal(nonceOf([32]byte{2})))
	_, _, err := Sign(bytes.NewReader(stuck[1:]), [32]byte{}, keys, 1, x)
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}
