package p2p

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/xmr"
)

// TestBlocksAreHashedAhead: AddBlocks hashes more and more blocks together while they are valid, and after an invalid
// one has hashed at most twice as many as were valid, and one more.
func TestBlocksAreHashedAhead(t *testing.T) {
	now := uint64(1_700_000_000)
	bad, hashed := -1, 0 // index of the block without work; number of hashes
	var together []int
	options := chain.Options{
		Network: xmr.Regtest, FixedDifficulty: 2, Random: stream(1), Now: func() uint64 { return now },
		PoW: func(uint8, uint64, xmr.Hash, []byte) (h xmr.Hash, _ error) { hashed++; return h, nil },
	}
	from, err := chain.New(options)
	require.NoError(t, err)
	to := newWorld(t).to
	var list []NewBlock
	for range 100 {
		now += xmr.TargetSeconds
		template, err := from.NewTemplate(to, nil, nil)
		require.NoError(t, err)
		list = append(list, NewBlock{Blob: template.Block.Append(nil)})
		_, err = from.AddBlock(list[len(list)-1].Blob)
		require.NoError(t, err)
	}
	options.PoWs = func(_ uint8, height uint64, _ xmr.Hash, blobs [][]byte) ([]xmr.Hash, error) {
		together = append(together, len(blobs))
		hashes := make([]xmr.Hash, len(blobs))
		for i := range hashes {
			if int(height)-1+i == bad {
				hashes[i][31] = 0xff
			}
		}
		return hashes, nil
	}
	hashed = 0
	c, err := chain.New(options)
	require.NoError(t, err)
	added, err := FromChain(c).AddBlocks(list)
	require.NoError(t, err)
	require.Len(t, added, 100)
	require.Equal(t, []int{1, 1, 2, 4, 8, 16, 32, 32, 4}, together)
	require.Zero(t, hashed, "no block is hashed again")

	for bad = range 40 {
		together = nil
		c, err := chain.New(options)
		require.NoError(t, err)
		added, err := FromChain(c).AddBlocks(list)
		require.ErrorIs(t, err, consensus.ErrWork)
		require.Len(t, added, bad)
		sum := 0
		for _, n := range together {
			sum += n
		}
		require.LessOrEqual(t, sum, 2*bad+1)
	}
}
