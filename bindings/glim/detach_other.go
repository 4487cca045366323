//go:build !unix

package main

import (
	"errors"
	"os/exec"
)

// ownSession fails, because detaching is not supported on this system.
func ownSession(*exec.Cmd) error {
	return errors.New("not supported on this system; run the command as a service")
}
