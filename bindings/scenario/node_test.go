package scenario

import (
	"context"
	"crypto/rand"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/engine"
	"glim/bindings/native"
	"glim/core/daemonrpc"
	"glim/core/journal"
	"glim/core/mnemonic/languages"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/xmr"
)

// newNode starts a daemon of ours in this process.
func newNode(t *testing.T) *node.Regtest {
	t.Helper()
	n, err := node.NewRegtest(func() uint64 { return uint64(time.Now().Unix()) }, rand.Reader)
	require.NoError(t, err)
	return n
}

// newGlimOn connects our wallet service to a daemon in this process.
func newGlimOn(t *testing.T, daemon rpc.Transport) *glim {
	t.Helper()
	e, err := engine.New(service.Config{
		Network: xmr.Mainnet, Files: native.WalletDir(t.TempDir()), KDF: journal.WeakestKDF(), Random: rand.Reader,
		Now: func() uint64 { return uint64(time.Now().Unix()) }, Workers: 2, Languages: languages.All(),
		Wait:    func(ctx context.Context, _ time.Duration) error { <-ctx.Done(); return ctx.Err() },
		Connect: func(service.DaemonConfig) (rpc.Transport, error) { return daemon, nil },
	}, service.DaemonConfig{Address: "in.process:1", Trusted: true})
	require.NoError(t, err)
	t.Cleanup(func() { _ = e.Close() })
	return &glim{e}
}

// TestWalletWithOurDaemon runs our wallet on our daemon, both in this process: mine, sync, transfer, reorganise.
func TestWalletWithOurDaemon(t *testing.T) {
	t.Parallel()
	n := newNode(t)
	w := newGlimOn(t, n.Registry())
	restore(t, w, "alice", alice)
	balance := func() (total, unlocked uint64) {
		t.Helper()
		refresh(t, w)
		b := call[struct {
			Balance  uint64 `json:"balance"`
			Unlocked uint64 `json:"unlocked_balance"`
		}](t, w, "get_balance", object{"account_index": 0})
		return b.Balance, b.Unlocked
	}
	require.NoError(t, n.Fund(deadline(t), 25, at(t, alice, 0, 0)))
	total, unlocked := balance()
	require.Positive(t, total)
	require.Equal(t, total, unlocked)

	sent := pay(t, w, []destination{{at(t, bob, 0, 0), 3 * coin}, {at(t, alice, 0, 2), coin}}, nil)
	require.Equal(t, "pending", typeOf(t, w, sent.TxHash))
	after, _ := balance()
	require.Equal(t, total-3*coin-sent.Fee, after)
	_, err := n.Mine(deadline(t), 1, at(t, nobody, 0, 0))
	require.NoError(t, err)
	refresh(t, w)
	require.Equal(t, "out", typeOf(t, w, sent.TxHash))

	other := newGlimOn(t, n.Registry())
	restore(t, other, "bob", bob)
	refresh(t, other)
	b := call[struct{ Balance uint64 }](t, other, "get_balance", object{"account_index": 0})
	require.EqualValues(t, 3*coin, b.Balance)

	// The block with the payment is replaced; the payment returns to the pool and is mined again.
	_, err = n.Reorganise(deadline(t), 1, at(t, nobody, 0, 0))
	require.NoError(t, err)
	refresh(t, w, other)
	require.Equal(t, "pending", typeOf(t, w, sent.TxHash))
	_, err = n.Mine(deadline(t), 1, at(t, nobody, 0, 0))
	require.NoError(t, err)
	refresh(t, w, other)
	require.Equal(t, "out", typeOf(t, w, sent.TxHash))

	// Ten blocks later the other wallet sweeps the received output.
	_, err = n.Mine(deadline(t), 10, at(t, nobody, 0, 0))
	require.NoError(t, err)
	refresh(t, other)
	swept := call[struct {
		Hashes []string `json:"tx_hash_list"`
	}](t, other, "sweep_all", object{"address": at(t, alice, 0, 0)})
	require.Len(t, swept.Hashes, 1)
	_, err = n.Mine(deadline(t), 1, at(t, nobody, 0, 0))
	require.NoError(t, err)
	refresh(t, w)
	require.Equal(t, "in", typeOf(t, w, swept.Hashes[0]))
}

// TestPoolChangesOnTheNode requests the pool changes of our daemon, on the unrestricted and the restricted interface: a
// payment is added, then one that must not be relayed, and a block mines the first.
func TestPoolChangesOnTheNode(t *testing.T) {
	t.Parallel()
	now := uint64(time.Now().Unix())
	n, err := node.NewRegtest(func() uint64 { return now }, rand.Reader)
	require.NoError(t, err)
	w := newGlimOn(t, n.Registry())
	restore(t, w, "alice", alice)
	require.NoError(t, n.Fund(deadline(t), 25, at(t, alice, 0, 0)))
	refresh(t, w)
	since := map[bool]uint64{}
	news := func(restricted, prune bool) daemonrpc.GetBlocksResponse {
		t.Helper()
		r := n.Registry()
		if restricted {
			r = n.Restricted()
		}
		got, err := rpc.Call(deadline(t), r, daemonrpc.GetBlocks,
			daemonrpc.GetBlocksRequest{
				RequestedInfo: daemonrpc.PoolOnly, PoolInfoSince: since[restricted], Prune: prune,
			})
		require.NoError(t, err)
		require.Empty(t, got.Blocks)
		require.Equal(t, now, got.DaemonTime)
		since[restricted] = got.DaemonTime
		return got
	}
	for _, restricted := range []bool{false, true} {
		got := news(restricted, false)
		require.EqualValues(t, daemonrpc.PoolInfoFull, got.PoolInfoExtent)
		require.Empty(t, got.AddedPoolTxs)
	}
	since[false], since[true] = now+1, now+1
	now += 2
	first := pay(t, w, []destination{{at(t, bob, 0, 0), coin}}, nil)
	hidden := call[struct {
		TxHash string `json:"tx_hash"`
		Blob   string `json:"tx_blob"`
	}](t, w, "transfer", object{
		"destinations": []destination{{at(t, bob, 0, 0), coin}}, "do_not_relay": true, "get_tx_hex": true,
	})
	sent, err := rpc.Call(deadline(t), n.Registry(), daemonrpc.SendRawTransaction,
		daemonrpc.SendRawTransactionRequest{TxAsHex: hidden.Blob, DoNotRelay: true})
	require.NoError(t, err)
	require.Equal(t, "OK", sent.Status)
	now++ // changes in the second of an answer are repeated
	names := func(list []daemonrpc.PoolTxInfo) (ids []string) {
		for _, x := range list {
			ids = append(ids, x.TxHash.String())
		}
		return ids
	}
	owner, restricted := news(false, false), news(true, true)
	require.EqualValues(t, daemonrpc.PoolInfoIncremental, owner.PoolInfoExtent)
	require.ElementsMatch(t, []string{first.TxHash, hidden.TxHash}, names(owner.AddedPoolTxs))
	require.EqualValues(t, daemonrpc.PoolInfoIncremental, restricted.PoolInfoExtent)
	require.Equal(t, []string{first.TxHash}, names(restricted.AddedPoolTxs))
	cut := restricted.AddedPoolTxs[0].TxBlob
	for _, x := range owner.AddedPoolTxs {
		if x.TxHash == restricted.AddedPoolTxs[0].TxHash {
			require.Equal(t, x.TxBlob[:len(cut)], cut)
			require.Greater(t, len(x.TxBlob), len(cut))
		}
	}

	now += 2
	require.Empty(t, names(news(false, false).AddedPoolTxs))
	_, err = rpc.Call(deadline(t), n.Registry(), daemonrpc.FlushTxPool,
		daemonrpc.FlushTxPoolRequest{TxIDs: []string{hidden.TxHash}})
	require.NoError(t, err)
	_, err = n.Mine(deadline(t), 1, at(t, nobody, 0, 0))
	require.NoError(t, err)
	require.Len(t, news(false, false).RemovedPoolTxIDs, 2)
	gone := news(true, false).RemovedPoolTxIDs
	require.Len(t, gone, 1)
	require.Equal(t, first.TxHash, gone[0].String())
}

func typeOf(t *testing.T, c caller, id string) string {
	t.Helper()
	return call[struct {
		Transfer struct{ Type string } `json:"transfer"`
	}](t, c, "get_transfer_by_txid", object{"txid": id}).Transfer.Type
}
