package txbuild

import (
	"crypto/rand"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/crypto/edwards"
	"glim/core/decoy"
	"glim/core/keys"
	"glim/core/tx"
)

// TestCheckFindsMistakes makes correctly signed transactions that differ from the plan; the final check of the bytes
// refuses each.
func TestCheckFindsMistakes(t *testing.T) {
	sender, alice, mallory := newKeys(t), newKeys(t), newKeys(t)
	inputs := []Input{owned(t, sender, keys.Index{}, 5e12, 100000), owned(t, sender, keys.Index{}, 3e12, 200000)}
	rings := []decoy.Ring{ringAround(t, inputs[0]), ringAround(t, inputs[1])}
	none := func(*draft) {}
	paid := func(d *draft) *output {
		return &d.outputs[slices.IndexFunc(d.outputs, func(o output) bool { return o.Amount == 6e12 })]
	}
	scalar := func() *edwards.Scalar {
		s, err := edwards.RandomScalar(rand.Reader)
		require.NoError(t, err)
		return s
	}
	for _, c := range []struct {
		name          string
		before, after func(d *draft) // it is signed
		wrong         bool
	}{
		{name: "nothing"},
		{
			"another recipient", func(d *draft) { d.plan.Destinations[0].Address = addressOf(mallory, keys.Index{}) },
			none, true,
		},
		{"another amount", func(d *draft) { d.plan.Destinations[0].Amount++; d.change-- }, none, true},
		{"change to another", func(d *draft) { d.plan.Change = addressOf(mallory, keys.Index{}) }, none, true},
		{"a recipient left out", func(d *draft) {
			d.plan.Destinations = append(d.plan.Destinations, Destination{Address: addressOf(mallory, keys.Index{})})
		}, none, true},
		{"money out of nothing", func(d *draft) { paid(d).Amount++; d.plan.Destinations[0].Amount++ }, none, true},
		{"a fee that was not agreed", func(d *draft) { d.fee += 1e6 }, func(d *draft) { d.fee -= 1e6 }, true},
		{"an unlock time", func(d *draft) { d.tx.UnlockTime = 5 }, none, true},
		{"an output key of nobody", func(d *draft) { d.tx.Outputs[0].Key = randomPoint(t) }, none, true},
		{"another view tag", func(d *draft) { d.tx.Outputs[0].ViewTag++ }, none, true},
		{"an amount nobody can open", func(d *draft) { d.shared[0] = scalar() }, none, true},
		{"another public key", func(d *draft) { d.key = scalar() }, none, true},
		{"other decoys", none, func(d *draft) {
			d.rings[0].Members = slices.Clone(d.rings[0].Members)
			d.rings[0].Members[15].Index++
		}, true},
		{"inputs in another order", func(d *draft) { slices.Reverse(d.tx.Inputs) }, none, true},
		{"another key image", none, func(d *draft) { d.images[0][0] ^= 1 }, true},
		{"an input too few", none, func(d *draft) { d.plan.Inputs = append(d.plan.Inputs, Input{}) }, true},
		{
			"no signature", none,
			func(d *draft) { d.tx.RingCT.Prunable.CLSAGs[0].S[3] = edwards.EncodeScalar(scalar()) }, true,
		},
		{"another's signature", none, func(d *draft) { slices.Reverse(d.tx.RingCT.Prunable.CLSAGs) }, true},
		{
			"no range proof", none,
			func(d *draft) { d.tx.RingCT.Prunable.BulletproofsPlus[0].D1 = edwards.EncodeScalar(scalar()) }, true,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan := Plan{Inputs: inputs, Destinations: []Destination{{
				Address: addressOf(alice, keys.Index{}),
				Amount:  6e12,
			}},
				Change: addressOf(sender, keys.Index{}), Fee: 3e7}
			d, err := settle(rand.Reader, sender, plan, rings, testRate(t))
			require.NoError(t, err)
			d.plan.Destinations = slices.Clone(d.plan.Destinations)
			if c.before != nil {
				c.before(d)
			}
			require.NoError(t, d.sign(rand.Reader))
			if c.after != nil {
				c.after(d)
			}
			_, err = d.check(rand.Reader, d.tx.Append(nil))
			if c.wrong {
				require.ErrorIs(t, err, ErrMismatch)
			} else {
				require.NoError(t, err)
			}
		})
	}
	_, err := (&draft{}).check(rand.Reader, (&tx.Transaction{Version: 2}).Append(nil))
	require.ErrorIs(t, err, ErrMismatch)
}
