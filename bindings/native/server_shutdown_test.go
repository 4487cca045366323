package native

import (
	"context"
	"errors"
	"io"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/rpc"
)

func TestConnectionLimits(t *testing.T) {
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	l := limitConnections(inner, newPlaces(ServerLimits{Connections: 5, ConnectionsPublic: 1, ConnectionsLocal: 1}))
	t.Cleanup(func() { _ = l.Close() })
	first := dial(t, inner.Addr().String())
	c1, err := l.Accept()
	require.NoError(t, err)
	accepted := make(chan net.Conn, 1)
	go func() {
		c, err := l.Accept()
		if err == nil {
			accepted <- c
		}
	}()
	require.True(t, c1.(*limitedConn).becomes(serving))
	dial(t, inner.Addr().String()).requireClosed()
	require.NoError(t, c1.Close())
	require.Error(t, c1.Close(), "a second Close failingListener")
	open, refused, gaveWay := l.places.count()
	require.Zero(t, open)
	require.Equal(t, uint64(1), refused)
	require.Zero(t, gaveWay, "a connection that is served stays open")
	first.requireClosed()
	third := dial(t, inner.Addr().String())
	c3 := <-accepted
	require.Equal(t, third.c.LocalAddr().String(), c3.RemoteAddr().String())
	require.NoError(t, c3.Close())
}

// failingListener is a listener whose Accept returns errs one after the other; nil means a connection.
type failingListener struct {
	net.Listener
	errs []error
}

func (f *failingListener) Accept() (net.Conn, error) {
	err := f.errs[0]
	f.errs = f.errs[1:]
	if err != nil {
		return nil, err
	}
	c, _ := net.Pipe()
	return c, nil
}

// TestAcceptFailureIsReported checks that repeated failures of Accept are reported once, until a connection is
// accepted again.
func TestAcceptFailureIsReported(t *testing.T) {
	full := errors.New("too many open files")
	l := limitConnections(
		&failingListener{errs: []error{full, full, nil, full, net.ErrClosed}},
		newPlaces(ServerLimits{Connections: 9, ConnectionsPublic: 9, ConnectionsLocal: 9}),
	)
	reports := 0
	l.failed = func(err error) {
		require.Equal(t, full, err)
		reports++
	}
	for range 5 {
		if c, err := l.Accept(); err == nil {
			require.NoError(t, c.Close())
		}
	}
	require.Equal(t, 2, reports)
}

// slow is a service whose calls block until release is closed.
type slow struct{ begun, release chan struct{} }

func (s slow) Serve(ctx context.Context, _ string, _ []byte, _ rpc.Options) ([]byte, error) {
	close(s.begun)
	select {
	case <-s.release:
		return []byte(`{"done":true}`), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func TestShutdownWaitsForCalls(t *testing.T) {
	service := slow{make(chan struct{}), make(chan struct{})}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := NewServer(ServerConfig{Service: service})
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	answers := make(chan string, 1)
	c := dial(t, l.Addr().String())
	go func() {
		_, body := c.send("POST", "/json_rpc", "{}")
		answers <- body
	}()
	<-service.begun
	stopped := make(chan error, 1)
	go func() { stopped <- s.Shutdown(context.Background()) }()
	require.NoError(t, <-served, "the listener is closed")
	select {
	case err := <-stopped:
		t.Fatalf("Shutdown did not wait: %v", err)
	case <-time.After(100 * time.Millisecond): // a Shutdown that does not wait would have returned by now
	}
	close(service.release)
	require.JSONEq(t, `{"done":true}`, <-answers)
	require.NoError(t, <-stopped)
}

func TestShutdownCancelsCallsAtDeadline(t *testing.T) {
	service := slow{make(chan struct{}), make(chan struct{})}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := NewServer(ServerConfig{Service: service})
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	c := dial(t, l.Addr().String())
	_, err = io.WriteString(c.c, "POST /json_rpc HTTP/1.1\r\nHost: localhost\r\n\r\n")
	require.NoError(t, err)
	<-service.begun
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	require.ErrorIs(t, s.Shutdown(ctx), context.Canceled)
	require.NoError(t, <-served)
	_, _ = io.ReadAll(c.r)
}
