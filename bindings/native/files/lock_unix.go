//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package files

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// lockFile locks the file at path until the returned file is closed or the process ends. It returns ErrLocked if the
// lock is held.
func lockFile(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := lockOpened(f); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// lockOpened locks an open file, under all its names, until it is closed. It returns ErrLocked if the lock is held.
func lockOpened(f *os.File) error {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case errors.Is(err, syscall.EINTR):
			continue
		case errors.Is(err, syscall.EWOULDBLOCK):
			return ErrLocked
		}
		return err
	}
}

// unlockAndClose unlocks and closes a file. Closing alone is not enough if this process is starting a program at that
// moment: fork copies open files, so the child holds the lock until exec.
func unlockAndClose(f *os.File) error {
	_ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) // closing releases the lock in any case
	return f.Close()
}

// nonblock makes opening a pipe return immediately.
const nonblock = syscall.O_NONBLOCK

// copyOwner gives a new file the owner and group of like if permissions allow, so that the files of a wallet still
// belong to its user after root has opened it.
func copyOwner(f *os.File, like os.FileInfo) {
	info, err := f.Stat()
	if err != nil {
		return
	}
	want, ok := like.Sys().(*syscall.Stat_t)
	has, also := info.Sys().(*syscall.Stat_t)
	if ok && also && (want.Uid != has.Uid || want.Gid != has.Gid) {
		_ = f.Chown(int(want.Uid), int(want.Gid)) // without the permission, the file belongs to this user
	}
}

// nameless reports whether an open file has no name left, so that the system deletes it when it is closed.
func nameless(f *os.File) bool {
	info, err := f.Stat()
	if err != nil {
		return false
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && s.Nlink == 0
}

// syncDir makes the directory entries in the folder of path durable.
func syncDir(path string) error {
	d, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	err = d.Sync()
	return errors.Join(err, d.Close())
}
