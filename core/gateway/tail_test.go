package gateway

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/daemon"
	"glim/core/node"
	"glim/core/xmr"
)

// readers lets wallets read the chain's end at the same time, some by their history and some by height, and compares what they get.
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
				got = append(got, want[at]) // it knows the last one
			}
			if len(got) != len(want)-at || got[0].Hash != want[at].Hash || got[len(got)-1].Hash != want[len(want)-1].Hash {
				t.Errorf("%d blocks from %d of %d", len(got), at, len(want))
			}
		})
	}
	group.Wait()
}

// TestTail: two hundred wallets at the end of the chain, where nothing stays yet, cost the daemons one question about where it ends in some
// seconds, and one for each new block; a gateway that shares the cache none; and a chain that takes another way is read at once.
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
	require.Zero(t, w.peers[0].questions("get_blocks.bin", "get_info"), "another gateway has told")

	_, err := w.peers[0].Reorganise(t.Context(), 7, node.Nobody())
	require.NoError(t, err)
	w.spread(t)
	w.wait(tipSeconds)
	quiet()
	w.readers(t, 200)
	require.LessOrEqual(t, w.peers[0].questions("get_blocks.bin"), 3)
	for _, p := range w.peers[1:] {
		require.Zero(t, p.questions("get_blocks.bin"))
	}

	// The daemon that is asked for blocks is on another chain than the one that told of the end.
	_, err = w.peers[1].Reorganise(t.Context(), 3, node.Nobody())
	require.NoError(t, err)
	w.peers[0].set(func(p *peer) { p.away = true })
	require.NotEmpty(t, w.blocks(t, w.Gateway, 60))
}
