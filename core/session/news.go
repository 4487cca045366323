package session

import "sync"

// news wakes whoever waits for something to change.
type news struct {
	mu     sync.Mutex
	coming chan struct{} // nil when nobody waits
}

func (n *news) next() <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.coming == nil {
		n.coming = make(chan struct{})
	}
	return n.coming
}

func (n *news) tell() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.coming != nil {
		close(n.coming)
		n.coming = nil
	}
}

// News returns a channel that closes with the next change: of the wallet, or of how far a refresh has come. Who takes it before
// he looks misses nothing.
func (s *Session) News() <-chan struct{} { return s.news.next() }
