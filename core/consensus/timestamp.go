package consensus

import (
	"slices"

	"glim/core/xmr"
)

// CheckTimestamp returns nil if a block's timestamp is at most FutureTimeLimit after now and not before the median of
// recent, the timestamps of the TimestampWindow blocks before it. With fewer blocks there is no lower limit. All times
// are POSIX seconds.
// Source: src/cryptonote_core/blockchain.cpp, check_block_timestamp.
func CheckTimestamp(timestamp, now uint64, recent []uint64) error {
	if timestamp > now+FutureTimeLimit {
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

// AdjustedTime returns the time, in POSIX seconds, that unlock times are compared with: the expected time of the next
// block. It is estimated from the median and from the latest of recent, the timestamps of the last TimestampWindow
// blocks; the earlier estimate counts. With fewer blocks it is now. Like the network, the reference takes the maximum
// of recent instead of the last timestamp, because it has sorted them for the median.
// Source: src/cryptonote_core/blockchain.cpp, get_adjusted_time.
func AdjustedTime(now uint64, recent []uint64) uint64 {
	if len(recent) < TimestampWindow {
		return now
	}
	return min(slices.Max(recent)+xmr.TargetSeconds, Median(recent)+(TimestampWindow+1)*xmr.TargetSeconds/2)
}

// Unlocked reports whether an output with this unlock time may be a ring member in the block at index height. time is
// AdjustedTime. Source: src/cryptonote_core/blockchain.cpp, is_tx_spendtime_unlocked.
func Unlocked(unlock, height, time uint64) bool {
	if unlock < xmr.MaxHeightUnlock {
		return height-1+xmr.LockedDeltaBlocks >= unlock
	}
	return time+xmr.LockedDeltaSeconds >= unlock
}
