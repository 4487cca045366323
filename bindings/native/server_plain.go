package native

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"glim/bindings/internal/holder"
)

// Nearly all requests are alike, and net/http needs several times as long for a small one as its answer takes. So plain requests
// to a server without a login are answered here, with a read and a write each. A connection on which something else comes is
// handed to net/http, with what was read of it, and stays there.

const (
	plainHead = 4 << 10  // bytes of a head at most
	plainCopy = 16 << 10 // bytes of an answer that are sent in one piece with its head
	plainBody = 64 << 10 // bytes of a body that are believed before they come
)

// plainListener answers plain requests on the connections of a listener, and passes on those where others come.
type plainListener struct {
	net.Listener
	s      *Server
	passed chan accepted
	closed chan struct{}
	close  func() error
}

type accepted struct {
	conn net.Conn
	err  error
}

// listenPlain begins to accept connections of l.
func (s *Server) listenPlain(l net.Listener) net.Listener {
	p := &plainListener{Listener: l, s: s, passed: make(chan accepted), closed: make(chan struct{})}
	p.close = sync.OnceValue(func() error {
		close(p.closed)
		return l.Close()
	})
	go func() {
		for {
			c, err := l.Accept()
			switch {
			case err == nil:
				go p.serve(c)
			case !p.pass(nil, err): // net/http decides whether to go on, and when
				return
			}
		}
	}()
	return p
}

// Accept returns a connection that is not for here, or an error of the listener.
func (p *plainListener) Accept() (net.Conn, error) {
	select {
	case a := <-p.passed:
		return a.conn, a.err
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *plainListener) Close() error { return p.close() }

// pass hands over what was accepted; false when nobody takes it any more.
func (p *plainListener) pass(c net.Conn, err error) bool {
	select {
	case p.passed <- accepted{c, err}:
		return true
	case <-p.closed:
		return false
	}
}

// serve answers the requests of a connection.
func (p *plainListener) serve(c net.Conn) {
	l := &plainConn{
		Conn: c, s: p.s, place: placeOf(c), r: bufio.NewReaderSize(c, plainHead), local: holder.IP(c.LocalAddr()), client: c.RemoteAddr().String(),
		read: deadline{set: c.SetReadDeadline}, write: deadline{set: c.SetWriteDeadline},
	}
	if !p.s.plain.enter(l) {
		_ = c.Close()
		return
	}
	odd := l.serve()
	p.s.plain.leave(l)
	if odd {
		first, _ := l.r.Peek(l.r.Buffered()) // what is there
		if c.SetDeadline(time.Time{}) == nil && p.pass(&replayed{Conn: c, first: first}, nil) {
			return
		}
	}
	_ = c.Close()
}

// What a connection does: only one that rests may be closed when the server ends.
const (
	resting int32 = iota
	answering
	ended
)

// plainConn is a connection on which only plain requests came so far.
type plainConn struct {
	net.Conn
	s           *Server
	place       *limitedConn
	r           *bufio.Reader
	local       netip.Addr // the address the client called
	client      string     // its own
	doing       atomic.Int32
	read, write deadline
	path, host  string // of the last request; a host is ours
	out         []byte
}

// serve returns when the connection is to be closed or, with true, when what comes next is for net/http.
func (l *plainConn) serve() (odd bool) {
	defer func() {
		if p := recover(); p != nil {
			l.s.cfg.Log.Error("a connection panicked", "with", fmt.Sprintf("%T", p), "at", string(debug.Stack()))
			odd = false
		}
	}()
	for wait := l.s.cfg.Limits.ReadHeader; ; wait = l.s.cfg.Limits.Idle {
		if l.read.arm(wait) != nil {
			return false
		}
		if _, err := l.r.Peek(1); err != nil || !l.doing.CompareAndSwap(resting, answering) {
			return false
		}
		more, odd := l.request()
		if odd {
			return true
		}
		if !more || !l.doing.CompareAndSwap(answering, resting) || l.s.plain.ending.Load() {
			return false
		}
	}
}

// request answers one request of which something has come. A head that does not come in one piece is not plain.
func (l *plainConn) request() (more, odd bool) {
	start := time.Now()
	b, err := l.r.Peek(l.r.Buffered())
	if err != nil {
		return false, false
	}
	q, ok := parsePlain(b)
	if !ok || q.length > l.s.cfg.Limits.Body {
		return false, true
	}
	if l.host != string(q.host) {
		host := string(q.host)
		if !l.s.isOurs(host, l.local) {
			return false, true
		}
		l.host = host
	}
	if l.path != string(q.path) {
		l.path = string(q.path)
	}
	if l.s.cfg.Events != nil && isStream(l.path) {
		return false, true
	}
	if _, err := l.r.Discard(q.size); err != nil {
		return false, false
	}
	answer := reply{status: http.StatusBadRequest}
	share := share{of: &l.s.bodies}
	defer share.release()
	body, err := l.body(q.length, &share)
	switch {
	case err == nil:
		if !l.place.becomes(serving) {
			return false, false
		}
		told, taken := l.s.reply(l.path, body)
		defer taken.release()
		answer = told
	case errors.Is(err, errBodies):
		answer.status = http.StatusServiceUnavailable
	}
	more = err == nil && answer.keeps() && !l.s.plain.ending.Load()
	if l.send(answer, more) != nil || !l.place.becomes(waiting) {
		more = false
	}
	l.s.logRequest(l.client, q.method, l.path, answer.status, start)
	return more, false
}

// body reads a request's body. Memory grows with what arrives, not with what is announced.
func (l *plainConn) body(length int64, share *share) ([]byte, error) {
	if length == 0 {
		return nil, nil
	}
	if length > int64(l.r.Buffered()) {
		if !l.place.becomes(sending) {
			return nil, net.ErrClosed
		}
		if err := l.read.arm(l.s.cfg.Limits.ReadBody); err != nil {
			return nil, err
		}
	}
	b := make([]byte, min(length, plainBody))
	for n := 0; ; {
		m, err := io.ReadFull(l.r, b[n:])
		if n += m; err != nil || int64(n) == length {
			return b, err
		}
		size := min(length, 2*int64(n))
		if !share.grow(size) {
			return nil, errBodies
		}
		b = append(make([]byte, 0, size), b...)
		b = b[:cap(b)]
	}
}

// send writes an answer.
func (l *plainConn) send(a reply, more bool) error {
	h := append(l.out[:0], "HTTP/1.1 "...)
	h = strconv.AppendInt(h, int64(a.status), 10)
	h = append(append(h, ' '), http.StatusText(a.status)...)
	h = append(append(h, "\r\nServer: "...), serverName...)
	h = append(append(h, "\r\nContent-Type: "...), a.kind(l.s.cfg.Kind)...)
	h = append(h, "\r\nContent-Length: "...)
	h = strconv.AppendInt(h, int64(len(a.body)), 10)
	h = append(h, "\r\nDate: "...)
	h = time.Now().UTC().AppendFormat(h, http.TimeFormat)
	if a.status == http.StatusOK {
		h = append(h, "\r\nX-Content-Type-Options: nosniff"...)
	}
	if !more {
		h = append(h, "\r\nConnection: close"...)
	}
	h = append(h, "\r\n\r\n"...)
	rest := a.body
	if len(rest) <= plainCopy {
		h, rest = append(h, rest...), nil
	}
	l.out = h
	if err := l.write.arm(l.s.cfg.Limits.Write); err != nil {
		return err
	}
	if _, err := l.Write(h); err != nil || len(rest) == 0 {
		return err
	}
	_, err := l.Write(rest)
	return err
}

// deadline is one of a connection, moved only when it must be: whoever is waited for gets the time promised, or an eighth more.
type deadline struct {
	at  time.Time
	set func(time.Time) error
}

func (d *deadline) arm(wait time.Duration) error {
	now := time.Now()
	if left := d.at.Sub(now); left >= wait && left <= wait+wait/8 {
		return nil
	}
	d.at = now.Add(wait + wait/8)
	return d.set(d.at)
}

// plainConns are the connections that are answered without net/http.
type plainConns struct {
	ending atomic.Bool
	mu     sync.Mutex
	open   map[*plainConn]struct{}
	none   chan struct{} // closed when the server ends and none is open
}

func newPlainConns() *plainConns {
	return &plainConns{open: map[*plainConn]struct{}{}, none: make(chan struct{})}
}

func (p *plainConns) enter(l *plainConn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ending.Load() {
		return false
	}
	p.open[l] = struct{}{}
	return true
}

func (p *plainConns) leave(l *plainConn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.open, l)
	if p.ending.Load() && len(p.open) == 0 {
		close(p.none)
	}
}

// end closes connections that rest, and lets none in any more.
func (p *plainConns) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ending.Swap(true) {
		return
	}
	for l := range p.open {
		if l.doing.CompareAndSwap(resting, ended) {
			_ = l.Close()
		}
	}
	if len(p.open) == 0 {
		close(p.none)
	}
}

// wait returns when no connection is open; when ctx ends first it closes those that are, and returns ctx's error.
func (p *plainConns) wait(ctx context.Context) error {
	select {
	case <-p.none:
		return nil
	case <-ctx.Done():
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for l := range p.open {
		_ = l.Close()
	}
	return ctx.Err()
}
