// Package liar stands before a daemon and lies for it: every answer is the daemon's own, but for what a lie with a name makes of it.
package liar

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"

	"glim/core/rpc"
)

// maxRequest bounds what a client may send, in bytes.
const maxRequest = 64 << 20

// Liar answers as a daemon does, and lies as it was told to. It is an rpc.Transport for a client in the same process, and an
// http.Handler for any other. Its methods may be called from several goroutines.
type Liar struct {
	daemon rpc.Transport

	mu    sync.Mutex
	lie   Lie
	bent  *rpc.Registry // the operations that the lie answers; nil for none
	told  int
	asked map[string]int
}

// New returns what passes on what daemon says, and nothing else until Tell.
func New(daemon rpc.Transport) *Liar {
	return &Liar{daemon: daemon, asked: map[string]int{}}
}

// Tell makes it lie in one way from now on; the zero Lie is the truth. It counts afresh.
func (l *Liar) Tell(lie Lie) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lie, l.bent, l.told, l.asked = lie, nil, 0, map[string]int{}
	if lie.bend != nil {
		l.bent = rpc.NewRegistry()
		lie.bend(l.bent, l.daemon)
	}
}

// Told returns how many answers were lies, or were refused, since Tell.
func (l *Liar) Told() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.told
}

// Asked returns how often an operation was asked for since Tell.
func (l *Liar) Asked(operation string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.asked[operation]
}

// Operation returns the name of the operation that a request is for.
func Operation(path string, body []byte) string {
	if path == "/json_rpc" {
		return rpc.MethodOf(body)
	}
	return path[min(len(path), 1):]
}

// Post answers one request.
func (l *Liar) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	operation := Operation(path, body)
	l.mu.Lock()
	lie, bent := l.lie, l.bent
	l.asked[operation]++
	bends := bent != nil && bent.Find(path, body) != nil
	raw := lie.raw != nil && (lie.operation == "" || lie.operation == operation)
	if bends || raw {
		l.told++
	}
	l.mu.Unlock()
	switch {
	case bends:
		return bent.Post(ctx, path, body)
	case raw:
		return lie.raw(ctx, func() ([]byte, error) { return l.daemon.Post(ctx, path, body) })
	}
	return l.daemon.Post(ctx, path, body)
}

// errHangUp is a lie's wish to end the connection without an answer.
var errHangUp = errors.New("liar: hanging up")

// ServeHTTP answers over HTTP.
func (l *Liar) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxRequest))
	if err != nil {
		return
	}
	answer, err := l.Post(r.Context(), r.URL.Path, body)
	switch {
	case errors.Is(err, rpc.ErrNoPath):
		http.NotFound(w, r)
	case err != nil:
		panic(http.ErrAbortHandler) // the connection ends
	default:
		_, _ = w.Write(answer)
	}
}
