package p2p

import (
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"glim/core/p2p"
)

const (
	readSize  = 32 << 10 // bytes read at a time
	writeSize = 16 << 10 // bytes written at a time
	// Each peer must send something within silence; a timed sync is due every minute. Source:
	// contrib/epee/include/net/abstract_tcp_server2.inl, the timeouts of connections.
	silence = 5 * time.Minute
	// Each peer must read writeSize bytes within stall.
	stall = time.Minute
	// A closed connection may still send queued bytes for this time.
	farewell = 5 * time.Second
	// Limits of queued bytes, for one peer and for all.
	maxQueue    = 64 << 20
	maxAllQueue = 256 << 20
)

// Reasons for closing a connection.
var (
	errSlow   = errors.New("the peer reads too slowly")
	errFull   = errors.New("the send queue is full")
	errClosed = errors.New("closed")
)

// past is an expired deadline.
var past = time.Unix(1, 0)

// connection is a connection to a peer. One goroutine reads and another writes; both end with the connection.
type connection struct {
	id     p2p.ConnID
	conn   net.Conn
	shared *shared
	done   chan struct{} // closed with the connection
	wake   chan struct{} // has an element if there may be something to send

	mu      sync.Mutex
	queue   [][]byte
	queued  int
	leaving bool          // closes once the queue is empty
	paused  chan struct{} // closed when reading continues; nil unless paused
	why     error
}

// shared is the state shared by connections.
type shared struct {
	down, up *Throttle
	queued   atomic.Int64 // bytes to send
	received func(*connection, []byte)
	sent     func(*connection, int)
	closed   func(*connection, error) // the last call, once
}

func newConnection(id p2p.ConnID, c net.Conn, s *shared) *connection {
	return &connection{id: id, conn: c, shared: s, done: make(chan struct{}), wake: make(chan struct{}, 1)}
}

// run reads and writes until the connection ends.
func (l *connection) run() {
	var both sync.WaitGroup
	both.Go(func() { l.close(l.read()) })
	both.Go(func() { l.close(l.write()) })
	both.Wait()
	l.shared.closed(l, l.why)
}

func (l *connection) read() error {
	buffer := make([]byte, readSize)
	for {
		if !l.mayRead() {
			return errClosed
		}
		if err := l.conn.SetReadDeadline(time.Now().Add(silence)); err != nil {
			return err
		}
		n, err := l.conn.Read(buffer)
		if n > 0 {
			l.shared.received(l, buffer[:n])
			if !l.shared.down.Take(n, l.done) {
				return errClosed
			}
		}
		if err != nil {
			return err
		}
	}
}

// mayRead waits while reading is paused. It returns false if the connection has ended.
func (l *connection) mayRead() bool {
	for {
		l.mu.Lock()
		paused := l.paused
		l.mu.Unlock()
		if paused == nil {
			return true
		}
		select {
		case <-paused:
		case <-l.done:
			return false
		}
	}
}

// pause pauses or continues reading.
func (l *connection) pause(hold bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case hold && l.paused == nil:
		l.paused = make(chan struct{})
	case !hold && l.paused != nil:
		close(l.paused)
		l.paused = nil
	}
}

func (l *connection) write() error {
	for {
		next, leaving := l.next()
		if next == nil && leaving {
			return errClosed
		}
		if next == nil {
			select {
			case <-l.wake:
				continue
			case <-l.done:
				return errClosed
			}
		}
		for len(next) > 0 {
			part := next[:min(len(next), writeSize)]
			if !l.shared.up.Take(len(part), l.done) {
				return errClosed
			}
			if err := l.conn.SetWriteDeadline(time.Now().Add(stall)); err != nil {
				return err
			}
			n, err := l.conn.Write(part)
			l.gone(n)
			if err != nil {
				var slow net.Error
				if errors.As(err, &slow) && slow.Timeout() {
					err = errSlow
				}
				return err
			}
			next = next[n:]
			l.shared.sent(l, n)
		}
	}
}

// next returns the bytes to send next, or nil.
func (l *connection) next() (next []byte, leaving bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.queue) > 0 {
		next, l.queue[0] = l.queue[0], nil
		l.queue = l.queue[1:]
	}
	return next, l.leaving
}

// waits returns the number of queued bytes.
func (l *connection) waits() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.queued
}

// gone records that queued bytes were written.
func (l *connection) gone(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n = min(n, l.queued)
	l.queued -= n
	l.shared.queued.Add(-int64(n))
}

// send queues bytes, which must not be changed. It closes the connection if the queue is full.
func (l *connection) send(b []byte) {
	l.mu.Lock()
	if l.why != nil || l.leaving || len(b) == 0 {
		l.mu.Unlock()
		return
	}
	full := l.queued > 0 && l.queued+len(b) > maxQueue || l.shared.queued.Load()+int64(len(b)) > maxAllQueue
	if !full {
		l.queue = append(l.queue, b)
		l.queued += len(b)
		l.shared.queued.Add(int64(len(b)))
	}
	l.mu.Unlock()
	if full {
		l.close(errFull)
		return
	}
	nudge(l.wake)
}

// close closes the connection at once. The reason of the first call is kept.
func (l *connection) close(why error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.why != nil {
		return
	}
	l.why = why
	l.shared.queued.Add(-int64(l.queued))
	l.queue, l.queued = nil, 0
	close(l.done)
	_ = l.conn.Close()
}

// leave closes the connection after the queued bytes are written, or after farewell.
func (l *connection) leave() {
	l.mu.Lock()
	l.leaving = true
	l.mu.Unlock()
	nudge(l.wake)
	time.AfterFunc(farewell, func() { l.close(errSlow) })
}
