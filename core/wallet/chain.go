package wallet

import (
	"slices"

	"glim/core/xmr"
)

// BlockID is a block's index on the chain (genesis is 0) and its hash.
type BlockID struct {
	Height uint64   `json:"height"`
	Hash   xmr.Hash `json:"hash"`
}

const (
	denseBlocks = 720 // blocks below the tip whose IDs are all kept: about a day
	sparseEvery = 512 // below that, one block in so many is kept
)

// chain remembers which blocks were scanned: all of the last day, a sparse trail below.
type chain struct {
	ids     []BlockID // ascending; the last one is the tip
	peak    uint64    // index of the highest block that was read since the chain began
	awaited *BlockID  // a block to be read again that has to be the same; nil for none
}

// tip returns the last scanned block; false when there is none.
func (c *chain) tip() (BlockID, bool) {
	if len(c.ids) == 0 {
		return BlockID{}, false
	}
	return c.ids[len(c.ids)-1], true
}

// at returns the ID kept for height.
func (c *chain) at(height uint64) (xmr.Hash, bool) {
	i, ok := slices.BinarySearchFunc(c.ids, height, func(b BlockID, h uint64) int {
		switch {
		case b.Height < h:
			return -1
		case b.Height > h:
			return 1
		}
		return 0
	})
	if !ok {
		return xmr.Hash{}, false
	}
	return c.ids[i].Hash, true
}

// detach forgets every block at or above height.
func (c *chain) detach(height uint64) {
	n := len(c.ids)
	for n > 0 && c.ids[n-1].Height >= height {
		n--
	}
	c.ids = c.ids[:n]
}

// extend appends ids, which ascend from above the tip, then thins what has sunk below the dense part.
func (c *chain) extend(ids []BlockID) {
	c.ids = append(c.ids, ids...)
	c.reached()
	tip, ok := c.tip()
	if !ok || tip.Height < denseBlocks {
		return
	}
	// Thinning moves the whole trail, so it waits until there is a good deal to drop.
	low := tip.Height - denseBlocks
	droppable := 0
	for _, b := range c.ids {
		if b.Height >= low {
			break
		}
		if b.Height%sparseEvery != 0 {
			droppable++
		}
	}
	if droppable > denseBlocks {
		c.ids = slices.DeleteFunc(c.ids, func(b BlockID) bool { return b.Height < low && b.Height%sparseEvery != 0 })
	}
}

// worthKeeping picks, of a run of scanned blocks, those that extend would keep once the chain reaches top.
func worthKeeping(ids []BlockID, top uint64) []BlockID {
	var kept []BlockID
	for i, b := range ids {
		if b.Height+denseBlocks >= top || b.Height%sparseEvery == 0 || i == len(ids)-1 {
			kept = append(kept, b)
		}
	}
	return kept
}

// history lists known blocks from the tip down: ten in a row, then at doubling distances, genesis last.
// Source: src/wallet/wallet2.cpp, get_short_chain_history.
func (c *chain) history(genesis xmr.Hash) []xmr.Hash {
	var out []xmr.Hash
	step, next := 1, len(c.ids)-1
	for next >= 0 {
		if c.ids[next].Height == 0 {
			break
		}
		out = append(out, c.ids[next].Hash)
		if len(out) >= 10 {
			step *= 2
		}
		next -= step
	}
	return append(out, genesis)
}
