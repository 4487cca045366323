//go:build unix && !linux

package peers

import (
	"os/exec"
	"syscall"
)

// separate starts the program in a new process group.
func separate(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
