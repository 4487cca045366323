package upstream_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/codec/epee"
	"glim/core/daemonrpc"
	"glim/core/rpc"
	"glim/core/upstream"
	"glim/core/xmr"
)

// spoil returns a function that decodes the response of one operation, changes it and encodes it again.
func spoil[Resp any](operation string, change func(*Resp)) func(string, []byte) []byte {
	return func(asked string, answer []byte) []byte {
		if asked != operation {
			return answer
		}
		var r Resp
		if strings.HasSuffix(operation, ".bin") && !bytes.HasPrefix(answer, []byte("{")) {
			if epee.Unmarshal(answer, &r) != nil {
				return answer
			}
			change(&r)
			b, err := epee.Marshal(&r)
			if err != nil {
				panic(err)
			}
			return b
		}
		var envelope struct {
			Result json.RawMessage `json:"result"`
		}
		if err := json.Unmarshal(answer, &envelope); err != nil {
			panic(err)
		}
		inner := []byte(envelope.Result)
		if inner == nil {
			inner = answer
		}
		if err := json.Unmarshal(inner, &r); err != nil {
			panic(err)
		}
		change(&r)
		b, err := rpc.Encode(&r)
		if err != nil {
			panic(err)
		}
		if envelope.Result != nil {
			b = []byte(`{"id":"0","jsonrpc":"2.0","result":` + string(b) + `}`)
		}
		return b
	}
}

// flip changes one hexadecimal digit.
func flip(text string, at int) string {
	b := []byte(text)
	if b[at] == '0' {
		b[at] = '1'
	} else {
		b[at] = '0'
	}
	return string(b)
}

// Short names for the responses that the tests forge.
type (
	blocks  = daemonrpc.GetBlocksResponse
	heights = daemonrpc.GetBlocksByHeightResponse
	txs     = daemonrpc.GetTransactionsResponse
	outs    = daemonrpc.GetOutsBinResponse
	spread  = daemonrpc.GetOutputDistributionBinResponse
	block   = daemonrpc.GetBlockResponse
	headers = daemonrpc.GetBlockHeadersRangeResponse
	header  = daemonrpc.BlockHeaderResponse
	hashes  = daemonrpc.GetHashesResponse
	fees    = daemonrpc.GetFeeEstimateResponse
	info    = daemonrpc.GetInfoResponse
	spent   = daemonrpc.IsKeyImageSpentResponse
)

// forgery changes the response to a request.
type forgery struct {
	name   string
	ask    asking
	modify func(string, []byte) []byte
}

// firstTxs returns the position of the first block with a transaction.
func firstTxs(r *blocks) int {
	for i := range r.Blocks {
		if len(r.Blocks[i].Txs) > 0 {
			return i
		}
	}
	return -1
}

// forgedBlocks forges responses with blocks.
func forgedBlocks(first xmr.Hash) []forgery {
	askBlocks := of(
		daemonrpc.GetBlocks, daemonrpc.GetBlocksRequest{BlockIDs: []xmr.Hash{first, xmr.Regtest.GenesisHash()}},
	)
	askHeights := of(daemonrpc.GetBlocksByHeight, daemonrpc.GetBlocksByHeightRequest{Heights: []uint64{81, 82}})
	return []forgery{
		{"tampered block", askBlocks, spoil("get_blocks.bin", func(r *blocks) { r.Blocks[2].Block[40] ^= 1 })},
		{
			"tampered last block", askBlocks,
			spoil("get_blocks.bin", func(r *blocks) { r.Blocks[len(r.Blocks)-1].Block = r.Blocks[0].Block }),
		},
		{"a missing block", askBlocks, spoil("get_blocks.bin", func(r *blocks) {
			r.Blocks = append(r.Blocks[:3], r.Blocks[4:]...)
			r.OutputIndices = append(r.OutputIndices[:3], r.OutputIndices[4:]...)
		})},
		{
			"a missing transaction", askBlocks,
			spoil("get_blocks.bin", func(r *blocks) { r.Blocks[firstTxs(r)].Txs = nil }),
		},
		{"a tampered transaction", askBlocks, spoil("get_blocks.bin", func(r *blocks) {
			b := r.Blocks[firstTxs(r)].Txs[0].Blob
			b[len(b)-1] ^= 1
		})},
		{"indices of other outputs", askBlocks, spoil("get_blocks.bin", func(r *blocks) {
			x := r.OutputIndices[firstTxs(r)].Indices
			x[1].Indices = x[1].Indices[1:]
		})},
		{"another start", askBlocks, spoil("get_blocks.bin", func(r *blocks) { r.StartHeight++ })},
		{
			"more blocks than the chain has", askBlocks,
			spoil("get_blocks.bin", func(r *blocks) { r.CurrentHeight = 75 }),
		},
		{
			"a block of another height", askHeights,
			spoil("get_blocks_by_height.bin", func(r *heights) { r.Blocks[0] = r.Blocks[1] }),
		},
		{
			"a missing block by height", askHeights,
			spoil("get_blocks_by_height.bin", func(r *heights) { r.Blocks = r.Blocks[1:] }),
		},
		{"an extra transaction in a block", askHeights, spoil("get_blocks_by_height.bin", func(r *heights) {
			for i := range r.Blocks {
				r.Blocks[i].Txs = append(r.Blocks[i].Txs, daemonrpc.WholeTx([]byte{1}))
			}
		})},
		{"empty response", askBlocks, func(string, []byte) []byte { return nil }},
	}
}

// forgedTransactions forges responses with transactions.
func forgedTransactions(ids []string) []forgery {
	askTxs := of(daemonrpc.GetTransactions, daemonrpc.GetTransactionsRequest{TxsHashes: ids})
	askPruned := of(daemonrpc.GetTransactions, daemonrpc.GetTransactionsRequest{TxsHashes: ids, Prune: true})
	askLoose := of(
		daemonrpc.GetTxIDsLoose, daemonrpc.GetTxIDsLooseRequest{TxIDTemplate: ids[0], NumMatchingBits: 256},
	)
	return []forgery{
		{
			"the ID of another transaction", askLoose,
			spoil("get_txids_loose", func(r *daemonrpc.GetTxIDsLooseResponse) { r.TxIDs[0][5] ^= 1 }),
		},
		{"another transaction", askTxs, spoil("get_transactions", func(r *txs) {
			r.Txs[0].PrunedAsHex, r.Txs[0].PrunableAsHex = r.Txs[1].PrunedAsHex, r.Txs[1].PrunableAsHex
		})},
		{
			"a changed transaction", askTxs,
			spoil("get_transactions", func(r *txs) { r.Txs[0].PrunableAsHex = flip(r.Txs[0].PrunableAsHex, 100) }),
		},
		{
			"a transaction neither found nor missing", askTxs,
			spoil("get_transactions", func(r *txs) { r.Txs = r.Txs[1:] }),
		},
		{
			"a changed pruned transaction", askPruned,
			spoil("get_transactions", func(r *txs) { r.Txs[0].PrunedAsHex = flip(r.Txs[0].PrunedAsHex, 100) }),
		},
		{
			"another prunable hash", askPruned,
			spoil("get_transactions", func(r *txs) { r.Txs[0].PrunableHash = flip(r.Txs[0].PrunableHash, 9) }),
		},
	}
}

// forgedOutputs forges responses about outputs and key images.
func forgedOutputs(first xmr.Hash) []forgery {
	askOuts := of(
		daemonrpc.GetOutsBin,
		daemonrpc.GetOutsBinRequest{Outputs: []daemonrpc.OutputRef{{Index: 3}, {Index: 4}}, GetTxID: true},
	)
	askSpread := of(
		daemonrpc.GetOutputDistributionBin,
		daemonrpc.GetOutputDistributionRequest{Amounts: []uint64{0}, Binary: true, Cumulative: true},
	)
	askSpent := of(daemonrpc.IsKeyImageSpent, daemonrpc.IsKeyImageSpentRequest{KeyImages: []string{first.String()}})
	askHistogram := of(daemonrpc.GetOutputHistogram, daemonrpc.GetOutputHistogramRequest{Amounts: []uint64{0}})
	return []forgery{
		{"not a point", askOuts, spoil("get_outs.bin", func(r *outs) { r.Outs[1].Mask = xmr.PublicKey{31: 0xff} })},
		{"a missing output", askOuts, spoil("get_outs.bin", func(r *outs) { r.Outs = r.Outs[1:] })},
		{"a falling distribution", askSpread, spoil("get_output_distribution.bin", func(r *spread) {
			r.Distributions[0].CompressedData = daemonrpc.CompressNumbers(make([]uint64, 93))
			r.Distributions[0].Base = 5
		})},
		{"a short distribution", askSpread, spoil("get_output_distribution.bin", func(r *spread) {
			r.Distributions[0].CompressedData = r.Distributions[0].CompressedData[1:]
		})},
		{
			"a distribution of another amount", askSpread,
			spoil("get_output_distribution.bin", func(r *spread) { r.Distributions[0].Amount = 1 }),
		},
		{
			"an extra status", askSpent,
			spoil("is_key_image_spent", func(r *spent) { r.SpentStatus = append(r.SpentStatus, 0) }),
		},
		{"an unknown status", askSpent, spoil("is_key_image_spent", func(r *spent) { r.SpentStatus[0] = 9 })},
		{
			"counts of another amount", askHistogram,
			spoil("get_output_histogram", func(r *daemonrpc.GetOutputHistogramResponse) { r.Histogram[0].Amount = 7 }),
		},
	}
}

// forgedHeaders forges headers and hashes of blocks.
func forgedHeaders(first xmr.Hash) []forgery {
	askBlock := of(daemonrpc.GetBlock, daemonrpc.GetBlockRequest{Height: 82})
	askHeaders := of(
		daemonrpc.GetBlockHeadersRange, daemonrpc.GetBlockHeadersRangeRequest{StartHeight: 10, EndHeight: 14},
	)
	askHeader := of(daemonrpc.GetBlockHeaderByHeight, daemonrpc.GetBlockHeaderByHeightRequest{Height: 50})
	askByHash := of(daemonrpc.GetBlockHeaderByHash, daemonrpc.GetBlockHeaderByHashRequest{Hash: first.String()})
	askHashes := of(
		daemonrpc.GetHashes, daemonrpc.GetHashesRequest{BlockIDs: []xmr.Hash{first, xmr.Regtest.GenesisHash()}},
	)
	return []forgery{
		{"bytes of another block", askBlock, spoil("get_block", func(r *block) { r.Blob = flip(r.Blob, 90) })},
		{"a header of another block", askBlock, spoil("get_block", func(r *block) { r.BlockHeader.Timestamp++ })},
		{
			"other transactions of a block", askBlock,
			spoil("get_block", func(r *block) { r.TxHashes = append(r.TxHashes, xmr.Hash{1}) }),
		},
		{"another coinbase", askBlock, spoil("get_block", func(r *block) { r.MinerTxHash = flip(r.MinerTxHash, 3) })},
		{
			"headers that do not follow", askHeaders,
			spoil(
				"get_block_headers_range", func(r *headers) { r.Headers[2].PrevHash = flip(r.Headers[2].PrevHash, 5) },
			),
		},
		{
			"a missing header", askHeaders,
			spoil("get_block_headers_range", func(r *headers) { r.Headers = r.Headers[1:] }),
		},
		{"another header", askHeader, spoil("get_block_header_by_height", func(r *header) {
			if r.BlockHeader.Height == 50 {
				r.BlockHeader.Height = 51
			}
		})},
		{
			"another hash", askByHash,
			spoil("get_block_header_by_hash", func(r *header) { r.BlockHeader.Hash = flip(r.BlockHeader.Hash, 5) }),
		},
		{
			"hashes not in the history", askHashes,
			spoil("get_hashes.bin", func(r *hashes) { r.BlockIDs[0] = xmr.Hash{5} }),
		},
		{"truncated JSON", askHeader, func(_ string, b []byte) []byte { return b[:len(b)/2] }},
	}
}

// forgedInfo forges fees and the state of the chain.
func forgedInfo() []forgery {
	askFees := of(daemonrpc.GetFeeEstimate, daemonrpc.GetFeeEstimateRequest{})
	askInfo := of(daemonrpc.GetHeight, daemonrpc.None{})
	return []forgery{
		{"a fee out of range", askFees, spoil("get_fee_estimate", func(r *fees) { r.Fees[1] *= 1_000_000 })},
		{"a zero fee", askFees, spoil("get_fee_estimate", func(r *fees) { r.Fee = 0 })},
		{"another network", askInfo, spoil("get_info", func(r *info) { r.NetType = "mainnet" })},
		{"an endless chain", askInfo, spoil("get_info", func(r *info) { r.Height = 1 << 40 })},
	}
}

// TestForgedAnswersAreRefused: if the first upstream forges a response, the client receives the correct one from the
// second, and only the correct one is cached. If the only upstream forges it, the request fails.
func TestForgedAnswersAreRefused(t *testing.T) {
	w := newWorld(t)
	ids := w.live(t)
	w.copyChain(t)
	first, err := xmr.ParseHash(ask(t, w.first, daemonrpc.OnGetBlockHash, []uint64{70}))
	require.NoError(t, err)
	for _, c := range slices.Concat(
		forgedBlocks(first), forgedTransactions(ids), forgedOutputs(first), forgedHeaders(first), forgedInfo(),
	) {
		t.Run(c.name, func(t *testing.T) {
			honest := c.ask.ask(t, w.first)
			require.NoError(t, w.Name(upstream.Server{Address: "first:1,second:1"}))
			w.first.set(func(o *origin) { o.modify = c.modify })
			defer w.first.set(func(o *origin) { o.modify = nil })
			require.Equal(t, honest, c.ask.ask(t, w.Registry()), "the second upstream's response is returned")
			require.NotZero(t, w.second.questions("get_info"), "the second upstream is asked")
			require.Equal(t, honest, c.ask.ask(t, w.Registry()), "only the correct response is cached")
			require.Equal(
				t, "second:1", ask(t, w.Registry(), daemonrpc.GetInfo, daemonrpc.PayerOnly{}).BootstrapDaemonAddress,
			)

			require.NoError(t, w.Name(upstream.Server{Address: "first:1"}))
			text := func() (text string) {
				defer func() {
					if recover() != nil {
						text = "no answer"
					}
				}()
				return c.ask.ask(silent{}, w.Registry())
			}
			require.NotEqual(t, honest, text(), "no upstream returns the correct response")
			w.first.set(func(o *origin) { o.modify = nil })
			require.Equal(t, honest, c.ask.ask(t, w.Registry()), "the forged response is not cached")
		})
	}
}

// silent is a test that panics on failure.
type silent struct{ testing.TB }

func (silent) Helper()               {}
func (silent) Errorf(string, ...any) {}
func (silent) FailNow()              { panic("failed") }

// TestForgedPoolAnswers: an upstream decides which transactions are in the pool, but each must match its ID.
func TestForgedPoolAnswers(t *testing.T) {
	w := newWorld(t)
	w.first.mine(t, 20)
	blob := strings.Repeat("00", 50)
	w.first.set(func(o *origin) {
		o.modify = spoil("get_transaction_pool", func(r *daemonrpc.GetTransactionPoolResponse) {
			r.Transactions = append(r.Transactions, daemonrpc.PoolTransaction{TxBlob: blob})
		})
	})
	require.NoError(t, w.Name(upstream.Server{Address: "first:1"}))
	require.Equal(t, "BUSY", ask(t, w.Registry(), daemonrpc.GetTransactionPool, daemonrpc.PayerOnly{}).Status)
	b, err := hex.DecodeString(
		ask(t, w.first.Registry(), daemonrpc.GetBlock, daemonrpc.GetBlockRequest{Height: 1}).Blob,
	)
	require.NoError(t, err)
	blob = hex.EncodeToString(b)
	require.Equal(t, "BUSY", ask(t, w.Registry(), daemonrpc.GetTransactionPool, daemonrpc.PayerOnly{}).Status)
}

// TestFailover: requests go to the next upstream while one is unreachable or behind, and to the first once it recovers.
func TestFailover(t *testing.T) {
	w := newWorld(t)
	w.first.mine(t, 20)
	w.copyChain(t)
	who := func() string {
		t.Helper()
		return ask(t, w.Registry(), daemonrpc.GetInfo, daemonrpc.PayerOnly{}).BootstrapDaemonAddress
	}
	require.Equal(t, "first:1", who())
	require.Zero(t, w.second.questions("get_info"), "the second is not asked while the first works")
	w.first.set(func(o *origin) { o.away = true })
	w.first.questions()
	require.Equal(t, "second:1", who())
	require.Equal(t, "second:1", who())
	require.Equal(t, 1, w.first.questions("get_info"), "no further request during the pause")
	w.first.set(func(o *origin) { o.away = false })
	require.Equal(t, "second:1", who(), "the pause is not over")
	w.clock.add(31)
	require.Eventually(t, func() bool { return who() == "first:1" }, 2*time.Minute, 5*time.Millisecond)

	w.first.set(func(o *origin) {
		o.modify = spoil("get_info", func(r *daemonrpc.GetInfoResponse) { r.Status = "BUSY" })
	})
	require.Equal(t, "second:1", who())
	w.second.set(func(o *origin) { o.away = true })
	require.Equal(t, daemonrpc.CodeCoreBusy, refused(t, w.Registry(), daemonrpc.GetInfo, daemonrpc.PayerOnly{}).Code)
	require.Equal(t, "BUSY", ask(t, w.Registry(), daemonrpc.GetInfoPath, daemonrpc.PayerOnly{}).Status)
	require.Equal(t, "BUSY", ask(t, w.Registry(), daemonrpc.GetHeight, daemonrpc.None{}).Status)
	require.Equal(
		t, "BUSY", ask(t, w.Registry(), daemonrpc.GetBlocks, daemonrpc.GetBlocksRequest{StartHeight: 3}).Status,
	)
	require.Equal(
		t, daemonrpc.CodeCoreBusy,
		refused(t, w.Registry(), daemonrpc.GetBlock, daemonrpc.GetBlockRequest{Height: 3}).Code,
	)
	w.first.set(func(o *origin) {
		o.modify = spoil("get_info", func(r *daemonrpc.GetInfoResponse) { r.TargetHeight = 5000 })
	})
	require.Equal(
		t, daemonrpc.CodeCoreBusy, refused(t, w.Registry(), daemonrpc.GetInfo, daemonrpc.PayerOnly{}).Code,
		"the first is behind",
	)
	w.first.set(func(o *origin) { o.modify = nil })
	require.Equal(t, "first:1", who(), "if no upstream works, all are tried")

	// Without an upstream the front returns BUSY; one can be set while it runs.
	require.NoError(t, w.Name(upstream.Server{}))
	require.Equal(t, "BUSY", ask(t, w.Registry(), daemonrpc.GetHeight, daemonrpc.None{}).Status)
	require.Equal(
		t, "OK",
		ask(
			t, w.Registry(), daemonrpc.SetBootstrapDaemon, daemonrpc.SetBootstrapDaemonRequest{Address: "first:1"},
		).Status,
	)
	require.EqualValues(t, 21, ask(t, w.Registry(), daemonrpc.GetHeight, daemonrpc.None{}).Height)
}

// TestDaemonBehindOrDemandingPayment: a daemon that falls behind, or demands payment, counts as unreachable.
func TestDaemonBehindOrDemandingPayment(t *testing.T) {
	for _, modify := range []func(string, []byte) []byte{
		spoil("get_info", func(r *daemonrpc.GetInfoResponse) { r.TargetHeight = r.Height + 100 }),
		spoil("get_info", func(r *daemonrpc.GetInfoResponse) { r.Status = daemonrpc.StatusPaymentRequired }),
	} {
		w := newWorld(t)
		w.first.mine(t, 20)
		w.copyChain(t)
		who := func() string {
			t.Helper()
			return ask(t, w.Registry(), daemonrpc.GetInfo, daemonrpc.PayerOnly{}).BootstrapDaemonAddress
		}
		require.Equal(t, "first:1", who())
		w.first.set(func(o *origin) { o.modify = modify })
		require.Equal(t, "second:1", who())
	}
}
