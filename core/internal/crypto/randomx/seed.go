package randomx

// A key is used for EpochBlocks blocks. It is known EpochLag blocks before its first use, so that its cache can be
// computed.
// Source: src/crypto/rx-slow-hash.c, SEEDHASH_EPOCH_BLOCKS and SEEDHASH_EPOCH_LAG.
const (
	EpochBlocks = 2048
	EpochLag    = 64
)

// Epochs are the numbers of a chain in the place of EpochBlocks and EpochLag: powers of two, Blocks from 2 to
// EpochBlocks, Lag from 1 to EpochLag. Other values mean these constants, and so does the zero value.
// Source: src/crypto/rx-slow-hash.c, get_seedhash_epoch_blocks and get_seedhash_epoch_lag.
type Epochs struct{ Blocks, Lag uint64 }

func (e Epochs) numbers() (blocks, lag uint64) {
	blocks, lag = e.Blocks, e.Lag
	if blocks < 2 || blocks > EpochBlocks || blocks&(blocks-1) != 0 {
		blocks = EpochBlocks
	}
	if lag == 0 || lag > EpochLag || lag&(lag-1) != 0 {
		lag = EpochLag
	}
	return blocks, lag
}

// SeedHeight returns the height of the block whose ID is the key for the block at height. Both count from 0 at the
// genesis block.
// Source: src/crypto/rx-slow-hash.c, rx_seedheight.
func (e Epochs) SeedHeight(height uint64) uint64 {
	blocks, lag := e.numbers()
	if height <= blocks+lag {
		return 0
	}
	return (height - lag - 1) &^ (blocks - 1)
}

// NextSeedHeight returns SeedHeight a lag later. It differs from SeedHeight if the next key is known.
// Source: src/crypto/rx-slow-hash.c, rx_seedheights.
func (e Epochs) NextSeedHeight(height uint64) uint64 {
	_, lag := e.numbers()
	return e.SeedHeight(height + lag)
}
