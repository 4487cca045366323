package zmq

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"glim/bindings/internal/clientaddr"
)

const (
	// maxClients limits the number of clients of a Replier.
	maxClients = 100
	// smallMessage is the size in bytes up to which a message is read or sent without waiting for other large ones.
	smallMessage = 64 << 10
	// largeMessages is the number of larger requests that are read at a time, and of larger responses sent.
	largeMessages = 4
	// maxEnvelope limits the frames before a request, which brokers add and which are sent back.
	maxEnvelope = 16
)

var errEnvelope = errors.New("zmq: too many frames")

// Replier is a REP socket: it answers the requests of REQ and DEALER sockets. Methods are safe for concurrent use.
type Replier struct {
	answer    func(request []byte) []byte
	max       uint64 // bytes of a request
	log       *slog.Logger
	listeners []net.Listener
	running   sync.WaitGroup
	answering sync.Mutex    // held while a request is answered: one at a time, as in the reference
	reading   chan struct{} // slots for large requests
	sending   chan struct{} // slots for large responses

	mu     sync.Mutex
	all    map[*requester]struct{}
	closed bool
}

// requester is a client of a Replier.
type requester struct {
	conn net.Conn
	host netip.Addr
	used atomic.Int64 // when the last request came, or the connection, in nanoseconds since 1970
}

// Reply answers requests of at most max bytes until Close, which also closes the listeners. Clients with longer
// requests are disconnected.
func Reply(listeners []net.Listener, max int, answer func(request []byte) []byte, log *slog.Logger) *Replier {
	r := &Replier{
		answer: answer, max: uint64(max), log: log, listeners: listeners,
		reading: make(chan struct{}, largeMessages), sending: make(chan struct{}, largeMessages),
		all: map[*requester]struct{}{},
	}
	for _, l := range listeners {
		r.running.Go(func() { r.accept(l) })
	}
	return r
}

// accept accepts clients until the listener is closed.
func (r *Replier) accept(l net.Listener) {
	failed := func(err error) { r.log.Warn("accepting a client of ZeroMQ failed", "error", err) }
	for conn := range accepted(l, failed) {
		c := &requester{conn: conn, host: clientaddr.LimitKey(conn.RemoteAddr())}
		c.used.Store(time.Now().UnixNano())
		if !r.enter(c) {
			_ = conn.Close()
			continue
		}
		r.running.Go(func() {
			why := r.serve(c)
			_ = conn.Close()
			r.mu.Lock()
			delete(r.all, c)
			r.mu.Unlock()
			r.log.Debug("client of ZeroMQ disconnected", "from", conn.RemoteAddr().String(), "reason", why)
		})
	}
}

// enter adds a client. If there are too many, it disconnects one of the host with the most clients, the one that has
// been silent for longest.
func (r *Replier) enter(c *requester) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return false
	}
	if len(r.all) >= maxClients {
		count := map[netip.Addr]int{}
		for o := range r.all {
			count[o.host]++
		}
		var out *requester
		for o := range r.all {
			if out == nil || count[o.host] > count[out.host] ||
				count[o.host] == count[out.host] && o.used.Load() < out.used.Load() {
				out = o
			}
		}
		delete(r.all, out)
		_ = out.conn.Close()
		r.log.Warn("too many clients of ZeroMQ", "limit", maxClients)
	}
	r.all[c] = struct{}{}
	return true
}

// serve serves a client until the connection ends, and returns the reason.
func (r *Replier) serve(c *requester) error {
	in := bufio.NewReaderSize(c.conn, maxFrame)
	if err := shake(c.conn, in, "REP", "REQ", "DEALER"); err != nil {
		return err
	}
	for {
		envelope, request, err := r.read(c.conn, in)
		if err != nil {
			return err
		}
		if envelope == nil {
			continue // without the empty frame before the request it is ignored
		}
		c.used.Store(time.Now().UnixNano())
		r.answering.Lock()
		response := r.answer(request)
		r.answering.Unlock()
		if err := r.send(c.conn, envelope, response); err != nil {
			return err
		}
	}
}

// read returns the next request, and the frames before it as they are sent back: those up to the empty one. These are
// nil for a message without an empty frame. It obeys commands meanwhile.
func (r *Replier) read(conn net.Conn, in *bufio.Reader) (envelope, request []byte, err error) {
	frames, wrapped := 0, true
	for {
		flags, size, err := readHead(in)
		if err != nil {
			return nil, nil, err
		}
		if flags&command != 0 {
			if err := obey(conn, in, size); err != nil {
				return nil, nil, err
			}
			continue
		}
		if wrapped {
			if frames++; frames > maxEnvelope || size > maxFrame {
				return nil, nil, errEnvelope
			}
			body := make([]byte, size)
			if _, err := io.ReadFull(in, body); err != nil {
				return nil, nil, err
			}
			if flags&more == 0 {
				return nil, nil, nil
			}
			envelope, wrapped = append(envelope, frame(more, body)...), size > 0
			continue
		}
		// The parts of a request are joined, as in the reference. Source: src/net/zmq.cpp, do_receive.
		if size > r.max-uint64(len(request)) {
			return nil, nil, errFrame
		}
		if request, err = r.readPart(conn, in, request, size); err != nil {
			return nil, nil, err
		}
		if flags&more == 0 {
			return envelope, request, nil
		}
	}
}

// readPart appends a frame to a request. A large one waits for a slot, and then has limited time.
func (r *Replier) readPart(conn net.Conn, in io.Reader, request []byte, size uint64) ([]byte, error) {
	if uint64(len(request))+size <= smallMessage {
		part := make([]byte, size)
		_, err := io.ReadFull(in, part)
		return append(request, part...), err
	}
	r.reading <- struct{}{}
	defer func() { <-r.reading }()
	if err := conn.SetReadDeadline(time.Now().Add(stall)); err != nil {
		return nil, err
	}
	part := make([]byte, size)
	if _, err := io.ReadFull(in, part); err != nil {
		return nil, err
	}
	return append(request, part...), conn.SetReadDeadline(time.Time{})
}

// send sends a response behind the frames that were before the request.
func (r *Replier) send(conn net.Conn, envelope, response []byte) error {
	if len(response) > smallMessage {
		r.sending <- struct{}{}
		defer func() { <-r.sending }()
	}
	if err := conn.SetWriteDeadline(time.Now().Add(stall)); err != nil {
		return err
	}
	head := append(envelope, long)
	if _, err := conn.Write(binary.BigEndian.AppendUint64(head, uint64(len(response)))); err != nil {
		return err
	}
	if _, err := conn.Write(response); err != nil {
		return err
	}
	return conn.SetWriteDeadline(time.Time{})
}

// obey reads a command and answers it, if it is PING.
func obey(conn net.Conn, in io.Reader, size uint64) error {
	if size > maxFrame {
		return errFrame
	}
	body := make([]byte, size)
	if _, err := io.ReadFull(in, body); err != nil {
		return err
	}
	name, rest, err := split(body)
	if err != nil || name != "PING" {
		return err
	}
	reply, err := pong(rest)
	if err == nil {
		_, err = conn.Write(reply)
	}
	return err
}

// Close stops accepting, and disconnects the clients once their current requests are answered.
func (r *Replier) Close() (err error) {
	for _, l := range r.listeners {
		err = errors.Join(err, l.Close())
	}
	r.mu.Lock()
	r.closed = true
	for c := range r.all {
		_ = c.conn.SetReadDeadline(time.Unix(1, 0))
		time.AfterFunc(linger, func() { _ = c.conn.Close() })
	}
	r.mu.Unlock()
	r.running.Wait()
	return err
}
