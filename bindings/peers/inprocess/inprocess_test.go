package inprocess_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/peers"
	"glim/bindings/peers/inprocess"
	"glim/core/node"
)

const limit = 5 * time.Minute

func deadline(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	t.Cleanup(cancel)
	return ctx
}

func height(t *testing.T, d *peers.Daemon) (h uint64, top string) {
	t.Helper()
	var info struct {
		Height  uint64 `json:"height"`
		TopHash string `json:"top_block_hash"`
	}
	require.NoError(t, d.JSON(deadline(t), "get_info", nil, &info))
	return info.Height, info.TopHash
}

// TestOwn checks that glim's daemon can be started, called, restarted and stopped like the reference's.
func TestOwn(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(deadline(t))
	d, err := inprocess.Start(ctx)
	require.NoError(t, err)
	require.NoError(t, d.Mine(ctx, 25, node.UnspendableAddress()))
	h, top := height(t, d)
	require.EqualValues(t, 26, h)
	require.EqualValues(t, 26, d.Chain.Height())
	var header struct {
		Header struct {
			Hash string `json:"hash"`
		} `json:"block_header"`
	}
	require.NoError(t, d.JSON(ctx, "get_block_header_by_height", map[string]any{"height": 4}, &header))
	require.NoError(t, d.Mine(ctx, 23, node.UnspendableAddress(), header.Header.Hash))
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
	require.Eventually(
		t, func() bool { return d.JSON(deadline(t), "get_info", nil, nil) != nil }, limit, 10*time.Millisecond,
		"it does not outlive its context",
	)
	require.NoError(t, d.Kill())
}
