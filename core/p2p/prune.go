package p2p

// Pruned peers store all recent blocks, and one stripe in eight of the others. Source: src/common/pruning.cpp;
// src/cryptonote_config.h, CRYPTONOTE_PRUNING_STRIPE_SIZE, CRYPTONOTE_PRUNING_LOG_STRIPES,
// CRYPTONOTE_PRUNING_TIP_BLOCKS.
const (
	stripeSize = 4096
	logStripes = 3
	tipBlocks  = 5500
)

// goodSeed reports whether a pruning seed is valid: 0, or one of eight stripes.
func goodSeed(seed uint32) bool {
	return seed == 0 || seed>>7 == logStripes && seed&0x7f < 1<<logStripes
}

// stripeOf returns the stripe of a block, from 1 on; 0 if all peers store it in full. total is the number of blocks.
func stripeOf(height, total uint64) uint32 {
	if height+tipBlocks >= total {
		return 0
	}
	return uint32(height/stripeSize&(1<<logStripes-1)) + 1
}

// hasWhole reports whether a peer with a pruning seed stores a block in full.
func hasWhole(height, total uint64, seed uint32) bool {
	stripe := stripeOf(height, total)
	return seed == 0 || stripe == 0 || stripe == seed&0x7f+1
}
