package daemon_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/block"
	"glim/core/codec/epee"
	"glim/core/daemon"
	"glim/core/daemonrpc"
	"glim/core/internal/compact"
	"glim/core/rpc"
	"glim/core/tx"
	"glim/core/xmr"
)

// compacted makes the recorded blocks compact.
func compacted(t testing.TB) (daemonrpc.GetCompactBlocksResponse, []daemon.Block) {
	t.Helper()
	var r daemonrpc.GetBlocksResponse
	require.NoError(t, epee.Unmarshal(recording(t, "blocks-whole.bin"), &r))
	blocks, err := serve(
		daemonrpc.GetBlocks, func(daemonrpc.GetBlocksRequest) daemonrpc.GetBlocksResponse { return r },
	).
		Blocks(context.Background(), daemon.BlocksRequest{Start: firstHeight, Whole: true})
	require.NoError(t, err)
	out := daemonrpc.GetCompactBlocksResponse{
		Common:        ok().Common,
		Version:       compact.Version,
		StartHeight:   blocks.Start,
		CurrentHeight: blocks.Current,
		Prev:          blocks.Blocks[0].Prev,
	}
	for i, b := range blocks.Blocks {
		blk, err := block.Parse(r.Blocks[i].Block)
		require.NoError(t, err)
		var txs []*tx.Transaction
		indices := [][]uint64{b.MinerTx.OutputIndices}
		for _, x := range b.Txs {
			txs, indices = append(txs, x.Transaction), append(indices, x.OutputIndices)
		}
		bytes, err := compact.Append(nil, blk, b.Hash, txs, indices)
		require.NoError(t, err)
		out.Blocks, out.Last = append(out.Blocks, bytes), b.Hash
	}
	return out, blocks.Blocks
}

// compactWith asks for the recorded blocks in their compact form after change has spoilt them.
func compactWith(
	t *testing.T, q daemon.BlocksRequest, change func(*daemonrpc.GetCompactBlocksResponse),
) ([]daemon.Block, error) {
	t.Helper()
	r, _ := compacted(t)
	change(&r)
	raw, err := serve(
		daemonrpc.GetCompactBlocks,
		func(daemonrpc.GetCompactBlocksRequest) daemonrpc.GetCompactBlocksResponse { return r },
	).
		RawCompact(t.Context(), q)
	if err != nil {
		return nil, err
	}
	return raw.Decode()
}

func honestly(*daemonrpc.GetCompactBlocksResponse) {}

// TestCompact: what compact blocks say is what the blocks say.
func TestCompact(t *testing.T) {
	_, want := compacted(t)
	got, err := compactWith(t, daemon.BlocksRequest{Start: firstHeight}, honestly)
	require.NoError(t, err)
	require.Len(t, got, len(want))
	for i := range want {
		require.Equal(t, want[i].Hash, got[i].Hash)
		require.Equal(t, want[i].Prev, got[i].Prev)
		require.Equal(t, want[i].Height, got[i].Height)
		require.Equal(t, want[i].Timestamp, got[i].Timestamp)
		require.Equal(t, want[i].Major, got[i].Major)
		require.Equal(t, want[i].MinerTx, got[i].MinerTx)
		require.Len(t, got[i].Txs, len(want[i].Txs))
		for k, x := range want[i].Txs {
			y := got[i].Txs[k]
			require.False(t, y.Proven)
			require.Equal(t, x.ID, y.ID)
			require.Equal(t, x.Outputs, y.Outputs)
			require.Equal(t, x.OutputIndices, y.OutputIndices)
			for o, c := range x.RingCT.Commitments {
				require.True(t, y.RingCT.Commits(o, c))
			}
		}
	}
	_, err = compactWith(t, daemon.BlocksRequest{History: []xmr.Hash{{1}, want[0].Hash}}, honestly)
	require.NoError(t, err)
	_, err = compactWith(t, daemon.BlocksRequest{History: []xmr.Hash{{1}, want[1].Hash}}, honestly)
	require.ErrorIs(t, err, daemon.ErrInvalidResponse)
	_, err = daemon.New(rpc.NewRegistry()).RawCompact(t.Context(), daemon.BlocksRequest{})
	require.ErrorIs(t, err, daemon.ErrHistory)
}

// TestInvalidCompactBlocks: what contradicts itself or the question is refused.
func TestInvalidCompactBlocks(t *testing.T) {
	again := func(r *daemonrpc.GetCompactBlocksResponse, i int, change func(*compact.Block)) {
		b, err := compact.Parse(nil, r.Blocks[i])
		require.NoError(t, err)
		change(b)
		r.Blocks[i], err = compact.Append(nil, b.Block, xmr.Hash{}, b.Txs, b.Indices)
		require.NoError(t, err)
	}
	for name, spoil := range map[string]func(*daemonrpc.GetCompactBlocksResponse){
		"another form":     func(r *daemonrpc.GetCompactBlocksResponse) { r.Version++ },
		"another start":    func(r *daemonrpc.GetCompactBlocksResponse) { r.StartHeight++ },
		"beyond the end":   func(r *daemonrpc.GetCompactBlocksResponse) { r.CurrentHeight = r.StartHeight + 1 },
		"an endless chain": func(r *daemonrpc.GetCompactBlocksResponse) { r.CurrentHeight = 1 << 40 },
		"too many":         func(r *daemonrpc.GetCompactBlocksResponse) { r.Blocks = make([][]byte, 1001) },
		"no block":         func(r *daemonrpc.GetCompactBlocksResponse) { r.Blocks[2] = []byte{1} },
		"cut off": func(r *daemonrpc.GetCompactBlocksResponse) {
			r.Blocks[2] = r.Blocks[2][:len(r.Blocks[2])-1]
		},
		"in another order": func(r *daemonrpc.GetCompactBlocksResponse) { slices.Reverse(r.Blocks) },
		"another prev":     func(r *daemonrpc.GetCompactBlocksResponse) { r.Prev[0]++ },
		"another nonce": func(r *daemonrpc.GetCompactBlocksResponse) {
			again(r, 0, func(b *compact.Block) { b.Block.Nonce++ })
		},
		"another time": func(r *daemonrpc.GetCompactBlocksResponse) {
			again(r, 0, func(b *compact.Block) { b.Block.Timestamp++ })
		},
		"another reward": func(r *daemonrpc.GetCompactBlocksResponse) {
			again(r, 0, func(b *compact.Block) { b.Block.MinerTx.Outputs[0].Amount++ })
		},
		"another ID": func(r *daemonrpc.GetCompactBlocksResponse) {
			again(r, 3, func(b *compact.Block) { b.Block.TxHashes[0][0]++ })
		},
		"another end": func(r *daemonrpc.GetCompactBlocksResponse) { r.Last[0]++ },
		"an impossible index": func(r *daemonrpc.GetCompactBlocksResponse) {
			again(r, 3, func(b *compact.Block) { b.Indices[1][0] = 1 << 50 })
		},
	} {
		_, err := compactWith(t, daemon.BlocksRequest{Start: firstHeight}, spoil)
		require.ErrorIs(t, err, daemon.ErrInvalidResponse, name)
	}
}

// TestProveCompact: a compact block whose IDs are right, and whose transactions are not, does not stand beside the
// transactions themselves.
func TestProveCompact(t *testing.T) {
	honest, want := compacted(t)
	const i = 3 // has transactions
	id, _, good := entry(t)
	require.Equal(t, want[i].Txs[0].ID, id)
	full := serve(daemonrpc.GetTransactions, func(daemonrpc.GetTransactionsRequest) daemonrpc.GetTransactionsResponse {
		return daemonrpc.GetTransactionsResponse{Metered: ok(), Txs: []daemonrpc.TxEntry{good}}
	})
	compare := func(r daemonrpc.GetCompactBlocksResponse) error {
		raw, err := serve(
			daemonrpc.GetCompactBlocks,
			func(daemonrpc.GetCompactBlocksRequest) daemonrpc.GetCompactBlocksResponse { return r },
		).
			RawCompact(t.Context(), daemon.BlocksRequest{Start: firstHeight})
		require.NoError(t, err)
		blocks, err := raw.Decode()
		require.NoError(t, err, "the blocks link")
		require.Equal(t, want[i].Hash, blocks[i].Hash)
		x := &blocks[i].Txs[0]
		require.True(t, x.Compact)
		return full.Prove(
			t.Context(), []daemon.ShownTx{{ID: x.ID, Block: blocks[i].Hash, Tx: x.Transaction, Compact: true}},
		)
	}
	require.NotEmpty(t, want[i].Txs)
	require.NoError(t, compare(honest))
	for name, spoil := range map[string]func(*tx.Transaction){
		"an output hidden":     func(x *tx.Transaction) { x.Outputs[0].Key[0]++ },
		"a view tag":           func(x *tx.Transaction) { x.Outputs[0].ViewTag++ },
		"a spend hidden":       func(x *tx.Transaction) { x.Inputs[0].KeyImage[3]++ },
		"an amount":            func(x *tx.Transaction) { x.RingCT.Ecdh[1].Amount[0]++ },
		"a commitment":         func(x *tx.Transaction) { x.RingCT.CommitmentDigests.List[1][0]++ },
		"a fee":                func(x *tx.Transaction) { x.RingCT.Fee++ },
		"a lock":               func(x *tx.Transaction) { x.UnlockTime = 9 },
		"a transaction key":    func(x *tx.Transaction) { x.Extra[5]++ },
		"another payment ID":   func(x *tx.Transaction) { x.Extra[len(x.Extra)-1]++ },
		"an output that is no": func(x *tx.Transaction) { x.Inputs = x.Inputs[:0] },
	} {
		r, _ := compacted(t)
		b, err := compact.Parse(nil, r.Blocks[i])
		require.NoError(t, err)
		spoil(b.Txs[0])
		r.Blocks[i], err = compact.Append(nil, b.Block, want[i].Hash, b.Txs, b.Indices)
		require.NoError(t, err)
		require.ErrorIs(t, compare(r), daemon.ErrInvalidResponse, name)
	}
}

// FuzzCompact feeds answers of any kind; whatever is accepted hangs together.
func FuzzCompact(f *testing.F) {
	r, _ := compacted(f)
	b, err := epee.Marshal(&r)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		c := daemon.New(transport(func() ([]byte, error) { return b, nil }))
		raw, err := c.RawCompact(context.Background(), daemon.BlocksRequest{Start: firstHeight})
		if err != nil {
			return
		}
		got, err := raw.Decode()
		if err != nil {
			return
		}
		for i, blk := range got {
			if blk.Height != raw.Start+uint64(i) || i > 0 && blk.Prev != got[i-1].Hash {
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

// BenchmarkDecodeCompact decodes the recorded blocks as BenchmarkDecode does, in their compact form.
func BenchmarkDecodeCompact(b *testing.B) {
	r, _ := compacted(b)
	body, err := epee.Marshal(&r)
	require.NoError(b, err)
	c := daemon.New(transport(func() ([]byte, error) { return body, nil }))
	for b.Loop() {
		raw, err := c.RawCompact(b.Context(), daemon.BlocksRequest{Start: firstHeight})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := raw.Decode(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/8, "ns/tx")
}
