package peers

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// limit is the deadline of each test.
const limit = 5 * time.Minute

func deadline(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	t.Cleanup(cancel)
	return ctx
}

func height(t *testing.T, d *Daemon) (h uint64, top string) {
	t.Helper()
	var info struct {
		Height  uint64 `json:"height"`
		TopHash string `json:"top_block_hash"`
	}
	require.NoError(t, d.JSON(deadline(t), "get_info", nil, &info))
	return info.Height, info.TopHash
}

// TestMineForkRestart calls every helper with the two reference programs.
func TestMineForkRestart(t *testing.T) {
	t.Parallel()
	ctx := deadline(t)
	d := NewDaemon(t, Options{KeepChain: true})
	w := NewWalletRPC(t, d, Options{})

	require.NoError(
		t,
		w.JSON(ctx, "create_wallet", map[string]any{"filename": "miner", "password": "", "language": "English"}, nil),
	)
	var address struct {
		Address string `json:"address"`
	}
	require.NoError(t, w.JSON(ctx, "get_address", map[string]any{"account_index": 0}, &address))

	require.NoError(t, d.Mine(ctx, 25, address.Address))
	h, top := height(t, d)
	require.EqualValues(t, 26, h)

	var header struct {
		Header struct {
			Hash string `json:"hash"`
		} `json:"block_header"`
	}
	require.NoError(t, d.JSON(ctx, "get_block_header_by_height", map[string]any{"height": 4}, &header))
	require.NoError(t, d.Mine(ctx, 23, address.Address, header.Header.Hash), "a fork over more than one chunk")
	h, fork := height(t, d)
	require.EqualValues(t, 28, h)
	require.NotEqual(t, top, fork)

	var received struct {
		Balance uint64 `json:"balance"`
	}
	require.NoError(t, w.JSON(ctx, "refresh", nil, nil))
	require.NoError(t, w.JSON(ctx, "get_balance", map[string]any{"account_index": 0}, &received))
	require.NotZero(t, received.Balance)

	empty := []byte{0x01, 0x11, 0x01, 0x01, 0x01, 0x01, 0x02, 0x01, 0x01, 0x00} // an object without fields
	raw, err := d.Binary(ctx, "/get_blocks_by_height.bin", empty)
	require.NoError(t, err)
	require.Equal(t, empty[:9], raw[:9])
	var pool struct {
		Status string `json:"status"`
	}
	require.NoError(t, d.Path(ctx, "/get_transaction_pool", nil, &pool))
	require.Equal(t, "OK", pool.Status)

	var refused *Error
	require.ErrorAs(t, d.JSON(ctx, "no_such_method", nil, nil), &refused)
	require.Equal(t, -32601, refused.Code)
	require.NotEmpty(t, refused.Message)

	require.NoError(t, w.Stop())
	require.NoError(t, w.Stop(), "stopping twice is harmless")
	require.NoError(t, d.Restart())
	_, again := height(t, d)
	require.Equal(t, fork, again, "a kept chain survives a restart")
	require.NoError(t, d.Kill())
	require.Error(t, d.JSON(ctx, "get_info", nil, nil))
}

// TestLogin checks digest authentication with the reference programs: to the wallet service, and from it to its daemon.
func TestLogin(t *testing.T) {
	t.Parallel()
	ctx := deadline(t)
	d := NewDaemon(t, Options{RPCLogin: "alice:secret one"})
	w := NewWalletRPC(t, d, Options{RPCLogin: "bob:secret:two"})
	var h struct {
		Height uint64 `json:"height"`
	}
	require.NoError(t, w.JSON(ctx, "create_wallet", map[string]any{"filename": "w", "language": "English"}, nil))
	require.NoError(t, w.JSON(ctx, "get_height", nil, &h))
	var refused *Error
	require.ErrorAs(t, Client{URL: d.URL}.JSON(ctx, "get_info", nil, nil), &refused)
	require.Equal(t, 401, refused.Code)
	require.ErrorAs(t, Client{URL: d.URL, Login: "alice:wrong"}.JSON(ctx, "get_info", nil, nil), &refused)
	require.Equal(t, 401, refused.Code)
}

// TestContextEnds checks that a daemon ends with its context.
func TestContextEnds(t *testing.T) {
	t.Parallel()
	Require(t)
	ctx, cancel := context.WithCancel(context.Background())
	w, err := StartWalletRPC(ctx, nil, Options{Dir: t.TempDir()})
	require.NoError(t, err)
	cancel()
	select {
	case <-w.ended:
	case <-time.After(limit):
		t.Fatal("still running")
	}
	require.NoError(t, w.Stop())
}

// TestFailedStart checks that the error of a failed start contains the output of the program.
func TestFailedStart(t *testing.T) {
	t.Parallel()
	Require(t)
	_, err := StartDaemon(deadline(t), Options{Dir: t.TempDir(), Args: []string{"--no-such-option"}})
	require.ErrorContains(t, err, "no-such-option")
	_, err = StartDaemon(deadline(t), Options{})
	require.ErrorContains(t, err, "Dir")
}

func TestMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv(ReferenceVariable, "")
	_, err := Find()
	require.ErrorIs(t, err, ErrMissing)
	require.NotContains(t, err.Error(), "\n")
	_, err = Releases()
	require.ErrorIs(t, err, ErrMissing)
}
