package native_test

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/native"
)

// TestLowPriorityThread checks that only the working thread has a lower priority, and only while it works.
func TestLowPriorityThread(t *testing.T) {
	// The system call returns 20 minus the nice value.
	nice := func() int {
		p, err := syscall.Getpriority(syscall.PRIO_PROCESS, syscall.Gettid())
		require.NoError(t, err)
		return 20 - p
	}
	before, within := nice(), 0
	var inside int
	native.LowPriority(func() { within, inside = nice(), syscall.Gettid() })
	require.Equal(t, max(before, 10), within)
	for range 100 {
		done := make(chan bool)
		go func() { done <- syscall.Gettid() != inside && nice() == before }()
		require.True(t, <-done)
	}
}
