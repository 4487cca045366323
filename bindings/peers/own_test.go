package peers

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/node"
)

// TestOwn: a daemon of ours is started, asked, restarted and stopped as the real one is.
func TestOwn(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(deadline(t))
	d, err := StartOwn(ctx)
	require.NoError(t, err)
	require.NoError(t, d.Mine(ctx, 25, node.Nobody()))
	h, top := height(t, d)
	require.EqualValues(t, 26, h)
	require.EqualValues(t, 26, d.Own.Height())
	var header struct {
		Header struct {
			Hash string `json:"hash"`
		} `json:"block_header"`
	}
	require.NoError(t, d.JSON(ctx, "get_block_header_by_height", map[string]any{"height": 4}, &header))
	require.NoError(t, d.Mine(ctx, 23, node.Nobody(), header.Header.Hash))
	_, fork := height(t, d)
	require.NotEqual(t, top, fork)

	require.NoError(t, d.Restart())
	_, again := height(t, d)
	require.Equal(t, fork, again, "its chain lives as long as it does")
	require.NoError(t, d.Stop())
	require.NoError(t, d.Stop(), "stopping twice is harmless")
	require.Error(t, d.JSON(deadline(t), "get_info", nil, nil))

	require.NoError(t, d.Restart())
	height(t, d)
	cancel()
	<-d.door.ended
	require.Error(t, d.JSON(deadline(t), "get_info", nil, nil), "it does not outlive its context")
	require.NoError(t, d.Kill())
}
