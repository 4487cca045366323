//go:build !unix

package peers

import "os/exec"

// separate does nothing where process groups are unknown.
func separate(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
