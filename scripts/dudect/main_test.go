package main

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// The statistics, on numbers that can be done by hand; every operation runs with both kinds of secrets.
func TestDudect(t *testing.T) {
	a, b := []float64{1, 2, 3, 4}, []float64{2, 4, 6, 8}
	mean, variance := moments(b)
	require.InDelta(t, 5, mean, 1e-12)
	require.InDelta(t, 20.0/3, variance, 1e-12)
	require.InDelta(t, -math.Sqrt(3), welch(a, b), 1e-12) // −2.5 / √(5/12 + 5/3)
	require.Zero(t, welch(a, a))
	require.Zero(t, welch(a[:1], b))
	require.True(t, math.IsInf(welch([]float64{1, 1}, []float64{2, 2}), 1))
	require.GreaterOrEqual(t, worst(a, b), math.Sqrt(3))

	// A difference that only shows where the system does not interfere.
	for range 1000 {
		a, b = append(a, 10, 1e6), append(b, 10.1, 0)
	}
	require.Greater(t, worst(a[4:], b[4:]), float64(leaking))

	for _, o := range operations() {
		o.prepare(true)()
		o.prepare(false)()
	}
}
