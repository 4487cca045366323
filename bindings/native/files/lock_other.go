//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package files

import (
	"errors"
	"os"
)

// lockFile refuses: without a lock two processes could write one wallet.
func lockFile(string) (*os.File, error) { return nil, errors.ErrUnsupported }

func syncDir(string) error { return errors.ErrUnsupported }

func lockOpened(*os.File) error { return errors.ErrUnsupported }

func giveTo(*os.File, os.FileInfo) {}

func nameless(*os.File) bool { return false }

const nonblock = 0

// letGo closes a file, and with that gives its lock free.
func letGo(f *os.File) error { return f.Close() }
