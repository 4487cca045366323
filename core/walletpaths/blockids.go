package walletpaths

import (
	"glim/core/wallet"
	"glim/core/xmr"
)

// blockIDs has the IDs of the last blocks that the tree was computed from. It implements syncer.Chain.
type blockIDs struct {
	genesis xmr.Hash
	first   uint64 // index of the block of ids[0]
	ids     []xmr.Hash
}

// Tip implements syncer.Chain.
func (c *blockIDs) Tip() (wallet.BlockID, bool) {
	n := len(c.ids)
	if n == 0 {
		return wallet.BlockID{}, false
	}
	return wallet.BlockID{Height: c.first + uint64(n) - 1, Hash: c.ids[n-1]}, true
}

// BlockAt implements syncer.Chain.
func (c *blockIDs) BlockAt(height uint64) (xmr.Hash, bool) {
	if height >= c.first && height-c.first < uint64(len(c.ids)) {
		return c.ids[height-c.first], true
	}
	return c.genesis, height == 0 && len(c.ids) > 0
}

// History implements syncer.Chain: ten blocks in a row, then others at doubling distances, the genesis block last.
func (c *blockIDs) History() (list []xmr.Hash) {
	step := 1
	for i := len(c.ids) - 1; i >= 0 && c.first+uint64(i) > 0; i -= step {
		list = append(list, c.ids[i])
		if len(list) >= 10 {
			step *= 2
		}
	}
	return append(list, c.genesis)
}

// extend adds the next block, and forgets all but the last keep, or twice as many.
func (c *blockIDs) extend(id xmr.Hash, keep int) {
	if c.ids = append(c.ids, id); len(c.ids) > 2*keep {
		n := len(c.ids) - keep
		c.ids, c.first = append([]xmr.Hash(nil), c.ids[n:]...), c.first+uint64(n)
	}
}

// cut forgets the blocks from index height on. It reports whether blocks remain.
func (c *blockIDs) cut(height uint64) bool {
	if height <= c.first {
		c.ids = nil
		return false
	}
	c.ids = c.ids[:min(uint64(len(c.ids)), height-c.first)]
	return true
}
