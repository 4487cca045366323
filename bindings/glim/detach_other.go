//go:build !unix

package main

import (
	"errors"
	"os/exec"
)

// ownSession fails: a process is handed on to no service manager here.
func ownSession(*exec.Cmd) error {
	return errors.New("not on this system; run the command as a service")
}
