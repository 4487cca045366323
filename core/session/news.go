package session

import "sync"

// broadcast wakes all goroutines that wait for a change.
type broadcast struct {
	mu   sync.Mutex
	wait chan struct{} // closed by the next change; nil while nothing waits
}

func (n *broadcast) next() <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.wait == nil {
		n.wait = make(chan struct{})
	}
	return n.wait
}

func (n *broadcast) notify() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.wait != nil {
		close(n.wait)
		n.wait = nil
	}
}

// Changed returns a channel that closes with the next change of the wallet or of the progress of a refresh. A caller
// that gets it before reading the state misses nothing.
func (s *Session) Changed() <-chan struct{} { return s.changed.next() }
