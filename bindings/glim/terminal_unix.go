//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// hide turns off the echo of a terminal until show is called. hidden is false if f is not a terminal.
func hide(f *os.File) (show func(), hidden bool) {
	fd := int(f.Fd())
	was, err := unix.IoctlGetTermios(fd, getTermios)
	if err != nil {
		return nil, false
	}
	now := *was
	now.Lflag &^= unix.ECHO
	if unix.IoctlSetTermios(fd, setTermios, &now) != nil {
		return nil, false
	}
	return func() { _ = unix.IoctlSetTermios(fd, setTermios, was) }, true // the terminal may be closed
}
