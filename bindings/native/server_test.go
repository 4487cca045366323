package native

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/rpc"
	"glim/core/rpc/digest"
)

type echoRequest struct {
	Text string `json:"text"`
}

type echoResponse struct {
	Text string `json:"text"`
}

var (
	echo    = rpc.Method[echoRequest, echoResponse]{Name: "echo"}
	secret  = rpc.Method[echoRequest, echoResponse]{Name: "secret", Restricted: true}
	path    = rpc.Method[echoRequest, echoResponse]{Name: "echo_path", Wire: rpc.Path}
	broken  = rpc.Method[echoRequest, echoResponse]{Name: "broken", Wire: rpc.Path}
	panics  = rpc.Method[echoRequest, echoResponse]{Name: "panics", Wire: rpc.Path}
	packing = rpc.Method[packed, packed]{Name: "packed.bin", Wire: rpc.Binary}
)

type packed struct {
	Height uint64 `json:"height"`
}

func registry() *rpc.Registry {
	r := rpc.NewRegistry()
	say := func(_ context.Context, q echoRequest) (echoResponse, error) { return echoResponse(q), nil }
	rpc.Handle(r, echo, say)
	rpc.Handle(r, secret, say)
	rpc.Handle(r, path, say)
	rpc.Handle(
		r, broken,
		func(context.Context, echoRequest) (echoResponse, error) { return echoResponse{}, errors.New("broken") },
	)
	rpc.Handle(r, panics, func(context.Context, echoRequest) (echoResponse, error) { panic("at the handler") })
	rpc.Handle(r, packing, func(_ context.Context, q packed) (packed, error) { return packed{q.Height + 1}, nil })
	return r
}

// start serves cfg on a loopback port and returns the server and its address.
func start(t *testing.T, cfg ServerConfig) (*Server, string) {
	t.Helper()
	if cfg.Service == nil {
		cfg.Service = registry()
	}
	cfg.Random = rand.Reader
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s := NewServer(cfg)
	done := make(chan error, 1)
	go func() { done <- s.Serve(l) }()
	t.Cleanup(func() {
		require.NoError(t, s.Shutdown(context.Background()))
		require.NoError(t, <-done)
	})
	return s, l.Addr().String()
}

// patience is the deadline of all waits of tests. It only prevents hanging tests.
const patience = 3 * time.Minute

// client is a raw HTTP connection.
type client struct {
	t *testing.T
	c net.Conn
	r *bufio.Reader
}

func dial(t *testing.T, addr string) *client {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	require.NoError(t, c.SetDeadline(time.Now().Add(patience)))
	return &client{t, c, bufio.NewReader(c)}
}

// send writes a request head and body unchanged and reads one response.
func (c *client) send(method, path, body string, headers ...string) (*http.Response, string) {
	c.t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\n", method, path)
	if !strings.HasPrefix(strings.Join(headers, "\n"), "Host:") {
		fmt.Fprintf(&b, "Host: %s\r\n", c.c.RemoteAddr())
	}
	for _, h := range headers {
		b.WriteString(h + "\r\n")
	}
	if body != "" {
		fmt.Fprintf(&b, "Content-Length: %d\r\n", len(body))
	}
	_, err := io.WriteString(c.c, b.String()+"\r\n"+body)
	require.NoError(c.t, err)
	req, err := http.NewRequest(method, "/", nil)
	require.NoError(c.t, err)
	resp, err := http.ReadResponse(c.r, req)
	require.NoError(c.t, err)
	answer, err := io.ReadAll(resp.Body)
	require.NoError(c.t, err)
	return resp, string(answer)
}

// write writes a request with a Content-Length and does not wait for the response.
func (c *client) write(method, path, body string, headers ...string) {
	c.t.Helper()
	_, err := fmt.Fprintf(
		c.c, "%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n%s\r\n\r\n%s", method, path, len(body),
		strings.Join(headers, "\r\n"), body,
	)
	require.NoError(c.t, err)
}

func (c *client) requireClosed() {
	c.t.Helper()
	_, err := c.r.ReadByte()
	require.ErrorIs(c.t, err, io.EOF)
}

const echoCall = `{"jsonrpc":"2.0","id":"7","method":"echo","params":{"text":"hello"}}`

func TestEveryHTTPMethodIsServed(t *testing.T) {
	_, addr := start(t, ServerConfig{})
	c := dial(t, addr)
	for _, m := range []string{"GET", "POST", "PUT", "DELETE", "TRACE"} {
		resp, body := c.send(m, "/json_rpc", echoCall)
		require.Equal(t, 200, resp.StatusCode, m)
		require.Equal(t, "application/json", resp.Header.Get("Content-Type"))
		require.JSONEq(t, `{"id":"7","jsonrpc":"2.0","result":{"text":"hello"}}`, body)

		resp, body = c.send(m, "/echo_path", "")
		require.Equal(t, 200, resp.StatusCode, m)
		require.JSONEq(t, `{"text":""}`, body)
	}
	resp, body := c.send("HEAD", "/echo_path", "")
	require.Equal(t, 200, resp.StatusCode)
	require.Empty(t, body)
	require.Empty(t, resp.Header["Access-Control-Allow-Origin"])
}

func TestStatusOfFailures(t *testing.T) {
	_, addr := start(t, ServerConfig{})
	c := dial(t, addr)
	resp, body := c.send("POST", "/nothing", "")
	require.Equal(t, 404, resp.StatusCode)
	require.Empty(t, body)
	resp, _ = c.send("POST", "/echo_path", "{")
	require.Equal(t, 400, resp.StatusCode)
	resp, body = c.send("POST", "/json_rpc", `{"method":"nothing"}`)
	require.Equal(t, 200, resp.StatusCode, "JSON-RPC errors have status 200")
	require.Contains(t, body, "-32601")
	resp, _ = c.send("POST", "/broken", "")
	require.Equal(t, 500, resp.StatusCode)
	c.requireClosed()

	c = dial(t, addr)
	resp, _ = c.send("POST", "/panics", "")
	require.Equal(t, 500, resp.StatusCode)
	c.requireClosed()
	resp, _ = dial(t, addr).send("POST", "/json_rpc", echoCall)
	require.Equal(t, 200, resp.StatusCode, "a panic affects one request")
}

func TestBinaryResponsesHaveTheirType(t *testing.T) {
	_, addr := start(t, ServerConfig{})
	resp, err := rpc.Call(t.Context(), posts{"http://" + addr}, packing, packed{4})
	require.NoError(t, err)
	require.Equal(t, uint64(5), resp.Height)
}

// posts is a client based on net/http that requires the content type of binary responses.
type posts struct{ base string }

func (p posts) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "application/octet-stream" {
		return nil, fmt.Errorf("%s, %s", resp.Status, resp.Header.Get("Content-Type"))
	}
	return io.ReadAll(resp.Body)
}

func TestRestricted(t *testing.T) {
	denied := &rpc.Error{Code: -7, Message: "denied"}
	_, addr := start(t, ServerConfig{Options: rpc.Options{Restricted: true, Deny: denied}})
	c := dial(t, addr)
	_, body := c.send("POST", "/json_rpc", `{"id":1,"method":"secret"}`)
	require.JSONEq(t, `{"error":{"code":-7,"message":"denied"},"id":1,"jsonrpc":"2.0"}`, body)
	_, body = c.send("POST", "/json_rpc", echoCall)
	require.Contains(t, body, "hello")
}

// TestNoRequestsAfterChunkedBody checks that the server does not respond to data after a chunked body: a proxy without
// support for chunks would take that response for the response to another client. A Content-Length next to chunks is
// refused. With a login, the challenge to a chunked request leaves the connection open.
func TestNoRequestsAfterChunkedBody(t *testing.T) {
	const behind = "POST /echo_path HTTP/1.1\r\nHost: localhost\r\nContent-Length: 12\r\n\r\n" + `{"text":"b"}`
	chunked := func(proto, fields string) string {
		return "POST /echo_path " + proto + "\r\nHost: localhost\r\nConnection: keep-alive\r\n" + fields + "\r\n"
	}
	const body = "c\r\n" + `{"text":"a"}` + "\r\n0\r\n\r\n"
	length := fmt.Sprintf("Content-Length: %d\r\n", len(body)+len(behind))
	for name, c := range map[string]struct {
		login  bool
		sent   string
		status int
		stays  bool
	}{
		"both":        {false, chunked("HTTP/1.1", length+"Transfer-Encoding: chunked\r\n") + body, 400, false},
		"both, login": {true, chunked("HTTP/1.1", length+"Transfer-Encoding: chunked\r\n") + body, 400, false},
		"other case": {
			true, chunked("HTTP/1.1", "TRANSFER-encoding: chunked\r\ncontent-LENGTH: 5\r\n") + body, 400, false,
		},
		"chunks alone":        {false, chunked("HTTP/1.1", "Transfer-Encoding: chunked\r\n") + body, 200, false},
		"chunks alone, login": {true, chunked("HTTP/1.1", "Transfer-Encoding: chunked\r\n") + body, 401, true},
		"HTTP/1.0": {
			false, chunked("HTTP/1.0", "Transfer-Encoding: chunked\r\nContent-Length: 12\r\n") + `{"text":"a"}`, 400,
			false,
		},
		"HTTP/1.0, login": {
			true, chunked("HTTP/1.0", "Transfer-Encoding: chunked\r\nContent-Length: 12\r\n") + `{"text":"a"}`, 400,
			false,
		},
		"HTTP/1.0 plain": {true, chunked("HTTP/1.0", "Content-Length: 12\r\n") + `{"text":"a"}`, 401, true},
	} {
		t.Run(name, func(t *testing.T) {
			var cfg ServerConfig
			if c.login {
				cfg.Login = digest.NewLogin("user", "pw")
			}
			_, addr := start(t, cfg)
			conn := dial(t, addr)
			sent := c.sent
			if !c.stays && strings.HasSuffix(sent, "}") {
				sent += behind
			}
			_, err := io.WriteString(conn.c, sent)
			require.NoError(t, err)
			resp, err := http.ReadResponse(conn.r, nil)
			require.NoError(t, err)
			answer, err := io.ReadAll(resp.Body)
			require.NoError(t, err)
			require.Equal(t, c.status, resp.StatusCode)
			if c.status == 200 {
				require.JSONEq(t, `{"text":"a"}`, string(answer))
			}
			require.Equal(t, !c.stays, resp.Close)
			if c.stays {
				_, err := io.WriteString(conn.c, behind)
				require.NoError(t, err)
			}
			if _, err = http.ReadResponse(conn.r, nil); c.stays {
				require.NoError(t, err)
			} else {
				require.Error(t, err)
			}
		})
	}
}

// TestLogIsOneLineARequest checks that a path cannot add log lines or terminal control sequences to the log.
func TestLogIsOneLineARequest(t *testing.T) {
	for _, handler := range []func(io.Writer, *slog.HandlerOptions) slog.Handler{
		func(w io.Writer, o *slog.HandlerOptions) slog.Handler { return slog.NewTextHandler(w, o) },
		func(w io.Writer, o *slog.HandlerOptions) slog.Handler { return slog.NewJSONHandler(w, o) },
	} {
		var log bytes.Buffer
		s, addr := start(t, ServerConfig{Log: slog.New(handler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
		c := dial(t, addr)
		resp, _ := c.send("POST", "/x%0alevel=ERROR%20msg=forged%0d%1b[31m%e2%80%ae", "")
		require.Equal(t, 404, resp.StatusCode)
		_ = c.c.Close()
		require.NoError(t, s.Shutdown(t.Context()), "no further log output")
		line, _, _ := strings.Cut(log.String(), "\n")
		require.Contains(t, line, "forged")
		require.NotContains(t, log.String(), "\nlevel=ERROR")
		require.NotContains(t, log.String(), "\x1b")
	}
}

func TestBodyCap(t *testing.T) {
	_, addr := start(t, ServerConfig{Limits: ServerLimits{Body: 100}})
	c := dial(t, addr)
	resp, _ := c.send("POST", "/json_rpc", echoCall+strings.Repeat(" ", 101-len(echoCall)))
	require.Equal(t, 413, resp.StatusCode)
	c.requireClosed()
	resp, _ = dial(t, addr).send("POST", "/json_rpc", echoCall+strings.Repeat(" ", 100-len(echoCall)))
	require.Equal(t, 200, resp.StatusCode)
}

func TestSlowClientsLoseTheirConnection(t *testing.T) {
	_, addr := start(t, ServerConfig{Limits: ServerLimits{ReadHeader: 50 * time.Millisecond}})
	c := dial(t, addr)
	_, err := io.WriteString(c.c, "POST /json_rpc HTTP/1.1\r\nHost: local")
	if err == nil { // on a busy machine the deadline may pass before the write
		_, err = io.ReadAll(c.r)
	}
	require.NotErrorIs(t, err, os.ErrDeadlineExceeded, "the server must end the connection")

	_, addr = start(t, ServerConfig{Limits: ServerLimits{ReadBody: 50 * time.Millisecond}})
	for _, extra := range []string{"", "X-Other: 1\r\n"} { // handled by the fast path, and by net/http
		c = dial(t, addr)
		_, err = io.WriteString(
			c.c, "POST /json_rpc HTTP/1.1\r\nHost: localhost\r\n"+extra+"Content-Length: 10\r\n\r\n{",
		)
		require.NoError(t, err)
		answer, err := io.ReadAll(c.r)
		require.NoError(t, err, "the server must end the connection")
		require.Contains(t, string(answer), "400 Bad Request")
	}
}
