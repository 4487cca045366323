package files

import (
	"errors"
	"os"
	"syscall"
)

// sharingViolation is the error of Windows if a file is open without sharing.
// Source: winerror.h, ERROR_SHARING_VIOLATION.
const sharingViolation = syscall.Errno(32)

// lockFile locks the file at path until the returned file is closed or the process ends. It returns ErrLocked if the
// lock is held. Opening the file without sharing is the lock.
func lockFile(path string) (*os.File, error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	h, err := syscall.CreateFile(
		name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil, syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0,
	)
	if errors.Is(err, sharingViolation) {
		return nil, ErrLocked
	}
	if err != nil {
		return nil, &os.PathError{Op: "lock", Path: path, Err: err}
	}
	return os.NewFile(uintptr(h), path), nil
}

// syncDir does nothing, because Windows has no such call and journals directory entries itself.
func syncDir(string) error { return nil }

// lockOpened does nothing. An open file cannot be renamed or removed, so the lock file next to it suffices.
func lockOpened(*os.File) error { return nil }

// copyOwner does nothing, because a file inherits its permissions from its folder.
func copyOwner(*os.File, os.FileInfo) {}

// nameless returns false, because an open file cannot be removed.
func nameless(*os.File) bool { return false }

const nonblock = 0

// unlockAndClose closes a file, which releases its lock.
func unlockAndClose(f *os.File) error { return f.Close() }
