//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package files

import (
	"errors"
	"os"
)

// lockFile fails, because without a lock two processes could write to one wallet.
func lockFile(string) (*os.File, error) { return nil, errors.ErrUnsupported }

func syncDir(string) error { return errors.ErrUnsupported }

func lockOpened(*os.File) error { return errors.ErrUnsupported }

func copyOwner(*os.File, os.FileInfo) {}

func nameless(*os.File) bool { return false }

const nonblock = 0

// unlockAndClose closes a file, which releases its lock.
func unlockAndClose(f *os.File) error { return f.Close() }
