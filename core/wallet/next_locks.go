//go:build !nocarrot

package wallet

import (
	"glim/core/block"
	"glim/core/consensus"
	"glim/core/xmr"
)

// lastLocked returns the index of the last block that must not spend an output with this unlock time in the block with
// index height, by the rules of the next hard fork, which convert dates to blocks.
func lastLocked(unlockTime, height uint64) uint64 { return consensus.LastLocked(unlockTime, height) }

// lockTime returns the time with which unlock times that are dates are compared after b, in POSIX seconds: that of the
// block before the next hard fork, and from it on the one that the number of blocks is converted to.
func (b *ScannedBlock) lockTime() uint64 {
	if b.Version < block.TreeVersion {
		return b.Timestamp
	}
	return consensus.UnlockedDate(b.Height+1) - xmr.LockedDeltaSeconds
}
