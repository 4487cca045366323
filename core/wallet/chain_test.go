package wallet

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/xmr"
)

func blockID(height uint64) BlockID {
	b := BlockID{Height: height}
	binary.LittleEndian.PutUint64(b.Hash[:], height+1)
	return b
}

func run(from, to uint64) (ids []BlockID) {
	for h := from; h < to; h++ {
		ids = append(ids, blockID(h))
	}
	return ids
}

// TestTrailStaysShort scans three million blocks, in batches as a daemon sends them.
func TestTrailStaysShort(t *testing.T) {
	const top, batch = 3_000_000, 1000
	var c chain
	longest := 0
	for h := uint64(1); h <= top; h += batch {
		c.extend(worthKeeping(run(h, min(h+batch, top+1)), top))
		longest = max(longest, len(c.ids))
	}
	require.Less(t, longest, 12_000)
	require.Less(t, len(c.ids), top/sparseEvery+top/batch+2*denseBlocks)
	checkTrail(t, &c, top)

	// From here on one by one, as in a wallet that stays open.
	for h := uint64(top + 1); h < top+10_000; h++ {
		c.extend(worthKeeping(run(h, h+1), h))
		longest = max(longest, len(c.ids))
	}
	checkTrail(t, &c, top+9_999)
	require.Less(t, longest, 12_000)
}

// checkTrail requires every block of the last day, few earlier ones, ascending order, and a short history that ends
// with the genesis block.
func checkTrail(t *testing.T, c *chain, tip uint64) {
	t.Helper()
	got, ok := c.tip()
	require.True(t, ok)
	require.Equal(t, blockID(tip), got)
	for h := tip - denseBlocks; h <= tip; h++ {
		hash, ok := c.at(h)
		require.True(t, ok, "block %d", h)
		require.Equal(t, blockID(h).Hash, hash)
	}
	for h := uint64(sparseEvery); h < tip; h += sparseEvery {
		_, ok := c.at(h)
		require.True(t, ok, "block %d", h)
	}
	for i := 1; i < len(c.ids); i++ {
		require.Less(t, c.ids[i-1].Height, c.ids[i].Height)
	}
	history := c.history(xmr.Hash{0xaa})
	require.Less(t, len(history), 40)
	require.Equal(t, xmr.Hash{0xaa}, history[len(history)-1])
	for i := range uint64(10) {
		require.Equal(t, xmr.Hash(blockID(tip-i).Hash), history[i])
	}
}

func TestTrailLookups(t *testing.T) {
	var c chain
	_, ok := c.tip()
	require.False(t, ok)
	_, ok = c.at(0)
	require.False(t, ok)
	require.Equal(t, []xmr.Hash{{7}}, c.history(xmr.Hash{7}))
	c.detach(0)
	c.extend(run(5, 20))
	_, ok = c.at(4)
	require.False(t, ok)
	_, ok = c.at(20)
	require.False(t, ok)
	for h := uint64(5); h < 20; h++ {
		hash, ok := c.at(h)
		require.True(t, ok)
		require.Equal(t, blockID(h).Hash, hash)
	}
	c.detach(30)
	require.Len(t, c.ids, 15)
	c.detach(11)
	tip, ok := c.tip()
	require.True(t, ok)
	require.Equal(t, uint64(10), tip.Height)
	c.extend(run(11, 13))
	require.Len(t, c.ids, 8)
	c.detach(5)
	require.Empty(t, c.ids)
}

// TestHistoryShape requires ten blocks in a row, then doubling distances, and the genesis block once at the end.
// Source: src/wallet/wallet2.cpp, get_short_chain_history.
func TestHistoryShape(t *testing.T) {
	var c chain
	c.extend(run(0, 200))
	var heights []uint64
	genesis := blockID(0).Hash
	for _, h := range c.history(genesis) {
		heights = append(heights, binary.LittleEndian.Uint64(h[:])-1)
	}
	require.Equal(t, []uint64{
		199, 198, 197, 196, 195, 194, 193, 192, 191, 190, 188, 184, 176, 160, 128, 64, 0,
	}, heights)
	for n := uint64(1); n < 60; n++ {
		var c chain
		c.extend(run(0, n))
		history := c.history(genesis)
		require.Equal(t, genesis, history[len(history)-1])
		if len(history) > 1 {
			require.NotEqual(t, genesis, history[len(history)-2])
		}
	}
}
