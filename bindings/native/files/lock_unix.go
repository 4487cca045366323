//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package files

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// lockFile holds the lock at path until the file it returns is closed or the process ends; ErrLocked when held.
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

// lockOpened holds the lock of a file, whatever its names, until it is closed; ErrLocked when held.
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

// letGo closes a file and gives its lock free at once. Without that, a program that this process is about to start
// holds the lock, too, until it has begun: the system copies what is open before it closes what is not meant for
// others.
func letGo(f *os.File) error {
	_ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) // closing gives it free in any case, if later
	return f.Close()
}

// nonblock opens at once what would wait for somebody at its other end.
const nonblock = syscall.O_NONBLOCK

// giveTo makes the owner of like the owner of a new file, as far as permissions allow: a process of root that opens
// another user's wallet must not become the owner of its files.
func giveTo(f *os.File, like os.FileInfo) {
	info, err := f.Stat()
	if err != nil {
		return
	}
	want, ok := like.Sys().(*syscall.Stat_t)
	has, also := info.Sys().(*syscall.Stat_t)
	if ok && also && (want.Uid != has.Uid || want.Gid != has.Gid) {
		_ = f.Chown(int(want.Uid), int(want.Gid)) // who is not allowed to has made a file of his own
	}
}

// nameless reports whether a file has no name any more, and goes when it is closed.
func nameless(f *os.File) bool {
	info, err := f.Stat()
	if err != nil {
		return false
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && s.Nlink == 0
}

// syncDir makes a file's name durable.
func syncDir(path string) error {
	d, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	err = d.Sync()
	return errors.Join(err, d.Close())
}
