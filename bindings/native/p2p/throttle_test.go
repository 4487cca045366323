package p2p

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// TestThrottle checks the rate of all callers together, changes of it, and that a caller can give up. It uses a fake
// clock.
func TestThrottle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		took := func() int { return int(time.Since(began).Round(time.Millisecond).Seconds()) }
		l := NewThrottle(1000)
		require.True(t, l.Take(1000, nil))
		require.Zero(t, took())
		done := make(chan int)
		for range 2 {
			go func() {
				for range 10 {
					l.Take(500, nil)
				}
				done <- took()
			}()
		}
		<-done
		require.Equal(t, 10, max(<-done, took()))

		go func() { l.Take(100_000, nil); done <- took() }()
		synctest.Wait()
		l.Set(100_000)
		require.Equal(t, 11, <-done)

		gone := make(chan struct{})
		left := make(chan bool)
		go func() { left <- l.Take(1<<30, gone) }()
		synctest.Wait()
		close(gone)
		require.False(t, <-left)
	})
}
