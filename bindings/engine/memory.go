package engine

import (
	"math"
	"runtime/debug"
)

// MinMemory is the least ceiling that LimitMemory sets: making a key of a wallet's password takes most of it for a moment.
const MinMemory = 96 << 20

// LimitMemory makes the process's Go part try to stay within so many bytes, at least MinMemory, and returns what it set. It is a wish and
// no wall: what is in use is never refused, only what is not is given back sooner, which takes time. 0 takes the ceiling away.
func LimitMemory(bytes int64) int64 {
	if bytes <= 0 {
		bytes = math.MaxInt64
	}
	bytes = max(bytes, MinMemory)
	debug.SetMemoryLimit(bytes)
	return bytes
}

// Trim gives memory that nobody uses back to the system at once, for a host that was told that there is little left.
func Trim() { debug.FreeOSMemory() }
