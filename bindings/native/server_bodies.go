package native

import (
	"errors"
	"io"
	"sync/atomic"
)

// bodies bounds the memory that the bodies of all requests take together, or those of all answers: each may be large, and there are many
// connections.
type bodies struct {
	used atomic.Int64
	most int64
}

// errBodies reports that there is no room for a body now.
var errBodies = errors.New("native: too much is being sent at once")

// freeBody is how much of a body is not counted: small requests are served whatever others send.
const freeBody = 64 << 10

// share is what one body takes.
type share struct {
	of    *bodies
	taken int64
}

// grow makes the share that of a body of so many bytes. False when there is no room.
func (s *share) grow(size int64) bool {
	more := max(size-freeBody, 0) - s.taken
	if more <= 0 {
		return true
	}
	if s.of.used.Add(more) > s.of.most {
		s.of.used.Add(-more)
		return false
	}
	s.taken += more
	return true
}

// release gives it back when the request is answered.
func (s *share) release() {
	s.of.used.Add(-s.taken)
	s.taken = 0
}

// shared is a body whose bytes count. What is read into grows ahead of what was read: by half, at most.
type shared struct {
	io.Reader
	share *share
	size  int64
}

func (r *shared) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	if r.size += int64(n); !r.share.grow(r.size) {
		return n, errBodies
	}
	return n, err
}
