package p2p

import (
	"bytes"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/p2p"
)

// pair returns a connection, its other end, what the connection reads, and why it ended.
func pair(rate uint64) (l *connection, peer net.Conn, read <-chan []byte, ended <-chan error) {
	a, b := net.Pipe()
	all, why := make(chan []byte, 100), make(chan error, 1)
	l = newConnection(1, a, &shared{
		down: NewThrottle(rate), up: NewThrottle(rate),
		received: func(_ *connection, b []byte) { all <- bytes.Clone(b) },
		sent:     func(*connection, int) {},
		closed:   func(_ *connection, err error) { why <- err },
	})
	go l.run()
	return l, b, all, why
}

// TestConnectionKeepsByteOrder checks that bytes arrive in order in both directions, also those queued before leave. It
// uses a fake clock.
func TestConnectionKeepsByteOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, peer, read, ended := pair(1 << 20)
		_, err := peer.Write([]byte("hello"))
		require.NoError(t, err)
		require.Equal(t, "hello", string(<-read))
		written := 0
		l.shared.sent = func(_ *connection, n int) { written += n }
		l.send(bytes.Repeat([]byte{1}, 100_000))
		l.send([]byte("last"))
		l.leave()
		l.send([]byte("too late"))
		got, err := io.ReadAll(peer)
		require.NoError(t, err)
		require.Len(t, got, 100_004)
		require.Equal(t, "last", string(got[100_000:]))
		require.ErrorIs(t, <-ended, errClosed)
		require.Equal(t, 100_004, written)
		require.Zero(t, l.shared.queued.Load())
	})
}

// TestConnectionPauses checks that nothing is read while reading is paused, and everything afterwards.
func TestConnectionPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, peer, read, ended := pair(1 << 20)
		l.pause(true)
		l.pause(true)
		go func() {
			for range 10 {
				_, _ = peer.Write(make([]byte, readSize))
			}
		}()
		synctest.Wait()
		require.LessOrEqual(t, len(read), 1) // what it had begun to read
		l.pause(false)
		for n := 0; n < 10*readSize; {
			n += len(<-read)
		}
		l.pause(true)
		synctest.Wait()
		l.close(errClosed)
		require.ErrorIs(t, <-ended, errClosed)
	})
}

// TestConnectionIsThrottled checks that a megabyte at a hundred kilobytes a second takes ten seconds, less one second's
// burst.
func TestConnectionIsThrottled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		l, peer, read, ended := pair(100_000)
		go l.send(make([]byte, 1_000_000))
		_, err := io.CopyN(io.Discard, peer, 1_000_000)
		require.NoError(t, err)
		require.InDelta(t, 9, time.Since(began).Seconds(), 0.1)

		go func() { _, _ = peer.Write(make([]byte, 1_000_000)) }()
		began = time.Now()
		for n := 0; n < 1_000_000; {
			n += len(<-read)
		}
		require.InDelta(t, 9, time.Since(began).Seconds(), 0.5)
		require.NoError(t, peer.Close())
		require.Error(t, <-ended)
	})
}

// TestBadReaders checks that peers that are silent, do not read, or have a full queue are disconnected without leaks.
func TestBadReaders(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		_, _, _, ended := pair(1 << 20)
		require.Error(t, <-ended)
		require.Equal(t, silence, time.Since(began))

		l, _, _, ended := pair(1 << 20)
		l.send(make([]byte, 1000))
		require.ErrorIs(t, <-ended, errSlow)
		require.Zero(t, l.shared.queued.Load())

		l, _, _, ended = pair(1 << 20)
		for range maxQueue>>20 + 1 {
			l.send(make([]byte, 1<<20))
		}
		require.ErrorIs(t, <-ended, errFull)
		require.Zero(t, l.shared.queued.Load())

		l, _, _, ended = pair(1 << 20)
		l.shared.queued.Store(maxAllQueue)
		l.send(make([]byte, 1))
		require.ErrorIs(t, <-ended, errFull)

		l, _, _, ended = pair(1 << 20)
		l.send(make([]byte, 1000))
		l.leave()
		require.ErrorIs(t, <-ended, errSlow)
	})
}

// TestLongestQueuesAreClosed checks that, if all queues together are too large, those with the longest queues are
// closed.
func TestLongestQueuesAreClosed(t *testing.T) {
	n := &Network{connections: map[p2p.ConnID]*connection{}}
	for id, waits := range []int{200 << 20, 40 << 20, 10 << 20, 0} {
		c, peer := net.Pipe()
		defer peer.Close()
		l := newConnection(p2p.ConnID(id), c, &n.shared)
		n.connections[l.id] = l
		l.send(make([]byte, waits))
	}
	reader := n.connections[3]
	n.relieve(reader, 6<<20)
	require.NoError(t, n.connections[0].why, "there is room")
	n.relieve(reader, 7<<20)
	reader.send(make([]byte, 7<<20))
	require.ErrorIs(t, n.connections[0].why, errFull)
	for id := range p2p.ConnID(3) {
		require.NoError(t, n.connections[id+1].why)
	}
	require.EqualValues(t, 57<<20, n.shared.queued.Load())
	n.relieve(reader, maxAllQueue)
	require.ErrorIs(t, reader.why, errFull, "what it asked for is too much by itself")
}
