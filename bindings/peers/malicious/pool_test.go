package malicious_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers/malicious"
	"glim/core/chaintest"
	"glim/core/daemonrpc"
	"glim/core/node"
	"glim/core/service"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// TestForgedPoolIsDiscarded sends a forged pool once: a payment to the wallet and a transaction that spends all of its
// outputs. Then the daemon at the same address is honest, but the wallet cannot see the change: it requests pool
// changes, and reports no change. The wallet discards the forged transactions without a restart as soon as it requests
// the complete pool: after some time, with another daemon, on a rescan, after an error.
func TestForgedPoolIsDiscarded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, _ := w.victim(t, nil)
	require.NoError(t, refresh(s))
	require.Equal(t, w.balance, balance(t, s))

	var images []xmr.KeyImage
	for _, out := range do(
		t, s, walletrpc.IncomingTransfers, walletrpc.IncomingTransfersRequest{TransferType: "all"},
	).Transfers {
		image, err := xmr.ParseHash(out.KeyImage)
		require.NoError(t, err)
		images = append(images, xmr.KeyImage(image))
	}
	spend, _ := chaintest.New("false spend", xmr.Regtest).Tx(
		chaintest.Spec{Fee: 1, Spend: images, Pay: []chaintest.Payment{{Amount: 1}}}, nil,
	)
	paid, prunedPaid := w.forgedTx(777 * xmr.Coin)
	forged := []daemonrpc.PoolTxInfo{
		{TxHash: paid, TxBlob: prunedPaid},
		{TxHash: spend.ID, TxBlob: spend.Tx.AppendPruned(nil)},
	}
	forgedPool := bendPool("forged pool", func(r *blocks) {
		r.PoolInfoExtent, r.DaemonTime, r.AddedPoolTxs = daemonrpc.PoolInfoFull, 1<<40, forged
		r.RemainingAddedPoolTxIDs, r.RemovedPoolTxIDs = nil, nil
	})
	// A daemon that has been running for long sends only changes; one that has just started sends its complete pool.
	honest := malicious.Modify("honest, changes only", daemonrpc.GetBlocks, func(
		q daemonrpc.GetBlocksRequest, r *blocks,
	) {
		if q.RequestedInfo == daemonrpc.PoolOnly && q.PoolInfoSince != 0 {
			r.PoolInfoExtent = daemonrpc.PoolInfoIncremental
			r.AddedPoolTxs, r.RemainingAddedPoolTxIDs, r.RemovedPoolTxIDs = nil, nil, nil
		}
	})
	restarts := map[string]func(){
		"after a while":       func() { w.later.Add(300) },
		"with another daemon": func() { setDaemon(t, s, w.url) },
		"with a rescan": func() {
			do(t, s, walletrpc.RescanBlockchain, walletrpc.RescanBlockchainRequest{})
		},
		"with a rescan for spends": func() { do(t, s, walletrpc.RescanSpent, walletrpc.Empty{}) },
		"after an error": func() {
			w.proxy.Inject(malicious.NotFound("", "get_info"))
			require.Error(t, refresh(s))
			w.proxy.Inject(honest)
		},
	}
	for name, restart := range restarts {
		w.proxy.Inject(forgedPool)
		setDaemon(t, s, w.url)
		require.NoError(t, refresh(s), name)
		require.EqualValues(t, 777*xmr.Coin, balance(t, s), name)
		_, err := pay(s, node.UnspendableAddress())
		require.ErrorContains(t, err, "not enough", name)
		w.proxy.Inject(honest)
		require.NoError(t, refresh(s), name)
		require.EqualValues(t, 777*xmr.Coin, balance(t, s), "after pool changes only: %s", name)

		restart()
		require.NoError(t, refresh(s), name)
		require.Equal(t, w.balance, balance(t, s), name)
		require.Empty(t, do(t, s, walletrpc.GetTransfers, walletrpc.GetTransfersRequest{Pool: true}).Pool, name)
	}

	// Another daemon discards them before the first request.
	w.proxy.Inject(forgedPool)
	setDaemon(t, s, w.url)
	require.NoError(t, refresh(s))
	require.EqualValues(t, 777*xmr.Coin, balance(t, s))
	setDaemon(t, s, "http://127.0.0.1:1")
	require.Equal(t, w.balance, balance(t, s))

	w.proxy.Inject(honest)
	setDaemon(t, s, w.url)
	_, err := pay(s, node.UnspendableAddress())
	require.NoError(t, err)
	require.Len(t, w.emptyPool(t), 1)
}

func setDaemon(t *testing.T, s *service.Service, url string) {
	t.Helper()
	do(t, s, walletrpc.SetDaemon, walletrpc.SetDaemonRequest{Address: url, Trusted: true, SSLSupport: "autodetect"})
}
