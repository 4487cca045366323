package p2p

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/chain"
	"glim/core/consensus"
)

// TestNextFork: peers synchronize a chain that crosses the next hard fork, announce its blocks, and adopt the chain
// with more work after a separation across the fork.
func TestNextFork(t *testing.T) {
	w := newWorld(t)
	w.forks = consensus.RegtestForks(60, 64)
	a := w.join()
	a.mine(75)
	b := w.join(exclusive(a))
	w.must(time.Minute, level(a, b))
	a.mine(2)
	w.must(time.Minute, level(a, b))

	c := w.join(exclusive(a, b))
	half := map[*host]int{a: 0, b: 0, c: 1}
	w.split = func(x, y *host) bool { return half[x] != half[y] }
	w.cut()
	c.mine(90)
	a.mine(1)
	w.must(time.Minute, level(a, b))
	require.False(t, level(a, c)())
	top := c.top()
	w.split = func(x, y *host) bool { return false }
	w.must(3*time.Minute, level(a, b, c))
	require.Equal(t, top, a.top())
	a.chain.View(func(v chain.View) {
		require.EqualValues(t, 18, v.Top().Block.Major)
		require.EqualValues(t, 2, v.NextTree().Layers, "90 blocks: rewards of 40 have unlocked")
	})
	for _, h := range w.hosts {
		require.Empty(t, h.quarrels())
	}
}
