package daemon_test

import (
	"context"
	"encoding/hex"
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
	"glim/core/fee"
	"glim/core/rpc"
	"glim/core/tx"
	"glim/core/xmr"
)

// serve makes an in-process daemon of one operation.
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

func answer(t *testing.T, name string) (r daemonrpc.GetBlocksResponse) {
	t.Helper()
	require.NoError(t, epee.Unmarshal(recording(t, name), &r))
	return r
}

const firstHeight = 88 // of the recorded answers, which have six blocks

// blocksWith asks for the recorded blocks after change has spoilt them.
func blocksWith(t *testing.T, q daemon.BlocksRequest, change func(*daemonrpc.GetBlocksResponse)) (daemon.Blocks, error) {
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

func parse(t *testing.T, b []byte) *block.Block {
	t.Helper()
	blk, err := block.Parse(b)
	require.NoError(t, err)
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

	// A daemon that fills in the hashes of what it leaves out proves its transactions.
	proven, err := blocksWith(t, daemon.BlocksRequest{Start: firstHeight}, func(r *daemonrpc.GetBlocksResponse) {
		for i, b := range whole.Blocks {
			for k, x := range b.Txs {
				r.Blocks[i].Txs[k].PrunableHash = x.PrunableHash()
			}
		}
	})
	require.NoError(t, err)
	require.True(t, proven.Blocks[3].Txs[0].Proven)

	// In place of Start, a history with the first block in it.
	_, err = blocksWith(t, daemon.BlocksRequest{History: []xmr.Hash{{1}, whole.Blocks[0].Hash}}, honest)
	require.NoError(t, err)
	_, err = daemon.New(rpc.NewRegistry()).Blocks(t.Context(), daemon.BlocksRequest{})
	require.ErrorIs(t, err, daemon.ErrHistory)
}

// Several goroutines decode one answer and get what one does.
func TestDecodeApart(t *testing.T) {
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

func TestBlocksLies(t *testing.T) {
	type answer = daemonrpc.GetBlocksResponse
	byStart := daemon.BlocksRequest{Start: firstHeight}
	wholeByStart := daemon.BlocksRequest{Start: firstHeight, Whole: true}
	const with = 3 // a block with a transaction
	for _, c := range []struct {
		name   string
		q      daemon.BlocksRequest
		says   string
		change func(*answer)
	}{
		{"another start", daemon.BlocksRequest{Start: 87}, "instead of 87", func(*answer) {}},
		{"foreign history", daemon.BlocksRequest{History: []xmr.Hash{{1}}}, "none of the history", func(*answer) {}},
		{"heights shifted", daemon.BlocksRequest{History: []xmr.Hash{{1}}}, "says it is 88", func(r *answer) { r.StartHeight++; r.CurrentHeight++ }},
		{"more blocks than the chain", byStart, "of a chain of 90", func(r *answer) { r.CurrentHeight = 90 }},
		{"endless chain", byStart, "a chain of", func(r *answer) { r.CurrentHeight = 1 << 60 }},
		{"start wraps around", daemon.BlocksRequest{History: []xmr.Hash{{1}}}, "a chain of", func(r *answer) { r.StartHeight = 1<<64 - 2 }},
		{"too many blocks", byStart, "blocks: epee: a list", func(r *answer) {
			r.Blocks = slices.Repeat(r.Blocks, 200)
			r.OutputIndices = slices.Repeat(r.OutputIndices, 200)
		}},
		{"indices of fewer blocks", byStart, "output indices of 5 blocks", func(r *answer) { r.OutputIndices = r.OutputIndices[1:] }},
		{"indices of fewer transactions", byStart, "output indices of 1 transactions", func(r *answer) {
			r.OutputIndices[with].Indices = r.OutputIndices[with].Indices[:1]
		}},
		{"fewer indices than outputs", byStart, "1 output indices for the 2", func(r *answer) {
			x := &r.OutputIndices[with].Indices[1]
			x.Indices = x.Indices[:1]
		}},
		{"no index of the coinbase", byStart, "0 output indices for the 1", func(r *answer) { r.OutputIndices[0].Indices[0].Indices = nil }},
		{"absurd index", byStart, "output index", func(r *answer) { r.OutputIndices[with].Indices[1].Indices[0] = 1 << 60 }},
		{"a block left out", byStart, "says it is 90", func(r *answer) {
			r.Blocks = slices.Delete(r.Blocks, 1, 2)
			r.OutputIndices = slices.Delete(r.OutputIndices, 1, 2)
		}},
		{"a block of another chain", byStart, "does not follow", func(r *answer) {
			blk := parse(t, r.Blocks[1].Block)
			blk.Nonce++
			r.Blocks[1].Block = blk.Append(nil)
		}},
		{"block with more behind it", byStart, "block 88", func(r *answer) { r.Blocks[0].Block = append(slices.Clone(r.Blocks[0].Block), 0) }},
		{"torn block", byStart, "block 88", func(r *answer) { r.Blocks[0].Block = r.Blocks[0].Block[:40] }},
		{"a transaction left out", byStart, "0 transactions for the 1", func(r *answer) { r.Blocks[with].Txs = nil }},
		{"a transaction too many", byStart, "2 transactions for the 1", func(r *answer) {
			r.Blocks[with].Txs = append(r.Blocks[with].Txs, r.Blocks[with].Txs[0])
		}},
		{"another transaction", wholeByStart, " for ", func(r *answer) { r.Blocks[with].Txs[0] = r.Blocks[with+1].Txs[0] }},
		{"changed transaction", wholeByStart, " for ", func(r *answer) {
			b := slices.Clone(r.Blocks[with].Txs[0].Blob)
			b[len(b)-1] ^= 1
			r.Blocks[with].Txs[0] = daemonrpc.WholeTx(b)
		}},
		{"transaction with more behind it", byStart, "bytes after the end", func(r *answer) {
			r.Blocks[with].Txs[0].Blob = append(slices.Clone(r.Blocks[with].Txs[0].Blob), 0)
		}},
		{"wrong prunable hash", byStart, " for ", func(r *answer) { r.Blocks[with].Txs[0].PrunableHash = xmr.Hash{1} }},
		{"coinbase among the transactions", byStart, "is a coinbase", func(r *answer) {
			coinbase := parse(t, r.Blocks[with].Block).MinerTx
			r.Blocks[with].Txs[0].Blob = coinbase.AppendPruned(nil)
		}},
		{"pool nobody asked for", byStart, "nobody asked", func(r *answer) { r.PoolInfoExtent = daemonrpc.PoolInfoFull }},
		{"unknown pool extent", daemon.BlocksRequest{Start: firstHeight, Pool: daemon.WithPool}, "extent 3", func(r *answer) { r.PoolInfoExtent = 3 }},
		{"removals from all of the pool", daemon.BlocksRequest{Start: firstHeight, Pool: daemon.WithPool}, "removed", func(r *answer) {
			r.PoolInfoExtent, r.RemovedPoolTxIDs = daemonrpc.PoolInfoFull, []xmr.Hash{{1}}
		}},
		{"another pool transaction", daemon.BlocksRequest{Start: firstHeight, Pool: daemon.WithPool, Whole: true}, " for ", func(r *answer) {
			r.PoolInfoExtent = daemonrpc.PoolInfoFull
			r.AddedPoolTxs = []daemonrpc.PoolTxInfo{{TxHash: xmr.Hash{1}, TxBlob: r.Blocks[with].Txs[0].Blob}}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := blocksWith(t, c.q, c.change)
			require.ErrorIs(t, err, daemon.ErrDaemonLied)
			require.ErrorContains(t, err, c.says)
		})
	}
}

func TestPoolChange(t *testing.T) {
	whole, err := blocksWith(t, daemon.BlocksRequest{Start: firstHeight, Whole: true}, func(*daemonrpc.GetBlocksResponse) {})
	require.NoError(t, err)
	x := whole.Blocks[3].Txs[0]
	for _, wholeTx := range []bool{false, true} {
		blob := x.AppendPruned(nil)
		if wholeTx {
			blob = x.Append(nil)
		}
		got, err := blocksWith(t, daemon.BlocksRequest{Start: firstHeight, Pool: daemon.WithPool, Whole: wholeTx}, func(r *daemonrpc.GetBlocksResponse) {
			r.PoolInfoExtent, r.DaemonTime = daemonrpc.PoolInfoIncremental, 77
			r.AddedPoolTxs = []daemonrpc.PoolTxInfo{{TxHash: x.ID, TxBlob: blob, DoubleSpendSeen: true}}
			r.RemainingAddedPoolTxIDs, r.RemovedPoolTxIDs = []xmr.Hash{{2}}, []xmr.Hash{{3}}
		})
		require.NoError(t, err)
		require.Equal(t, wholeTx, got.Pool.Added[0].Proven)
		require.Equal(t, x.ID, got.Pool.Added[0].ID)
		got.Pool.Added = nil
		require.Equal(t, daemon.PoolChange{Known: true, Time: 77, More: []xmr.Hash{{2}}, Removed: []xmr.Hash{{3}}}, got.Pool)
	}
}

// entry returns a transaction of the recordings as get_transactions shows it.
func entry(t *testing.T) (xmr.Hash, *tx.Transaction, daemonrpc.TxEntry) {
	t.Helper()
	r := answer(t, "blocks-whole.bin")
	x, id, err := tx.ParseWithHash(r.Blocks[3].Txs[0].Blob)
	require.NoError(t, err)
	height := uint64(91)
	return id, x, daemonrpc.TxEntry{TxHash: id.String(), PrunedAsHex: hex.EncodeToString(x.AppendPruned(nil)),
		PrunableHash: x.PrunableHash().String(), BlockHeight: &height, OutputIndices: []uint64{5, 6}}
}

func TestTransactionsLies(t *testing.T) {
	id, x, good := entry(t)
	absurd := uint64(1 << 40)
	pool, none := true, []uint64(nil)
	for name, c := range map[string]struct {
		lies   bool
		change func(*daemonrpc.GetTransactionsResponse)
	}{
		"honest":            {false, func(*daemonrpc.GetTransactionsResponse) {}},
		"honest in capital": {false, func(r *daemonrpc.GetTransactionsResponse) { r.Txs[0].TxHash = strings.ToUpper(r.Txs[0].TxHash) }},
		"honest, whole": {false, func(r *daemonrpc.GetTransactionsResponse) {
			r.Txs[0].PrunedAsHex, r.Txs[0].PrunableHash, r.Txs[0].AsHex = "", "", hex.EncodeToString(x.Append(nil))
		}},
		"honest, split": {false, func(r *daemonrpc.GetTransactionsResponse) {
			r.Txs[0].PrunableAsHex = hex.EncodeToString(x.AppendPrunable(nil))
		}},
		"honest, in pool": {false, func(r *daemonrpc.GetTransactionsResponse) {
			r.Txs[0].InPool, r.Txs[0].Relayed, r.Txs[0].BlockHeight, r.Txs[0].OutputIndices = true, &pool, nil, none
		}},
		"another ID":           {true, func(r *daemonrpc.GetTransactionsResponse) { r.Txs[0].TxHash = xmr.Hash{9}.String() }},
		"twice":                {true, func(r *daemonrpc.GetTransactionsResponse) { r.Txs = append(r.Txs, r.Txs[0]) }},
		"found and missed":     {true, func(r *daemonrpc.GetTransactionsResponse) { r.MissedTx = []xmr.Hash{id} }},
		"nothing":              {true, func(r *daemonrpc.GetTransactionsResponse) { r.Txs = nil }},
		"missed another":       {true, func(r *daemonrpc.GetTransactionsResponse) { r.Txs, r.MissedTx = nil, []xmr.Hash{{9}} }},
		"zero prunable hash":   {true, func(r *daemonrpc.GetTransactionsResponse) { r.Txs[0].PrunableHash = xmr.Hash{}.String() }},
		"other prunable hash":  {true, func(r *daemonrpc.GetTransactionsResponse) { r.Txs[0].PrunableHash = xmr.Hash{9}.String() }},
		"no prunable hash":     {true, func(r *daemonrpc.GetTransactionsResponse) { r.Txs[0].PrunableHash = "" }},
		"not hexadecimal":      {true, func(r *daemonrpc.GetTransactionsResponse) { r.Txs[0].PrunedAsHex += "x" }},
		"bytes behind":         {true, func(r *daemonrpc.GetTransactionsResponse) { r.Txs[0].PrunedAsHex += "00" }},
		"mined nowhere":        {true, func(r *daemonrpc.GetTransactionsResponse) { r.Txs[0].BlockHeight = nil }},
		"absurd height":        {true, func(r *daemonrpc.GetTransactionsResponse) { r.Txs[0].BlockHeight = &absurd }},
		"too few indices":      {true, func(r *daemonrpc.GetTransactionsResponse) { r.Txs[0].OutputIndices = none }},
		"proofs of another tx": {true, func(r *daemonrpc.GetTransactionsResponse) { r.Txs[0].PrunableAsHex = "00" }},
	} {
		t.Run(name, func(t *testing.T) {
			client := serve(daemonrpc.GetTransactions, func(daemonrpc.GetTransactionsRequest) daemonrpc.GetTransactionsResponse {
				r := daemonrpc.GetTransactionsResponse{Metered: ok(), Txs: []daemonrpc.TxEntry{good}}
				c.change(&r)
				return r
			})
			found, missing, err := client.Transactions(t.Context(), []xmr.Hash{id, id}, daemon.Pruned)
			if c.lies {
				require.ErrorIs(t, err, daemon.ErrDaemonLied)
				return
			}
			require.NoError(t, err)
			require.Empty(t, missing)
			require.True(t, found[0].Proven)
		})
	}
}

// A payment shown once and not again, or otherwise, is not proven.
func TestProve(t *testing.T) {
	id, _, good := entry(t)
	shown, err := blocksWith(t, daemon.BlocksRequest{Start: firstHeight}, func(*daemonrpc.GetBlocksResponse) {})
	require.NoError(t, err)
	claim := shown.Blocks[3].Txs[0]
	require.Equal(t, id, claim.ID)
	c := serve(daemonrpc.GetTransactions, func(daemonrpc.GetTransactionsRequest) daemonrpc.GetTransactionsResponse {
		return daemonrpc.GetTransactionsResponse{Metered: ok(), Txs: []daemonrpc.TxEntry{good}}
	})
	as := func(x *tx.Transaction) []daemon.Shown { return []daemon.Shown{{ID: id, Tx: x}} }
	require.NoError(t, c.Prove(t.Context(), as(claim.Transaction)))

	for name, bend := range map[string]func(*tx.Transaction){
		"an output":      func(x *tx.Transaction) { x.Outputs[0].Key[0] ^= 1 },
		"a view tag":     func(x *tx.Transaction) { x.Outputs[1].ViewTag ^= 1 },
		"a spend":        func(x *tx.Transaction) { x.Inputs[0].KeyImage[31] ^= 1 },
		"an amount":      func(x *tx.Transaction) { x.RingCT.Ecdh[0].Amount[0] ^= 1 },
		"a commitment":   func(x *tx.Transaction) { x.RingCT.Commitments[0][0] ^= 1 },
		"a fee":          func(x *tx.Transaction) { x.RingCT.Fee++ },
		"a key":          func(x *tx.Transaction) { x.Extra[3] ^= 1 },
		"a lock":         func(x *tx.Transaction) { x.UnlockTime++ },
		"an output less": func(x *tx.Transaction) { x.Outputs = x.Outputs[1:] },
	} {
		other, err := tx.ParsePruned(claim.AppendPruned(nil))
		require.NoError(t, err)
		require.NoError(t, c.Prove(t.Context(), as(other)), name)
		bend(other)
		require.ErrorIs(t, c.Prove(t.Context(), as(other)), daemon.ErrDaemonLied, name)
	}

	gone := serve(daemonrpc.GetTransactions, func(daemonrpc.GetTransactionsRequest) daemonrpc.GetTransactionsResponse {
		return daemonrpc.GetTransactionsResponse{Metered: ok(), MissedTx: []xmr.Hash{id}}
	})
	require.ErrorIs(t, gone.Prove(t.Context(), as(claim.Transaction)), daemon.ErrDaemonLied)
	require.NoError(t, gone.Prove(t.Context(), nil), "nothing to ask")
}

func TestOutputsLies(t *testing.T) {
	_, x, _ := entry(t)
	key, mask := x.Outputs[0].Key, xmr.PublicKey(x.RingCT.Commitments[0])
	overlong := slices.Repeat([]byte{0xff}, 32) // y ≥ p
	overlong[0], overlong[31] = 0xee, 0x7f
	for name, c := range map[string]struct {
		lies   bool
		change func(*daemonrpc.GetOutsBinResponse)
	}{
		"honest":            {false, func(*daemonrpc.GetOutsBinResponse) {}},
		"fewer":             {true, func(r *daemonrpc.GetOutsBinResponse) { r.Outs = r.Outs[1:] }},
		"more":              {true, func(r *daemonrpc.GetOutsBinResponse) { r.Outs = append(r.Outs, r.Outs[0]) }},
		"key is no point":   {false, func(r *daemonrpc.GetOutsBinResponse) { r.Outs[0].Key = xmr.PublicKey{2} }}, // a reward's may be
		"mask is overlong":  {true, func(r *daemonrpc.GetOutsBinResponse) { r.Outs[1].Mask = xmr.PublicKey(overlong) }},
		"mask is no point":  {true, func(r *daemonrpc.GetOutsBinResponse) { r.Outs[0].Mask = xmr.PublicKey{2} }},
		"height is no more": {true, func(r *daemonrpc.GetOutsBinResponse) { r.Outs[0].Height = 1 << 40 }},
	} {
		t.Run(name, func(t *testing.T) {
			client := serve(daemonrpc.GetOutsBin, func(q daemonrpc.GetOutsBinRequest) daemonrpc.GetOutsBinResponse {
				r := daemonrpc.GetOutsBinResponse{Metered: ok()}
				for range q.Outputs {
					r.Outs = append(r.Outs, daemonrpc.OutKeyBin{Key: key, Mask: mask, Unlocked: true, Height: 7})
				}
				c.change(&r)
				return r
			})
			outs, err := client.Outputs(t.Context(), []uint64{4, 9})
			if c.lies {
				require.ErrorIs(t, err, daemon.ErrDaemonLied)
				return
			}
			require.NoError(t, err)
			require.Equal(t, daemon.Output{Index: 9, Key: key, Commitment: mask, Unlocked: true, Height: 7}, outs[1])
		})
	}
	indices := serve(daemonrpc.GetOutputIndices, func(daemonrpc.GetOutputIndicesRequest) daemonrpc.GetOutputIndicesResponse {
		return daemonrpc.GetOutputIndicesResponse{Metered: ok(), OIndexes: []uint64{1 << 60}}
	})
	_, err := indices.OutputIndices(t.Context(), xmr.Hash{})
	require.ErrorIs(t, err, daemon.ErrDaemonLied)
}

func TestDistributionLies(t *testing.T) {
	for name, c := range map[string]struct {
		lies bool
		d    []daemonrpc.DistributionBin
	}{
		"honest":             {false, []daemonrpc.DistributionBin{{StartHeight: 10, Base: 4, Distribution: []uint64{4, 5, 5, 9}}}},
		"honest, from later": {false, []daemonrpc.DistributionBin{{StartHeight: 12, Distribution: []uint64{1, 2}}}},
		"honest, packed":     {false, []daemonrpc.DistributionBin{{StartHeight: 12, Compress: true, CompressedData: daemonrpc.CompressNumbers([]uint64{1, 2})}}},
		"falling":            {true, []daemonrpc.DistributionBin{{StartHeight: 10, Distribution: []uint64{4, 5, 4, 9}}}},
		"below base":         {true, []daemonrpc.DistributionBin{{StartHeight: 10, Base: 5, Distribution: []uint64{4, 5, 5, 9}}}},
		"too short":          {true, []daemonrpc.DistributionBin{{StartHeight: 10, Distribution: []uint64{4, 5, 5}}}},
		"too long":           {true, []daemonrpc.DistributionBin{{StartHeight: 10, Distribution: []uint64{4, 5, 5, 6, 7}}}},
		"from before":        {true, []daemonrpc.DistributionBin{{StartHeight: 9, Distribution: []uint64{4, 5, 5, 6, 7}}}},
		"from after":         {true, []daemonrpc.DistributionBin{{StartHeight: 14}}},
		"another amount":     {true, []daemonrpc.DistributionBin{{Amount: 1, StartHeight: 10, Distribution: []uint64{4, 5, 5, 9}}}},
		"two":                {true, []daemonrpc.DistributionBin{{}, {}}},
		"none":               {true, nil},
		"absurd":             {true, []daemonrpc.DistributionBin{{StartHeight: 12, Distribution: []uint64{1, 1 << 60}}}},
		"torn":               {true, []daemonrpc.DistributionBin{{StartHeight: 12, Compress: true, CompressedData: []byte{1, 0x80}}}},
	} {
		t.Run(name, func(t *testing.T) {
			r := rpc.NewRegistry()
			handle(r, daemonrpc.GetOutputDistributionBin, func(daemonrpc.GetOutputDistributionRequest) daemonrpc.GetOutputDistributionBinResponse {
				return daemonrpc.GetOutputDistributionBinResponse{Metered: ok(), Distributions: c.d}
			})
			handle(r, daemonrpc.GetHeight, func(daemonrpc.None) daemonrpc.GetHeightResponse {
				return daemonrpc.GetHeightResponse{Common: ok().Common, Height: 14}
			})
			for _, to := range []uint64{13, 0} {
				_, _, err := daemon.New(r).Distribution(t.Context(), 10, to)
				if c.lies {
					require.ErrorIs(t, err, daemon.ErrDaemonLied)
				} else {
					require.NoError(t, err)
				}
			}
		})
	}
}

func TestSmallLies(t *testing.T) {
	ctx := t.Context()
	lied := func(err error) { t.Helper(); require.ErrorIs(t, err, daemon.ErrDaemonLied) }

	good := daemonrpc.GetInfoResponse{Metered: ok(), Height: 5, NetType: "stagenet", TopBlockHash: xmr.Hash{1}.String()}
	info := func(change func(*daemonrpc.GetInfoResponse)) error {
		_, err := serve(daemonrpc.GetInfo, func(daemonrpc.PayerOnly) daemonrpc.GetInfoResponse {
			r := good
			change(&r)
			return r
		}).Info(ctx)
		return err
	}
	require.NoError(t, info(func(*daemonrpc.GetInfoResponse) {}))
	lied(info(func(r *daemonrpc.GetInfoResponse) { r.Height = 0 }))
	lied(info(func(r *daemonrpc.GetInfoResponse) { r.TargetHeight = 1 << 60 }))
	lied(info(func(r *daemonrpc.GetInfoResponse) { r.NetType = "moon" }))
	lied(info(func(r *daemonrpc.GetInfoResponse) { r.TopBlockHash = "12" }))

	hashes := func(start, current uint64, ids ...xmr.Hash) error {
		_, err := serve(daemonrpc.GetHashes, func(daemonrpc.GetHashesRequest) daemonrpc.GetHashesResponse {
			return daemonrpc.GetHashesResponse{Metered: ok(), StartHeight: start, CurrentHeight: current, BlockIDs: ids}
		}).Hashes(ctx, []xmr.Hash{{8}, {9}})
		return err
	}
	require.NoError(t, hashes(3, 5, xmr.Hash{9}, xmr.Hash{10}))
	lied(hashes(3, 5))
	lied(hashes(3, 5, xmr.Hash{7}))
	lied(hashes(3, 4, xmr.Hash{9}, xmr.Hash{10}))
	lied(hashes(1<<64-1, 5, xmr.Hash{9}))
	lied(hashes(0, 1<<20, slices.Repeat([]xmr.Hash{{9}}, 25001)...))

	fee := func(mask uint64, fees ...uint64) error {
		_, _, err := serve(daemonrpc.GetFeeEstimate, func(daemonrpc.GetFeeEstimateRequest) daemonrpc.GetFeeEstimateResponse {
			return daemonrpc.GetFeeEstimateResponse{Metered: ok(), Fee: 3, Fees: fees, QuantizationMask: mask}
		}).FeeEstimate(ctx)
		return err
	}
	require.NoError(t, fee(1))
	lied(fee(0, 1))
	lied(fee(1, 1, 0))
	lied(fee(1, slices.Repeat([]uint64{1}, 17)...))

	spent := func(statuses ...int32) error {
		_, err := serve(daemonrpc.IsKeyImageSpent, func(daemonrpc.IsKeyImageSpentRequest) daemonrpc.IsKeyImageSpentResponse {
			return daemonrpc.IsKeyImageSpentResponse{Metered: ok(), SpentStatus: statuses}
		}).KeyImagesSpent(ctx, []xmr.KeyImage{{1}, {2}})
		return err
	}
	require.NoError(t, spent(0, 2))
	lied(spent(0))
	lied(spent(0, 1, 2))
	lied(spent(0, 3))
	lied(spent(0, -1))

	_, err := serve(daemonrpc.GetBlockHeaderByHeight, func(daemonrpc.GetBlockHeaderByHeightRequest) daemonrpc.BlockHeaderResponse {
		return daemonrpc.BlockHeaderResponse{Metered: ok(), BlockHeader: daemonrpc.BlockHeader{Height: 6}}
	}).Header(ctx, 5)
	lied(err)
	_, err = serve(daemonrpc.HardForkInfo, func(daemonrpc.HardForkInfoRequest) daemonrpc.HardForkInfoResponse {
		return daemonrpc.HardForkInfoResponse{Metered: ok(), Version: 16}
	}).HardFork(ctx, 15)
	lied(err)
}

func TestDemandLies(t *testing.T) {
	for _, n := range []int{0, fee.RecentBlocks - 1, fee.RecentBlocks, fee.RecentBlocks + 1} {
		r := rpc.NewRegistry()
		handle(r, daemonrpc.GetInfo, func(daemonrpc.PayerOnly) daemonrpc.GetInfoResponse {
			return daemonrpc.GetInfoResponse{Metered: ok(), Height: 5000, NetType: "mainnet", TopBlockHash: xmr.Hash{1}.String()}
		})
		handle(r, daemonrpc.GetTxPoolBacklog, func(daemonrpc.PayerOnly) daemonrpc.GetTxPoolBacklogResponse {
			return daemonrpc.GetTxPoolBacklogResponse{Metered: ok(), Backlog: daemonrpc.PackBacklog([]daemonrpc.BacklogEntry{{Weight: 255, Fee: 9}})}
		})
		handle(r, daemonrpc.GetBlockHeadersRange, func(daemonrpc.GetBlockHeadersRangeRequest) daemonrpc.GetBlockHeadersRangeResponse {
			return daemonrpc.GetBlockHeadersRangeResponse{Metered: ok(), Headers: make([]daemonrpc.BlockHeader, n)}
		})
		d, err := daemon.New(r).Demand(t.Context())
		if n != fee.RecentBlocks {
			require.ErrorIs(t, err, daemon.ErrDaemonLied)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, []fee.PoolEntry{{Weight: 255, Fee: 9}}, d.Pool)
	}
}

func TestSend(t *testing.T) {
	send := func(r daemonrpc.SendRawTransactionResponse) error {
		return serve(daemonrpc.SendRawTransaction, func(q daemonrpc.SendRawTransactionRequest) daemonrpc.SendRawTransactionResponse {
			require.Equal(t, "0102", q.TxAsHex)
			require.True(t, q.DoSanityChecks)
			return r
		}).Send(t.Context(), []byte{1, 2})
	}
	require.NoError(t, send(daemonrpc.SendRawTransactionResponse{Metered: ok()}))
	err := send(daemonrpc.SendRawTransactionResponse{
		Metered: daemonrpc.Metered{Common: daemonrpc.Common{Status: "Failed"}}, Reason: "double spend", DoubleSpend: true, FeeTooLow: true})
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
	require.ErrorIs(t, ask(`{"result":{"status":"OK","height":"5"}}`, nil), daemon.ErrDaemonLied)
	require.ErrorIs(t, ask(`<html>`, nil), daemon.ErrDaemonLied)
	require.ErrorIs(t, ask(`{}`, nil), daemon.ErrDaemonLied)

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := daemon.New(transport(func() ([]byte, error) { return nil, refused })).Info(ctx)
	require.ErrorIs(t, err, context.Canceled)
	require.NotErrorIs(t, err, daemon.ErrUnreachable)
}

// FuzzBlocks feeds answers of any kind; whatever is accepted hangs together.
func FuzzBlocks(f *testing.F) {
	for _, name := range []string{"blocks-pruned.bin", "blocks-whole.bin"} {
		b, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
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

// BenchmarkDecode decodes the recorded blocks; ns/tx is the price of each transaction, coinbases included.
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

// A daemon's own words are kept in errors only as far as somebody would read them: an answer may be as long as the transport takes.
func TestLongWords(t *testing.T) {
	long := strings.Repeat("€", 1<<20)
	check := func(err error) {
		t.Helper()
		require.ErrorContains(t, err, strings.Repeat("€", 300)+"...", "cut between two letters")
		require.Less(t, len(err.Error()), 2000)
	}
	for _, code := range []int{-1, daemonrpc.CodeCoreBusy} {
		r := rpc.NewRegistry()
		rpc.Handle(r, daemonrpc.GetVersion, func(context.Context, daemonrpc.None) (daemonrpc.GetVersionResponse, error) {
			return daemonrpc.GetVersionResponse{}, &rpc.Error{Code: code, Message: long}
		})
		_, err := daemon.New(r).Version(t.Context())
		check(err)
	}
	_, err := serve(daemonrpc.GetInfo, func(daemonrpc.PayerOnly) daemonrpc.GetInfoResponse {
		return daemonrpc.GetInfoResponse{Metered: daemonrpc.Metered{Common: daemonrpc.Common{Status: long}}}
	}).Info(t.Context())
	check(err)
	for _, r := range []daemonrpc.SendRawTransactionResponse{{Reason: long}, {}} {
		r.Status = long
		check(serve(daemonrpc.SendRawTransaction, func(daemonrpc.SendRawTransactionRequest) daemonrpc.SendRawTransactionResponse { return r }).Send(t.Context(), []byte{1}))
	}
}
