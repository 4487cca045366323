//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package files

import (
	"errors"
	"os"
)

// Hold locks nothing: on Windows a locked file could not be read, and other systems have no locks. It returns ErrLocked
// if another process has the file open and locked.
func Hold(path string) (*os.File, error) {
	if IsHeld(path) {
		return nil, inUse(path)
	}
	return nil, nil
}

// IsHeld reports whether another process has the file at path open and locked.
func IsHeld(path string) bool {
	if _, err := os.Stat(path); err != nil {
		return false
	}
	lock, err := lockFile(path)
	if err == nil {
		_ = unlockAndClose(lock)
	}
	return errors.Is(err, ErrLocked)
}
