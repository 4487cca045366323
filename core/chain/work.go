package chain

import (
	"glim/core/block"
	"glim/core/consensus"
	"glim/core/xmr"
)

// HashAhead computes the proof-of-work hashes of blocks together, which takes much less time than one after the other,
// and remembers them for AddBlock. Each block must follow the one before, and the first one a known block: hashing ends
// at the first block of which that is not true, or with another RandomX seed. It does nothing if Options.PoWs is nil or
// the first block has difficulty 1. It does not hold the lock while it hashes, and verifies nothing.
func (c *Chain) HashAhead(blobs [][]byte) {
	if c.o.PoWs == nil || len(blobs) == 0 {
		return
	}
	first, at, ok := c.position(blobs[0])
	if !ok || first.Difficulty == (consensus.Difficulty{Lo: 1}) {
		return
	}
	height, prev := at.prev.Height+1, first.Block.Prev
	var ids []xmr.Hash
	var inputs [][]byte
	for i, blob := range blobs {
		b, err := block.Parse(blob)
		if err != nil || b.Prev != prev || b.Major != first.Block.Major ||
			c.epochs().SeedHeight(height+uint64(i)) != c.epochs().SeedHeight(height) {
			break
		}
		id, err := b.Hash()
		if err != nil {
			break
		}
		input, err := b.HashingBlob()
		if err != nil {
			break
		}
		ids, inputs, prev = append(ids, id), append(inputs, input), id
	}
	hashes, err := c.o.PoWs(first.Block.Major, height, at.seed, inputs)
	if err != nil {
		return // checkWork meets the same error, and returns it
	}
	c.verified.addHashes(ids, hashes)
}

// position returns a block that is not known yet, with its difficulty, and its position. The bool is false if it has
// none.
func (c *Chain) position(blob []byte) (*Block, position, bool) {
	parsed, err := block.Parse(blob)
	if err != nil {
		return nil, position{}, false
	}
	b, err := newBlock(parsed, blob)
	if err != nil {
		return nil, position{}, false
	}
	at, err := c.locateNew(b)
	return b, at, err == nil
}

// locateNew is locate for a block that may be known, with the lock. It returns errHere if the block is known or was
// rejected before.
func (c *Chain) locateNew(b *Block) (position, error) {
	now := c.o.Now()
	c.mu.RLock()
	defer c.mu.RUnlock()
	_, known := c.byID[b.ID]
	if _, bad := c.invalid[b.ID]; known || bad || c.branches.get(b.ID) != nil {
		return position{}, errHere
	}
	return c.locate(b, now)
}

// addHashes remembers proof-of-work hashes of blocks. A block's ID determines the blocks before it and so the seed.
func (v *verified) addHashes(ids, hashes []xmr.Hash) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.hashes) >= maxVerified {
		clear(v.hashes)
	}
	for i, id := range ids {
		v.hashes[id] = hashes[i]
	}
}

// hashOf returns a remembered hash.
func (v *verified) hashOf(id xmr.Hash) (xmr.Hash, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	h, ok := v.hashes[id]
	return h, ok
}
