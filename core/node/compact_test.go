package node

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/daemon"
	"glim/core/daemonrpc"
	"glim/core/internal/compact"
	"glim/core/rpc"
	"glim/core/xmr"
)

// TestCompactBlocks checks that responses begin, end and link as those of get_blocks.bin, also for restricted callers.
func TestCompactBlocks(t *testing.T) {
	n, _ := newTest(t)
	ctx := context.Background()
	_, err := n.Mine(ctx, 30, UnspendableAddress())
	require.NoError(t, err)
	for _, r := range []rpc.Transport{n.Registry(), n.Restricted()} {
		c := daemon.New(r)
		all, err := c.Blocks(ctx, daemon.BlocksRequest{History: []xmr.Hash{xmr.Mainnet.GenesisHash()}})
		require.NoError(t, err)
		for _, q := range []daemon.BlocksRequest{
			{History: []xmr.Hash{xmr.Mainnet.GenesisHash()}}, {Start: 7}, {Start: 7, Max: 5}, {Start: 30},
			{History: []xmr.Hash{{1}, all.Blocks[12].Hash, all.Blocks[0].Hash}, Max: 2},
			{History: []xmr.Hash{all.Blocks[30].Hash}},
		} {
			raw, err := c.RawCompact(ctx, q)
			require.NoError(t, err)
			got, err := raw.Decode()
			require.NoError(t, err)
			want, err := c.Blocks(ctx, q)
			require.NoError(t, err)
			require.Equal(t, want.Start, raw.Start)
			require.Equal(t, want.Current, raw.Current)
			require.Equal(t, want.Blocks, got)
		}
		_, err = c.RawCompact(ctx, daemon.BlocksRequest{Start: 31})
		require.ErrorIs(t, err, daemon.ErrRefused)
		_, err = c.RawCompact(ctx, daemon.BlocksRequest{History: []xmr.Hash{{1}}})
		require.ErrorIs(t, err, daemon.ErrRefused)
		old := ask(t, r, daemonrpc.GetCompactBlocks,
			daemonrpc.GetCompactBlocksRequest{Version: compact.MinVersion - 1, StartHeight: 3})
		require.NotEqual(t, daemonrpc.StatusOK, old.Status)
	}
}
