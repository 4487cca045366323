package daemon_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/block"
	"glim/core/codec/epee"
	"glim/core/daemon"
	"glim/core/daemonrpc"
	"glim/core/rpc"
	"glim/core/tx"
	"glim/core/xmr"
)

// serve returns a client of an in-process daemon that has only operation m.
func serve[Req, Resp any](m rpc.Method[Req, Resp], h func(Req) Resp) *daemon.Client {
	r := rpc.NewRegistry()
	handle(r, m, h)
	return daemon.New(r)
}

func handle[Req, Resp any](r *rpc.Registry, m rpc.Method[Req, Resp], h func(Req) Resp) {
	rpc.Handle(r, m, func(_ context.Context, q Req) (Resp, error) { return h(q), nil })
}

func ok() daemonrpc.Metered {
	return daemonrpc.Metered{Common: daemonrpc.Common{Status: daemonrpc.StatusOK}}
}

func recording(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	require.NoError(t, err)
	return b
}

func answer(t testing.TB, name string) (r daemonrpc.GetBlocksResponse) {
	t.Helper()
	require.NoError(t, epee.Unmarshal(recording(t, name), &r))
	return r
}

const firstHeight = 88 // of the recorded answers, which have six blocks

// blocksWith requests the recorded blocks after change has modified the response.
func blocksWith(
	t *testing.T, q daemon.BlocksRequest, change func(*daemonrpc.GetBlocksResponse),
) (daemon.Blocks, error) {
	t.Helper()
	name := "blocks-pruned.bin"
	if q.Whole {
		name = "blocks-whole.bin"
	}
	c := serve(daemonrpc.GetBlocks, func(daemonrpc.GetBlocksRequest) daemonrpc.GetBlocksResponse {
		r := answer(t, name)
		change(&r)
		return r
	})
	return c.Blocks(t.Context(), q)
}

func mustParse(b []byte) *block.Block {
	blk, err := block.Parse(b)
	if err != nil {
		panic(err)
	}
	return blk
}

func TestBlocks(t *testing.T) {
	honest := func(*daemonrpc.GetBlocksResponse) {}
	pruned, err := blocksWith(t, daemon.BlocksRequest{Start: firstHeight}, honest)
	require.NoError(t, err)
	whole, err := blocksWith(t, daemon.BlocksRequest{Start: firstHeight, Whole: true}, honest)
	require.NoError(t, err)
	txs := 0
	for i := range whole.Blocks {
		require.Equal(t, whole.Blocks[i].Hash, pruned.Blocks[i].Hash)
		require.EqualValues(t, firstHeight+i, pruned.Blocks[i].Height)
		for k, x := range whole.Blocks[i].Txs {
			p := pruned.Blocks[i].Txs[k]
			require.True(t, x.Proven)
			require.False(t, p.Proven)
			require.Equal(t, x.ID, p.ID)
			require.Equal(t, x.AppendPruned(nil), p.AppendPruned(nil))
			txs++
		}
	}
	require.Equal(t, 2, txs)

	// A daemon that sends the hashes of omitted data proves its transactions.
	proven, err := blocksWith(t, daemon.BlocksRequest{Start: firstHeight}, func(r *daemonrpc.GetBlocksResponse) {
		for i, b := range whole.Blocks {
			for k, x := range b.Txs {
				r.Blocks[i].Txs[k].PrunableHash = x.PrunableHash()
			}
		}
	})
	require.NoError(t, err)
	require.True(t, proven.Blocks[3].Txs[0].Proven)

	// A history that contains the first block replaces Start.
	_, err = blocksWith(t, daemon.BlocksRequest{History: []xmr.Hash{{1}, whole.Blocks[0].Hash}}, honest)
	require.NoError(t, err)
	_, err = daemon.New(rpc.NewRegistry()).Blocks(t.Context(), daemon.BlocksRequest{})
	require.ErrorIs(t, err, daemon.ErrHistory)
}

// Several goroutines decode one response and get the same result as a single one.
func TestDecodeSeparately(t *testing.T) {
	c := serve(daemonrpc.GetBlocks, func(daemonrpc.GetBlocksRequest) daemonrpc.GetBlocksResponse {
		return answer(t, "blocks-whole.bin")
	})
	raw, err := c.RawBlocks(t.Context(), daemon.BlocksRequest{Start: firstHeight, Whole: true})
	require.NoError(t, err)
	want, err := raw.Decode()
	require.NoError(t, err)
	got := make([]daemon.Block, raw.Len())
	failures := make([]error, raw.Len())
	var wg sync.WaitGroup
	for i := range got {
		wg.Go(func() { got[i], failures[i] = raw.DecodeBlock(nil, i) })
	}
	wg.Wait()
	require.NoError(t, errors.Join(failures...))
	require.NoError(t, raw.CheckLinks(got))
	require.Equal(t, want.Blocks, got)
}

type blocksResponse = daemonrpc.GetBlocksResponse

const blockWithTx = 3 // position of a recorded block that contains a transaction

var (
	byStart      = daemon.BlocksRequest{Start: firstHeight}
	wholeByStart = daemon.BlocksRequest{Start: firstHeight, Whole: true}
)

type invalidBlocks struct {
	name   string
	q      daemon.BlocksRequest
	want   string // part of the error
	change func(*blocksResponse)
}

var invalidHeightsAndIndices = []invalidBlocks{
	{"another start", daemon.BlocksRequest{Start: 87}, "instead of 87", func(*blocksResponse) {}},
	{"unknown history", daemon.BlocksRequest{History: []xmr.Hash{{1}}}, "not in the history", func(*blocksResponse) {}},
	{
		"heights shifted",
		daemon.BlocksRequest{History: []xmr.Hash{{1}}},
		"claims height 88",
		func(r *blocksResponse) { r.StartHeight++; r.CurrentHeight++ },
	},
	{"more blocks than the chain has", byStart, "of a chain of 90", func(r *blocksResponse) { r.CurrentHeight = 90 }},
	{"endless chain", byStart, "a chain of", func(r *blocksResponse) { r.CurrentHeight = 1 << 60 }},
	{
		"start wraps around",
		daemon.BlocksRequest{History: []xmr.Hash{{1}}},
		"a chain of",
		func(r *blocksResponse) { r.StartHeight = 1<<64 - 2 },
	},
	{"too many blocks", byStart, "blocks: epee: a list", func(r *blocksResponse) {
		r.Blocks = slices.Repeat(r.Blocks, 200)
		r.OutputIndices = slices.Repeat(r.OutputIndices, 200)
	}},
	{
		"indices of fewer blocks",
		byStart,
		"output indices of 5 blocks",
		func(r *blocksResponse) { r.OutputIndices = r.OutputIndices[1:] },
	},
	{"indices of fewer transactions", byStart, "output indices of 1 transactions", func(r *blocksResponse) {
		r.OutputIndices[blockWithTx].Indices = r.OutputIndices[blockWithTx].Indices[:1]
	}},
	{"fewer indices than outputs", byStart, "1 output indices for the 2", func(r *blocksResponse) {
		x := &r.OutputIndices[blockWithTx].Indices[1]
		x.Indices = x.Indices[:1]
	}},
	{
		"no index for the coinbase",
		byStart,
		"0 output indices for the 1",
		func(r *blocksResponse) { r.OutputIndices[0].Indices[0].Indices = nil },
	},
	{
		"index out of range",
		byStart,
		"output index",
		func(r *blocksResponse) { r.OutputIndices[blockWithTx].Indices[1].Indices[0] = 1 << 60 },
	},
}

var invalidBlockContents = []invalidBlocks{
	{"a missing block", byStart, "claims height 90", func(r *blocksResponse) {
		r.Blocks = slices.Delete(r.Blocks, 1, 2)
		r.OutputIndices = slices.Delete(r.OutputIndices, 1, 2)
	}},
	{"a block of another chain", byStart, "does not follow", func(r *blocksResponse) {
		blk := mustParse(r.Blocks[1].Block)
		blk.Nonce++
		r.Blocks[1].Block = blk.Append(nil)
	}},
	{
		"block with trailing bytes",
		byStart,
		"block 88",
		func(r *blocksResponse) { r.Blocks[0].Block = append(slices.Clone(r.Blocks[0].Block), 0) },
	},
	{"truncated block", byStart, "block 88", func(r *blocksResponse) { r.Blocks[0].Block = r.Blocks[0].Block[:40] }},
}

var invalidBlockTxs = []invalidBlocks{
	{"a missing transaction", byStart, "0 transactions for the 1", func(r *blocksResponse) {
		r.Blocks[blockWithTx].Txs = nil
	}},
	{"an extra transaction", byStart, "2 transactions for the 1", func(r *blocksResponse) {
		r.Blocks[blockWithTx].Txs = append(r.Blocks[blockWithTx].Txs, r.Blocks[blockWithTx].Txs[0])
	}},
	{
		"another transaction",
		wholeByStart,
		" for ",
		func(r *blocksResponse) { r.Blocks[blockWithTx].Txs[0] = r.Blocks[blockWithTx+1].Txs[0] },
	},
	{"changed transaction", wholeByStart, " for ", func(r *blocksResponse) {
		b := slices.Clone(r.Blocks[blockWithTx].Txs[0].Blob)
		b[len(b)-1] ^= 1
		r.Blocks[blockWithTx].Txs[0] = daemonrpc.WholeTx(b)
	}},
	{"transaction with trailing bytes", byStart, "bytes after the end", func(r *blocksResponse) {
		r.Blocks[blockWithTx].Txs[0].Blob = append(slices.Clone(r.Blocks[blockWithTx].Txs[0].Blob), 0)
	}},
	{"wrong prunable hash", byStart, " for ", func(r *blocksResponse) {
		r.Blocks[blockWithTx].Txs[0].PrunableHash = xmr.Hash{1}
	}},
	{"another prunable hash missing", byStart, "no prunable hash", func(r *blocksResponse) {
		r.Blocks[blockWithTx+1].Txs[0].PrunableHash = xmr.Hash{1}
	}},
	{"coinbase among the transactions", byStart, "is a coinbase", func(r *blocksResponse) {
		coinbase := mustParse(r.Blocks[blockWithTx].Block).MinerTx
		r.Blocks[blockWithTx].Txs[0].Blob = coinbase.AppendPruned(nil)
	}},
}

var invalidTop = []invalidBlocks{
	{"another top", byStart, "is not the top", func(r *blocksResponse) {
		r.CurrentHeight, r.TopBlockHash = r.StartHeight+uint64(len(r.Blocks)), xmr.Hash{1}
	}},
}

var invalidPools = []invalidBlocks{
	{
		"pool not requested",
		byStart,
		"not requested",
		func(r *blocksResponse) { r.PoolInfoExtent = daemonrpc.PoolInfoFull },
	},
	{
		"unknown pool extent",
		daemon.BlocksRequest{Start: firstHeight, Pool: daemon.WithPool},
		"extent 3",
		func(r *blocksResponse) { r.PoolInfoExtent = 3 },
	},
	{
		"removals from a full pool",
		daemon.BlocksRequest{Start: firstHeight, Pool: daemon.WithPool},
		"removed",
		func(r *blocksResponse) {
			r.PoolInfoExtent, r.RemovedPoolTxIDs = daemonrpc.PoolInfoFull, []xmr.Hash{{1}}
		},
	},
	{
		"another pool transaction",
		daemon.BlocksRequest{Start: firstHeight, Pool: daemon.WithPool, Whole: true},
		" for ",
		func(r *blocksResponse) {
			r.PoolInfoExtent = daemonrpc.PoolInfoFull
			r.AddedPoolTxs = []daemonrpc.PoolTxInfo{{TxHash: xmr.Hash{1}, TxBlob: r.Blocks[blockWithTx].Txs[0].Blob}}
		},
	},
}

func TestInvalidBlocks(t *testing.T) {
	for _, c := range slices.Concat(invalidHeightsAndIndices, invalidBlockContents, invalidBlockTxs, invalidTop,
		invalidPools) {
		t.Run(c.name, func(t *testing.T) {
			_, err := blocksWith(t, c.q, c.change)
			require.ErrorIs(t, err, daemon.ErrInvalidResponse)
			require.ErrorContains(t, err, c.want)
		})
	}
}

func TestPoolChange(t *testing.T) {
	whole, err := blocksWith(
		t, daemon.BlocksRequest{Start: firstHeight, Whole: true}, func(*daemonrpc.GetBlocksResponse) {},
	)
	require.NoError(t, err)
	x := whole.Blocks[3].Txs[0]
	for _, wholeTx := range []bool{false, true} {
		blob := x.AppendPruned(nil)
		if wholeTx {
			blob = x.Append(nil)
		}
		got, err := blocksWith(t, daemon.BlocksRequest{
			Start: firstHeight, Pool: daemon.WithPool, Whole: wholeTx,
		}, func(r *daemonrpc.GetBlocksResponse) {
			r.PoolInfoExtent, r.DaemonTime = daemonrpc.PoolInfoIncremental, 77
			r.AddedPoolTxs = []daemonrpc.PoolTxInfo{{TxHash: x.ID, TxBlob: blob, DoubleSpendSeen: true}}
			r.RemainingAddedPoolTxIDs, r.RemovedPoolTxIDs = []xmr.Hash{{2}}, []xmr.Hash{{3}}
		})
		require.NoError(t, err)
		require.Equal(t, wholeTx, got.Pool.Added[0].Proven)
		require.Equal(t, x.ID, got.Pool.Added[0].ID)
		got.Pool.Added = nil
		require.Equal(
			t, daemon.PoolChange{Known: true, Time: 77, More: []xmr.Hash{{2}}, Removed: []xmr.Hash{{3}}}, got.Pool,
		)
	}
}

func TestSend(t *testing.T) {
	send := func(r daemonrpc.SendRawTransactionResponse) error {
		return serve(
			daemonrpc.SendRawTransaction,
			func(q daemonrpc.SendRawTransactionRequest) daemonrpc.SendRawTransactionResponse {
				require.Equal(t, "0102", q.TxAsHex)
				require.True(t, q.DoSanityChecks)
				return r
			},
		).Send(t.Context(), []byte{1, 2})
	}
	require.NoError(t, send(daemonrpc.SendRawTransactionResponse{Metered: ok()}))
	err := send(daemonrpc.SendRawTransactionResponse{
		Metered: daemonrpc.Metered{
			Common: daemonrpc.Common{Status: "Failed"},
		}, Reason: "double spend", DoubleSpend: true, FeeTooLow: true})
	require.ErrorIs(t, err, daemon.ErrRejected)
	var rejected *daemon.Rejected
	require.ErrorAs(t, err, &rejected)
	require.True(t, rejected.Has(daemon.DoubleSpend))
	require.True(t, rejected.Has(daemon.FeeTooLow))
	require.False(t, rejected.Has(daemon.TooBig))
	require.ErrorContains(t, err, "already spent, its fee is too low")
	require.ErrorIs(t, send(daemonrpc.SendRawTransactionResponse{
		Metered: daemonrpc.Metered{Common: daemonrpc.Common{Status: "BUSY"}}}), daemon.ErrBusy)
}

type transport func() ([]byte, error)

func (f transport) Post(context.Context, string, []byte) ([]byte, error) { return f() }

func TestErrors(t *testing.T) {
	ask := func(body string, err error) error {
		_, got := daemon.New(transport(func() ([]byte, error) { return []byte(body), err })).Info(t.Context())
		return got
	}
	refused := errors.New("connection refused")
	require.ErrorIs(t, ask("", refused), daemon.ErrUnreachable)
	require.ErrorIs(t, ask("", refused), refused)
	require.ErrorIs(t, ask(`{"result":{"status":"BUSY","top_block_hash":""}}`, nil), daemon.ErrBusy)
	require.ErrorIs(t, ask(`{"error":{"code":-9,"message":"Core is busy"}}`, nil), daemon.ErrBusy)
	require.ErrorIs(t, ask(`{"result":{"status":"PAYMENT REQUIRED"}}`, nil), daemon.ErrRefused)
	require.ErrorIs(t, ask(`{"error":{"code":-5,"message":"no"}}`, nil), daemon.ErrRefused)
	require.ErrorIs(t, ask(`{"result":{"status":"OK","height":"5"}}`, nil), daemon.ErrInvalidResponse)
	require.ErrorIs(t, ask(`<html>`, nil), daemon.ErrInvalidResponse)
	require.ErrorIs(t, ask(`{}`, nil), daemon.ErrInvalidResponse)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := daemon.New(transport(func() ([]byte, error) { return nil, refused })).Info(ctx)
	require.ErrorIs(t, err, context.Canceled)
	require.NotErrorIs(t, err, daemon.ErrUnreachable)
}

// FuzzBlocks decodes arbitrary responses; accepted blocks are linked and have an index for every output.
func FuzzBlocks(f *testing.F) {
	for _, name := range []string{"blocks-pruned.bin", "blocks-whole.bin"} {
		b, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	proven := answer(f, "blocks-pruned.bin")
	for i, b := range answer(f, "blocks-whole.bin").Blocks {
		for k := range b.Txs {
			x, err := tx.Parse(b.Txs[k].Blob)
			require.NoError(f, err)
			proven.Blocks[i].Txs[k].PrunableHash = x.PrunableHash()
		}
	}
	b, err := epee.Marshal(&proven)
	require.NoError(f, err)
	f.Add(b)
	blk, _, pruned, prunable := newBlock(f, firstHeight)
	next := newResponse(firstHeight, daemonrpc.BlockEntry{
		Block: blk.Append(nil), Txs: []daemonrpc.TxBlob{{Blob: pruned, PrunableHash: prunable}},
	})
	b, err = epee.Marshal(&next)
	require.NoError(f, err)
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		c := daemon.New(transport(func() ([]byte, error) { return b, nil }))
		got, err := c.Blocks(context.Background(), daemon.BlocksRequest{Start: firstHeight, Pool: daemon.WithPool})
		if err != nil {
			return
		}
		for i, blk := range got.Blocks {
			if blk.Height != got.Start+uint64(i) || i > 0 && blk.Prev != got.Blocks[i-1].Hash {
				t.Fatal("accepted blocks that do not link")
			}
			for _, x := range blk.Txs {
				if len(x.OutputIndices) != len(x.Outputs) {
					t.Fatal("accepted indices that do not fit")
				}
			}
		}
	})
}

// BenchmarkDecode decodes the recorded blocks; ns/tx is the time per transaction, coinbases included.
func BenchmarkDecode(b *testing.B) {
	for _, name := range []string{"blocks-pruned.bin", "blocks-whole.bin"} {
		b.Run(name, func(b *testing.B) {
			body, err := os.ReadFile("testdata/" + name)
			require.NoError(b, err)
			c := daemon.New(transport(func() ([]byte, error) { return body, nil }))
			for b.Loop() {
				if _, err := c.Blocks(b.Context(), daemon.BlocksRequest{Start: firstHeight}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/8, "ns/tx")
		})
	}
}

// Errors quote only the beginning of a daemon's text, because its response may be as long as the transport allows.
func TestLongTextsAreShortened(t *testing.T) {
	long := strings.Repeat("€", 1<<20)
	check := func(err error) {
		t.Helper()
		require.ErrorContains(t, err, strings.Repeat("€", 300)+"...", "cut between two characters")
		require.Less(t, len(err.Error()), 2000)
	}
	for _, code := range []int{-1, daemonrpc.CodeCoreBusy} {
		r := rpc.NewRegistry()
		rpc.Handle(
			r, daemonrpc.GetVersion,
			func(context.Context, daemonrpc.None) (daemonrpc.GetVersionResponse, error) {
				return daemonrpc.GetVersionResponse{}, &rpc.Error{Code: code, Message: long}
			},
		)
		_, err := daemon.New(r).Version(t.Context())
		check(err)
	}
	_, err := serve(daemonrpc.GetInfo, func(daemonrpc.PayerOnly) daemonrpc.GetInfoResponse {
		return daemonrpc.GetInfoResponse{Metered: daemonrpc.Metered{Common: daemonrpc.Common{Status: long}}}
	}).Info(t.Context())
	check(err)
	for _, r := range []daemonrpc.SendRawTransactionResponse{{Reason: long}, {}} {
		r.Status = long
		check(serve(
			daemonrpc.SendRawTransaction,
			func(daemonrpc.SendRawTransactionRequest) daemonrpc.SendRawTransactionResponse { return r },
		).Send(t.Context(), []byte{1}))
	}
}
