package randomx

// A key serves EpochBlocks blocks. It is known EpochLag blocks before its first use, so that its cache can be made.
// Source: src/crypto/rx-slow-hash.c, SEEDHASH_EPOCH_BLOCKS and SEEDHASH_EPOCH_LAG.
const (
	EpochBlocks = 2048
	EpochLag    = 64
)

// SeedHeight returns the height of the block whose ID is the key for the block at height, both counting from 0 at the
// genesis block. Source: src/crypto/rx-slow-hash.c, rx_seedheight.
func SeedHeight(height uint64) uint64 {
	if height <= EpochBlocks+EpochLag {
		return 0
	}
	return (height - EpochLag - 1) &^ (EpochBlocks - 1)
}

// NextSeedHeight returns that of the key in use EpochLag blocks later: another one, if it is time to prepare.
// Source: src/crypto/rx-slow-hash.c, rx_seedheights.
func NextSeedHeight(height uint64) uint64 { return SeedHeight(height + EpochLag) }
