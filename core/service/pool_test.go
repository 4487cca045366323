package service

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/daemon"
	"glim/core/daemonrpc"
	"glim/core/rpc"
	"glim/core/syncer"
	"glim/core/xmr"
)

// TestPoolFollowsReportedChanges follows the pool of a daemon that reports only changes since an earlier request.
func TestPoolFollowsReportedChanges(t *testing.T) {
	chain := chaintest.New("pool", xmr.Regtest)
	var infos []daemonrpc.PoolTxInfo
	for range 3 {
		made, _ := chain.Tx(chaintest.Spec{Pay: []chaintest.Payment{{Amount: 1}}, Spend: []xmr.KeyImage{{1}}}, nil)
		infos = append(infos, daemonrpc.PoolTxInfo{TxHash: made.ID, TxBlob: made.Tx.AppendPruned(nil)})
	}
	var answer daemonrpc.GetBlocksResponse
	var asked []daemonrpc.GetBlocksRequest
	r := rpc.NewRegistry()
	rpc.Handle(r, daemonrpc.GetVersion,
		func(context.Context, daemonrpc.None) (resp daemonrpc.GetVersionResponse, err error) {
			resp.Status, resp.Version = daemonrpc.StatusOK, 3<<16|13
			return resp, nil
		})
	rpc.Handle(r, daemonrpc.GetBlocks,
		func(_ context.Context, q daemonrpc.GetBlocksRequest) (daemonrpc.GetBlocksResponse, error) {
			asked = append(asked, q)
			answer.Status = daemonrpc.StatusOK
			return answer, nil
		})
	client := daemon.New(r)
	p := newPool(client, func() uint64 { return 0 })
	seen := map[xmr.Hash]bool{}
	look := func() (ids []xmr.Hash, fresh []syncer.Tx) {
		pool, err := p.poll(context.Background(), func(_ *syncer.PoolEpoch, id xmr.Hash) bool { return seen[id] })
		require.NoError(t, err)
		for _, x := range pool.Txs {
			seen[x.ID] = true
		}
		return pool.IDs, pool.Txs
	}

	answer = daemonrpc.GetBlocksResponse{PoolInfoExtent: daemonrpc.PoolInfoFull, DaemonTime: 7, AddedPoolTxs: infos[:2]}
	ids, fresh := look()
	require.ElementsMatch(t, []xmr.Hash{infos[0].TxHash, infos[1].TxHash}, ids)
	require.Len(t, fresh, 2)
	require.EqualValues(t, daemonrpc.PoolOnly, asked[0].RequestedInfo)
	require.Zero(t, asked[0].PoolInfoSince)

	answer = daemonrpc.GetBlocksResponse{PoolInfoExtent: daemonrpc.PoolInfoIncremental, DaemonTime: 9,
		AddedPoolTxs:     infos[2:],
		RemovedPoolTxIDs: []xmr.Hash{infos[0].TxHash}}
	ids, fresh = look()
	require.ElementsMatch(t, []xmr.Hash{infos[1].TxHash, infos[2].TxHash}, ids)
	require.Len(t, fresh, 1)
	require.EqualValues(t, 7, asked[1].PoolInfoSince)

	// Another wallet gets the transactions from the tracker: the daemon does not report them again.
	answer = daemonrpc.GetBlocksResponse{PoolInfoExtent: daemonrpc.PoolInfoIncremental, DaemonTime: 10}
	clear(seen)
	ids, fresh = look()
	require.ElementsMatch(t, []xmr.Hash{infos[1].TxHash, infos[2].TxHash}, ids)
	require.Len(t, fresh, 2)

	// The daemon restarted, so its clock is earlier and it reports the complete pool.
	answer = daemonrpc.GetBlocksResponse{PoolInfoExtent: daemonrpc.PoolInfoFull, DaemonTime: 3, AddedPoolTxs: infos[:1]}
	ids, fresh = look()
	require.Equal(t, []xmr.Hash{infos[0].TxHash}, ids)
	require.Len(t, fresh, 1)
}

// TestCompletePoolIsRequestedAgain checks that the complete pool is requested again after some time and after a call
// of restart, so that transactions whose removal was not reported are dropped. It also checks that a transaction is
// ignored when it was reported for longer than any daemon keeps one.
func TestCompletePoolIsRequestedAgain(t *testing.T) {
	chain := chaintest.New("pool anew", xmr.Regtest)
	made, _ := chain.Tx(chaintest.Spec{Pay: []chaintest.Payment{{Amount: 1}}, Spend: []xmr.KeyImage{{1}}}, nil)
	reported := []daemonrpc.PoolTxInfo{{TxHash: made.ID, TxBlob: made.Tx.AppendPruned(nil)}}
	var full []daemonrpc.PoolTxInfo // the daemon's complete pool
	var asked []uint64
	r := rpc.NewRegistry()
	rpc.Handle(r, daemonrpc.GetVersion,
		func(context.Context, daemonrpc.None) (resp daemonrpc.GetVersionResponse, err error) {
			resp.Status, resp.Version = daemonrpc.StatusOK, 3<<16|13
			return resp, nil
		})
	rpc.Handle(r, daemonrpc.GetBlocks,
		func(_ context.Context, q daemonrpc.GetBlocksRequest) (resp daemonrpc.GetBlocksResponse, err error) {
			asked = append(asked, q.PoolInfoSince)
			resp.Status, resp.PoolInfoExtent, resp.DaemonTime = daemonrpc.StatusOK, daemonrpc.PoolInfoIncremental, 1<<40
			if q.PoolInfoSince == 0 {
				resp.PoolInfoExtent, resp.AddedPoolTxs = daemonrpc.PoolInfoFull, full
			}
			return resp, nil
		})
	now := uint64(1000)
	p := newPool(daemon.New(r), func() uint64 { return now })
	var last *syncer.PoolEpoch
	look := func(want int, anew bool) {
		t.Helper()
		pool, err := p.poll(context.Background(),
			func(telling *syncer.PoolEpoch, _ xmr.Hash) bool { return telling == last })
		require.NoError(t, err)
		require.Len(t, pool.IDs, want)
		require.Equal(t, anew, pool.Epoch != last)
		if anew {
			require.Len(t, pool.Txs, want)
		} else {
			require.Empty(t, pool.Txs)
		}
		last = pool.Epoch
	}

	full = reported
	look(1, true)
	full = nil // another daemon responds from here
	now += wholePool - 1
	look(1, false)
	now++
	look(0, true)
	require.Equal(t, []uint64{0, 1 << 40, 0}, asked)

	full = reported
	p.restart()
	look(1, true)
	full = nil
	p.restart()
	look(0, true)

	// Setting the clock back must not extend the age limit.
	full = reported
	now += wholePool
	look(1, true)
	full, now = nil, 500
	look(0, true)

	full = reported
	now += wholePool
	for began := now; now <= began+maxPoolAge; now += wholePool {
		look(1, true)
	}
	look(0, true)
}

// TestPoolIsBounded checks that a daemon cannot exhaust memory by reporting more and more transactions.
func TestPoolIsBounded(t *testing.T) {
	asked := 0
	r := rpc.NewRegistry()
	rpc.Handle(r, daemonrpc.GetVersion,
		func(context.Context, daemonrpc.None) (resp daemonrpc.GetVersionResponse, err error) {
			resp.Status, resp.Version = daemonrpc.StatusOK, 3<<16|13
			return resp, nil
		})
	rpc.Handle(r, daemonrpc.GetBlocks,
		func(context.Context, daemonrpc.GetBlocksRequest) (resp daemonrpc.GetBlocksResponse, err error) {
			resp.Status, resp.PoolInfoExtent = daemonrpc.StatusOK, daemonrpc.PoolInfoIncremental
			resp.RemainingAddedPoolTxIDs = make([]xmr.Hash, 2)
			return resp, nil
		})
	rpc.Handle(r, daemonrpc.GetTransactions,
		func(
			_ context.Context, q daemonrpc.GetTransactionsRequest,
		) (resp daemonrpc.GetTransactionsResponse, err error) {
			asked++
			resp.Status, resp.MissedTx = daemonrpc.StatusOK, make([]xmr.Hash, len(q.TxsHashes))
			return resp, nil
		})
	client := daemon.New(r)
	p := newPool(client, func() uint64 { return 0 })
	p.telling, p.changes = new(syncer.PoolEpoch), true
	for i := range maxPool - 1 {
		p.ids[xmr.Hash{byte(i), byte(i >> 8), byte(i >> 16), 1}] = true
	}
	none := func(*syncer.PoolEpoch, xmr.Hash) bool { return false }
	_, err := p.poll(context.Background(), none)
	require.ErrorIs(t, err, daemon.ErrInvalidResponse)
	require.Zero(t, asked)
	_, err = p.poll(context.Background(), none)
	require.NoError(t, err, "from the beginning")
	require.Equal(t, 1, asked)
}
