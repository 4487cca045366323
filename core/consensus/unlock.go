package consensus

import "glim/core/xmr"

// Time, in POSIX seconds, and height of hard fork 15 of the main network.
const forkTime, forkHeight = 1656629118, 2689608

// LastLocked returns the index of the last block in which an output of a transaction in the block at height is locked.
// Times are converted to blocks from the time of hard fork 15 on.
// Source: src/cryptonote_basic/cryptonote_format_utils.cpp of the beta, get_last_locked_block_index.
func LastLocked(unlock, height uint64) uint64 {
	standard := height + xmr.SpendableAge - 1
	last := standard
	switch {
	case unlock == 0:
	case unlock < xmr.MaxHeightUnlock:
		last = unlock - 1
	case unlock >= forkTime:
		last = forkHeight + (unlock-forkTime)/xmr.TargetSeconds
	default:
		if before := uint64((forkTime - unlock) / xmr.TargetSeconds); before < forkHeight {
			last = forkHeight - before
		}
	}
	return max(last, standard)
}

// UnlockedDate returns the last unlock time that is a date, in POSIX seconds, which lets the block at height spend an
// output that is old enough: the highest for which LastLocked is below height.
func UnlockedDate(height uint64) uint64 {
	if height > forkHeight {
		return forkTime + (height-forkHeight)*xmr.TargetSeconds - 1
	}
	return forkTime - (forkHeight+1-height)*xmr.TargetSeconds
}
