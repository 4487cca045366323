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
		require.Equal(t, want, SeedHeight(height), "%d", height)
	}
	for height := range uint64(10 * EpochBlocks) {
		seed, next := SeedHeight(height), SeedHeight(height+1)
		require.Zero(t, seed%EpochBlocks)
		if seed > 0 {
			require.Greater(t, height-seed, uint64(EpochLag), "%d: too new to be known", height)
		}
		require.LessOrEqual(t, height-seed, uint64(EpochBlocks+EpochLag), "%d", height)
		require.Contains(t, []uint64{seed, seed + EpochBlocks}, next)
		require.Equal(t, SeedHeight(height+EpochLag), NextSeedHeight(height))
	}
}
