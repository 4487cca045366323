package native

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/rpc"
	"glim/core/rpc/digest"
	"glim/core/service"
	"glim/core/walletrpc"
)

// tap is an event stream to which a test sends events.
type tap struct {
	from   uint64
	events chan []walletrpc.Event // closed at the end
}

func (s *tap) Next(ctx context.Context) ([]walletrpc.Event, error) {
	select {
	case list, ok := <-s.events:
		if !ok {
			return nil, io.EOF
		}
		return list, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// taps returns a new stream for /events and /wallets/a/events, and sends it to the test.
type taps chan *tap

func (s taps) follow(path string, cursor uint64) (EventStream, error) {
	switch path {
	case "/events", "/wallets/a/events":
		t := &tap{cursor, make(chan []walletrpc.Event, 100)}
		s <- t
		return t, nil
	case "/wallets/closed/events":
		return nil, &rpc.Error{Code: -13, Message: "No wallet file"}
	}
	return nil, rpc.ErrNoPath
}

// head sends a request and returns the response as soon as its header has arrived.
func (c *client) head(method, path string, headers ...string) *http.Response {
	c.t.Helper()
	if !strings.HasPrefix(strings.Join(headers, "\n"), "Host:") {
		headers = append(headers, "Host: "+c.c.RemoteAddr().String())
	}
	_, err := fmt.Fprintf(c.c, "%s %s HTTP/1.1\r\n%s\r\n\r\n", method, path, strings.Join(headers, "\r\n"))
	require.NoError(c.t, err)
	req, err := http.NewRequest(method, "/", nil)
	require.NoError(c.t, err)
	resp, err := http.ReadResponse(c.r, req)
	require.NoError(c.t, err)
	return resp
}

// want checks that the next bytes of a stream are text.
func want(t *testing.T, body io.Reader, text string) {
	t.Helper()
	b := make([]byte, len(text))
	_, err := io.ReadFull(body, b)
	require.NoError(t, err)
	require.Equal(t, text, string(b))
}

func TestEventStream(t *testing.T) {
	source := make(taps, 10)
	_, addr := start(t, ServerConfig{Events: source.follow})
	resp := dial(t, addr).head("GET", "/events?cursor=7")
	require.Equal(t, 200, resp.StatusCode)
	require.Equal(t, "text/event-stream", resp.Header.Get("Content-Type"))
	require.Equal(t, "no-store", resp.Header.Get("Cache-Control"))
	s := <-source
	require.EqualValues(t, 7, s.from)
	want(t, resp.Body, ":\n\n")
	s.events <- []walletrpc.Event{
		{Cursor: 8, Type: "confirmed", Amount: 1 << 60},
		{Cursor: 8, Type: "height", Height: 9},
	}
	want(t, resp.Body, "event: confirmed\nid: 8\n"+
		"data: {\"amount\":1152921504606846976,\"cursor\":8,\"type\":\"confirmed\"}\n\n"+
		"event: height\nid: 8\ndata: {\"cursor\":8,\"height\":9,\"type\":\"height\"}\n\n")
	s.events <- []walletrpc.Event{{Cursor: 8, Type: "closed"}}
	close(s.events)
	rest, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Equal(t, "event: closed\nid: 8\ndata: {\"cursor\":8,\"type\":\"closed\"}\n\n", string(rest))

	// A browser repeats an interrupted request with the last event ID.
	require.Equal(t, 200, dial(t, addr).head("GET", "/wallets/a/events?cursor=3", "Last-Event-ID: 12").StatusCode)
	require.EqualValues(t, 12, (<-source).from)
	require.Equal(t, 200, dial(t, addr).head("GET", "/wallets/a/events").StatusCode)
	require.EqualValues(t, service.NewEventsOnly, (<-source).from)
}

func TestEventStreamRefused(t *testing.T) {
	source := make(taps, 10)
	_, addr := start(t, ServerConfig{Events: source.follow})
	for _, c := range []struct {
		status             int
		method, path, head string
	}{
		{404, "GET", "/elsewhere/events", "X: y"},
		{409, "GET", "/wallets/closed/events", "X: y"},
		{405, "POST", "/events", "X: y"},
		{405, "HEAD", "/events", "X: y"},
		{400, "GET", "/events?cursor=-1", "X: y"},
		{400, "GET", "/events?cursor=99999999999999999999", "X: y"},
		{400, "GET", "/events", "Last-Event-ID: abc"},
		{403, "GET", "/events", "Host: evil.example"},
		{403, "GET", "/events", "Origin: http://evil.example"},
		{403, "GET", "/events", "Sec-Fetch-Site: cross-site"},
	} {
		require.Equal(t, c.status, dial(t, addr).head(c.method, c.path, c.head).StatusCode, "%v", c)
	}
	resp := dial(t, addr).head("GET", "/wallets/closed/events")
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.JSONEq(t, `{"error":{"code":-13,"message":"No wallet file"}}`, string(body))

	_, addr = start(t, ServerConfig{Events: source.follow, Login: digest.NewLogin("user", "pw")})
	require.Equal(t, 401, dial(t, addr).head("GET", "/events").StatusCode)
	_, addr = start(t, ServerConfig{Events: source.follow, Options: rpc.Options{Restricted: true}})
	require.Equal(t, 403, dial(t, addr).head("GET", "/events").StatusCode)
	_, addr = start(t, ServerConfig{})
	require.Equal(t, 404, dial(t, addr).head("GET", "/events").StatusCode)
	require.Empty(t, source)
}

// TestEventStreamsAreBounded checks that streams leave connections for calls, and that another stream can be opened
// after one is closed.
func TestEventStreamsAreBounded(t *testing.T) {
	source := make(taps, 10)
	_, addr := start(t, ServerConfig{Events: source.follow, Limits: ServerLimits{Streams: 2}})
	first := dial(t, addr)
	require.Equal(t, 200, first.head("GET", "/events").StatusCode)
	require.Equal(t, 200, dial(t, addr).head("GET", "/events").StatusCode)
	require.Equal(t, 503, dial(t, addr).head("GET", "/events").StatusCode)
	resp, _ := dial(t, addr).send("POST", "/json_rpc", echoCall)
	require.Equal(t, 200, resp.StatusCode)
	require.NoError(t, first.c.Close())
	for deadline := time.Now().Add(patience); dial(t, addr).head("GET", "/events").StatusCode != 200; {
		require.True(t, time.Now().Before(deadline), "the closed stream still counts")
	}
}

func TestEventStreamLives(t *testing.T) {
	source := make(taps, 10)
	s, addr := start(
		t,
		ServerConfig{
			Events: source.follow,
			Limits: ServerLimits{Heartbeat: time.Millisecond, ReadBody: time.Millisecond},
		},
	)
	resp := dial(t, addr).head("GET", "/events?cursor=5")
	want(t, resp.Body, strings.Repeat(":\n\n", 20))
	ended := make(chan error, 1)
	go func() { ended <- s.Shutdown(context.Background()) }()
	rest, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.True(
		t, strings.HasSuffix(string(rest), "event: shutdown\nid: 5\ndata: {\"cursor\":5,\"type\":\"shutdown\"}\n\n"),
		"%s", rest,
	)
	require.NoError(t, <-ended)
}

// TestEventStreamNotRead checks that a client that does not read loses its stream and blocks nothing.
func TestEventStreamNotRead(t *testing.T) {
	source := make(taps, 1)
	_, addr := start(t, ServerConfig{Events: source.follow, Limits: ServerLimits{Streams: 1, Write: time.Second}})
	c := dial(t, addr)
	require.Equal(t, 200, c.head("GET", "/events").StatusCode)
	s := <-source
	for range cap(s.events) { // exceeds all buffers of the connection
		s.events <- []walletrpc.Event{{Cursor: 1, Type: "pool", Address: strings.Repeat("a", 1<<20)}}
	}
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(patience); dial(t, addr).head("GET", "/events").StatusCode != 200; <-tick.C {
		require.True(t, time.Now().Before(deadline), "the stream is still open")
	}
}
