package txbuild

import (
	"crypto/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/decoy"
	"glim/core/fee"
	"glim/core/keys"
	"glim/core/xmr"
)

// TestSettleAndSign settles with a view-only wallet and signs with the spend key: the fee equals that of a wallet with
// all keys.
func TestSettleAndSign(t *testing.T) {
	sender, alice := newKeys(t), newKeys(t)
	view, err := keys.ViewOnly(sender.ViewSecret(), sender.SpendPublic)
	require.NoError(t, err)
	change := addressOf(sender, keys.Index{})
	to := func(amounts ...uint64) (list []Destination) {
		for _, a := range amounts {
			list = append(list, Destination{Address: addressOf(alice, keys.Index{}), Amount: a})
		}
		return list
	}
	ceiling := fee.CeilingFor(xmr.Regtest)
	for name, plan := range map[string]Plan{
		"payment":  {Destinations: to(1e12)},
		"subtract": {Destinations: to(1e12, 2e12), Subtract: []int{0, 1}},
		"sweep":    {Destinations: to(0), Sweep: true},
		"share":    {Destinations: to(0, 0, 0), Sweep: true},
	} {
		t.Run(name, func(t *testing.T) {
			var rings []decoy.Ring
			for i := range 2 {
				in := owned(t, sender, keys.Index{}, 5e12, uint64(100000+1000*i))
				plan.Inputs, rings = append(plan.Inputs, in), append(rings, ringAround(t, in))
			}
			plan.Change, plan.Fee = change, 3e7
			settled, err := Settle(rand.Reader, view, plan, rings, testRate(t))
			require.NoError(t, err)
			direct, err := Construct(rand.Reader, sender, plan, rings, testRate(t))
			require.NoError(t, err)
			require.Equal(t, direct.Fee, settled.Fee)
			require.Equal(t, direct.Destinations, settled.Destinations)
			require.Equal(t, plan.Inputs, settled.Inputs)

			_, err = Sign(rand.Reader, view, settled, rings, ceiling)
			require.ErrorIs(t, err, ErrViewOnly)
			got, err := Sign(rand.Reader, sender, settled, rings, ceiling)
			require.NoError(t, err)
			require.Equal(t, settled.Fee, got.Fee)
			require.Equal(t, settled.Destinations, got.Destinations)
			require.Equal(t, direct.Change, got.Change)

			_, err = Sign(rand.Reader, sender, settled, rings, fee.Ceiling{})
			var high *fee.TooHighError
			require.ErrorAs(t, err, &high)
			settled.Fee = 1 << 60
			_, err = Sign(rand.Reader, sender, settled, rings, ceiling)
			require.ErrorIs(t, err, ErrNotPossible)
		})
	}
	in := owned(t, sender, keys.Index{}, 5e12, 100000)
	_, err = Settle(
		rand.Reader, view, Plan{Inputs: []Input{in}, Destinations: to(5e12), Change: change},
		[]decoy.Ring{ringAround(t, in)}, testRate(t),
	)
	require.ErrorIs(t, err, ErrNotPossible)
}
