package service

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/codec/epee"
	"glim/core/daemon"
	"glim/core/daemonrpc"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/walletrpc"
)

// TestPace checks that slow or interrupted responses make the next requests smaller, down to a segment, and fast ones
// make them larger. Invalid responses, short ones, and late responses to earlier requests change nothing.
func TestPace(t *testing.T) {
	clock := uint64(1000)
	p := &pace{now: func() uint64 { return clock }}
	away := errors.Join(daemon.ErrUnreachable, errors.New("lost"))
	for i, c := range []struct {
		most, took, blocks int
		err                error
	}{
		{0, 31, 1000, nil}, {500, 30, 500, nil}, {500, 31, 500, nil}, {200, 0, 0, away}, {100, 99, 0, away},
		{100, 99, 100, nil},
		{100, 5, 100, nil}, {100, 4, 99, nil}, {100, 4, 0, daemon.ErrInvalidResponse}, {100, 99, 0, context.Canceled},
		{100, 4, 100, nil},
		{200, 4, 200, nil}, {500, 4, 500, nil}, {0, 0, 3, nil}, {0, -50, 1000, nil}, {0, 0, 0, away},
		{500, 0, 500, nil}, {0, 0, 0, nil},
	} {
		most, ended := p.start()
		require.Equal(t, c.most, most, i)
		clock += uint64(c.took)
		ended(c.blocks, c.err)
	}
	_, one := p.start()
	_, other := p.start()
	one(0, away)
	other(0, away)
	most, _ := p.start()
	require.Equal(t, 500, most)
}

// slowTransport is a transport whose clock advances in proportion to the bytes of blocks. It records how many blocks
// were requested.
type slowTransport struct {
	rpc.Transport
	compact bool // whether it serves compact blocks

	mu     sync.Mutex
	clock  uint64
	second int // bytes per second
	most   []uint64
}

func (w *slowTransport) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	blocks := path == "/"+daemonrpc.GetBlocks.Name || path == "/"+daemonrpc.GetCompactBlocks.Name
	if path == "/"+daemonrpc.GetCompactBlocks.Name && !w.compact {
		return nil, rpc.ErrNoPath
	}
	answer, err := w.Transport.Post(ctx, path, body)
	if !blocks || err != nil || strings.Contains(string(body), "pool_info_since") {
		return answer, err
	}
	var q daemonrpc.GetBlocksRequest
	if err := epee.Unmarshal(body, &q); err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if q.RequestedInfo != daemonrpc.PoolOnly {
		w.most = append(w.most, q.MaxBlockCount)
		w.clock += uint64(len(answer) / w.second)
	}
	return answer, nil
}

func (w *slowTransport) now() uint64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.clock
}

// TestBatchSizeFollowsConnectionSpeed reads a chain over a slow and a fast connection, with full and compact blocks.
// The slow connection must get small batches, the fast one the largest that the daemon sends; the result is the same.
func TestBatchSizeFollowsConnectionSpeed(t *testing.T) {
	p := newTestChain(t)
	_, err := p.chain.Mine(t.Context(), 2300, node.UnspendableAddress())
	require.NoError(t, err)
	first := p.serve(newFolder(), nil)
	do(t, first, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "w", Language: "English"})
	words := key(t, first, "mnemonic")
	for _, compact := range []bool{false, true} {
		for second, pieces := range map[int][]uint64{1 << 30: {0}, 500: {500, 200, 100}} {
			w := &slowTransport{Transport: p.transport, compact: compact, clock: 1_800_000_000, second: second}
			s := p.timed(newFolder(), nil, w.now, w)
			do(t, s, walletrpc.RestoreDeterministicWallet,
				walletrpc.RestoreDeterministicWalletRequest{Filename: "w", Seed: words})
			do(t, s, walletrpc.Refresh, walletrpc.RefreshRequest{})
			require.EqualValues(t, 2301, do(t, s, walletrpc.GetHeight, walletrpc.Empty{}).Height)
			for _, n := range pieces {
				require.Contains(t, w.most, n)
			}
			if len(pieces) == 1 {
				require.NotContains(t, w.most, uint64(500))
			}
			require.NoError(t, s.Close())
		}
	}
}
