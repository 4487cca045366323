package gateway

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/daemon"
	"glim/core/node"
	"glim/core/xmr"
)

// readers reads the top of the chain n times simultaneously, half by history and half by height, and checks the blocks.
func (w *world) readers(t *testing.T, n int) {
	t.Helper()
	want := w.blocks(t, w.peers[1].Registry(), 1)
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() {
			at := len(want) - 1 - i%40
			q := daemon.BlocksRequest{Start: want[at].Height}
			if i%2 == 0 {
				q = daemon.BlocksRequest{History: []xmr.Hash{want[at].Hash, xmr.Mainnet.GenesisHash()}}
			}
			raw, err := daemon.New(w.Gateway).RawCompact(t.Context(), q)
			if err != nil {
				t.Error(err)
				return
			}
			got, err := raw.Decode()
			if err != nil {
				t.Error(err)
				return
			}
			if i%2 == 0 && at == len(want)-1 {
				got = append(got, want[at]) // the client has the last block, so the response is empty
			}
			if len(got) != len(want)-at || got[0].Hash != want[at].Hash ||
				got[len(got)-1].Hash != want[len(want)-1].Hash {
				t.Errorf("%d blocks from %d of %d", len(got), at, len(want))
			}
		})
	}
	group.Wait()
}

// TestTail: two hundred wallets at the top of the chain cause one request for the tip every few seconds, and one for
// each new block. A gateway that shares the cache causes none. A reorganisation is visible at once.
func TestTail(t *testing.T) {
	w := newWorld(t, func(c *Config) { c.Depth = 100 })
	w.mine(t, 90)
	all := []string{"get_blocks.bin", "get_block_header_by_hash", "on_get_block_hash"}
	quiet := func() {
		for _, p := range w.peers {
			p.questions(append(all, "get_info")...)
		}
	}
	w.readers(t, 200)
	require.LessOrEqual(t, w.peers[0].questions("get_blocks.bin"), 3, "the newest piece, and those below it")
	quiet()
	w.readers(t, 200)
	require.Zero(t, w.peers[0].questions(append(all, "get_info")...), "nothing is news")
	w.wait(tipSeconds + 1)
	w.readers(t, 200)
	require.Equal(t, 1, w.peers[0].questions(append(all, "get_info")...), "where the chain ends")
	for range 3 {
		w.mine(t, 1)
		w.wait(tipSeconds)
		quiet()
		w.readers(t, 200)
		require.Equal(t, 1, w.peers[0].questions("get_blocks.bin"), "a new block")
		require.Zero(t, w.peers[0].questions("get_block_header_by_hash"))
	}
	quiet()
	other := &world{Gateway: New(w.config), peers: w.peers}
	other.readers(t, 200)
	require.Zero(t, w.peers[0].questions("get_blocks.bin", "get_info"), "another gateway stored it")

	_, err := w.peers[0].Reorganise(t.Context(), 7, node.UnspendableAddress())
	require.NoError(t, err)
	w.spread(t)
	w.wait(tipSeconds)
	quiet()
	w.readers(t, 200)
	require.LessOrEqual(t, w.peers[0].questions("get_blocks.bin"), 3)
	for _, p := range w.peers[1:] {
		require.Zero(t, p.questions("get_blocks.bin"))
	}

	// The daemon that receives the request for blocks is on another chain than the one that reported the tip.
	_, err = w.peers[1].Reorganise(t.Context(), 3, node.UnspendableAddress())
	require.NoError(t, err)
	w.peers[0].set(func(p *peer) { p.away = true })
	require.NotEmpty(t, w.blocks(t, w.Gateway, 60))
}
