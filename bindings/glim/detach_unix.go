//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// ownSession makes a command run in a new session, so that it does not end with its terminal.
func ownSession(c *exec.Cmd) error {
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	return nil
}
