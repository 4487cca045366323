package zmq

import (
	"bufio"
	"io"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"glim/bindings/internal/clientaddr"
)

const (
	// Limits of the queue of a subscriber: messages, the default of ZMQ_SNDHWM, and bytes.
	maxMessages = 1000
	maxBytes    = 32 << 20
	// maxTopics limits the number of subscriptions.
	maxTopics = 256
	// stall limits the time to send one message.
	stall = time.Minute
)

// subscriber is a connection. One goroutine reads and another writes; both end with the connection.
type subscriber struct {
	conn          net.Conn
	host          netip.Addr
	since         time.Time     // of the connection
	shaken        atomic.Bool   // the handshake is complete
	wake          chan struct{} // has an element if there may be something to send
	done          chan struct{} // closed with the connection
	end           sync.Once
	sent, dropped atomic.Uint64

	mu      sync.Mutex
	topics  map[string]struct{}
	queue   [][]byte
	bytes   int
	leaving bool // closes once the queue is empty
}

func newSubscriber(conn net.Conn) *subscriber {
	return &subscriber{
		conn:   conn,
		host:   clientaddr.LimitKey(conn.RemoteAddr()),
		since:  time.Now(),
		wake:   make(chan struct{}, 1),
		done:   make(chan struct{}),
		topics: map[string]struct{}{},
	}
}

// run serves the connection until it ends, and returns the reason.
func (s *subscriber) run() error {
	r := bufio.NewReaderSize(s.conn, maxFrame)
	err := s.greet(r)
	if err == nil {
		var writing sync.WaitGroup
		writing.Go(s.write)
		err = s.read(r)
		s.close()
		writing.Wait()
	}
	s.close()
	return err
}

func (s *subscriber) close() {
	s.end.Do(func() {
		close(s.done)
		_ = s.conn.Close()
	})
}

// greet does the handshake.
func (s *subscriber) greet(r io.Reader) error {
	if err := shake(s.conn, r, "PUB", "SUB", "XSUB"); err != nil {
		return err
	}
	s.shaken.Store(true)
	return nil
}

// Priorities of subscribers when one must be disconnected; lower ones first.
const (
	greets = iota
	wantsNothing
	fallsBehind
	keepsUp
)

func (s *subscriber) standing() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case !s.shaken.Load():
		return greets
	case len(s.topics) == 0:
		return wantsNothing
	case s.dropped.Load() > 0 && len(s.queue) > 0:
		return fallsBehind
	}
	return keepsUp
}

// read handles subscriptions, which are messages that begin with 1 or 0 or, since ZMTP 3.1, commands.
// Source: rfc.zeromq.org, 29/PUBSUB; 37/ZMTP, "PING" and "SUBSCRIBE".
func (s *subscriber) read(r io.Reader) error {
	for {
		flags, body, err := readFrame(r)
		if err != nil {
			return err
		}
		if flags&command == 0 {
			// Multipart messages and those other than subscriptions are data of an XSUB socket, which is ignored.
			if flags == 0 && len(body) > 0 && body[0] <= 1 {
				err = s.subscribe(string(body[1:]), body[0] == 1)
			}
		} else {
			err = s.obey(body)
		}
		if err != nil {
			return err
		}
	}
}

// obey handles a command.
func (s *subscriber) obey(body []byte) error {
	name, rest, err := split(body)
	if err != nil {
		return err
	}
	switch name {
	case "SUBSCRIBE", "CANCEL":
		return s.subscribe(string(rest), name == "SUBSCRIBE")
	case "PING":
		reply, err := pong(rest)
		if err == nil {
			s.send(reply)
		}
		return err
	}
	return nil
}

// subscribe adds or removes a subscription.
func (s *subscriber) subscribe(prefix string, on bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !on {
		delete(s.topics, prefix)
		return nil
	}
	s.topics[prefix] = struct{}{}
	if len(s.topics) > maxTopics {
		return errMany
	}
	return nil
}

// wants reports whether match returns true for one of the subscriptions.
func (s *subscriber) wants(match func(prefix string) bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for prefix := range s.topics {
		if match(prefix) {
			return true
		}
	}
	return false
}

// send queues a frame, or drops it if the queue is full.
func (s *subscriber) send(packed []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.leaving || len(s.queue) >= maxMessages || s.bytes+len(packed) > maxBytes {
		s.dropped.Add(1)
		return
	}
	s.queue = append(s.queue, packed)
	s.bytes += len(packed)
	s.stir()
}

// stir wakes the writing goroutine.
func (s *subscriber) stir() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// leave closes the connection after the queued frames are sent, or after linger.
func (s *subscriber) leave() {
	s.mu.Lock()
	s.leaving = true
	s.stir()
	s.mu.Unlock()
	time.AfterFunc(linger, s.close)
}

// next returns the next frame, or over if there will be none.
func (s *subscriber) next() (packed []byte, over bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queue) == 0 {
		s.queue = nil
		return nil, s.leaving
	}
	packed, s.queue = s.queue[0], s.queue[1:]
	s.bytes -= len(packed)
	return packed, false
}

// write sends queued frames until the connection ends.
func (s *subscriber) write() {
	defer s.close()
	for {
		packed, over := s.next()
		if over {
			return
		}
		if packed == nil {
			select {
			case <-s.wake:
			case <-s.done:
				return
			}
			continue
		}
		if err := s.conn.SetWriteDeadline(time.Now().Add(stall)); err != nil {
			return
		}
		if _, err := s.conn.Write(packed); err != nil {
			return
		}
		s.sent.Add(1)
	}
}
