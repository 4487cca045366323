//go:build darwin || linux

package chainfile

import (
	"math"
	"os"
	"syscall"
)

func freeSpace(folder string) uint64 {
	var s syscall.Statfs_t
	if err := syscall.Statfs(folder, &s); err != nil {
		return math.MaxUint64
	}
	return s.Bavail * uint64(s.Bsize)
}

// unlock releases the lock of f, which closing would not do while its memory is mapped.
func unlock(f *os.File) { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }
