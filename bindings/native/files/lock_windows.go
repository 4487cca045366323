package files

import (
	"errors"
	"os"
	"syscall"
)

// sharingViolation is what Windows answers when somebody has a file open that he does not share.
const sharingViolation = syscall.Errno(32)

// lockFile holds the lock at path until the file it returns is closed or the process ends; ErrLocked when held. The
// lock is that the file is open unshared.
func lockFile(path string) (*os.File, error) {
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	h, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil, syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if errors.Is(err, sharingViolation) {
		return nil, ErrLocked
	}
	if err != nil {
		return nil, &os.PathError{Op: "lock", Path: path, Err: err}
	}
	return os.NewFile(uintptr(h), path), nil
}

// syncDir does nothing: Windows has no such call and journals names itself.
func syncDir(string) error { return nil }

// lockOpened does nothing: a file that is open keeps its name, and others go by that.
func lockOpened(*os.File) error { return nil }

// giveTo does nothing: whose a file is follows from its folder.
func giveTo(*os.File, os.FileInfo) {}

// nameless is false: a file that is open keeps its name.
func nameless(*os.File) bool { return false }

const nonblock = 0

// letGo closes a file, and with that gives its lock free.
func letGo(f *os.File) error { return f.Close() }
