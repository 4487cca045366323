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

// detached in the environment tells a process that it was started to go on by itself, and that somebody reads its first words, at the file
// that is open as number 3.
const detached = "GLIM_DETACHED"

// spoken ends the first words of a process that serves.
const spoken = '\x00'

// firstWords carry what a detached process says until it serves, and nothing of what comes later, which nobody would read.
type firstWords struct {
	mu sync.Mutex
	to io.WriteCloser // nil when they are over
}

// newFirstWords returns what a process that was started so writes to; nil for others.
func newFirstWords() *firstWords {
	if os.Getenv(detached) == "" {
		return nil
	}
	_ = os.Unsetenv(detached) // commands that this process runs are not detached
	return &firstWords{to: os.NewFile(3, "first words")}
}

// Write implements io.Writer.
func (f *firstWords) Write(b []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.to == nil {
		return len(b), nil
	}
	return f.to.Write(b)
}

// served ends the first words.
func (f *firstWords) served() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.to != nil {
		_, _ = f.to.Write([]byte{spoken}) // who read them may be gone
		_ = f.to.Close()
		f.to = nil
	}
}

// detach starts the command anew as a process of its own session, and returns when that serves, or has ended, with the code to exit with.
// What it says before goes to say; what would go to standard error afterwards, when a program breaks, to the log.
func detach(args []string, log string, say io.Writer) int {
	pid, err := startDetached(args, log, say)
	if code := (*exec.ExitError)(nil); errors.As(err, &code) && code.ExitCode() > 0 {
		return code.ExitCode() // it has said why
	}
	if err != nil {
		fmt.Fprintf(say, "glim: --detach: %v\n", err)
		return 1
	}
	fmt.Fprintf(say, "glim goes on as process %d; its log is %s\n", pid, log)
	return 0
}

func startDetached(args []string, log string, say io.Writer) (pid int, err error) {
	program, err := os.Executable()
	if err != nil {
		return 0, err
	}
	broken, err := os.OpenFile(log, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return 0, err
	}
	defer broken.Close()
	read, write, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	defer read.Close()
	c := exec.Command(program, args...)
	c.Env = append(os.Environ(), detached+"=1")
	c.Stderr, c.ExtraFiles = broken, []*os.File{write}
	if err := ownSession(c); err != nil {
		return 0, errors.Join(err, write.Close())
	}
	if err := errors.Join(c.Start(), write.Close()); err != nil {
		return 0, err
	}
	var words strings.Builder
	_, err = io.Copy(&words, read)
	said, serves := strings.CutSuffix(words.String(), string(spoken))
	fmt.Fprint(say, said)
	if pid = c.Process.Pid; serves {
		return pid, c.Process.Release()
	}
	return 0, errors.Join(err, c.Wait())
}
