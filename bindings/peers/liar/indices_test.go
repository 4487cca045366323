package liar_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers/liar"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/walletrpc"
)

// TestIndicesOfOtherOutputs: a wallet that was told other places of its outputs than they have pays nothing from there: the chain's distribution has
// no output of that block there, or who is asked for it shows another. Reading the chain again mends it.
func TestIndicesOfOtherOutputs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mine(12, node.Nobody())
	for _, c := range []struct{ lie liar.Lie }{
		{bendBlocks("puts one of the wallet's outputs into another block", func(r *blocks) {
			for i := range r.OutputIndices[:len(r.OutputIndices)-1] { // the newest block is told as it is
				for _, list := range r.OutputIndices[i].Indices {
					for n := range list.Indices {
						list.Indices[n] += 3
					}
				}
			}
		})},
		{bendBlocks("differs from the wallet's own output", func(r *blocks) {
			for i := range r.OutputIndices {
				for _, list := range r.OutputIndices[i].Indices[1:] {
					list.Indices[0], list.Indices[1] = list.Indices[1], list.Indices[0]
				}
			}
		})},
	} {
		t.Run(c.lie.Name, func(t *testing.T) {
			s := w.restored(t, math.MaxUint16)
			w.liar.Tell(c.lie)
			require.NoError(t, refresh(s))
			require.NotZero(t, w.liar.Told())
			require.Equal(t, w.balance, balance(t, s))
			w.liar.Tell(liar.Lie{})
			spend := func() error {
				for _, out := range do(t, s, walletrpc.IncomingTransfers, walletrpc.IncomingTransfersRequest{TransferType: "available"}).Transfers {
					if out.Amount == amount { // what was paid, with change beside it
						_, err := rpc.Call(t.Context(), s.Registry(), walletrpc.SweepSingle, walletrpc.SweepSingleRequest{Outputs: 1, KeyImage: out.KeyImage, Address: node.Nobody()})
						return err
					}
				}
				t.Fatal("there is no such output")
				return nil
			}
			require.ErrorContains(t, spend(), c.lie.Name)
			require.Empty(t, w.emptyPool(t))
			do(t, s, walletrpc.RescanBlockchain, walletrpc.RescanBlockchainRequest{})
			require.NoError(t, spend())
			require.Len(t, w.emptyPool(t), 1)
		})
	}
}
