package service

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/walletrpc"
)

// TestChangeOutputsAfterTheFork: change is divided after the fork as before it, with today's and Carrot's keys: the
// parts differ, add up, cost their exact fee, and are spent together. There are fewer if the transaction is full.
func TestChangeOutputsAfterTheFork(t *testing.T) {
	p := newCrossing(t)
	b := p.party("b")
	today := p.party("a")
	_, err := p.chain.Mine(t.Context(), 23, today.at)
	require.NoError(t, err)
	next := p.serve(newFolder(), nil)
	carrot := party{next, t, newCarrotWallet(p, next)}
	p.mine(60, today.Service, next)
	sum := func(list []uint64) (sum uint64) {
		for _, amount := range list {
			sum += amount
		}
		return sum
	}
	for _, a := range []party{today, carrot} {
		all, _ := a.balance()
		reward := do(t, a.Service, walletrpc.IncomingTransfers,
			walletrpc.IncomingTransfersRequest{TransferType: "available"}).Transfers[0]
		req := dividing(b.at, 1e12, 5)
		req.KeyImages, req.GetTxKey = []string{reward.KeyImage}, true
		paid := do(t, a.Service, walletrpc.Transfer, req)
		p.requireFee(paid.Weight, paid.Fee)
		require.Equal(t, 7*64, len(paid.TxKey), "zeros, and a key for each output")
		p.mine(1, a.Service, b.Service)
		parts := changeOf(t, a.Service, paid.TxHash)
		require.Len(t, parts, 5)
		require.Len(t, slices.Compact(slices.Clone(parts)), 5)
		require.Equal(t, reward.Amount-1e12-paid.Fee, sum(parts))
		left, _ := a.balance()
		require.Equal(t, all-1e12-paid.Fee, left)
		out := a.transfers().Out
		require.Equal(t, paid.Fee, out[len(out)-1].Fee)
		require.Equal(t, uint64(1e12), out[len(out)-1].Amount)

		p.mine(10, a.Service)
		left, unlocked := a.balance()
		require.Equal(t, left, unlocked)
		full := dividing(b.at, 1e10, 15)
		for range 12 {
			full.Destinations = append(full.Destinations, full.Destinations[0])
		}
		for _, o := range unlockedOf(t, a.Service) {
			if o.TxHash == paid.TxHash {
				full.KeyImages = append(full.KeyImages, o.KeyImage)
			}
		}
		require.Len(t, full.KeyImages, 5)
		again := do(t, a.Service, walletrpc.Transfer, full)
		p.requireFee(again.Weight, again.Fee)
		p.mine(1, a.Service, b.Service)
		require.Len(t, changeOf(t, a.Service, again.TxHash), 3, "13 destinations leave room for 3")
	}
	received, _ := b.balance()
	require.Equal(t, uint64(2*(1e12+13e10)), received)
}
