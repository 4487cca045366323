package txbuild

import (
	"crypto/rand"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/keys"
	"glim/core/xmr"
)

// sizes allows three inputs and four outputs.
func sizes(inputs, outputs int) uint64 {
	if inputs > 3 || outputs > 4 {
		return math.MaxUint64
	}
	return uint64(1000*inputs + 100*outputs)
}

// TestProposeNext: after the next hard fork, plans have the exact fee of their numbers of inputs and outputs, always
// with change, and at most as many inputs as allowed.
func TestProposeNext(t *testing.T) {
	k, to := newKeys(t), newKeys(t)
	r := Request{
		Destinations: []Destination{{Address: addressOf(to, keys.Index{}), Amount: 50 * xmr.Coin}},
		Change:       addressOf(k, keys.Index{}), Rate: testRate(t), Weigh: sizes, ChangeOutputs: 3,
	}
	for i := range uint64(8) {
		r.Available = append(r.Available, owned(t, k, keys.Index{}, 10*xmr.Coin, 100*i))
		r.Balance += 10 * xmr.Coin
	}
	_, err := Propose(rand.Reader, r)
	require.ErrorIs(t, err, ErrTooHeavy)
	r.Split = true
	plans, err := Propose(rand.Reader, r)
	require.NoError(t, err)
	require.Len(t, plans, 2)
	paid, divided := uint64(0), 0
	for _, p := range plans {
		require.LessOrEqual(t, len(p.Inputs), 3)
		divided = max(divided, len(p.ChangeShares))
		needed, err := r.Rate.fee(sizes(len(p.Inputs), 1+max(1, len(p.ChangeShares))))
		require.NoError(t, err)
		require.Equal(t, needed, p.Fee)
		settled, err := p.Settled()
		require.NoError(t, err)
		require.Len(t, settled.Destinations, 1)
		paid += settled.Destinations[0].Amount
	}
	require.Equal(t, 50*uint64(xmr.Coin), paid)
	require.Equal(t, 3, divided)

	// Inputs that pay exactly need another one for the fee of change.
	r.Split, r.Destinations[0].Amount = false, 10*xmr.Coin
	plans, err = Propose(rand.Reader, r)
	require.NoError(t, err)
	require.Len(t, plans[0].Inputs, 2)
	r.Destinations[0].Amount = 30 * xmr.Coin
	_, err = Propose(rand.Reader, r)
	require.ErrorIs(t, err, ErrTooHeavy)

	r.Subtract = []int{0}
	plans, err = Propose(rand.Reader, r)
	require.NoError(t, err)
	settled, err := plans[0].Settled()
	require.NoError(t, err)
	require.Equal(t, 30*uint64(xmr.Coin)-plans[0].Fee, settled.Destinations[0].Amount)
	require.Zero(t, settled.Remainder())
}

// TestSweepNext: a sweep after the next hard fork fills transactions, whose change of zero is counted.
func TestSweepNext(t *testing.T) {
	k, to := newKeys(t), newKeys(t)
	w := Sweep{To: Destination{Address: addressOf(to, keys.Index{})}, Outputs: 3, Rate: testRate(t), Weigh: sizes}
	for i := range uint64(7) {
		w.Available = append(w.Available, owned(t, k, keys.Index{}, 10*xmr.Coin, 100*i))
	}
	plans, err := ProposeSweep(rand.Reader, w)
	require.NoError(t, err)
	require.Len(t, plans, 3)
	for i, inputs := range []int{3, 3, 1} {
		require.Len(t, plans[i].Inputs, inputs)
		needed, err := w.Rate.fee(sizes(inputs, 4))
		require.NoError(t, err)
		require.Equal(t, needed, plans[i].Fee)
		settled, err := plans[i].Settled()
		require.NoError(t, err)
		require.Len(t, settled.Destinations, 3)
		require.Zero(t, settled.Remainder())
	}
	w.Outputs = 4
	_, err = ProposeSweep(rand.Reader, w)
	require.ErrorIs(t, err, ErrTooManyOutputs)
}
