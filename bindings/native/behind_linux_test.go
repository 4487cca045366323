package native_test

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/native"
)

// TestBehind: only the thread that works gives way, and only while it does.
func TestBehind(t *testing.T) {
	// The system call answers 20 less how nice a thread is.
	nice := func() int {
		p, err := syscall.Getpriority(syscall.PRIO_PROCESS, syscall.Gettid())
		require.NoError(t, err)
		return 20 - p
	}
	before, within := nice(), 0
	var inside int
	native.Behind(func() { within, inside = nice(), syscall.Gettid() })
	require.Equal(t, max(before, 10), within)
	for range 100 {
		done := make(chan bool)
		go func() { done <- syscall.Gettid() != inside && nice() == before }()
		require.True(t, <-done)
	}
}
