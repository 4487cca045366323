package chain

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/consensus"
	"glim/core/xmr"
)

// TestHashAhead: blocks whose hashes were computed together are not hashed again. Hashing together ends with the
// blocks that follow each other and have the same RandomX seed. A hash that misses the difficulty is refused as ever.
func TestHashAhead(t *testing.T) {
	options := func(o *Options) {
		o.FixedDifficulty, o.SeedEpochBlocks, o.SeedEpochLag = 2, 8, 2
		o.PoW = func(uint8, uint64, xmr.Hash, []byte) (h xmr.Hash, _ error) { return h, nil }
	}
	from := newTestChain(t, options)
	from.mine(20)
	var blobs [][]byte
	for _, b := range from.chain.blocks[1:] {
		blobs = append(blobs, b.Blob)
	}
	single, invalid := 0, -1
	var together []int
	var seeds []xmr.Hash
	to := newTestChain(t, options, func(o *Options) {
		o.PoW = func(_ uint8, _ uint64, _ xmr.Hash, _ []byte) (h xmr.Hash, _ error) { single++; return h, nil }
		o.PoWs = func(_ uint8, _ uint64, seed xmr.Hash, blobs [][]byte) ([]xmr.Hash, error) {
			together, seeds = append(together, len(blobs)), append(seeds, seed)
			hashes := make([]xmr.Hash, len(blobs))
			if invalid >= 0 {
				hashes[invalid][31] = 0xff
			}
			return hashes, nil
		}
	})
	to.now = from.now
	to.chain.HashAhead(blobs[1:]) // their parent is unknown
	require.Empty(t, together)
	to.chain.HashAhead([][]byte{blobs[0], blobs[2], blobs[3]})
	require.Equal(t, []int{1}, together, "the second does not follow the first")
	to.chain.HashAhead(blobs)
	// Block 10 and those after it have another seed than the ten before.
	require.Equal(t, []int{1, 10}, together)
	for _, b := range blobs[:10] {
		to.add(b)
	}
	require.Zero(t, single)
	to.chain.HashAhead(blobs[10:])
	require.Equal(t, []int{1, 10, 8}, together)
	require.NotEqual(t, seeds[1], seeds[2])
	for _, b := range blobs[10:18] {
		to.add(b)
	}
	require.Zero(t, single)
	to.add(blobs[18])
	require.Equal(t, 1, single)

	invalid = 0
	to.chain.HashAhead(blobs[19:])
	_, err := to.chain.AddBlock(blobs[19])
	require.ErrorIs(t, err, consensus.ErrWork)
	require.Equal(t, 1, single)
}
