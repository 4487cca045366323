//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package files

import (
	"errors"
	"os"
	"syscall"
)

// Hold locks the file at path against the reference until the returned file is closed. The caller may read and replace
// the file meanwhile. It returns ErrLocked if another process holds the lock, or an error of the file system.
//
// The reference locks its keys files with fcntl, whose locks do not exclude those of flock.
// Source: src/common/util.cpp, file_locker, release 0.18.5.1.
func Hold(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|nonblock, 0)
	if err != nil {
		return nil, err
	}
	l := syscall.Flock_t{Type: syscall.F_WRLCK}
	err = syscall.FcntlFlock(f.Fd(), setLock, &l)
	if err == nil {
		return f, nil
	}
	_ = f.Close()
	if errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EACCES) {
		return nil, inUse(path)
	}
	return nil, err
}

// IsHeld reports whether another process, or a file of Hold, locks the file at path.
func IsHeld(path string) bool {
	f, err := os.OpenFile(path, os.O_RDWR|nonblock, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	l := syscall.Flock_t{Type: syscall.F_WRLCK}
	return syscall.FcntlFlock(f.Fd(), syscall.F_GETLK, &l) == nil && l.Type != syscall.F_UNLCK
}
