package native

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"
)

const epeeBody = "\x01\x11\x01\x01\x01\x01\x02\x01\x01\x04\x06height\x05\x01\x00\x00\x00\x00\x00\x00\x00"

// TestConnectionsStayOpen checks that a connection serves any number of requests and that only an internal failure
// closes it.
func TestConnectionsStayOpen(t *testing.T) {
	text := func(n int) string { return `{"text":"` + strings.Repeat("x", n) + `"}` }
	_, addr := start(t, ServerConfig{Limits: ServerLimits{ConnectionsLocal: 100}})
	for _, q := range []struct {
		method, path, body string
		status             int
	}{
		{"POST", "/json_rpc", echoCall, 200},
		{"GET", "/json_rpc", echoCall, 200},
		{"POST", "/json_rpc", "{", 200},
		{"GET", "/echo_path", "", 200},
		{"POST", "/echo_path", "{", 400},
		{"POST", "/echo_path", text(16 << 10), 200},
		{"POST", "/echo_path", text(48 << 10), 200},
		{"POST", "/packed.bin", epeeBody, 200},
		{"POST", "/packed.bin", "x", 400},
		{"POST", "/nothing", "x", 404},
		{"POST", "/", "", 404},
		{"POST", "/events", "", 404},
		{"POST", "/broken", "", 500},
		{"GET", "/panics", "", 500},
	} {
		c := dial(t, addr)
		resp, body := c.send(q.method, q.path, q.body)
		require.Equal(t, q.status, resp.StatusCode, q.path)
		_, err := http.ParseTime(resp.Header.Get("Date"))
		require.NoError(t, err)
		require.Equal(t, serverName, resp.Header.Get("Server"))
		require.Equal(t, q.status == 500, resp.Close, q.path)
		if q.status != 200 {
			require.Empty(t, body, q.path)
		}
		if resp.Close {
			c.requireClosed()
			continue
		}
		for _, method := range []string{"POST", "PUT", "POST"} {
			resp, _ = c.send(method, "/echo_path", "")
			require.Equal(t, 200, resp.StatusCode)
		}
	}
	c := dial(t, addr)
	c.send("POST", "/echo_path", "")
	resp, _ := c.send("POST", "/echo_path", "", "Host: evil.example")
	require.Equal(t, 403, resp.StatusCode, "the host of every request is checked")
	c.requireClosed()
}

// TestPipeline sends many requests without waiting for responses. They are answered in order.
func TestPipeline(t *testing.T) {
	_, addr := start(t, ServerConfig{})
	c := dial(t, addr)
	one := "POST /echo_path HTTP/1.1\r\nHost: localhost\r\nContent-Length: 12\r\n\r\n" + `{"text":"a"}`
	put := "PUT" + one[4:]
	go func() { _, _ = io.WriteString(c.c, strings.Repeat(one, 500)+put+strings.Repeat(one, 500)) }()
	for n := range 1001 {
		resp, err := http.ReadResponse(c.r, nil)
		require.NoError(t, err, n)
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err, n)
		require.JSONEq(t, `{"text":"a"}`, string(body))
	}
}

// TestIdleConnectionsAreClosed checks that idle connections are closed after the limit, and when the server shuts down.
func TestIdleConnectionsAreClosed(t *testing.T) {
	_, addr := start(t, ServerConfig{Limits: ServerLimits{Idle: 50 * time.Millisecond}})
	c := dial(t, addr)
	c.send("POST", "/echo_path", "")
	c.requireClosed()

	s, addr := start(t, ServerConfig{Limits: ServerLimits{Idle: time.Hour, ReadHeader: time.Hour}})
	silent, c := dial(t, addr), dial(t, addr)
	c.send("POST", "/echo_path", "")
	require.NoError(t, s.Shutdown(t.Context()))
	open, _ := s.Connections()
	require.Zero(t, open)
	c.requireClosed()
	_, err := silent.r.ReadByte()
	require.Error(t, err) // the connection may not have been accepted yet
}

// TestCallDuringShutdownIsAnswered checks that a call that is running when the server shuts down receives a response,
// which announces that the connection closes.
func TestCallDuringShutdownIsAnswered(t *testing.T) {
	service := slow{make(chan struct{}), make(chan struct{})}
	s, addr := start(t, ServerConfig{Service: service})
	c := dial(t, addr)
	_, err := io.WriteString(c.c, "POST /a HTTP/1.1\r\nHost: localhost\r\n\r\n")
	require.NoError(t, err)
	<-service.begun
	stopped := make(chan error, 1)
	go func() { stopped <- s.Shutdown(context.Background()) }()
	<-s.streaming.Done()
	close(service.release)
	resp, err := http.ReadResponse(c.r, nil)
	require.NoError(t, err)
	require.Equal(t, 200, resp.StatusCode)
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.JSONEq(t, `{"done":true}`, string(body))
	c.requireClosed()
	require.NoError(t, <-stopped)
}

// TestBodyHasItsOwnDeadline checks that the deadline of a body does not depend on that of the header.
func TestBodyHasItsOwnDeadline(t *testing.T) {
	_, addr := start(t, ServerConfig{Limits: ServerLimits{
		ReadHeader: time.Hour, Idle: time.Hour, ReadBody: 50 * time.Millisecond}})
	resp, _ := dial(t, addr).send("POST", "/echo_path", "", "Content-Length: 1")
	require.Equal(t, 400, resp.StatusCode)
	require.True(t, resp.Close)
}

// TestUnreadResponseClosesConnection checks that the connection of a client that does not read its responses is closed.
func TestUnreadResponseClosesConnection(t *testing.T) {
	s, addr := start(t, ServerConfig{Limits: ServerLimits{Write: 50 * time.Millisecond}})
	c := dial(t, addr)
	large := `{"text":"` + strings.Repeat("x", 1<<20) + `"}`
	request := "POST /echo_path HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1048587\r\n\r\n" + large
	sent := make(chan error, 1)
	go func() {
		var err error
		for err == nil {
			_, err = io.WriteString(c.c, request)
		}
		sent <- err
	}()
	require.Error(t, <-sent, "the server closes the connection")
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(patience); ; <-tick.C {
		open, _ := s.Connections()
		if open == 0 {
			return
		}
		require.True(t, time.Now().Before(deadline), "the connection stays")
	}
}

// TestBodyMemory reads bodies in pieces of any size. A Content-Length alone allocates nothing.
func TestBodyMemory(t *testing.T) {
	read := func(from io.Reader, length int64) ([]byte, int) {
		s := NewServer(ServerConfig{Limits: ServerLimits{Body: 1 << 40}})
		r := &http.Request{Body: io.NopCloser(io.LimitReader(from, length)), ContentLength: length}
		return s.readBody(discarding{}, r, &reservation{of: &budget{limit: 1 << 30}})
	}
	for _, n := range []int{0, 1, 4 << 10, 64<<10 - 1, 64 << 10, 64<<10 + 1, 320<<10 + 7} {
		want := bytes.Repeat([]byte("0123456789abcdef"), n/16+1)[:n]
		for _, from := range []io.Reader{
			bytes.NewReader(
				want,
			), iotest.HalfReader(bytes.NewReader(want)), iotest.DataErrReader(bytes.NewReader(want)),
		} {
			got, status := read(io.MultiReader(from, strings.NewReader("more")), int64(n))
			require.Equal(t, http.StatusOK, status)
			require.True(t, bytes.Equal(want, got), n)
			require.LessOrEqual(t, cap(got), max(2*n, 64<<10))
		}
	}
	broken := errors.New("broken")
	for _, arrived := range []int{5, 64<<10 + 1} {
		var before, after uint64
		before = allocated()
		_, status := read(io.MultiReader(bytes.NewReader(make([]byte, arrived)), iotest.ErrReader(broken)), 1<<40)
		after = allocated()
		require.Equal(t, http.StatusBadRequest, status)
		require.Less(t, after-before, uint64(64<<20), "memory follows what arrives")
	}
}

// discarding is a response writer that discards everything.
type discarding struct{}

func (discarding) Header() http.Header         { return http.Header{} }
func (discarding) Write(b []byte) (int, error) { return len(b), nil }
func (discarding) WriteHeader(int)             {}

// allocated returns the bytes that the process has allocated since it started.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}
