package upstream_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chain"
	"glim/core/daemonrpc"
	"glim/core/rpc"
	"glim/core/tx"
	"glim/core/upstream"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// asking is a request of one operation.
type asking struct {
	name string
	ask  func(t testing.TB, r rpc.Transport) string // returns the response as text, without members about its origin
}

func of[Req, Resp any](m rpc.Method[Req, Resp], req Req) asking {
	return asking{fmt.Sprintf("%s %+v", m.Name, req), func(t testing.TB, r rpc.Transport) string {
		t.Helper()
		resp := ask(t, r, m, req)
		text, err := rpc.Encode(&resp)
		require.NoError(t, err)
		if m.Name == "get_txpool_backlog" || strings.HasSuffix(m.Name, "hashes.bin") ||
			m.Name == "get_output_distribution" {
			return strings.Replace(string(text), `"untrusted":true`, `"untrusted":false`, 1)
		}
		var v any
		require.NoError(t, json.Unmarshal(text, &v), m.Name)
		if members, ok := v.(map[string]any); ok {
			members["untrusted"] = false
			if members["pool_info_extent"] == 0.0 {
				delete(members, "daemon_time") // differs; clients use it for their next request of the pool
			}
			for _, ours := range []string{
				"bootstrap_daemon_address", "height_without_bootstrap", "was_bootstrap_ever_used",
			} {
				delete(members, ours)
			}
		}
		text, err = json.Marshal(v)
		require.NoError(t, err)
		return string(text)
	}}
}

// questions returns every request about the chain of the first daemon.
func questions(t testing.TB, w *world, ids []string) (list []asking) {
	t.Helper()
	height := w.first.Height()
	var hashes []xmr.Hash
	var images []string
	w.first.Chain().View(func(v chain.View) {
		for h := range height {
			b := v.Block(h)
			hashes = append(hashes, b.ID)
			for _, x := range b.Txs {
				for _, in := range x.Tx.Inputs {
					images = append(images, in.KeyImage.String())
				}
			}
		}
	})
	images = append(images, xmr.Hash{7}.String())
	coinbase := ask(t, w.first, daemonrpc.GetBlock, daemonrpc.GetBlockRequest{Height: 3}).MinerTxHash
	list = []asking{
		of(daemonrpc.GetInfo, daemonrpc.PayerOnly{}), of(daemonrpc.GetInfoPath, daemonrpc.PayerOnly{}),
		of(daemonrpc.GetHeight, daemonrpc.None{}), of(daemonrpc.GetBlockCount, nil),
		of(daemonrpc.GetVersion, daemonrpc.None{}), of(daemonrpc.HardForkInfo, daemonrpc.HardForkInfoRequest{}),
		of(daemonrpc.GetFeeEstimate, daemonrpc.GetFeeEstimateRequest{GraceBlocks: 10}),
		of(daemonrpc.GetLastBlockHeader, daemonrpc.GetLastBlockHeaderRequest{}),
		of(daemonrpc.GetHashes, daemonrpc.GetHashesRequest{BlockIDs: []xmr.Hash{hashes[9], hashes[0]}}),
		of(daemonrpc.GetTransactionPool, daemonrpc.PayerOnly{}),
		of(daemonrpc.GetTransactionPoolHashes, daemonrpc.PayerOnly{}),
		of(daemonrpc.GetTransactionPoolHashesBin, daemonrpc.PayerOnly{}),
		of(daemonrpc.GetTransactionPoolStats, daemonrpc.PayerOnly{}),
		of(daemonrpc.GetTxPoolBacklog, daemonrpc.PayerOnly{}),
		of(daemonrpc.IsKeyImageSpent, daemonrpc.IsKeyImageSpentRequest{KeyImages: images}),
		of(daemonrpc.GetOutputHistogram, daemonrpc.GetOutputHistogramRequest{Amounts: []uint64{0}, Unlocked: true}),
		of(daemonrpc.GetBlocksByHeight, daemonrpc.GetBlocksByHeightRequest{Heights: []uint64{height - 1, 2, 82, 0}}),
		of(daemonrpc.GetBlockHeadersRange, daemonrpc.GetBlockHeadersRangeRequest{StartHeight: 0, EndHeight: 20}),
		of(
			daemonrpc.GetBlockHeadersRange,
			daemonrpc.GetBlockHeadersRangeRequest{StartHeight: height - 9, EndHeight: height - 1},
		),
		of(
			daemonrpc.GetBlockHeaderByHash,
			daemonrpc.GetBlockHeaderByHashRequest{Hashes: []string{hashes[4].String(), hashes[height-1].String()}},
		),
		of(
			daemonrpc.GetOutputDistribution,
			daemonrpc.GetOutputDistributionRequest{Amounts: []uint64{0, 5, 0}, Cumulative: true},
		),
		of(
			daemonrpc.GetOutputDistribution,
			daemonrpc.GetOutputDistributionRequest{Amounts: []uint64{0}, Binary: true, FromHeight: 7},
		),
	}
	list = append(list, questionsByHeight(hashes)...)
	wanted := append([]string{coinbase, xmr.Hash{9}.String()}, ids...)
	list = append(list, questionsByID(t, append(ids, coinbase), wanted)...)
	return append(list, questionsOfBlocks(hashes)...)
}

// questionsByHeight requests blocks, headers and distributions for some heights.
func questionsByHeight(hashes []xmr.Hash) (list []asking) {
	for _, h := range []uint64{0, 1, 82, uint64(len(hashes)) - 1} {
		list = append(list,
			of(daemonrpc.OnGetBlockHash, []uint64{h}),
			of(daemonrpc.GetBlock, daemonrpc.GetBlockRequest{Height: h}),
			of(daemonrpc.GetBlock, daemonrpc.GetBlockRequest{Hash: hashes[h].String()}),
			of(daemonrpc.GetBlockHeaderByHeight, daemonrpc.GetBlockHeaderByHeightRequest{Height: h}),
			of(daemonrpc.GetBlockHeaderByHash, daemonrpc.GetBlockHeaderByHashRequest{Hash: hashes[h].String()}),
			of(
				daemonrpc.GetOutputDistributionBin,
				daemonrpc.GetOutputDistributionRequest{Amounts: []uint64{0}, ToHeight: h, Binary: true},
			),
			of(
				daemonrpc.GetOutputDistributionBin,
				daemonrpc.GetOutputDistributionRequest{
					Amounts:    []uint64{0},
					ToHeight:   h,
					Binary:     true,
					Compress:   true,
					Cumulative: true,
				},
			),
		)
	}
	return list
}

// questionsByID requests the output indices of some transactions, and others in every form.
func questionsByID(t testing.TB, indexed, wanted []string) (list []asking) {
	t.Helper()
	for _, id := range indexed {
		id, err := xmr.ParseHash(id)
		require.NoError(t, err)
		list = append(list, of(daemonrpc.GetOutputIndices, daemonrpc.GetOutputIndicesRequest{TxID: id}))
	}
	for i := range 8 {
		list = append(list, of(daemonrpc.GetTransactions, daemonrpc.GetTransactionsRequest{
			TxsHashes: wanted, Prune: i&1 > 0, Split: i&2 > 0, DecodeAsJSON: i&4 > 0}))
	}
	return list
}

// questionsOfBlocks requests outputs and runs of blocks.
func questionsOfBlocks(hashes []xmr.Hash) (list []asking) {
	height := len(hashes)
	refs := []daemonrpc.OutputRef{{Index: 1}, {Index: 90}, {Index: 1}, {Index: 3}}
	for i := range 2 {
		list = append(list,
			of(daemonrpc.GetOuts, daemonrpc.GetOutsRequest{Outputs: refs, GetTxID: i > 0}),
			of(daemonrpc.GetOutsBin, daemonrpc.GetOutsBinRequest{Outputs: refs, GetTxID: i > 0}),
			of(daemonrpc.GetBlocks, daemonrpc.GetBlocksRequest{StartHeight: 70, NoMinerTx: i > 0}),
			of(daemonrpc.GetBlocks, daemonrpc.GetBlocksRequest{BlockIDs: []xmr.Hash{hashes[0]}, MaxBlockCount: 10}),
			of(daemonrpc.GetBlocks, daemonrpc.GetBlocksRequest{BlockIDs: []xmr.Hash{hashes[height-1], hashes[0]}}),
			of(daemonrpc.GetBlocks, daemonrpc.GetBlocksRequest{BlockIDs: []xmr.Hash{{1}, hashes[50], hashes[0]}}),
			of(daemonrpc.GetBlocks, daemonrpc.GetBlocksRequest{
				BlockIDs: []xmr.Hash{{1}, hashes[50], hashes[0]}, BlockIDsExclusive: true, MaxBlockCount: 1,
			}),
			of(daemonrpc.GetBlocks, daemonrpc.GetBlocksRequest{
				BlockIDs: []xmr.Hash{{1}, hashes[height-1], hashes[0]}, BlockIDsExclusive: true,
			}),
			of(daemonrpc.GetTxIDsLoose, daemonrpc.GetTxIDsLooseRequest{TxIDTemplate: xmr.Hash{}.String()}),
			of(
				daemonrpc.GetBlocks,
				daemonrpc.GetBlocksRequest{
					BlockIDs:      []xmr.Hash{hashes[80], hashes[0]},
					RequestedInfo: daemonrpc.BlocksAndPool,
				},
			),
			of(daemonrpc.GetBlocks, daemonrpc.GetBlocksRequest{RequestedInfo: daemonrpc.PoolOnly, Prune: i > 0}),
		)
	}
	return list
}

// TestAnswersAsTheUpstream: the front returns the upstream's response to every request, without and with cached data.
func TestAnswersAsTheUpstream(t *testing.T) {
	w := newWorld(t)
	ids := w.live(t)
	list := questions(t, w, ids)
	for round := range 3 {
		for _, q := range list {
			require.Equal(t, q.ask(t, w.first), q.ask(t, w.Registry()), "round %d: %s", round, q.name)
		}
	}
	require.Zero(t, w.second.questions("get_info", "get_blocks.bin"))

	// Pruned blocks also contain the hashes that prove their transactions.
	var pruned daemonrpc.GetBlocksResponse
	for range 2 {
		pruned = ask(t, w.Registry(), daemonrpc.GetBlocks, daemonrpc.GetBlocksRequest{StartHeight: 78, Prune: true})
		require.True(t, pruned.Untrusted)
		proven := 0
		for _, b := range pruned.Blocks {
			for _, x := range b.Txs {
				_, id, err := tx.ParsePrunedWithHash(x.Blob, x.PrunableHash)
				require.NoError(t, err)
				require.Contains(t, ids, id.String())
				proven++
			}
		}
		require.Equal(t, 3, proven)
	}
}

// TestSecondWalletCostsNothing: a second wallet that reads the same buried blocks, and requests the same data for a
// payment, causes no further requests to the upstream.
func TestSecondWalletCostsNothing(t *testing.T) {
	w := newWorld(t)
	w.live(t)
	read := func(count int) {
		t.Helper()
		for start := uint64(0); start+depth < w.first.Height()-1; {
			history := []xmr.Hash{xmr.Regtest.GenesisHash()}
			if start > 0 {
				history = []xmr.Hash{xmr.Hash{}, xmr.Regtest.GenesisHash()}
				id, err := xmr.ParseHash(ask(t, w.Registry(), daemonrpc.OnGetBlockHash, []uint64{start}))
				require.NoError(t, err)
				history[0] = id
			}
			r := ask(
				t, w.Registry(), daemonrpc.GetBlocks,
				daemonrpc.GetBlocksRequest{BlockIDs: history, MaxBlockCount: 10, Prune: true},
			)
			require.Equal(t, start, r.StartHeight)
			require.Len(t, r.Blocks, min(10, int(w.first.Height()-start)))
			if start += uint64(len(r.Blocks)) - 1; start+10 > w.first.Height()-depth {
				break
			}
		}
		require.Equal(t, count > 0, w.first.questions("get_blocks.bin") > 0)
	}
	read(1)
	read(0)
	distribution := func() {
		t.Helper()
		r := ask(t, w.Registry(), daemonrpc.GetOutputDistributionBin, daemonrpc.GetOutputDistributionRequest{
			Amounts: []uint64{0}, ToHeight: w.first.Height() - 1 - depth, Cumulative: true, Binary: true})
		require.Len(t, r.Distributions[0].Distribution, int(w.first.Height()-depth))
		ask(
			t, w.Registry(), daemonrpc.GetOutsBin,
			daemonrpc.GetOutsBinRequest{Outputs: []daemonrpc.OutputRef{{Index: 1}, {Index: 5}}},
		)
		ask(
			t, w.Registry(), daemonrpc.GetBlockHeadersRange,
			daemonrpc.GetBlockHeadersRangeRequest{StartHeight: 1, EndHeight: 60},
		)
	}
	distribution()
	require.NotZero(t, w.first.questions("get_output_distribution.bin", "get_outs.bin", "get_block_headers_range"))
	distribution()
	require.Zero(t, w.first.questions("get_output_distribution.bin", "get_outs.bin", "get_block_headers_range"))
}

// TestReorganisation: after reorganisations above and below the anchor, responses equal those of the upstream.
func TestReorganisation(t *testing.T) {
	w := newWorld(t)
	ids := w.live(t)
	equal := func() {
		t.Helper()
		for _, q := range questions(t, w, ids) {
			require.Equal(t, q.ask(t, w.first), q.ask(t, w.Registry()), q.name)
		}
	}
	equal()
	for _, n := range []int{1, depth - 1, depth + 3, 30} {
		if n > 20 { // the transactions in the pool are not valid that far back
			ask(t, w.first, daemonrpc.FlushTxPool, daemonrpc.FlushTxPoolRequest{})
		}
		_, err := w.first.Reorganise(context.Background(), n, stranger(t))
		require.NoError(t, err)
		w.clock.add(10)
		equal()
	}
	_, err := w.first.Chain().PopBlocks(7)
	require.NoError(t, err)
	w.clock.add(10)
	equal()
	_, err = w.first.Chain().PopBlocks(w.first.Height() - 84)
	require.NoError(t, err)
	ask(t, w.first, daemonrpc.FlushTxPool, daemonrpc.FlushTxPoolRequest{})
	w.first.mine(t, 10) // another branch
	w.clock.add(10)
	equal()
}

// TestMemoryIsBounded: with a small cache, the cache stays within its limit and responses equal those of the upstream.
func TestMemoryIsBounded(t *testing.T) {
	w := newWorld(t, func(c *upstream.Config) { c.Memory = 20_000 })
	ids := w.live(t)
	for range 2 {
		for _, q := range questions(t, w, ids) {
			require.Equal(t, q.ask(t, w.first), q.ask(t, w.Registry()), q.name)
			require.LessOrEqual(t, w.Remembered(), 20_000)
		}
	}
}

// TestAskedOnce: simultaneous identical requests for blocks cause at most one request to the upstream.
func TestAskedOnce(t *testing.T) {
	w := newWorld(t)
	w.first.mine(t, 30)
	ask(t, w.Registry(), daemonrpc.GetInfo, daemonrpc.PayerOnly{})
	hold := make(chan struct{})
	w.first.set(func(o *origin) { o.hold = hold })
	w.first.questions()
	const many = 20
	var group sync.WaitGroup
	for range many {
		group.Go(func() {
			r, err := rpc.Call(
				t.Context(), w.Registry(), daemonrpc.GetBlocks,
				daemonrpc.GetBlocksRequest{StartHeight: 3, MaxBlockCount: 5},
			)
			if err != nil || len(r.Blocks) != 5 {
				t.Errorf("%d blocks, %v", len(r.Blocks), err)
			}
		})
		group.Go(func() {
			if _, err := rpc.Call(
				t.Context(), w.Registry(), daemonrpc.GetFeeEstimate, daemonrpc.GetFeeEstimateRequest{},
			); err != nil {
				t.Error(err)
			}
		})
	}
	close(hold)
	group.Wait()
	require.LessOrEqual(t, w.first.questions("get_blocks.bin"), 1)
}

// TestRelaysTransactions: the front relays transactions to the upstream, and refuses malformed ones itself.
func TestRelaysTransactions(t *testing.T) {
	w := newWorld(t)
	wallets := newWallets(t, w.clock, w.Registry())
	payer, to := newWallet(t, wallets, "payer")
	require.NoError(t, w.first.Fund(context.Background(), 20, to))
	ask(t, payer, walletrpc.Refresh, walletrpc.RefreshRequest{})
	sent := ask(t, payer, walletrpc.Transfer, walletrpc.TransferRequest{
		Destinations: []walletrpc.Destination{{Amount: xmr.Coin, Address: stranger(t)}}, GetTxHex: true})
	require.Equal(
		t, []string{sent.TxHash},
		ids(ask(t, w.first, daemonrpc.GetTransactionPoolHashes, daemonrpc.PayerOnly{}).TxHashes),
	)
	require.Equal(
		t, []string{sent.TxHash},
		ids(ask(t, w.Registry(), daemonrpc.GetTransactionPoolHashes, daemonrpc.PayerOnly{}).TxHashes),
	)

	w.first.questions()
	for _, bad := range []string{
		"", "xx", "00", sent.TxBlob + "00", sent.TxBlob[:200], strings.Repeat("00", 1_100_000),
	} {
		r := ask(t, w.Registry(), daemonrpc.SendRawTransaction, daemonrpc.SendRawTransactionRequest{TxAsHex: bad})
		require.Equal(t, "Failed", r.Status)
	}
	require.Zero(t, w.first.questions("send_raw_transaction"))
	again := ask(
		t, w.Registry(), daemonrpc.SendRawTransaction, daemonrpc.SendRawTransactionRequest{TxAsHex: sent.TxBlob},
	)
	require.Equal(
		t,
		ask(t, w.first, daemonrpc.SendRawTransaction, daemonrpc.SendRawTransactionRequest{TxAsHex: sent.TxBlob}).Reason,
		again.Reason,
	)
	w.first.mine(t, 12)
	double := ask(
		t, w.Registry(), daemonrpc.SendRawTransaction, daemonrpc.SendRawTransactionRequest{TxAsHex: sent.TxBlob},
	)
	require.Equal(t, "OK", double.Status, "known already")
}

func ids(list []xmr.Hash) (out []string) {
	for _, id := range list {
		out = append(out, id.String())
	}
	return out
}

// TestDataOfAnAnnouncedBlock: a client that received a new block in one response can request its data at once, although
// the cached tip is still below it.
func TestDataOfAnAnnouncedBlock(t *testing.T) {
	w := newWorld(t)
	w.first.mine(t, 30)
	for h := uint64(30); h < 36; h++ {
		r := ask(t, w.Registry(), daemonrpc.GetBlocks, daemonrpc.GetBlocksRequest{StartHeight: h})
		require.Equal(t, h+1, r.CurrentHeight)
		require.Len(
			t,
			ask(
				t, w.Registry(), daemonrpc.GetBlockHeadersRange,
				daemonrpc.GetBlockHeadersRangeRequest{StartHeight: 20, EndHeight: h},
			).Headers,
			int(h-19),
		)
		require.Len(t, ask(t, w.Registry(), daemonrpc.OnGetBlockHash, []uint64{h}), 64)
		d := ask(
			t, w.Registry(), daemonrpc.GetOutputDistributionBin,
			daemonrpc.GetOutputDistributionRequest{Amounts: []uint64{0}, Binary: true},
		)
		require.Len(t, d.Distributions[0].Distribution, int(h+1))
		id := ask(t, w.Registry(), daemonrpc.GetBlock, daemonrpc.GetBlockRequest{Height: h}).MinerTxHash
		x := ask(
			t, w.Registry(), daemonrpc.GetTransactions, daemonrpc.GetTransactionsRequest{TxsHashes: []string{id}},
		).Txs[0]
		require.EqualValues(t, 1, *x.Confirmations)
		w.first.mine(t, 1)
	}
	require.Equal(t, daemonrpc.CodeTooBigHeight, refused(t, w.Registry(), daemonrpc.OnGetBlockHash, []uint64{50}).Code)
	require.Equal(t, "Failed to get output distribution",
		ask(
			t, w.Registry(), daemonrpc.GetOutputDistributionBin,
			daemonrpc.GetOutputDistributionRequest{Amounts: []uint64{0}, Binary: true, ToHeight: 50},
		).Status)
}

// TestOtherNetwork: a daemon of another network is not used.
func TestOtherNetwork(t *testing.T) {
	for _, n := range []xmr.Network{xmr.Mainnet, xmr.Stagenet} {
		w := newWorld(t, func(c *upstream.Config) { c.Network = n })
		w.first.mine(t, 30)
		require.Equal(t, "BUSY", ask(t, w.Registry(), daemonrpc.GetHeight, daemonrpc.None{}).Status)
		require.Equal(
			t, "BUSY", ask(t, w.Registry(), daemonrpc.GetBlocks, daemonrpc.GetBlocksRequest{StartHeight: 3}).Status,
		)
		require.Zero(t, w.first.questions("get_blocks.bin"))
	}
}

// TestPrunedUpstream: transactions of a pruned daemon are proven by the hashes of their prunable parts, which newer
// daemons send with the blocks.
func TestPrunedUpstream(t *testing.T) {
	for name, hashes := range map[string]bool{"with hashes": true, "without hashes": false} {
		t.Run(name, func(t *testing.T) { testPrunedUpstream(t, hashes) })
	}
}

func testPrunedUpstream(t *testing.T, hashes bool) {
	w := newWorld(t)
	ids := w.live(t)
	want := ask(t, w.Registry(), daemonrpc.GetBlocks, daemonrpc.GetBlocksRequest{StartHeight: 78, Prune: true})
	bare := spoil("get_blocks.bin", func(r *daemonrpc.GetBlocksResponse) {
		for i := range r.Blocks {
			for k := range r.Blocks[i].Txs {
				r.Blocks[i].Txs[k].PrunableHash = xmr.Hash{}
			}
		}
	})
	modify := spoil("get_blocks.bin", func(r *daemonrpc.GetBlocksResponse) {
		a, b := &r.Blocks[0].Txs[0], &r.Blocks[0].Txs[1]
		a.Blob, b.Blob = b.Blob, a.Blob
	})
	set := func(modify func(string, []byte) []byte) {
		w.first.set(func(o *origin) { o.pruned, o.modify = true, modify })
		require.NoError(t, w.Name(upstream.Server{Address: "first:1"}))
		w.first.questions()
	}
	set(nil)
	if !hashes {
		set(bare)
		altered := spoil("get_transactions", func(r *daemonrpc.GetTransactionsResponse) {
			r.Txs[0].PrunedAsHex, r.Txs[0].PrunableHash = r.Txs[1].PrunedAsHex, r.Txs[1].PrunableHash
		})
		modify = func(operation string, answer []byte) []byte { return altered(operation, bare(operation, answer)) }
	}
	for range 2 {
		require.Equal(
			t, want,
			ask(t, w.Registry(), daemonrpc.GetBlocks, daemonrpc.GetBlocksRequest{StartHeight: 78, Prune: true}),
		)
	}
	require.Equal(t, hashes, w.first.questions("get_transactions") == 0)
	require.Contains(
		t, ask(t, w.Registry(), daemonrpc.GetBlocks, daemonrpc.GetBlocksRequest{StartHeight: 78}).Status,
		"Error retrieving block",
	)
	r := ask(t, w.Registry(), daemonrpc.GetTransactions, daemonrpc.GetTransactionsRequest{TxsHashes: ids})
	for i, x := range r.Txs {
		require.Empty(t, x.AsHex)
		require.NotEmpty(t, x.PrunedAsHex)
		require.Equal(t, ids[i], x.TxHash)
	}
	set(modify)
	require.Equal(
		t, "BUSY",
		ask(t, w.Registry(), daemonrpc.GetBlocks, daemonrpc.GetBlocksRequest{StartHeight: 78, Prune: true}).Status,
	)
}
