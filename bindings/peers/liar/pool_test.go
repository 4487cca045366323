package liar_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers/liar"
	"glim/core/chaintest"
	"glim/core/daemonrpc"
	"glim/core/node"
	"glim/core/service"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// TestFalsePoolGoes tells a wallet once of a pool with money that nobody sent, and with a transaction that spends all of its outputs. From then on
// the daemon tells the truth at the same address, of which the wallet knows nothing: it is asked for changes, and there are none. What was
// told is gone without a restart, when all of the pool is asked for next: after a while, with another daemon, with a rescan, after an error.
func TestFalsePoolGoes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, _ := w.victim(t, nil)
	require.NoError(t, refresh(s))
	require.Equal(t, w.balance, balance(t, s))

	var images []xmr.KeyImage
	for _, out := range do(t, s, walletrpc.IncomingTransfers, walletrpc.IncomingTransfersRequest{TransferType: "all"}).Transfers {
		image, err := xmr.ParseHash(out.KeyImage)
		require.NoError(t, err)
		images = append(images, xmr.KeyImage(image))
	}
	spend, _ := chaintest.New("false spend", xmr.Regtest).Tx(chaintest.Spec{Fee: 1, Spend: images, Pay: []chaintest.Payment{{Amount: 1}}}, nil)
	paid, prunedPaid := w.fake(777 * xmr.Coin)
	told := []daemonrpc.PoolTxInfo{
		{TxHash: paid, TxBlob: prunedPaid},
		{TxHash: spend.ID, TxBlob: spend.Tx.AppendPruned(nil)},
	}
	lie := bendPool("a full pool of lies", func(r *blocks) {
		r.PoolInfoExtent, r.DaemonTime, r.AddedPoolTxs = daemonrpc.PoolInfoFull, 1<<40, told
		r.RemainingAddedPoolTxIDs, r.RemovedPoolTxIDs = nil, nil
	})
	// A daemon that started long ago answers so; one just started gives all of its pool each time.
	honest := liar.Bend("the truth by changes", daemonrpc.GetBlocks, func(q daemonrpc.GetBlocksRequest, r *blocks) {
		if q.RequestedInfo == daemonrpc.PoolOnly && q.PoolInfoSince != 0 {
			r.PoolInfoExtent, r.AddedPoolTxs, r.RemainingAddedPoolTxIDs, r.RemovedPoolTxIDs = daemonrpc.PoolInfoIncremental, nil, nil, nil
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
			w.liar.Tell(liar.Unknown("", "get_info"))
			require.Error(t, refresh(s))
			w.liar.Tell(honest)
		},
	}
	for name, restart := range restarts {
		w.liar.Tell(lie)
		setDaemon(t, s, w.url)
		require.NoError(t, refresh(s), name)
		require.EqualValues(t, 777*xmr.Coin, balance(t, s), name)
		_, err := pay(s, node.Nobody())
		require.ErrorContains(t, err, "not enough", name)
		w.liar.Tell(honest)
		require.NoError(t, refresh(s), name)
		require.EqualValues(t, 777*xmr.Coin, balance(t, s), "changes alone: %s", name)

		restart()
		require.NoError(t, refresh(s), name)
		require.Equal(t, w.balance, balance(t, s), name)
		require.Empty(t, do(t, s, walletrpc.GetTransfers, walletrpc.GetTransfersRequest{Pool: true}).Pool, name)
	}

	// With another daemon they are gone before anything is asked.
	w.liar.Tell(lie)
	setDaemon(t, s, w.url)
	require.NoError(t, refresh(s))
	require.EqualValues(t, 777*xmr.Coin, balance(t, s))
	setDaemon(t, s, "http://127.0.0.1:1")
	require.Equal(t, w.balance, balance(t, s))

	w.liar.Tell(honest)
	setDaemon(t, s, w.url)
	_, err := pay(s, node.Nobody())
	require.NoError(t, err)
	require.Len(t, w.emptyPool(t), 1)
}

func setDaemon(t *testing.T, s *service.Service, url string) {
	t.Helper()
	do(t, s, walletrpc.SetDaemon, walletrpc.SetDaemonRequest{Address: url, Trusted: true, SSLSupport: "autodetect"})
}
