//go:build dragonfly || freebsd || netbsd || openbsd

package files

import "syscall"

// setLock locks for the process, because these systems have no other lock that fcntl shows. The lock ends early when
// the process reads the file.
const setLock = syscall.F_SETLK
