package engine

import (
	"math"
	"runtime/debug"
)

// MinMemory is the lowest limit that LimitMemory sets. Deriving a key from a password briefly needs most of it.
const MinMemory = 96 << 20

// LimitMemory limits the memory of the process's Go code to a number of bytes, but at least MinMemory, and returns the
// limit. The limit is soft: memory in use is never refused, but the garbage collector runs more often. 0 removes the
// limit.
func LimitMemory(bytes int64) int64 {
	if bytes <= 0 {
		bytes = math.MaxInt64
	}
	bytes = max(bytes, MinMemory)
	debug.SetMemoryLimit(bytes)
	return bytes
}

// Trim returns unused memory to the operating system at once, for hosts that are short of memory.
func Trim() { debug.FreeOSMemory() }
