package compact

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/codec/epee"
	"glim/core/daemonrpc"
)

// pruned returns the response of get_blocks.bin for a block without proofs. The reference fills in the block's weight.
// Source: src/rpc/core_rpc_server.cpp, on_get_blocks.
func pruned(t testing.TB, r *daemonrpc.GetBlocksResponse, m *made) {
	t.Helper()
	e := daemonrpc.BlockEntry{Pruned: true, Block: m.block.Append(nil), BlockWeight: 100_000}
	var indices daemonrpc.BlockOutputIndices
	for i, list := range m.indices {
		indices.Indices = append(indices.Indices, daemonrpc.TxOutputIndices{Indices: list})
		if i > 0 {
			e.Txs = append(e.Txs, daemonrpc.TxBlob{Blob: m.txs[i-1].AppendPruned(nil)})
		}
	}
	r.Blocks, r.OutputIndices = append(r.Blocks, e), append(r.OutputIndices, indices)
}

// sizes returns the sizes of both responses for blocks of these transactions.
func sizes(t testing.TB, blocks int, list []shape) (full, lean int) {
	t.Helper()
	var r daemonrpc.GetBlocksResponse
	c := daemonrpc.GetCompactBlocksResponse{Version: Version}
	src := &source{}
	for range blocks {
		m := makeBlock(t, src, list)
		pruned(t, &r, m)
		c.Blocks = append(c.Blocks, m.append(t))
	}
	a, err := epee.Marshal(&r)
	require.NoError(t, err)
	b, err := epee.Marshal(&c)
	require.NoError(t, err)
	return len(a), len(b)
}

// TestCompactBlocksHalveTheBytes: with rings as on mainnet, 16 members whose indices are far apart, compact blocks need
// at most half the bytes of pruned ones for all common transactions. A block without transactions still needs its
// complete coinbase for the ID.
func TestCompactBlocksHalveTheBytes(t *testing.T) {
	one, two, three := usual, usual, usual
	one.inputs, three.inputs = 1, 3
	for name, list := range map[string][]shape{
		"one input": {one, one, one, one}, "two inputs": {two, two, two, two}, "three inputs": {three, three},
		"mixed": {
			one, two, one, one, two, three, two, one, two, two,
			one, two, one, two, one, two, three, one, one, two,
		},
	} {
		full, lean := sizes(t, 10, list)
		n := len(list) * 10
		t.Logf("%-12s %4d bytes per transaction pruned, %4d compact: %.1f %%",
			name, full/n, lean/n, 100*float64(lean)/float64(full))
		require.LessOrEqual(t, 2*lean, full, name)
	}
}
