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
	// A peer has to say something within silence: every peer asks for the time once a minute. Source:
	// contrib/epee/include/net/abstract_tcp_server2.inl, the timeouts of connections.
	silence = 5 * time.Minute
	// It has to take what it is sent, writeSize bytes within stall.
	stall = time.Minute
	// When a connection is closed what was sent before may take so long.
	farewell = 5 * time.Second
	// What waits to be sent, in bytes: to one peer, and to all.
	maxQueue    = 64 << 20
	maxAllQueue = 256 << 20
)

// Why a connection ended, besides what its socket says.
var (
	errSlow   = errors.New("it does not read what it is sent")
	errFull   = errors.New("too much waits to be sent")
	errClosed = errors.New("closed")
)

// past is a deadline that is over.
var past = time.Unix(1, 0)

// link is one connection to a peer. A goroutine reads, another writes; both end with it.
type link struct {
	id   p2p.ConnID
	conn net.Conn
	with *shared
	done chan struct{} // closed with the link
	wake chan struct{} // one waits: there is something to send

	mu      sync.Mutex
	queue   [][]byte
	queued  int
	leaving bool          // closes when the queue is empty
	paused  chan struct{} // closed when reading goes on; nil when it does
	why     error
}

// shared is what links have in common.
type shared struct {
	down, up *Throttle
	queued   atomic.Int64 // bytes that wait to be sent
	received func(*link, []byte)
	sent     func(*link, int)
	closed   func(*link, error) // called last, once
}

func newLink(id p2p.ConnID, c net.Conn, with *shared) *link {
	return &link{id: id, conn: c, with: with, done: make(chan struct{}), wake: make(chan struct{}, 1)}
}

// run reads and writes until the link ends.
func (l *link) run() {
	var both sync.WaitGroup
	both.Go(func() { l.close(l.read()) })
	both.Go(func() { l.close(l.write()) })
	both.Wait()
	l.with.closed(l, l.why)
}

func (l *link) read() error {
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
			l.with.received(l, buffer[:n])
			if !l.with.down.Take(n, l.done) {
				return errClosed
			}
		}
		if err != nil {
			return err
		}
	}
}

// mayRead returns when nobody holds reading up; false when the link has ended.
func (l *link) mayRead() bool {
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

// pause holds reading up, or lets it go on.
func (l *link) pause(hold bool) {
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

func (l *link) write() error {
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
			if !l.with.up.Take(len(part), l.done) {
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
			l.with.sent(l, n)
		}
	}
}

// next takes what is to be sent next, nil for nothing.
func (l *link) next() (next []byte, leaving bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.queue) > 0 {
		next, l.queue[0] = l.queue[0], nil
		l.queue = l.queue[1:]
	}
	return next, l.leaving
}

// waits returns how many bytes wait to be sent.
func (l *link) waits() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.queued
}

// gone notes that bytes of the queue have been written.
func (l *link) gone(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n = min(n, l.queued)
	l.queued -= n
	l.with.queued.Add(-int64(n))
}

// send queues bytes, which stay as they are. The link ends when the peer does not read what it was sent before.
func (l *link) send(b []byte) {
	l.mu.Lock()
	if l.why != nil || l.leaving || len(b) == 0 {
		l.mu.Unlock()
		return
	}
	full := l.queued > 0 && l.queued+len(b) > maxQueue || l.with.queued.Load()+int64(len(b)) > maxAllQueue
	if !full {
		l.queue = append(l.queue, b)
		l.queued += len(b)
		l.with.queued.Add(int64(len(b)))
	}
	l.mu.Unlock()
	if full {
		l.close(errFull)
		return
	}
	nudge(l.wake)
}

// close ends the link at once, for the first reason that is given.
func (l *link) close(why error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.why != nil {
		return
	}
	l.why = why
	l.with.queued.Add(-int64(l.queued))
	l.queue, l.queued = nil, 0
	close(l.done)
	_ = l.conn.Close()
}

// leave ends the link when what was sent before is written, or has taken too long.
func (l *link) leave() {
	l.mu.Lock()
	l.leaving = true
	l.mu.Unlock()
	nudge(l.wake)
	time.AfterFunc(farewell, func() { l.close(errSlow) })
}
