package malicious_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers/malicious"
	"glim/core/daemonrpc"
	"glim/core/node"
	"glim/core/tx"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// forgedHashes returns changes of pruned transactions and of the prunable hashes sent with them.
func (w *world) forgedHashes() []forgedCase {
	// only the first transaction of each answer is changed
	first := func(name string, change func(b *daemonrpc.TxBlob)) malicious.Fault {
		return bendBlocks(name, func(r *blocks) {
			changed := false
			changePruned(r, func(x *tx.Transaction, b *daemonrpc.TxBlob) {
				if !changed {
					changed = true
					hidePayments(x)
					change(b)
				}
			})
		})
	}
	const refused = "invalid response"
	return []forgedCase{
		{fault: bendPruned("forged payment", w.inventPayment), refresh: refused},
		{fault: bendPruned("hidden payment", hidePayments), refresh: refused},
		{fault: bendPruned("forged fee", func(x *tx.Transaction) { x.RingCT.Fee++ }), refresh: refused},
		{fault: first("other hash", func(b *daemonrpc.TxBlob) { b.PrunableHash[0] ^= 1 }), refresh: refused},
		{
			fault:   first("no hash", func(b *daemonrpc.TxBlob) { b.PrunableHash = xmr.Hash{} }),
			refresh: "no prunable hash for transaction",
		},
	}
}

// TestProvenByHashes checks that a daemon that sends prunable hashes cannot change or hide anything of a block: the
// wallet notices each change at once, although no block is selected for proof. The wallet requests neither full
// transactions nor proofs then.
func TestProvenByHashes(t *testing.T) {
	t.Parallel()
	chain := newChain(t)
	w := newWorldOf(t, chain.Registry(), func(n int, to string) { mine(t, chain, n, to) })
	payer := w.restored(t, never)
	require.NoError(t, refresh(payer))
	_, err := pay(payer, w.address) // so that there is a second transaction
	require.NoError(t, err)
	w.mine(12, node.UnspendableAddress())
	require.NoError(t, refresh(payer))
	w.balance = balance(t, payer)
	for _, c := range w.forgedHashes() {
		t.Run(c.fault.Name, func(t *testing.T) {
			s := w.restored(t, never)
			w.proxy.Inject(c.fault)
			requireError(t, c.refresh, refresh(s), "refresh")
			require.NotZero(t, w.proxy.Faults(), "no response was forged")
			require.Zero(t, balance(t, s), "the forged response must be discarded")
			w.proxy.Inject(malicious.Fault{})
			require.NoError(t, refresh(s))
			require.Equal(t, w.balance, balance(t, s))
			require.Zero(t, w.proxy.Requests(daemonrpc.GetTransactions.Name))
		})
	}
	t.Run("newest blocks", func(t *testing.T) {
		_, err := pay(payer, w.address)
		require.NoError(t, err)
		w.mine(1, node.UnspendableAddress())
		whole := 0
		w.proxy.Inject(malicious.Modify("", daemonrpc.GetBlocks, func(q daemonrpc.GetBlocksRequest, _ *blocks) {
			if q.RequestedInfo != daemonrpc.PoolOnly && !q.Prune {
				whole++
			}
		}))
		require.NoError(t, refresh(payer))
		require.Zero(t, whole)
		require.Zero(t, w.proxy.Requests(daemonrpc.GetTransactions.Name))
		w.balance = balance(t, payer)
	})
	t.Run("hashes omitted later", func(t *testing.T) {
		s := w.restored(t, never)
		w.proxy.Inject(malicious.Fault{})
		require.NoError(t, refresh(s))
		whole := 0
		w.proxy.Inject(malicious.Modify("", daemonrpc.GetBlocks, func(q daemonrpc.GetBlocksRequest, r *blocks) {
			if q.RequestedInfo != daemonrpc.PoolOnly && !q.Prune {
				whole++
			}
			changePruned(r, func(x *tx.Transaction, b *daemonrpc.TxBlob) {
				hidePayments(x)
				b.PrunableHash = xmr.Hash{}
			})
		}))
		do(t, s, walletrpc.RescanBlockchain, walletrpc.RescanBlockchainRequest{})
		require.Equal(t, w.balance, balance(t, s))
		require.NotZero(t, whole)
	})
}
