package carrot

import (
	"bytes"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/crypto/edwards"
	"glim/core/xmr"
)

// provable is an output with its secrets.
type provable struct {
	format Format
	output xmr.PublicKey
	x, y   *edwards.Scalar
}

func newProvable(t testing.TB, seed byte) provable {
	t.Helper()
	r := newRandom(seed)
	x, err := edwards.RandomScalar(r)
	require.NoError(t, err)
	y, err := edwards.RandomScalar(r)
	require.NoError(t, err)
	return provable{Format(seed % 2), Default.outputKey(x, y).Encode(), x, y}
}

func (p *provable) prove(t testing.TB, seed byte) (xmr.KeyImage, ImageProof) {
	t.Helper()
	image, proof, err := Default.ProveKeyImage(newRandom(seed), p.format, p.output, p.x, p.y)
	require.NoError(t, err)
	return image, proof
}

// TestImageProofs: the key image of an output, of both formats, is proven, and a proof fits this output, its format and
// its key image only; another byte anywhere makes it wrong.
func TestImageProofs(t *testing.T) {
	for seed := range byte(4) {
		p, other := newProvable(t, seed), newProvable(t, seed+2)
		image, proof := p.prove(t, 9)
		require.Equal(t, Default.KeyImage(p.format, p.output, p.x), image)
		require.NoError(t, Default.VerifyKeyImage(p.format, p.output, image, &proof))
		require.ErrorIs(t, Default.VerifyKeyImage(1-p.format, p.output, image, &proof), ErrImageProof)
		require.ErrorIs(t, Default.VerifyKeyImage(p.format, other.output, image, &proof), ErrImageProof)
		otherImage, otherProof := other.prove(t, 9)
		require.ErrorIs(t, Default.VerifyKeyImage(p.format, p.output, otherImage, &proof), ErrImageProof)
		require.ErrorIs(t, Default.VerifyKeyImage(p.format, p.output, image, &otherProof), ErrImageProof)
		require.ErrorIs(t, Personalised.VerifyKeyImage(p.format, p.output, image, &proof), ErrImageProof)
		for i := range proof {
			altered := proof
			altered[i] ^= 1
			require.ErrorIs(t, Default.VerifyKeyImage(p.format, p.output, image, &altered), ErrImageProof, i)
		}
		for i := range image {
			altered := image
			altered[i] ^= 1
			require.ErrorIs(t, Default.VerifyKeyImage(p.format, p.output, altered, &proof), ErrImageProof, i)
		}
	}
}

// TestImageProofSecrets: without both secrets of the output there is no proof, and bad randomness alone does not repeat
// a nonce for another output.
func TestImageProofSecrets(t *testing.T) {
	p := newProvable(t, 1)
	zero := edwards.NewScalar()
	for _, wrong := range [][2]*edwards.Scalar{{p.x, p.x}, {p.y, p.y}, {p.y, p.x}, {p.x, zero}} {
		_, _, err := Default.ProveKeyImage(newRandom(2), p.format, p.output, wrong[0], wrong[1])
		require.ErrorIs(t, err, ErrMismatch)
	}
	_, _, err := Default.ProveKeyImage(newRandom(2), p.format, Default.outputKey(zero, p.y).Encode(), zero, p.y)
	require.ErrorIs(t, err, ErrKey)
	_, _, err = Default.ProveKeyImage(bytes.NewReader(make([]byte, 63)), p.format, p.output, p.x, p.y)
	require.Error(t, err)

	nonce := func(seed byte) *edwards.Scalar {
		p := newProvable(t, seed)
		_, proof := p.prove(t, 7)
		c, err := edwards.DecodeScalar([32]byte(proof[:]))
		require.NoError(t, err)
		s, err := edwards.DecodeScalar([32]byte(proof[32:]))
		require.NoError(t, err)
		return s.Subtract(s, c.Multiply(c, p.x))
	}
	require.Zero(t, nonce(1).Equal(nonce(3)))
}

// TestImageProofTorsion: the owner of an output cannot prove a second key image of it, which differs by a point of
// small order, however many nonces it tries.
func TestImageProofTorsion(t *testing.T) {
	p := newProvable(t, 1)
	small := [32]byte(bytes.Repeat([]byte{0xff}, 32)) // y = −1, a point of order 2
	small[0], small[31] = 0xec, 0x7f
	torsion, err := edwards.DecodePoint(small)
	require.NoError(t, err)
	i := Default.imageGenerator(p.format, p.output)
	link := new(edwards.Point).ScalarMult(p.x, i)
	image := xmr.KeyImage(link.Add(link, torsion).Encode())
	r := newRandom(5)
	for range 40 {
		a, err := edwards.RandomScalar(r)
		require.NoError(t, err)
		c := imageChallenge(p.output, image, i, Default.outputKey(a, a), new(edwards.Point).ScalarMult(a, i))
		var proof ImageProof
		for n, s := range []*edwards.Scalar{
			c, edwards.NewScalar().MultiplyAdd(c, p.x, a), edwards.NewScalar().MultiplyAdd(c, p.y, a),
		} {
			part := edwards.EncodeScalar(s)
			copy(proof[32*n:], part[:])
		}
		require.ErrorIs(t, Default.VerifyKeyImage(p.format, p.output, image, &proof), ErrImageProof)
	}
}

// FuzzVerifyKeyImage verifies any bytes as an output, its key image and its proof. Only those that were made from the
// secrets are accepted.
func FuzzVerifyKeyImage(f *testing.F) {
	p := newProvable(f, 1)
	image, proof := p.prove(f, 3)
	valid := append(append(p.output[:len(p.output):len(p.output)], image[:]...), proof[:]...)
	f.Add(valid)
	f.Add(append(bytes.Clone(valid[:32]), make([]byte, 128)...))
	f.Add(make([]byte, 160))
	f.Add(append(bytes.Clone(valid[:159]), valid[159]^1))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < len(valid) {
			return
		}
		part := ImageProof(b[64:])
		err := Default.VerifyKeyImage(p.format, [32]byte(b), [32]byte(b[32:]), &part)
		if !bytes.Equal(b[:len(valid)], valid) {
			require.True(t, errors.Is(err, ErrImageProof))
		} else {
			require.NoError(t, err)
		}
	})
}
