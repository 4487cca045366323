package zmq

import (
	"bytes"
	"io"
	"log/slog"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// asks is the client's end of a connection to a Replier after the handshake.
func asks(t *testing.T, p *pipes, kind string) net.Conn {
	t.Helper()
	c := p.dial()
	theirs := make([]byte, greetingSize)
	_, err := io.ReadFull(c, theirs)
	require.NoError(t, err)
	_, err = c.Write(greeting())
	require.NoError(t, err)
	_, body, err := readFrame(c)
	require.NoError(t, err)
	require.Equal(t, "\x05READY\x0bSocket-Type\x00\x00\x00\x03REP", string(body))
	_, err = c.Write(frame(command, ready(kind)))
	require.NoError(t, err)
	return c
}

// reads returns the next frame.
func reads(t *testing.T, c net.Conn) (flags byte, body string) {
	t.Helper()
	flags, size, err := readHead(c)
	require.NoError(t, err)
	all := make([]byte, size)
	_, err = io.ReadFull(c, all)
	require.NoError(t, err)
	return flags, string(all)
}

func echo(request []byte) []byte { return append([]byte("re:"), request...) }

func newReplier(max int, answer func([]byte) []byte) (*Replier, *pipes) {
	l := newPipes()
	return Reply([]net.Listener{l}, max, answer, slog.New(slog.DiscardHandler)), l
}

// TestReplies checks requests of REQ and DEALER sockets, in one part or several, with the frames that brokers add.
func TestReplies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, l := newReplier(300_000, echo)
		a, b := asks(t, l, "REQ"), asks(t, l, "DEALER")
		say(t, a, more, "")
		say(t, a, 0, "one")
		_, body := reads(t, a)
		require.Empty(t, body)
		flags, body := reads(t, a)
		require.Zero(t, flags)
		require.Equal(t, "re:one", body)

		say(t, b, 0, "a message without an empty frame is ignored")
		say(t, b, more, "broker")
		say(t, b, more, "")
		say(t, b, command, "\x04PING\x00\x0ahello")
		_, body = reads(t, b)
		require.Equal(t, "\x04PONGhello", body)
		say(t, b, more, "tw")
		say(t, b, 0, "o")
		for _, want := range []string{"broker", "", "re:two"} {
			_, body = reads(t, b)
			require.Equal(t, want, body)
		}

		long := bytes.Repeat([]byte("x"), 2*smallMessage)
		go func() { _, _ = b.Write(append(frame(more, nil), frame(0, long)...)) }()
		reads(t, b)
		_, body = reads(t, b)
		require.Equal(t, "re:"+string(long), body)
		go func() { _, _ = b.Write(append(frame(more, nil), frame(0, bytes.Repeat(long, 3))...)) }()
		_, err := b.Read(make([]byte, 1))
		require.ErrorIs(t, err, io.EOF, "a request that is too long ends the connection")
		require.NoError(t, r.Close())
	})
}

// TestRequestersOnly checks that other sockets than REQ and DEALER are disconnected.
func TestRequestersOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, l := newReplier(100, echo)
		c := asks(t, l, "SUB")
		_, err := c.Read(make([]byte, 1))
		require.ErrorIs(t, err, io.EOF)
		require.NoError(t, r.Close())
	})
}

// TestSlowRequesters checks that clients that send or read too slowly neither occupy all slots nor delay others, and
// that the client that was silent for longest gives way to a new one.
func TestSlowRequesters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, l := newReplier(1<<20, echo)
		first := asks(t, l, "REQ")
		for range largeMessages {
			c := asks(t, l, "REQ")
			say(t, c, more, "")
			_, err := c.Write([]byte{long, 0, 0, 0, 0, 0, 2, 0, 0}) // and then nothing
			require.NoError(t, err)
		}
		synctest.Wait()
		c := asks(t, l, "REQ")
		say(t, c, more, "")
		say(t, c, 0, "quick")
		reads(t, c)
		_, body := reads(t, c)
		require.Equal(t, "re:quick", body)
		go func() { _, _ = c.Write(append(frame(more, nil), frame(0, make([]byte, 2*smallMessage))...)) }()
		begin := time.Now()
		reads(t, c)
		reads(t, c)
		require.LessOrEqual(t, time.Since(begin), stall)

		time.Sleep(time.Second)
		var all []net.Conn
		for range maxClients {
			all = append(all, asks(t, l, "REQ"))
		}
		_, err := first.Read(make([]byte, 1))
		require.ErrorIs(t, err, io.EOF)
		for _, c := range all {
			say(t, c, more, "")
			say(t, c, 0, "x")
			reads(t, c)
			reads(t, c)
		}
		require.NoError(t, r.Close())
	})
}

// TestCloseAnswersFirst checks that Close waits for the answer to a request, but for no client that reads nothing.
func TestCloseAnswersFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wait := make(chan struct{})
		r, l := newReplier(100, func(request []byte) []byte { <-wait; return echo(request) })
		c, idle := asks(t, l, "REQ"), asks(t, l, "REQ")
		say(t, c, more, "")
		say(t, c, 0, "x")
		ended := make(chan error)
		go func() { ended <- r.Close() }()
		synctest.Wait()
		close(wait)
		reads(t, c)
		_, body := reads(t, c)
		require.Equal(t, "re:x", body)
		_, err := idle.Read(make([]byte, 1))
		require.ErrorIs(t, err, io.EOF)
		require.NoError(t, <-ended)
	})
}
