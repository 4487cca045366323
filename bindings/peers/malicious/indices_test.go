package malicious_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers/malicious"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/walletrpc"
)

// TestIndicesOfOtherOutputs checks that a wallet with forged global indices of its outputs pays nothing with them: the
// distribution has no output of that block at that index, or the daemon returns another output for it. A rescan
// repairs the indices.
func TestIndicesOfOtherOutputs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mine(12, node.UnspendableAddress())
	for _, c := range []struct{ fault malicious.Fault }{
		{bendBlocks("moves one of the wallet's outputs to another block", func(r *blocks) {
			for i := range r.OutputIndices[:len(r.OutputIndices)-1] { // the newest block is unchanged
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
		t.Run(c.fault.Name, func(t *testing.T) {
			s := w.restored(t, math.MaxUint16)
			w.proxy.Inject(c.fault)
			require.NoError(t, refresh(s))
			require.NotZero(t, w.proxy.Faults())
			require.Equal(t, w.balance, balance(t, s))
			w.proxy.Inject(malicious.Fault{})
			spend := func() error {
				for _, out := range do(
					t, s, walletrpc.IncomingTransfers, walletrpc.IncomingTransfersRequest{TransferType: "available"},
				).Transfers {
					if out.Amount == amount { // the payment, in a transaction with a change output
						_, err := rpc.Call(
							t.Context(), s.Registry(), walletrpc.SweepSingle,
							walletrpc.SweepSingleRequest{
								Outputs: 1, KeyImage: out.KeyImage, Address: node.UnspendableAddress(),
							},
						)
						return err
					}
				}
				t.Fatal("no output of that amount")
				return nil
			}
			require.ErrorContains(t, spend(), c.fault.Name)
			require.Empty(t, w.emptyPool(t))
			do(t, s, walletrpc.RescanBlockchain, walletrpc.RescanBlockchainRequest{})
			require.NoError(t, spend())
			require.Len(t, w.emptyPool(t), 1)
		})
	}
}
