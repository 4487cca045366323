//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// hide makes a terminal keep back what is typed, until show is called; false for what is no terminal.
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
	return func() { _ = unix.IoctlSetTermios(fd, setTermios, was) }, true // the terminal may be gone
}
