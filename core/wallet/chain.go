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
	denseBlocks = 720 // all IDs of this many blocks below the tip are kept: about a day
	sparseEvery = 512 // of earlier blocks, one in this many is kept
)

// chain remembers the IDs of scanned blocks: all of the last day, and increasingly few of earlier ones.
type chain struct {
	ids     []BlockID // ascending; the last is the tip
	peak    uint64    // index of the highest block scanned since the chain began
	awaited *BlockID  // a block that must be the same when it is scanned again; or nil
}

// tip returns the last scanned block; false before the first scan.
func (c *chain) tip() (BlockID, bool) {
	if len(c.ids) == 0 {
		return BlockID{}, false
	}
	return c.ids[len(c.ids)-1], true
}

// at returns the hash kept for the block with index height.
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

// extend appends ids, which ascend from above the tip, then thins those that have fallen below the dense part.
func (c *chain) extend(ids []BlockID) {
	c.ids = append(c.ids, ids...)
	c.reached()
	tip, ok := c.tip()
	if !ok || tip.Height < denseBlocks {
		return
	}
	// Thinning moves all IDs, so it is done only when many can be dropped.
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

// worthKeeping returns the blocks of a scanned sequence that extend would keep once the chain reaches top.
func worthKeeping(ids []BlockID, top uint64) []BlockID {
	var kept []BlockID
	for i, b := range ids {
		if b.Height+denseBlocks >= top || b.Height%sparseEvery == 0 || i == len(ids)-1 {
			kept = append(kept, b)
		}
	}
	return kept
}

// history returns the hashes of known blocks from the tip down: ten in a row, then at doubling distances, the genesis
// block last.
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
