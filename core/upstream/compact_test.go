package upstream_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/daemon"
	"glim/core/daemonrpc"
	"glim/core/xmr"
)

// TestCompactBlocks: compact blocks of the front equal those of the upstream, come from the cache the second time, and
// agree with the full blocks.
func TestCompactBlocks(t *testing.T) {
	w := newWorld(t)
	w.live(t)
	w.first.mine(t, depth)
	direct, front := daemon.New(w.first.Registry()), daemon.New(w.Restricted())
	q := daemon.BlocksRequest{History: []xmr.Hash{xmr.Mainnet.GenesisHash()}}
	want, err := direct.RawCompact(t.Context(), q)
	require.NoError(t, err)
	expected, err := want.Decode()
	require.NoError(t, err)
	txs := 0
	for n := range 2 {
		w.first.questions()
		raw, err := front.RawCompact(t.Context(), daemon.BlocksRequest{Start: 1, Max: len(expected) - depth - 2})
		require.NoError(t, err)
		got, err := raw.Decode()
		require.NoError(t, err)
		require.Equal(t, expected[1:1+len(got)], got)
		require.Greater(t, len(got), 40)
		if n > 0 {
			require.Zero(t, w.first.questions(daemonrpc.GetBlocks.Name, daemonrpc.GetCompactBlocks.Name))
		}
		for i := range got {
			for k := range got[i].Txs {
				txs++
				require.NoError(t, front.Prove(t.Context(), []daemon.ShownTx{
					{ID: got[i].Txs[k].ID, Block: got[i].Hash, Tx: got[i].Txs[k].Transaction, Compact: true}}))
			}
		}
	}
	require.Positive(t, txs)
	_, err = front.RawCompact(t.Context(), q)
	require.NoError(t, err)
	_, err = front.RawCompact(t.Context(), daemon.BlocksRequest{Start: 100_000})
	require.ErrorIs(t, err, daemon.ErrRefused)
	old := ask(t, w.Registry(), daemonrpc.GetCompactBlocks, daemonrpc.GetCompactBlocksRequest{StartHeight: 1})
	require.NotEqual(t, daemonrpc.StatusOK, old.Status)
	require.True(t, old.Untrusted)
}
