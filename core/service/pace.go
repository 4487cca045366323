package service

import (
	"errors"
	"sync"

	"glim/core/daemon"
	"glim/core/internal/compact"
)

// A response with blocks should take between shortAnswer and longAnswer seconds. On a slow or unreliable connection,
// small responses lose less when it breaks, and the wallet shows progress. On a fast connection, large responses make
// the round trip negligible.
const (
	shortAnswer = 5
	longAnswer  = 30
)

// paces are numbers of blocks to request at once, in complete segments of compact blocks; 0 leaves the number to the
// daemon. There are only a few, so that wallets send equal requests, which can be shared.
var paces = [...]int{0, 5 * compact.Segment, 2 * compact.Segment, compact.Segment}

// pace chooses how many blocks to request from a daemon at once, from how long earlier requests took.
type pace struct {
	now func() uint64 // POSIX seconds

	mu   sync.Mutex
	slow int // index into paces
}

// start returns how many blocks to request, and a function to call with the number received.
func (p *pace) start() (most int, ended func(blocks int, err error)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	slow, began := p.slow, p.now()
	return paces[slow], func(blocks int, err error) {
		took := p.now() - began
		if p.now() < began { // the clock was set back
			took = 0
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		switch {
		case p.slow != slow: // another response has changed the pace
		case errors.Is(err, daemon.ErrUnreachable) || err == nil && took > longAnswer:
			p.slow = min(slow+1, len(paces)-1)
		case err == nil && took < shortAnswer && blocks >= paces[slow]:
			p.slow = max(slow-1, 0)
		}
	}
}
