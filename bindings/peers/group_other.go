//go:build !unix

package peers

import "os/exec"

// separate does nothing, because the system has no process groups.
func separate(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
