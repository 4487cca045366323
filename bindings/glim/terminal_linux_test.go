package main

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// newTerminal returns both ends of a pseudo-terminal, which are closed at the end of the test. Writing to keyboard
// types; reading from it returns what is displayed.
func newTerminal(t *testing.T) (keyboard, terminal *os.File) {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { _ = keyboard.Close() })
	c, err := keyboard.SyscallConn() // with Fd, Close could not end blocked reads
	require.NoError(t, err)
	var n int
	require.NoError(t, c.Control(func(fd uintptr) {
		if err = unix.IoctlSetPointerInt(int(fd), unix.TIOCSPTLCK, 0); err == nil {
			n, err = unix.IoctlGetInt(int(fd), unix.TIOCGPTN)
		}
	}))
	require.NoError(t, err)
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { _ = terminal.Close() })
	return keyboard, terminal
}

// TestPasswordIsNotShown checks that a typed password is not echoed, and that the terminal is restored, even without
// input.
func TestPasswordIsNotShown(t *testing.T) {
	keyboard, terminal := newTerminal(t)
	echoes := func() bool {
		now, err := unix.IoctlGetTermios(int(terminal.Fd()), getTermios)
		require.NoError(t, err)
		return now.Lflag&unix.ECHO != 0
	}
	require.True(t, echoes())

	asked := make(chan bool, 2) // whether the terminal echoes at the prompt, and afterwards
	type result struct {
		secret
		error
	}
	came := make(chan result, 1)
	go func() {
		password, err := readPassword(t.Context(), terminal, prompted(func() { asked <- echoes() }),
			"Wallet password: ")
		came <- result{password, err}
	}()
	require.False(t, <-asked, "hidden before the prompt")
	_, err := keyboard.WriteString("hunter2\n")
	require.NoError(t, err)
	r := <-came
	require.NoError(t, r.error)
	require.Equal(t, "hunter2", string(r.secret))
	require.True(t, echoes())

	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = readPassword(cancelled, terminal, prompted(func() {}), "Wallet password: ")
	require.ErrorIs(t, err, errNotTyped)
	require.True(t, echoes())

	file, err := os.Open("terminal_linux_test.go")
	require.NoError(t, err)
	defer file.Close()
	_, hidden := hide(file)
	require.False(t, hidden, "a file is not a terminal")
}

// prompted is a writer that calls a function.
type prompted func()

func (p prompted) Write(b []byte) (int, error) {
	p()
	return len(b), nil
}
