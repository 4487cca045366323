package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
)

// detached is an environment variable. It tells a process that it was started by detach, which reads its startup output
// from file descriptor 3.
const detached = "GLIM_DETACHED"

// startupDone ends the startup output of a process that serves.
const startupDone = '\x00'

// startupOutput passes on what a detached process prints until it serves, and discards later output, which has no
// reader.
type startupOutput struct {
	mu sync.Mutex
	to io.WriteCloser // nil after startup
}

// newStartupOutput returns the startup output of a process that detach has started, and nil in other processes.
func newStartupOutput() *startupOutput {
	if os.Getenv(detached) == "" {
		return nil
	}
	_ = os.Unsetenv(detached) // not for commands that this process runs
	return &startupOutput{to: os.NewFile(3, "startup output")}
}

// Write implements io.Writer.
func (f *startupOutput) Write(b []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.to == nil {
		return len(b), nil
	}
	return f.to.Write(b)
}

// served ends the startup output.
func (f *startupOutput) served() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.to != nil {
		_, _ = f.to.Write([]byte{startupDone}) // the reader may have ended
		_ = f.to.Close()
		f.to = nil
	}
}

// detach starts the command again in a session of its own. It returns the exit code once the new process serves or has
// ended. The startup output of the process goes to out, and what it writes to standard error later to the log.
func detach(args []string, log string, out io.Writer) int {
	pid, err := startDetached(args, log, out)
	if code := (*exec.ExitError)(nil); errors.As(err, &code) && code.ExitCode() > 0 {
		return code.ExitCode() // the process has printed the reason
	}
	if err != nil {
		fmt.Fprintf(out, "glim: --detach: %v\n", err)
		return 1
	}
	fmt.Fprintf(out, "glim continues as process %d; its log is %s\n", pid, log)
	return 0
}

func startDetached(args []string, log string, out io.Writer) (pid int, err error) {
	program, err := os.Executable()
	if err != nil {
		return 0, err
	}
	errorOutput, err := os.OpenFile(log, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return 0, err
	}
	defer errorOutput.Close()
	read, write, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	defer read.Close()
	c := exec.Command(program, args...)
	c.Env = append(os.Environ(), detached+"=1")
	c.Stderr, c.ExtraFiles = errorOutput, []*os.File{write}
	if err := ownSession(c); err != nil {
		return 0, errors.Join(err, write.Close())
	}
	if err := errors.Join(c.Start(), write.Close()); err != nil {
		return 0, err
	}
	var output strings.Builder
	_, err = io.Copy(&output, read)
	text, serves := strings.CutSuffix(output.String(), string(startupDone))
	fmt.Fprint(out, text)
	if pid = c.Process.Pid; serves {
		return pid, c.Process.Release()
	}
	return 0, errors.Join(err, c.Wait())
}
