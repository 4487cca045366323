package randomx

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSeedHeight(t *testing.T) {
	for height, want := range map[uint64]uint64{
		0: 0, 1: 0, 64: 0, 2048: 0, 2111: 0, 2112: 0, 2113: 2048, 4096: 2048, 4160: 2048, 4161: 4096,
		1978433: 1978368, // the first block of mainnet with this proof of work
	} {
		require.Equal(t, want, Epochs{}.SeedHeight(height), "%d", height)
	}
	for e, is := range map[Epochs]Epochs{
		{}:                       {EpochBlocks, EpochLag},
		{Blocks: 8, Lag: 4}:      {8, 4},
		{Blocks: 1, Lag: 1}:      {EpochBlocks, 1},
		{Blocks: 4096, Lag: 128}: {EpochBlocks, EpochLag},
		{Blocks: 24, Lag: 3}:     {EpochBlocks, EpochLag},
	} {
		blocks, lag := is.Blocks, is.Lag
		for height := range 10 * blocks {
			seed, next := e.SeedHeight(height), e.SeedHeight(height+1)
			require.Zero(t, seed%blocks)
			if seed > 0 {
				require.Greater(t, height-seed, lag, "%d: too new to be known", height)
			}
			require.LessOrEqual(t, height-seed, blocks+lag, "%d", height)
			require.Contains(t, []uint64{seed, seed + blocks}, next)
			require.Equal(t, e.SeedHeight(height+lag), e.NextSeedHeight(height))
		}
	}
}
