package main

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// newTerminal returns both ends of a pseudo-terminal, which are closed when the test ends. What is written to keyboard is typed,
// what is read from it is shown.
func newTerminal(t *testing.T) (keyboard, terminal *os.File) {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	t.Cleanup(func() { _ = keyboard.Close() })
	c, err := keyboard.SyscallConn() // Fd would make reads block that Close is to end
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

// A password that is typed is not shown; the terminal is afterwards as it was, also when nothing was typed.
func TestPasswordIsNotShown(t *testing.T) {
	keyboard, terminal := newTerminal(t)
	echoes := func() bool {
		now, err := unix.IoctlGetTermios(int(terminal.Fd()), getTermios)
		require.NoError(t, err)
		return now.Lflag&unix.ECHO != 0
	}
	require.True(t, echoes())

	asked := make(chan bool, 2) // whether it echoes when the password is asked for, and after
	type result struct {
		secret
		error
	}
	came := make(chan result, 1)
	go func() {
		password, err := readPassword(t.Context(), terminal, prompted(func() { asked <- echoes() }), "Wallet password: ")
		came <- result{password, err}
	}()
	require.False(t, <-asked, "hidden before anybody can type")
	_, err := keyboard.WriteString("hunter2\n")
	require.NoError(t, err)
	r := <-came
	require.NoError(t, r.error)
	require.Equal(t, "hunter2", string(r.secret))
	require.True(t, echoes())

	gone, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = readPassword(gone, terminal, prompted(func() {}), "Wallet password: ")
	require.ErrorIs(t, err, errNotTyped)
	require.True(t, echoes())

	file, err := os.Open("terminal_linux_test.go")
	require.NoError(t, err)
	defer file.Close()
	_, hidden := hide(file)
	require.False(t, hidden, "a file is no terminal")
}

// prompted is called whenever something is said.
type prompted func()

func (p prompted) Write(b []byte) (int, error) {
	p()
	return len(b), nil
}
