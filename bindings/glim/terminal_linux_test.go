package main

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// A password that is typed is not shown; the terminal is afterwards as it was, also when nothing was typed.
func TestPasswordIsNotShown(t *testing.T) {
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	defer keyboard.Close()
	fd := int(keyboard.Fd())
	require.NoError(t, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	require.NoError(t, err)
	terminal, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	require.NoError(t, err)
	defer terminal.Close()
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
	_, err = keyboard.WriteString("hunter2\n")
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
