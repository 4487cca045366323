package consensus

import (
	"slices"

	"glim/core/xmr"
)

// CheckTimestamp returns nil when a block's time is no more than FutureSeconds after now and not before the median of
// recent, the times of the TimestampWindow blocks before it; fewer allow any past.
// Source: src/cryptonote_core/blockchain.cpp, check_block_timestamp.
func CheckTimestamp(timestamp, now uint64, recent []uint64) error {
	if timestamp > now+FutureSeconds {
		return refuse(ErrTimestamp, "%d is more than two hours after %d", timestamp, now)
	}
	if len(recent) < TimestampWindow {
		return nil
	}
	if m := Median(recent); timestamp < m {
		return refuse(ErrTimestamp, "%d is before the median %d", timestamp, m)
	}
	return nil
}

// AdjustedTime returns what outputs that unlock at a time are held against, in POSIX seconds: the block after recent,
// which are the times of the last TimestampWindow blocks, as their median or the latest of them foretells it,
// whichever is earlier. With fewer blocks it is now. The latest is not always the last: the reference takes the last of the times
// after it has sorted them for the median, and so does the network.
// Source: src/cryptonote_core/blockchain.cpp, get_adjusted_time.
func AdjustedTime(now uint64, recent []uint64) uint64 {
	if len(recent) < TimestampWindow {
		return now
	}
	return min(slices.Max(recent)+xmr.TargetSeconds, Median(recent)+(TimestampWindow+1)*xmr.TargetSeconds/2)
}

// Unlocked reports whether an output with an unlock time may be a ring member in the block at index height, when time
// is AdjustedTime. Source: src/cryptonote_core/blockchain.cpp, is_tx_spendtime_unlocked.
func Unlocked(unlock, height, time uint64) bool {
	if unlock < xmr.MaxHeightUnlock {
		return height-1+xmr.LockedDeltaBlocks >= unlock
	}
	return time+xmr.LockedDeltaSeconds >= unlock
}
