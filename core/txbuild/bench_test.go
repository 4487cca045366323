package txbuild

import (
	"crypto/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/decoy"
	"glim/core/keys"
)

// BenchmarkConstruct makes, signs and checks a transaction of two inputs and two outputs.
func BenchmarkConstruct(b *testing.B) {
	sender, alice := newKeys(b), newKeys(b)
	plan := Plan{
		Destinations: []Destination{{Address: addressOf(alice, keys.Index{}), Amount: 6e12}},
		Change:       addressOf(sender, keys.Index{}),
	}
	var rings []decoy.Ring
	for i, amount := range []uint64{5e12, 3e12} {
		in := owned(b, sender, keys.Index{}, amount, uint64(100000+1000*i))
		plan.Inputs, rings = append(plan.Inputs, in), append(rings, ringAround(b, in))
	}
	rate := testRate(b)
	b.ReportAllocs()
	for b.Loop() {
		_, err := Construct(rand.Reader, sender, plan, rings, rate)
		require.NoError(b, err)
	}
}
