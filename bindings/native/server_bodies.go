package native

import (
	"errors"
	"io"
	"sync/atomic"
)

// budget limits the memory of all request bodies together, or of all responses: each of them may be large, and there
// are many connections.
type budget struct {
	used  atomic.Int64 // bytes
	limit int64
}

// errBodies reports that the request bodies being received leave no memory for another.
var errBodies = errors.New("native: request bodies exceed the server's memory limit")

// unreserved is the part of a body, in bytes, that needs no reservation: small requests are served under any load.
const unreserved = 64 << 10

// reservation is the part of a budget that one body takes.
type reservation struct {
	of    *budget
	bytes int64
}

// grow raises the reservation to that of a body of size bytes. It returns false if the budget is exhausted.
func (r *reservation) grow(size int64) bool {
	more := max(size-unreserved, 0) - r.bytes
	if more <= 0 {
		return true
	}
	if r.of.used.Add(more) > r.of.limit {
		r.of.used.Add(-more)
		return false
	}
	r.bytes += more
	return true
}

// release returns the reservation to the budget.
func (r *reservation) release() {
	r.of.used.Add(-r.bytes)
	r.bytes = 0
}

// reservingReader reserves memory for what it reads. io.ReadAll allocates ahead of what was read by at most half.
type reservingReader struct {
	io.Reader
	reserved *reservation
	size     int64
}

func (r *reservingReader) Read(b []byte) (int, error) {
	n, err := r.Reader.Read(b)
	if r.size += int64(n); !r.reserved.grow(r.size) {
		return n, errBodies
	}
	return n, err
}
