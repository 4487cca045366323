//go:build !(darwin || linux || windows)

package chainfile

import (
	"math"
	"os"
)

func freeSpace(string) uint64 { return math.MaxUint64 }

// unlock does nothing: the lock ends with the process.
func unlock(*os.File) {}
