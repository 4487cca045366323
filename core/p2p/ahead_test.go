package p2p

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestBatchWeight: a request is for no more blocks than BatchBytes allows, judged by the blocks that are known, and for
// one at least.
func TestBatchWeight(t *testing.T) {
	// By the limit in percent of the weight of the largest block, which takes some more bytes.
	for limit, want := range map[int][]int{0: {DefaultBlocks}, 90: {1}, 350: {2, 3}, 1 << 20: {DefaultBlocks}} {
		w := newWorld(t)
		a := w.join()
		a.mine(120)
		size := int(a.view.LargestWeight(recentBlocks))
		require.Positive(t, size)
		late := w.join(exclusive(a), func(c *Config) { c.BatchBytes = limit * size / 100 })
		most := 0
		late.sent = func(*host, []byte) {
			if late.view.Tip().Height < 2 {
				return // only the small genesis block is known
			}
			for _, s := range late.m.queue.spans {
				if !s.filled {
					most = max(most, len(s.ids))
				}
			}
		}
		w.must(10*time.Minute, level(a, late))
		require.Contains(t, want, most, "%d %%", limit)
	}
}

// TestSpanLimit: no more blocks are fetched than are verified in the time of Ahead.
func TestSpanLimit(t *testing.T) {
	most := map[time.Duration]int{}
	for _, ahead := range []time.Duration{0, 1, time.Minute, time.Hour} {
		w := newWorld(t)
		a := w.join()
		a.mine(600)
		servers := []*host{a}
		for range 7 {
			servers = append(servers, w.join(exclusive(a)))
		}
		w.must(10*time.Minute, level(servers...))
		late := w.join(exclusive(servers...), func(c *Config) { c.Ahead, c.BlocksAtOnce = ahead, 10 })
		late.slow = 5 * time.Second
		late.sent = func(*host, []byte) { most[ahead] = max(most[ahead], late.m.queue.filled()) }
		w.must(20*time.Minute, level(a, late))
	}
	// Requests to eight peers may be under way when the limit is reached. In a minute, 12 spans are verified.
	require.Greater(t, most[0], minSpans+8)
	require.LessOrEqual(t, most[1], minSpans+8-1)
	require.Equal(t, most[0], most[time.Hour])
	require.LessOrEqual(t, most[time.Minute], 12+8-1)
	require.GreaterOrEqual(t, most[time.Minute], most[1])
}
