package fcmp

import (
	"crypto/rand"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/crypto/ecdivisors"
	"glim/core/crypto/helioselene"

	gbp "glim/core/crypto/generalizedbulletproofs"
)

// multiplesHelios returns the generator with doublings.
func multiplesHelios(curve *heliosWeierstrass, doublings heliosDoublings) *ecdivisors.HeliosGenerator {
	x, y := make([]helioselene.Element, len(doublings)), make([]helioselene.Element, len(doublings))
	for i := range doublings {
		x[i], y[i] = doublings[i].x, doublings[i].y
	}
	return ecdivisors.NewHeliosGenerator(&curve.a, x, y)
}

// satisfiesHelios reports whether a multiple and its logarithm satisfy the constraints of a logarithm for a generator
// with an index in the challenge: that the logarithmic derivatives of its function add up to what they must be.
func satisfiesHelios(
	c *heliosChallenge, generator int, coefficients []helioselene.Element, m *ecdivisors.HeliosMultiple,
) bool {
	var derivatives, want, t helioselene.Element
	for i := range c.evaluations {
		e := &c.evaluations[i]
		numerator, denominator := e.numeratorConstant, e.denominatorConstant
		for j := range m.Divisor {
			numerator.Add(&numerator, t.Multiply(&m.Divisor[j], &e.numerator[j]))
			denominator.Add(&denominator, t.Multiply(&m.Divisor[j], &e.denominator[j]))
		}
		denominator.Invert(&denominator)
		derivatives.Add(&derivatives, t.Multiply(&numerator, &denominator))
	}
	want.Add(&c.intercept, &m.Y)
	want.Add(&want, t.Multiply(&c.slope, &m.X))
	want.Invert(&want)
	for i := range coefficients {
		want.Add(&want, t.Multiply(&coefficients[i], &c.weights[generator][i]))
	}
	return derivatives.Equal(&want)
}

// TestLogarithmsOnHelios makes the witness of logarithms to the generator H of Selene, and checks it against what
// circuits on Helios require, for random challenges.
func TestLogarithmsOnHelios(t *testing.T) {
	g := multiplesHelios(&seleneCurve, doublingsOfSelene())
	for i := range 8 {
		var scalar [size]byte
		_, err := io.ReadFull(rand.Reader, scalar[:])
		require.NoError(t, err)
		scalar[size-1] &= 0x3f
		if i > 3 {
			scalar = [size]byte{byte(i)}
		}
		l, err := ecdivisors.Selene.Decompose(&scalar)
		require.NoError(t, err)
		m, err := g.Multiple(l)
		require.NoError(t, err)
		line, err := drawHeliosLine(gbp.NewTranscript(scalar, nil), &seleneCurve)
		require.NoError(t, err)
		c, err := line.expand(&seleneCurve, doublingsOfSelene())
		require.NoError(t, err)
		coefficients := l.Helios()
		require.Len(t, m.Divisor, len(c.evaluations[0].numerator))
		require.True(t, satisfiesHelios(c, 0, coefficients, m))

		var one helioselene.Element
		one.SetUint64(1)
		for _, changed := range []*helioselene.Element{
			&m.X, &m.Y, &coefficients[0], &coefficients[bitsSelene-1],
			&m.Divisor[0], &m.Divisor[100], &m.Divisor[200], &m.Divisor[bitsSelene-1],
		} {
			changed.Add(changed, &one)
			require.False(t, satisfiesHelios(c, 0, coefficients, m))
			changed.Subtract(changed, &one)
		}
		require.True(t, satisfiesHelios(c, 0, coefficients, m))
	}
}
