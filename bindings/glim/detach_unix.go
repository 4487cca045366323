//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// ownSession makes a command one that no terminal ends.
func ownSession(c *exec.Cmd) error {
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return nil
}
