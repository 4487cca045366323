package p2p

import (
	"sync"
	"time"
)

// Throttle limits the rate of bytes, shared by all its users. Up to one second's unused bytes may be used at once.
type Throttle struct {
	mu      sync.Mutex
	rate    float64 // bytes a second
	asked   float64 // bytes requested so far, by all callers
	granted float64 // bytes granted until the time at
	at      time.Time
	changed chan struct{} // closed when the rate changes
}

// NewThrottle returns a throttle for this many bytes a second, at least 1.
func NewThrottle(rate uint64) *Throttle {
	t := &Throttle{at: time.Now(), changed: make(chan struct{})}
	t.rate = float64(max(rate, 1))
	t.granted = t.rate
	return t
}

// Set changes the rate to this many bytes a second, at least 1, also for waiting callers.
func (t *Throttle) Set(rate uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.pass()
	t.rate = float64(max(rate, 1))
	close(t.changed)
	t.changed = make(chan struct{})
}

// pass grants the bytes for the time since the last call.
func (t *Throttle) pass() {
	now := time.Now()
	t.granted = min(t.granted+t.rate*now.Sub(t.at).Seconds(), t.asked+t.rate)
	t.at = now
}

// Take waits until n more bytes may pass, in order of calls. It returns false if done is closed before.
func (t *Throttle) Take(n int, done <-chan struct{}) bool {
	t.mu.Lock()
	t.pass()
	t.asked += float64(n)
	mine := t.asked
	for t.granted < mine {
		wait := time.NewTimer(time.Duration((mine-t.granted)/t.rate*float64(time.Second)) + 1)
		changed := t.changed
		t.mu.Unlock()
		select {
		case <-wait.C:
		case <-changed:
		case <-done:
			wait.Stop()
			return false
		}
		wait.Stop()
		t.mu.Lock()
		t.pass()
	}
	t.mu.Unlock()
	return true
}
