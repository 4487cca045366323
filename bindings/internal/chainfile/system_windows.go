package chainfile

import (
	"math"
	"os"
	"syscall"
	"unsafe"
)

var getDiskFreeSpace = syscall.NewLazyDLL("kernel32.dll").NewProc("GetDiskFreeSpaceExW")

func freeSpace(folder string) uint64 {
	name, err := syscall.UTF16PtrFromString(folder)
	if err != nil {
		return math.MaxUint64
	}
	var free uint64
	done, _, _ := getDiskFreeSpace.Call(uintptr(unsafe.Pointer(name)), uintptr(unsafe.Pointer(&free)), 0, 0)
	if done == 0 {
		return math.MaxUint64
	}
	return free
}

// unlock does nothing: the lock ends with its handle.
func unlock(*os.File) {}
