package polyseed

import "glim/core/xmr"

// RestoreHeight returns the index of a block of mainnet that was there at time, in POSIX seconds, most likely a week
// before: where to begin with a wallet of that birthday. Other chains were taken back more than once: 0.
//
// It counts from the hard fork of 13 August 2022, at height 2688888, 120.2 seconds a block; they have taken a little
// more than the 120 aimed at.
func RestoreHeight(n xmr.Network, time uint64) uint64 {
	const fork, height, week = 1660348800, 2688888, 7 * 720
	if n != xmr.Mainnet {
		return 0
	}
	blocks := (int64(min(time, 1<<40)) - fork) * 10 / 1202
	return uint64(max(0, height+blocks-week))
}
