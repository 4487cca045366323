package fcmp

import (
	"crypto/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/carrot"
	"glim/core/crypto/curvetree"
	"glim/core/crypto/ecdivisors"
	"glim/core/crypto/edwards"

	gbp "glim/core/crypto/generalizedbulletproofs"
)

// TestLogarithmsOn25519 makes the witness of logarithms to T, U, V and G, and checks it against what circuits on Selene
// require, for random challenges.
func TestLogarithmsOn25519(t *testing.T) {
	doublings, err := doublingsOf(carrot.Plain)
	require.NoError(t, err)
	tt, u, v, err := generators(carrot.Plain)
	require.NoError(t, err)
	for i, generator := range []*edwards.Point{tt, u, v, edwards.Base()} {
		scalar, err := edwards.RandomScalar(rand.Reader)
		require.NoError(t, err)
		b := edwards.EncodeScalar(scalar)
		l, err := ecdivisors.Ed25519.Decompose(&b)
		require.NoError(t, err)
		m, err := multiplesSelene(&wei25519, doublings[i]).Multiple(l)
		require.NoError(t, err)
		x, y := curvetree.Weierstrass([]*edwards.Point{new(edwards.Point).ScalarMult(scalar, generator)})
		require.True(t, m.X.Equal(&x[0]) && m.Y.Equal(&y[0]))

		line, err := drawSeleneLine(gbp.NewTranscript(b, nil), &wei25519)
		require.NoError(t, err)
		c, err := line.expand(&wei25519, doublings...)
		require.NoError(t, err)
		for j := range doublings {
			require.Equal(t, i == j, satisfiesSelene(c, j, l.Selene(), m))
		}
	}
}
