//go:build !js && !wasip1

package daemonrpc_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/core/codec/epee"
	"glim/core/daemonrpc"
	"glim/core/rpc"
	"glim/core/xmr"
)

// recorder keeps the last response of a real daemon, and the names of the operations that were called.
type recorder struct {
	next rpc.Transport
	last []byte
	seen map[string]bool
}

func (r *recorder) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	var err error
	r.last, err = r.next.Post(ctx, path, body)
	return slices.Clone(r.last), err
}

type httpTransport struct{ peers.Client }

func (h httpTransport) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	return h.Binary(ctx, path, body)
}

// newer lists members that the installed daemon, release 0.18.0, does not have.
var newer = []string{"tx_extra_too_big", "nonzero_unlock_time"}

// call sends a request to the real daemon. It fails unless Resp has every member of the response, and encodes to the
// same response again.
func call[Req, Resp any](t *testing.T, r *recorder, m rpc.Method[Req, Resp], req Req) Resp {
	t.Helper()
	resp, err := rpc.Call(t.Context(), r, m, req)
	require.NoError(t, err, "%s: %.300q", m.Name, r.last)
	r.seen[fmt.Sprint(m.Wire == rpc.JSONRPC, m.Name)] = true
	if m.Wire == rpc.Binary {
		again, err := epee.Marshal(&resp)
		require.NoError(t, err)
		require.Equal(t, r.last, again, m.Name)
		return resp
	}
	answer := escapeBlobs(r.last)
	if m.Wire == rpc.JSONRPC {
		var a struct {
			Result json.RawMessage `json:"result"`
		}
		require.NoError(t, json.Unmarshal(answer, &a))
		answer = a.Result
	}
	again, err := rpc.Encode(&resp)
	require.NoError(t, err)
	same(t, m.Name, tree(t, answer), tree(t, escapeBlobs(again)))
	return resp
}

func tree(t *testing.T, b []byte) (v any) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	require.NoError(t, d.Decode(&v), "%.200q", b)
	return v
}

func same(t *testing.T, at string, theirs, ours any) {
	t.Helper()
	switch theirs := theirs.(type) {
	case map[string]any:
		ours, ok := ours.(map[string]any)
		require.True(t, ok, at)
		for name, v := range theirs {
			if list, ok := v.([]any); ok && len(list) == 0 {
				continue
			}
			require.Contains(t, ours, name, "%s: Resp lacks a member", at)
			same(t, at+"."+name, v, ours[name])
		}
		for name, v := range ours {
			if slices.Contains(newer, name) {
				require.True(t, reflect.ValueOf(v).IsZero(), "%s.%s", at, name)
				continue
			}
			require.Contains(t, theirs, name, "%s: Resp has a member that the daemon lacks", at)
		}
	case []any:
		ours, ok := ours.([]any)
		require.True(t, ok, at)
		require.Len(t, ours, len(theirs), at)
		for i := range theirs {
			same(t, fmt.Sprintf("%s[%d]", at, i), theirs[i], ours[i])
		}
	default:
		require.Equal(t, theirs, ours, at)
	}
}

// realChain is a real daemon with 92 blocks, a branch, and transactions of a real wallet.
type realChain struct {
	*recorder
	address       string
	fork          []xmr.Hash
	mined, pooled xmr.Hash // transactions: in block 91, and in the pool
}

// TestRealDaemon calls every operation of a real daemon through rpc.Call.
func TestRealDaemon(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Minute)
	defer cancel()
	c := newRealChain(t, ctx)
	t.Run("headers and blocks", c.checkHeadersAndBlocks)
	t.Run("binary", c.checkBinary)
	t.Run("transactions and pool", c.checkTransactionsAndPool)
	t.Run("mining", c.checkMining)
	t.Run("state", c.checkState)
	t.Run("control", c.checkControl)
	for _, op := range daemonrpc.Operations() {
		if !strings.HasPrefix(op.Name, "rpc_access_") { // these fail on a daemon without RPC payments
			require.True(t, c.seen[fmt.Sprint(op.Wire == rpc.JSONRPC, op.Name)], "%s was not called", op.Name)
		}
	}
}

func newRealChain(t *testing.T, ctx context.Context) *realChain {
	t.Helper()
	d := peers.NewDaemon(t, peers.Options{})
	w := peers.NewWalletRPC(t, d, peers.Options{})
	c := &realChain{recorder: &recorder{next: httpTransport{d.Client}, seen: map[string]bool{}}}
	r := c.recorder

	require.NoError(t, w.JSON(ctx, "create_wallet", map[string]any{"filename": "w", "language": "English"}, nil))
	var self struct {
		Address string `json:"address"`
	}
	require.NoError(t, w.JSON(ctx, "get_address", map[string]any{"account_index": 0}, &self))
	c.address = self.Address

	// A chain, and a branch of one block.
	mined := call(
		t, r, daemonrpc.GenerateBlocks,
		daemonrpc.GenerateBlocksRequest{AmountOfBlocks: 20, WalletAddress: self.Address},
	)
	require.Len(t, mined.Blocks, 20)
	require.NoError(t, d.Mine(ctx, 70, self.Address))
	c.fork = call(t, r, daemonrpc.GenerateBlocks, daemonrpc.GenerateBlocksRequest{
		AmountOfBlocks: 1, WalletAddress: self.Address, PrevBlock: mined.Blocks[10].String(), StartingNonce: 7}).Blocks
	require.NoError(t, w.JSON(ctx, "refresh", nil, nil))

	// One transaction in a block, and one in the pool.
	send := func() xmr.Hash {
		var sent struct {
			TxHash xmr.Hash `json:"tx_hash"`
		}
		require.NoError(t, w.JSON(ctx, "transfer", map[string]any{
			"destinations": []any{map[string]any{"amount": uint64(xmr.Coin), "address": self.Address}}}, &sent))
		return sent.TxHash
	}
	c.mined = send()
	require.NoError(t, d.Mine(ctx, 1, self.Address))
	require.NoError(t, w.JSON(ctx, "refresh", nil, nil))
	c.pooled = send()
	return c
}

func (c *realChain) checkHeadersAndBlocks(t *testing.T) {
	r := c.recorder
	count := call(t, r, daemonrpc.GetBlockCount, nil)
	require.EqualValues(t, 92, count.Count)
	top := call(t, r, daemonrpc.GetHeight, daemonrpc.None{})
	require.EqualValues(t, 92, top.Height)
	require.Equal(t, top.Hash, call(t, r, daemonrpc.OnGetBlockHash, []uint64{91}))
	last := call(t, r, daemonrpc.GetLastBlockHeader, daemonrpc.GetLastBlockHeaderRequest{})
	require.Equal(t, top.Hash, last.BlockHeader.Hash)
	byHash := call(
		t, r, daemonrpc.GetBlockHeaderByHash, daemonrpc.GetBlockHeaderByHashRequest{Hashes: []string{top.Hash}},
	)
	require.Equal(t, last.BlockHeader, byHash.BlockHeaders[0])
	byHeight := call(t, r, daemonrpc.GetBlockHeaderByHeight, daemonrpc.GetBlockHeaderByHeightRequest{Height: 91})
	require.Equal(t, last.BlockHeader, byHeight.BlockHeader)
	run := call(
		t, r, daemonrpc.GetBlockHeadersRange, daemonrpc.GetBlockHeadersRangeRequest{StartHeight: 0, EndHeight: 91},
	)
	require.Equal(t, last.BlockHeader, run.Headers[91])
	block := call(t, r, daemonrpc.GetBlock, daemonrpc.GetBlockRequest{Height: 91})
	require.Equal(t, []xmr.Hash{c.mined}, block.TxHashes)
	alt := call(t, r, daemonrpc.GetAltBlocksHashes, daemonrpc.PayerOnly{})
	require.Equal(t, c.fork, alt.BlksHashes)
	chains := call(t, r, daemonrpc.GetAlternateChains, daemonrpc.None{})
	require.Equal(t, c.fork, chains.Chains[0].BlockHashes)
	sum := call(t, r, daemonrpc.GetCoinbaseTxSum, daemonrpc.GetCoinbaseTxSumRequest{Height: 0, Count: 92})
	require.NotZero(t, sum.EmissionAmount)
}

func (c *realChain) checkBinary(t *testing.T) {
	r := c.recorder
	genesis := xmr.Regtest.GenesisHash()
	for _, prune := range []bool{false, true} {
		blocks := call(
			t, r, daemonrpc.GetBlocks, daemonrpc.GetBlocksRequest{BlockIDs: []xmr.Hash{genesis}, Prune: prune},
		)
		require.Len(t, blocks.Blocks, 92)
		require.Len(t, blocks.OutputIndices, 92)
		require.Equal(t, !prune, blocks.Blocks[91].Txs[0].Whole())
		require.Len(t, blocks.OutputIndices[91].Indices[1].Indices, 2)
		blocks = call(t, r, daemonrpc.GetBlocks, daemonrpc.GetBlocksRequest{
			BlockIDs: []xmr.Hash{genesis}, Prune: prune, StartHeight: 90,
			NoMinerTx: true, RequestedInfo: daemonrpc.BlocksOnly})
		require.EqualValues(t, 90, blocks.StartHeight)
	}
	byHeight := call(
		t, r, daemonrpc.GetBlocksByHeight, daemonrpc.GetBlocksByHeightRequest{Heights: []uint64{91, 3}},
	)
	require.True(t, byHeight.Blocks[0].Txs[0].Whole())
	hashes := call(t, r, daemonrpc.GetHashes, daemonrpc.GetHashesRequest{BlockIDs: []xmr.Hash{genesis}})
	require.Equal(t, genesis, hashes.BlockIDs[0])
	require.Len(t, hashes.BlockIDs, 92)
	indices := call(t, r, daemonrpc.GetOutputIndices, daemonrpc.GetOutputIndicesRequest{TxID: c.mined})
	require.Len(t, indices.OIndexes, 2)
	for _, withID := range []bool{false, true} {
		outs := call(t, r, daemonrpc.GetOutsBin, daemonrpc.GetOutsBinRequest{
			Outputs: []daemonrpc.OutputRef{{Index: indices.OIndexes[0]}, {Index: 4}}, GetTxID: withID})
		require.Len(t, outs.Outs, 2)
		require.Equal(t, withID, outs.Outs[0].TxID == c.mined)
		inJSON := call(t, r, daemonrpc.GetOuts, daemonrpc.GetOutsRequest{
			Outputs: []daemonrpc.OutputRef{{Index: indices.OIndexes[0]}}, GetTxID: withID})
		require.Equal(t, outs.Outs[0].Key.String(), inJSON.Outs[0].Key)
	}
	var want []uint64
	for _, compress := range []bool{false, true} {
		dist := call(t, r, daemonrpc.GetOutputDistributionBin, daemonrpc.GetOutputDistributionRequest{
			Amounts: []uint64{0}, Cumulative: true, Binary: true, Compress: compress})
		got, err := dist.Distributions[0].Numbers()
		require.NoError(t, err)
		require.Len(t, got, 92)
		if compress {
			require.Equal(t, want, got)
		}
		want = got
	}
	for _, form := range []struct{ binary, compress bool }{{false, false}, {true, false}, {true, true}} {
		dist := call(t, r, daemonrpc.GetOutputDistribution, daemonrpc.GetOutputDistributionRequest{
			Amounts: []uint64{0}, Cumulative: true, Binary: form.binary, Compress: form.compress})
		got, err := dist.Distributions[0].Numbers()
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	histogram := call(
		t, r, daemonrpc.GetOutputHistogram, daemonrpc.GetOutputHistogramRequest{Amounts: []uint64{0}, MinCount: 1},
	)
	require.NotZero(t, histogram.Histogram[0].TotalInstances)
}

func (c *realChain) checkTransactionsAndPool(t *testing.T) {
	r := c.recorder
	var whole string
	for _, q := range []daemonrpc.GetTransactionsRequest{{}, {DecodeAsJSON: true}, {Split: true}, {Prune: true}} {
		q.TxsHashes = []string{c.mined.String(), c.pooled.String(), strings.Repeat("5", 64)}
		got := call(t, r, daemonrpc.GetTransactions, q)
		require.Len(t, got.Txs, 2)
		require.Len(t, got.MissedTx, 1)
		require.EqualValues(t, 91, *got.Txs[0].BlockHeight)
		require.True(t, got.Txs[1].InPool)
		if !q.Split && !q.Prune {
			whole = got.Txs[1].AsHex
		}
	}
	hashes := call(t, r, daemonrpc.GetTransactionPoolHashes, daemonrpc.PayerOnly{})
	require.Equal(t, []xmr.Hash{c.pooled}, hashes.TxHashes)
	packed, err := daemonrpc.UnpackHashes(
		call(t, r, daemonrpc.GetTransactionPoolHashesBin, daemonrpc.PayerOnly{}).TxHashes,
	)
	require.NoError(t, err)
	require.Equal(t, hashes.TxHashes, packed)
	backlog, err := daemonrpc.UnpackBacklog(call(t, r, daemonrpc.GetTxPoolBacklog, daemonrpc.PayerOnly{}).Backlog)
	require.NoError(t, err)
	require.Len(t, backlog, 1)
	pool := call(t, r, daemonrpc.GetTransactionPool, daemonrpc.PayerOnly{})
	require.Equal(t, backlog[0].Fee, pool.Transactions[0].Fee)
	require.Equal(t, backlog[0].Weight, pool.Transactions[0].Weight)
	stats := call(t, r, daemonrpc.GetTransactionPoolStats, daemonrpc.PayerOnly{})
	require.EqualValues(t, 1, stats.PoolStats.TxsTotal)
	spent := call(t, r, daemonrpc.IsKeyImageSpent, daemonrpc.IsKeyImageSpentRequest{
		KeyImages: []string{pool.SpentKeyImages[0].IDHash.String(), strings.Repeat("5", 64)}})
	require.Equal(t, []int32{daemonrpc.KeyImageSpentInPool, daemonrpc.KeyImageUnspent}, spent.SpentStatus)
	miner := call(t, r, daemonrpc.GetMinerData, daemonrpc.None{})
	require.Equal(t, c.pooled, miner.TxBacklog[0].ID)
	call(t, r, daemonrpc.RelayTx, daemonrpc.RelayTxRequest{TxIDs: []string{c.pooled.String()}})
	fees := call(t, r, daemonrpc.GetFeeEstimate, daemonrpc.GetFeeEstimateRequest{})
	require.Len(t, fees.Fees, 4)

	call(t, r, daemonrpc.FlushTxPool, daemonrpc.FlushTxPoolRequest{TxIDs: []string{c.pooled.String()}})
	require.Empty(t, call(t, r, daemonrpc.GetTransactionPoolHashes, daemonrpc.PayerOnly{}).TxHashes)
	sent := call(
		t, r, daemonrpc.SendRawTransaction,
		daemonrpc.SendRawTransactionRequest{TxAsHex: whole, DoNotRelay: true, DoSanityChecks: false},
	)
	require.True(t, sent.OK())
	require.True(t, sent.NotRelayed)
	broken := call(t, r, daemonrpc.SendRawTransaction, daemonrpc.SendRawTransactionRequest{TxAsHex: "00"})
	require.Equal(t, daemonrpc.StatusFailed, broken.Status)
}

func (c *realChain) checkMining(t *testing.T) {
	r := c.recorder
	template := call(
		t, r, daemonrpc.GetBlockTemplate,
		daemonrpc.GetBlockTemplateRequest{WalletAddress: c.address, ReserveSize: 60},
	)
	aux := call(t, r, daemonrpc.AddAuxPow, daemonrpc.AddAuxPowRequest{BlockTemplateBlob: template.BlockTemplateBlob,
		AuxPow: []daemonrpc.AuxPow{{ID: strings.Repeat("3", 64), Hash: strings.Repeat("a", 64)}}})
	require.Len(t, aux.AuxPow, 1)
	blob, err := hex.DecodeString(template.BlockTemplateBlob)
	require.NoError(t, err)
	pow := call(t, r, daemonrpc.CalcPow, daemonrpc.CalcPowRequest{MajorVersion: 16, Height: template.Height,
		BlockBlob: hex.EncodeToString(blob), SeedHash: template.SeedHash})
	require.Len(t, pow, 64)
	call(t, r, daemonrpc.SubmitBlock, []string{template.BlockTemplateBlob}) // difficulty 1: every nonce is valid
	require.EqualValues(t, 93, call(t, r, daemonrpc.GetHeight, daemonrpc.None{}).Height)
	_, err = rpc.Call(t.Context(), r, daemonrpc.SubmitBlock, []string{"00"})
	var refused *rpc.Error
	require.ErrorAs(t, err, &refused)
	require.Equal(t, daemonrpc.CodeWrongBlockBlob, refused.Code)
	idle := call(t, r, daemonrpc.MiningStatus, daemonrpc.None{})
	require.False(t, idle.Active)
	require.Equal(t, "Mining never started", call(t, r, daemonrpc.StopMining, daemonrpc.None{}).Status)
	require.Equal(
		t, "Failed, wrong address",
		call(t, r, daemonrpc.StartMining, daemonrpc.StartMiningRequest{MinerAddress: "x", ThreadsCount: 1}).Status,
	)
	require.Equal(
		t, daemonrpc.StatusNotMining,
		call(t, r, daemonrpc.SetLogHashRate, daemonrpc.SetLogHashRateRequest{Visible: true}).Status,
	)
}

func (c *realChain) checkState(t *testing.T) {
	r := c.recorder
	info := call(t, r, daemonrpc.GetInfo, daemonrpc.PayerOnly{})
	require.Equal(t, "fakechain", info.NetType)
	require.Equal(t, info.TopBlockHash, call(t, r, daemonrpc.GetInfoPath, daemonrpc.PayerOnly{}).TopBlockHash)
	require.EqualValues(t, 16, call(t, r, daemonrpc.HardForkInfo, daemonrpc.HardForkInfoRequest{}).Version)
	require.EqualValues(t, 3, call(t, r, daemonrpc.GetVersion, daemonrpc.None{}).Version>>16)
	call(t, r, daemonrpc.SyncInfo, daemonrpc.PayerOnly{})
	call(t, r, daemonrpc.GetNetStats, daemonrpc.None{})
	call(t, r, daemonrpc.GetConnections, daemonrpc.None{})
	call(t, r, daemonrpc.GetPeerList, daemonrpc.GetPeerListRequest{})
	call(t, r, daemonrpc.GetPublicNodes, daemonrpc.GetPublicNodesRequest{Gray: true, White: true})
	call(t, r, daemonrpc.RPCAccessTracking, daemonrpc.RPCAccessTrackingRequest{})
	require.False(t, call(t, r, daemonrpc.PruneBlockchain, daemonrpc.PruneBlockchainRequest{Check: true}).Pruned)
	call(t, r, daemonrpc.FlushCache, daemonrpc.FlushCacheRequest{BadBlocks: true})
	call(t, r, daemonrpc.SaveBlockchain, daemonrpc.None{})
}

func (c *realChain) checkControl(t *testing.T) {
	r := c.recorder
	was := call(t, r, daemonrpc.GetLimit, daemonrpc.None{})
	now := call(t, r, daemonrpc.SetLimit, daemonrpc.SetLimitRequest{LimitDown: 1000, LimitUp: 0})
	require.EqualValues(t, 1000, now.LimitDown)
	require.EqualValues(t, was.LimitUp, now.LimitUp)
	require.EqualValues(
		t, 5, call(t, r, daemonrpc.OutPeers, daemonrpc.OutPeersRequest{Set: true, OutPeers: 5}).OutPeers,
	)
	require.EqualValues(
		t, 5, call(t, r, daemonrpc.OutPeers, daemonrpc.OutPeersRequest{Set: false, OutPeers: 9}).OutPeers,
	)
	require.EqualValues(
		t, 6, call(t, r, daemonrpc.InPeers, daemonrpc.InPeersRequest{Set: true, InPeers: 6}).InPeers,
	)
	require.Empty(t, call(t, r, daemonrpc.GetBans, daemonrpc.None{}).Bans)
	call(
		t, r, daemonrpc.SetBans,
		daemonrpc.SetBansRequest{Bans: []daemonrpc.BanOrder{{Host: "10.1.2.3", Ban: true, Seconds: 500}}},
	)
	bans := call(t, r, daemonrpc.GetBans, daemonrpc.None{}).Bans
	require.Len(t, bans, 1)
	require.EqualValues(t, 0x0302010a, bans[0].IP)
	require.True(t, call(t, r, daemonrpc.Banned, daemonrpc.BannedRequest{Address: "10.1.2.3"}).Banned)
	call(t, r, daemonrpc.SetLogLevel, daemonrpc.SetLogLevelRequest{Level: 0})
	require.Contains(
		t,
		call(t, r, daemonrpc.SetLogCategories, daemonrpc.SetLogCategoriesRequest{Categories: "*:FATAL"}).Categories,
		"FATAL",
	)
	call(t, r, daemonrpc.SetBootstrapDaemon, daemonrpc.SetBootstrapDaemonRequest{})
	call(t, r, daemonrpc.Update, daemonrpc.UpdateRequest{Command: "check"})
	require.EqualValues(t, 92, call(t, r, daemonrpc.PopBlocks, daemonrpc.PopBlocksRequest{NBlocks: 1}).Height)
	require.True(t, call(t, r, daemonrpc.StopDaemon, daemonrpc.None{}).OK())
}

// escapeBlobs turns JSON whose strings contain raw bytes into valid JSON: it escapes each such byte.
func escapeBlobs(b []byte) []byte {
	const digits = "0123456789abcdef"
	out := make([]byte, 0, len(b)+len(b)/2)
	inString := false
	for i := 0; i < len(b); i++ {
		c := b[i]
		switch {
		case !inString:
			inString = c == '"'
			out = append(out, c)
		case c == '"':
			inString = false
			out = append(out, c)
		case c == '\\' && i+1 < len(b):
			i++
			if b[i] == 'v' {
				out = append(out, `\u000b`...)
			} else {
				out = append(out, c, b[i])
			}
		case c < 0x20 || c >= 0x7f:
			out = append(out, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		default:
			out = append(out, c)
		}
	}
	return out
}
