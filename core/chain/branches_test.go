package chain

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/block"
	"glim/core/consensus"
	"glim/core/xmr"
)

// TestBranchesAreBounded adds many blocks off the main chain, which cost no work. Their memory stays limited, the
// branches with the most work stay complete, and one of them can still overtake.
func TestBranchesAreBounded(t *testing.T) {
	l := newTestChain(t)
	l.mine(30)
	ids := map[uint64]xmr.Hash{}
	for _, b := range l.chain.blocks {
		ids[b.Height] = b.ID
	}
	l.chain.branches.limit = 40 * branchSize(l.chain.top())
	good := l.mineOn(ids[28], 2) // as much work as the main chain
	full := 0
	for round := range 30 {
		prev := ids[uint64(1+round%20)]
		for range 6 {
			blob := l.block(&prev)
			added, err := l.chain.AddBlock(blob)
			require.LessOrEqual(t, l.chain.branches.size, l.chain.branches.limit)
			var size uint64
			for _, b := range l.chain.branches.byID {
				size += branchSize(b)
			}
			require.Equal(t, size, l.chain.branches.size)
			require.Len(t, l.chain.branches.since, len(l.chain.branches.byID))
			for id := range l.chain.branches.byID {
				_, whole := l.chain.branch(id)
				require.True(t, whole, "a block has lost its parent")
			}
			if err != nil {
				require.ErrorIs(t, err, ErrFull)
				full++
				break
			}
			require.False(t, added.Main)
			prev = added.ID
		}
		require.NotNil(t, l.chain.branches.get(good))
	}
	require.NotZero(t, full)

	// Of branches with the same work the newest stay.
	var last xmr.Hash
	for range 100 {
		last = l.mineOn(ids[29], 1)
		require.NotNil(t, l.chain.branches.get(last))
	}
	require.Nil(t, l.chain.branches.get(good))
	require.LessOrEqual(t, l.chain.branches.size, l.chain.branches.limit)
	tip := l.mineOn(last, 1)
	require.Equal(t, tip, l.chain.top().ID)

	// The limit also holds for large blocks.
	other := ids[29]
	big, err := block.Parse(l.block(&other))
	require.NoError(t, err)
	big.MinerTx.Extra = append(big.MinerTx.Extra, make([]byte, l.chain.branches.limit/branchPerByte)...)
	_, err = l.chain.AddBlock(big.Append(nil))
	require.ErrorIs(t, err, ErrFull)
	require.Empty(t, l.chain.branches.byID)
}

// TestDeepReorganisation replaces 1000 blocks. A branch of that length is far below the memory limit.
func TestDeepReorganisation(t *testing.T) {
	const depth = 1000
	l := newTestChain(t)
	l.mine(depth)
	l.mineOn(l.chain.blocks[0].ID, depth+1)
	require.EqualValues(t, depth+2, l.chain.height())
	require.Len(t, l.chain.branches.byID, depth)
	require.Less(t, l.chain.branches.size, uint64(maxBranches/4))
	require.Equal(t, consensus.Difficulty{Lo: depth + 2}, l.chain.top().Cumulative)
}
