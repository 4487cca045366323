package upstream_test

import (
	"crypto/rand"
	"errors"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/carrot"
	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/daemonrpc"
	"glim/core/internal/compact"
	"glim/core/keys"
	"glim/core/nextfork"
	"glim/core/service"
	"glim/core/session"
	"glim/core/upstream"
	"glim/core/walletpaths"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// noStore is a store of paths that keeps nothing.
type noStore struct{}

func (noStore) Load() ([]byte, error) { return nil, errors.New("nothing is stored") }
func (noStore) Save([]byte) error     { return nil }

// TestAcrossTheFork puts the front before a chain that crosses the next hard fork. Wallets pay through it with
// membership proofs, and it serves blocks, transactions and the pool as its upstream does.
func TestAcrossTheFork(t *testing.T) {
	w := newWorld(t)
	w.first = newOriginWith(t, chain.Options{
		Network: xmr.Regtest, FixedDifficulty: 1, Now: w.clock.read, Random: rand.Reader,
		Forks: consensus.RegtestForks(20, 22), Next: nextfork.Fork{},
	})
	require.NoError(t, w.Name(upstream.Server{Address: "first:1"}))
	front := w.Registry()
	wallets := newWallets(t, w.clock, front, func(c *service.Config) {
		c.Paths = func(_ string, k *keys.Keys) session.Paths {
			return walletpaths.New(carrot.Default, k, noStore{}, rand.Reader)
		}
	})
	payer, at := newWallet(t, wallets, "payer")
	payee, to := newWallet(t, wallets, "payee")
	_, err := w.first.Mine(t.Context(), 24, at)
	require.NoError(t, err)
	w.first.mine(t, 61)
	w.clock.add(60)
	ask(t, payer, walletrpc.Refresh, walletrpc.RefreshRequest{})
	sent := ask(t, payer, walletrpc.Transfer, walletrpc.TransferRequest{
		Destinations: []walletrpc.Destination{{Amount: xmr.Coin, Address: to}},
	})
	pool := ask(t, front, daemonrpc.GetTransactionPool, daemonrpc.PayerOnly{}).Transactions
	require.Len(t, pool, 1)
	require.Equal(t, sent.TxHash, pool[0].IDHash.String())
	require.Contains(t, pool[0].TxJSON, "carrot_v1")
	w.first.mine(t, 1)
	w.clock.add(60)
	ask(t, payee, walletrpc.Refresh, walletrpc.RefreshRequest{})
	require.Equal(t, uint64(xmr.Coin), ask(t, payee, walletrpc.GetBalance, walletrpc.GetBalanceRequest{}).Balance)

	direct := w.first.Registry()
	equal := func(want, got any) {
		t.Helper()
		require.True(t, reflect.DeepEqual(want, got), "the front gives another answer") // they are too long to print
	}
	for range 2 { // from the upstream, then from the cache
		for _, q := range []daemonrpc.GetBlocksRequest{{StartHeight: 15}, {StartHeight: 15, Prune: true}} {
			equal(ask(t, direct, daemonrpc.GetBlocks, q).Blocks, ask(t, front, daemonrpc.GetBlocks, q).Blocks)
		}
		lean := daemonrpc.GetCompactBlocksRequest{Version: compact.Version, StartHeight: 15}
		require.Equal(t, ask(t, direct, daemonrpc.GetCompactBlocks, lean).Blocks,
			ask(t, front, daemonrpc.GetCompactBlocks, lean).Blocks)
		for _, q := range []daemonrpc.GetTransactionsRequest{
			{TxsHashes: []string{sent.TxHash}, DecodeAsJSON: true},
			{TxsHashes: []string{sent.TxHash}, Prune: true}, {TxsHashes: []string{sent.TxHash}, Split: true},
		} {
			equal(ask(t, direct, daemonrpc.GetTransactions, q).Txs, ask(t, front, daemonrpc.GetTransactions, q).Txs)
		}
	}
	old := daemonrpc.GetCompactBlocksRequest{Version: compact.MinVersion, StartHeight: 15, MaxBlockCount: 5}
	require.Len(t, ask(t, front, daemonrpc.GetCompactBlocks, old).Blocks, 5)
	old.MaxBlockCount++
	require.Equal(t, compact.TooOld, ask(t, front, daemonrpc.GetCompactBlocks, old).Status)

	// The upstream is pruned.
	w.clock.add(1000)
	w.first.set(func(o *origin) { o.pruned = true })
	fresh := newWorld(t)
	fresh.first = w.first
	require.NoError(t, fresh.Name(upstream.Server{Address: "first:1"}))
	q := daemonrpc.GetBlocksRequest{StartHeight: 80, Prune: true}
	equal(ask(t, direct, daemonrpc.GetBlocks, q).Blocks, ask(t, fresh.Registry(), daemonrpc.GetBlocks, q).Blocks)
}
