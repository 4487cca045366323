// Package malicious provides a proxy in front of a daemon that alters the daemon's answers as a test tells it to.
package malicious

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"

	"glim/core/rpc"
)

// maxRequest is the largest request body that ServeHTTP reads, in bytes.
const maxRequest = 64 << 20

// Daemon passes requests to a daemon and applies one Fault to its answers. It is an rpc.Transport for a client in the
// same process and an http.Handler for other clients. It is safe for concurrent use.
type Daemon struct {
	honest rpc.Transport

	mu       sync.Mutex
	fault    Fault
	modified *rpc.Registry // the operations that the fault answers, or nil
	faults   int
	requests map[string]int
}

// New returns a proxy for honest. It alters nothing until Inject.
func New(honest rpc.Transport) *Daemon {
	return &Daemon{honest: honest, requests: map[string]int{}}
}

// Inject replaces the fault and resets the counters. The zero Fault alters nothing.
func (d *Daemon) Inject(fault Fault) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fault, d.modified, d.faults, d.requests = fault, nil, 0, map[string]int{}
	if fault.register != nil {
		d.modified = rpc.NewRegistry()
		fault.register(d.modified, d.honest)
	}
}

// Faults returns the number of answers that were altered or withheld since Inject.
func (d *Daemon) Faults() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.faults
}

// Requests returns the number of requests for an operation since Inject.
func (d *Daemon) Requests(operation string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.requests[operation]
}

// Operation returns the name of the operation that a request calls.
func Operation(path string, body []byte) string {
	if path == "/json_rpc" {
		return rpc.MethodOf(body)
	}
	return path[min(len(path), 1):]
}

// Post answers one request.
func (d *Daemon) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	operation := Operation(path, body)
	d.mu.Lock()
	fault, modified := d.fault, d.modified
	d.requests[operation]++
	typed := modified != nil && modified.Find(path, body) != nil
	raw := fault.raw != nil && (fault.operation == "" || fault.operation == operation)
	if typed || raw {
		d.faults++
	}
	d.mu.Unlock()
	switch {
	case typed:
		return modified.Post(ctx, path, body)
	case raw:
		return fault.raw(ctx, func() ([]byte, error) { return d.honest.Post(ctx, path, body) })
	}
	return d.honest.Post(ctx, path, body)
}

// errHangUp makes ServeHTTP close the connection without an answer.
var errHangUp = errors.New("malicious: hanging up")

// ServeHTTP answers one request over HTTP.
func (d *Daemon) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxRequest))
	if err != nil {
		return
	}
	answer, err := d.Post(r.Context(), r.URL.Path, body)
	switch {
	case errors.Is(err, rpc.ErrNoPath):
		http.NotFound(w, r)
	case err != nil:
		panic(http.ErrAbortHandler) // closes the connection
	default:
		_, _ = w.Write(answer)
	}
}
