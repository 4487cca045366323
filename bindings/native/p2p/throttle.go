package p2p

import (
	"sync"
	"time"
)

// Throttle bounds how many bytes a second pass, together for all that share it. What passed too little for a second may pass at once.
type Throttle struct {
	mu      sync.Mutex
	rate    float64 // bytes a second
	asked   float64 // bytes, by all who came
	granted float64 // bytes that may have passed at the moment at
	at      time.Time
	changed chan struct{} // closed when the rate changes
}

// NewThrottle returns one for so many bytes a second, 1 at least.
func NewThrottle(rate uint64) *Throttle {
	t := &Throttle{at: time.Now(), changed: make(chan struct{})}
	t.rate = float64(max(rate, 1))
	t.granted = t.rate
	return t
}

// Set changes the bytes a second, 1 at least, for those who wait, too.
func (t *Throttle) Set(rate uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.pass()
	t.rate = float64(max(rate, 1))
	close(t.changed)
	t.changed = make(chan struct{})
}

// pass grants what the time since the last call allows.
func (t *Throttle) pass() {
	now := time.Now()
	t.granted = min(t.granted+t.rate*now.Sub(t.at).Seconds(), t.asked+t.rate)
	t.at = now
}

// Take returns when n more bytes may pass, those who came first being first; false when done is closed before.
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
