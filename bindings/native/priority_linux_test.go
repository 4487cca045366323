package native_test

import (
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/native"
)

// TestLowPriorityThread checks that only the threads that LowPriority keeps have a lower priority, and that it makes no
// more of them than it uses at a time. None of them may end: see LowPriority.
func TestLowPriorityThread(t *testing.T) {
	// The system call returns 20 minus the nice value.
	nice := func() int {
		p, err := syscall.Getpriority(syscall.PRIO_PROCESS, syscall.Gettid())
		require.NoError(t, err)
		return 20 - p
	}
	const together = 4
	before := nice()
	low := make(map[int]bool)
	for range 20 {
		var (
			mu      sync.Mutex
			started sync.WaitGroup
			ended   sync.WaitGroup
		)
		started.Add(together)
		for range together {
			ended.Go(func() {
				native.LowPriority(func() {
					mu.Lock()
					low[syscall.Gettid()] = true
					within := nice()
					mu.Unlock()
					started.Done()
					started.Wait()
					if within != max(before, 10) {
						t.Errorf("nice value %d", within)
					}
				})
			})
		}
		ended.Wait()
	}
	require.Len(t, low, together)
	for range 100 {
		done := make(chan bool)
		go func() { done <- !low[syscall.Gettid()] && nice() == before }()
		require.True(t, <-done)
	}
}
