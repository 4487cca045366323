package service

import (
	"errors"
	"sync"

	"glim/core/daemon"
	"glim/core/internal/compact"
)

// An answer with blocks is to take no less and no more, in seconds, as far as that is in the hands of who asks: so that what is asked is not
// asked over and over when the way to the daemon is slow and breaks off, and a wallet shows how it goes on; and so that the time on the way
// does not count where it is fast.
const (
	shortAnswer = 5
	longAnswer  = 30
)

// paces are how many blocks are asked for at a time, whole segments of compact ones; 0 for as many as the daemon gives. There are few, for
// wallets that ask for as many ask in the same words.
var paces = [...]int{0, 5 * compact.Segment, 2 * compact.Segment, compact.Segment}

// pace finds how many blocks to ask a daemon for at a time, from how long it took before.
type pace struct {
	now func() uint64 // POSIX seconds

	mu   sync.Mutex
	slow int // index into paces
}

// start returns how many blocks to ask for, and what to call with the number that came.
func (p *pace) start() (most int, ended func(blocks int, err error)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	slow, began := p.slow, p.now()
	return paces[slow], func(blocks int, err error) {
		took := p.now() - began
		if p.now() < began { // somebody set the clock
			took = 0
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		switch {
		case p.slow != slow: // another answer has told meanwhile
		case errors.Is(err, daemon.ErrUnreachable) || err == nil && took > longAnswer:
			p.slow = min(slow+1, len(paces)-1)
		case err == nil && took < shortAnswer && blocks >= paces[slow]:
			p.slow = max(slow-1, 0)
		}
	}
}
