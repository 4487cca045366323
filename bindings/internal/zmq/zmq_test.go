package zmq

import (
	"bytes"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// pipes is a listener with connections in memory, so that tests can use a fake clock.
type pipes struct {
	come chan net.Conn
	end  chan struct{}
}

func newPipes() *pipes { return &pipes{make(chan net.Conn), make(chan struct{})} }

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.come:
		return c, nil
	case <-p.end:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error   { close(p.end); return nil }
func (p *pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

// dial returns an accepted connection.
func (p *pipes) dial() net.Conn {
	ours, theirs := net.Pipe()
	p.come <- theirs
	return ours
}

// subscribes is the client's end of a connection after the handshake.
func subscribes(t *testing.T, p *pipes, kind string) net.Conn {
	t.Helper()
	c := p.dial()
	theirs := make([]byte, greetingSize)
	_, err := io.ReadFull(c, theirs)
	require.NoError(t, err)
	require.NoError(t, checkGreeting(theirs))
	_, err = c.Write(greeting())
	require.NoError(t, err)
	flags, body, err := readFrame(c)
	require.NoError(t, err)
	require.EqualValues(t, command, flags)
	require.Equal(t, "\x05READY\x0bSocket-Type\x00\x00\x00\x03PUB", string(body))
	_, err = c.Write(frame(command, ready(kind)))
	require.NoError(t, err)
	return c
}

func say(t *testing.T, c net.Conn, flags byte, body string) {
	t.Helper()
	_, err := c.Write(frame(flags, []byte(body)))
	require.NoError(t, err)
	synctest.Wait()
}

// hears returns the next message.
func hears(t *testing.T, c net.Conn) string {
	t.Helper()
	flags, body, err := readFrame(c)
	require.NoError(t, err)
	require.Zero(t, flags)
	return string(body)
}

// TestSubscriptions checks that subscribers get their messages in order, with both forms of subscriptions.
func TestSubscriptions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newPipes()
		p := Start([]net.Listener{l}, slog.New(slog.DiscardHandler))
		a, b := subscribes(t, l, "SUB"), subscribes(t, l, "XSUB")
		require.False(t, p.HasSubscribers("block"))
		say(t, a, 0, "\x01block")
		say(t, b, command, "\x09SUBSCRIBEtx")
		say(t, b, 0, "\x01")
		say(t, b, more, "\x01a message of two parts, which matches no topic")
		say(t, b, 0, "")
		require.True(t, p.HasSubscribers("block"))
		require.True(t, p.HasSubscribers("anything"))
		p.Publish("block", []byte("1"))
		p.Publish("tx", []byte("2"))
		p.Publish("block", bytes.Repeat([]byte("3"), 300))
		require.Equal(t, "block:1", hears(t, a))
		require.Equal(t, "block:"+string(bytes.Repeat([]byte("3"), 300)), hears(t, a))
		require.Equal(t, "block:1", hears(t, b))
		require.Equal(t, "tx:2", hears(t, b))
		require.Len(t, hears(t, b), 306)

		say(t, b, 0, "\x00")
		require.False(t, p.HasSubscribers("anything"))
		require.True(t, p.HasSubscribers("tx"))
		say(t, b, command, "\x06CANCELtx")
		require.False(t, p.HasSubscribers("tx"))
		say(t, a, 0, "\x01block:{\"height\":")
		say(t, a, 0, "\x00block")
		require.True(t, p.HasSubscribers("block"), "also if a subscriber wants only some messages")
		p.Publish("block", []byte("{}"))

		say(t, b, command, "\x04PING\x00\x0ahello")
		flags, body, err := readFrame(b)
		require.NoError(t, err)
		require.EqualValues(t, command, flags)
		require.Equal(t, "\x04PONGhello", string(body))

		p.Publish("block", []byte(`{"height":1}`))
		ended := make(chan error)
		go func() { ended <- p.Close() }()
		require.Equal(t, `block:{"height":1}`, hears(t, a), "what was published before the end arrives")
		_, err = a.Read(make([]byte, 1))
		require.ErrorIs(t, err, io.EOF)
		require.NoError(t, <-ended)
		p.Publish("block", []byte("late"))
		require.False(t, p.HasSubscribers("block"))
	})
}

// TestSlowSubscribersMissMessages checks that a subscriber that does not read uses bounded memory, misses messages, and
// does not delay others or Close.
func TestSlowSubscribersMissMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newPipes()
		p := Start([]net.Listener{l}, slog.New(slog.DiscardHandler))
		slow, quick := subscribes(t, l, "SUB"), subscribes(t, l, "SUB")
		say(t, slow, 0, "\x01")
		say(t, quick, 0, "\x01")
		for range 3 * maxMessages {
			p.Publish("a", []byte("b"))
			require.Equal(t, "a:b", hears(t, quick))
		}
		large := bytes.Repeat([]byte("c"), maxBytes/3)
		got := make(chan int)
		go func() {
			n, _ := io.Copy(io.Discard, quick)
			got <- int(n)
		}()
		synctest.Wait()
		var waits int
		p.mu.Lock()
		for s := range p.all {
			waits = max(waits, len(s.queue))
		}
		p.mu.Unlock()
		require.Equal(t, maxMessages, waits)
		for range 9 {
			p.Publish("a", large)
			synctest.Wait()
		}
		began := time.Now()
		require.NoError(t, p.Close())
		require.LessOrEqual(t, time.Since(began), linger)
		require.Greater(t, <-got, 9*len(large))
	})
}

// TestInvalidSubscribersAreDisconnected checks that clients with an invalid handshake, socket type or frame are
// disconnected.
func TestInvalidSubscribersAreDisconnected(t *testing.T) {
	good := string(greeting())
	hello := good + string(frame(command, ready("SUB")))
	many := hello
	for i := range maxTopics + 1 {
		many += string(frame(0, []byte{1, byte(i), byte(i >> 8)}))
	}
	for name, says := range map[string]string{
		"nothing":         "",
		"half a greeting": good[:20],
		"HTTP": "GET / HTTP/1.1\r\nHost: 127.0.0.1:18083\r\n" +
			"User-Agent: a client with a long name\r\n\r\n",
		"version 2":            good[:10] + "\x01" + good[11:],
		"CURVE":                good[:12] + "CURVE" + good[17:],
		"a message first":      good + "\x00\x01\x01",
		"another command":      good + string(frame(command, []byte("\x05ERROR\x00"))),
		"a publisher":          good + string(frame(command, ready("PUB"))),
		"a request":            good + string(frame(command, ready("REQ"))),
		"no kind":              good + string(frame(command, []byte("\x05READY"))),
		"truncated properties": good + string(frame(command, []byte("\x05READY\x0bSocket-Type\x00\x00\x00\x09SUB"))),
		"properties too long":  good + string(frame(command, []byte("\x05READY\x0bSocket-Type\xff\xff\xff\xffSUB"))),
		"a huge frame":         hello + "\x02\x00\x00\x00\x10\x00\x00\x00\x00",
		"unknown flags":        hello + "\x08\x01\x01",
		"a command in parts":   hello + "\x05\x01\x01",
		"a truncated command":  hello + "\x04\x02\x09S",
		"an empty command":     hello + "\x04\x00",
		"a ping that is long":  hello + string(frame(command, append([]byte("\x04PING\x00\x00"), make([]byte, 17)...))),
		"a ping without time":  hello + string(frame(command, []byte("\x04PING\x00"))),
		"many subscriptions":   many,
		"half a frame, silent": good + "\x04",
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newPipes()
				p := Start([]net.Listener{l}, slog.New(slog.DiscardHandler))
				c := l.dial()
				go func() { _, _ = c.Write([]byte(says)) }()
				_, err := io.Copy(io.Discard, c) // ends when the publisher disconnects
				require.NoError(t, err)
				synctest.Wait()
				require.Empty(t, p.all)
				require.NoError(t, p.Close())
			})
		})
	}
}

// TestLargeMessagesAreDropped checks the limit of a queue in bytes.
func TestLargeMessagesAreDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newPipes()
		p := Start([]net.Listener{l}, slog.New(slog.DiscardHandler))
		slow := subscribes(t, l, "SUB")
		say(t, slow, 0, "\x01")
		synctest.Wait()
		large := bytes.Repeat([]byte("c"), maxBytes/3)
		for range 5 { // one of them may be on its way
			p.Publish("a", large)
		}
		p.mu.Lock()
		for s := range p.all {
			s.mu.Lock()
			require.LessOrEqual(t, s.bytes, maxBytes)
			s.mu.Unlock()
			require.Positive(t, s.dropped.Load())
		}
		p.mu.Unlock()
		require.NoError(t, p.Close())
	})
}

// TestTooManySubscribers checks the number of subscribers, and that one without subscriptions is disconnected for a new
// one.
func TestTooManySubscribers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newPipes()
		p := Start([]net.Listener{l}, slog.New(slog.DiscardHandler))
		first := subscribes(t, l, "SUB")
		for range maxSubscribers - 1 {
			subscribes(t, l, "SUB")
			time.Sleep(time.Millisecond)
		}
		for range 3 {
			c := subscribes(t, l, "SUB")
			say(t, c, 0, "\x01a")
			p.mu.Lock()
			require.Len(t, p.all, maxSubscribers)
			p.mu.Unlock()
		}
		_, err := first.Read(make([]byte, 1))
		require.ErrorIs(t, err, io.EOF, "the oldest")
		require.NoError(t, p.Close())
	})
}

// TestWhichSubscriberIsDisconnected checks that a client with all slots neither keeps others out nor displaces earlier
// ones.
func TestWhichSubscriberIsDisconnected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &Publisher{log: slog.New(slog.DiscardHandler), all: map[*subscriber]struct{}{}}
		come := func(host string, standing int) *subscriber {
			conn, _ := net.Pipe()
			s := newSubscriber(conn)
			s.host = netip.MustParseAddr(host)
			s.shaken.Store(standing > greets)
			if standing > wantsNothing {
				s.topics["a"] = struct{}{}
			}
			if standing == fallsBehind {
				s.dropped.Store(1)
				s.queue = [][]byte{nil}
			}
			time.Sleep(time.Millisecond)
			return s
		}
		removed := func(s *subscriber) bool {
			select {
			case <-s.done:
				return true
			default:
				return false
			}
		}
		oldest := come("127.0.0.1", keepsUp)
		require.True(t, p.enter(oldest))
		behind, second := come("127.0.0.1", fallsBehind), come("127.0.0.1", keepsUp)
		idle, greeting := come("192.0.2.1", wantsNothing), come("192.0.2.2", greets)
		for _, s := range []*subscriber{behind, second, idle, greeting} {
			require.True(t, p.enter(s))
		}
		for range maxSubscribers - 5 {
			require.True(t, p.enter(come("127.0.0.1", keepsUp)))
		}
		for _, s := range []*subscriber{greeting, idle, behind, oldest} {
			require.False(t, removed(s))
			require.True(t, p.enter(come("127.0.0.1", keepsUp)))
			require.True(t, removed(s))
			require.Len(t, p.all, maxSubscribers)
		}
		require.False(t, p.enter(come("127.0.0.1", keepsUp)), "at most one that keeps up is evicted a second")
		time.Sleep(evictInterval)
		require.True(t, p.enter(come("127.0.0.1", keepsUp)))
		require.True(t, removed(second))
		time.Sleep(evictInterval)
		other := come("192.0.2.9", keepsUp)
		require.True(t, p.enter(other), "from another host")
		for range 3 {
			time.Sleep(evictInterval)
			require.True(t, p.enter(come("127.0.0.1", keepsUp)))
			require.False(t, removed(other), "the host with the most connections loses one")
		}
	})
}

// FuzzSubscriber sends arbitrary bytes to a publisher that publishes and closes meanwhile.
func FuzzSubscriber(f *testing.F) {
	hello := string(greeting()) + string(frame(command, ready("SUB")))
	f.Add([]byte(hello + "\x00\x01\x01"))
	f.Add([]byte(hello + "\x04\x0b\x09SUBSCRIBEa\x04\x09\x04PING\x00\x01xy"))
	f.Add([]byte(hello + "\x02\x00\x00\x00\x00\x00\x00\x00\x02\x01a\x00\x02\x00a"))
	f.Fuzz(func(t *testing.T, says []byte) {
		l := newPipes()
		p := Start([]net.Listener{l}, slog.New(slog.DiscardHandler))
		c := l.dial()
		heard := make(chan struct{})
		go func() {
			defer close(heard)
			_, _ = io.Copy(io.Discard, c)
		}()
		_ = c.SetWriteDeadline(time.Now().Add(time.Minute))
		_, _ = c.Write(says)
		p.HasSubscribers("a")
		p.Publish("a", []byte("b"))
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		<-heard
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
	})
}
