package zmq

import (
	"bufio"
	"io"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"glim/bindings/internal/holder"
)

const (
	// How much waits for a subscriber: messages, as ZMQ_SNDHWM has it, and bytes.
	maxMessages = 1000
	maxBytes    = 32 << 20
	// maxTopics is how many prefixes a subscriber may have.
	maxTopics = 256
	// stall is how long he may take for one message.
	stall = time.Minute
)

// subscriber is one connection. A goroutine reads, another writes; both end with it.
type subscriber struct {
	conn          net.Conn
	host          netip.Addr
	since         time.Time     // it has been here
	shaken        atomic.Bool   // hands
	wake          chan struct{} // one waits: there is something to send
	done          chan struct{} // closed with the connection
	end           sync.Once
	sent, dropped atomic.Uint64

	mu      sync.Mutex
	topics  map[string]struct{}
	queue   [][]byte
	bytes   int
	leaving bool // ends when the queue is empty
}

func newSubscriber(conn net.Conn) *subscriber {
	return &subscriber{conn: conn, host: holder.Of(conn.RemoteAddr()), since: time.Now(), wake: make(chan struct{}, 1), done: make(chan struct{}), topics: map[string]struct{}{}}
}

// run serves the connection until it ends, and says why.
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

// greet shakes hands.
func (s *subscriber) greet(r io.Reader) error {
	if err := s.conn.SetDeadline(time.Now().Add(handshake)); err != nil {
		return err
	}
	if _, err := s.conn.Write(greeting()); err != nil {
		return err
	}
	theirs := make([]byte, greetingSize)
	if _, err := io.ReadFull(r, theirs); err != nil {
		return err
	}
	if err := checkGreeting(theirs); err != nil {
		return err
	}
	if _, err := s.conn.Write(frame(command, ready("PUB"))); err != nil {
		return err
	}
	flags, body, err := readFrame(r)
	if err != nil {
		return err
	}
	name, properties, err := split(body)
	if err != nil || flags != command || name != "READY" {
		return errReady
	}
	if kind, err := kindOf(properties); err != nil || kind != "SUB" && kind != "XSUB" {
		return errReady
	}
	s.shaken.Store(true)
	return s.conn.SetDeadline(time.Time{})
}

// What a subscriber is worth when one has to give way: lower ones go first.
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

// read takes subscriptions: messages that begin with 1 or 0, or, since ZMTP 3.1, commands.
// Source: rfc.zeromq.org, 29/PUBSUB; 37/ZMTP, "PING" and "SUBSCRIBE".
func (s *subscriber) read(r io.Reader) error {
	for {
		flags, body, err := readFrame(r)
		if err != nil {
			return err
		}
		if flags&command == 0 {
			// Messages of several parts, and others than subscriptions, are an XSUB's own, and for nobody here.
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

// obey carries out a command.
func (s *subscriber) obey(body []byte) error {
	name, rest, err := split(body)
	if err != nil {
		return err
	}
	switch name {
	case "SUBSCRIBE", "CANCEL":
		return s.subscribe(string(rest), name == "SUBSCRIBE")
	case "PING": // two bytes of time, then what is to be sent back, up to 16 bytes
		if len(rest) < 2 || len(rest) > 2+16 {
			return errFrame
		}
		s.send(frame(command, append([]byte("\x04PONG"), rest[2:]...)))
	}
	return nil
}

// subscribe notes a prefix, or forgets it.
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

// wants reports whether one of the prefixes is such.
func (s *subscriber) wants(such func(prefix string) bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for prefix := range s.topics {
		if such(prefix) {
			return true
		}
	}
	return false
}

// send has a frame sent, unless too much waits already.
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

// stir wakes who writes.
func (s *subscriber) stir() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// leave ends the connection when what waits is sent, or after linger.
func (s *subscriber) leave() {
	s.mu.Lock()
	s.leaving = true
	s.stir()
	s.mu.Unlock()
	time.AfterFunc(linger, s.close)
}

// next takes what is to be sent; over when there will be nothing more.
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

// write sends what waits until the connection ends.
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
