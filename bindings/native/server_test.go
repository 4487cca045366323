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
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/native/digest"
	"glim/core/rpc"
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
	rpc.Handle(r, broken, func(context.Context, echoRequest) (echoResponse, error) { return echoResponse{}, errors.New("broken") })
	rpc.Handle(r, panics, func(context.Context, echoRequest) (echoResponse, error) { panic("at the handler") })
	rpc.Handle(r, packing, func(_ context.Context, q packed) (packed, error) { return packed{q.Height + 1}, nil })
	return r
}

// start serves cfg on a loopback port and returns its address.
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

// patience is the deadline of whatever a test waits for: a guard against hanging, never a measure.
const patience = 3 * time.Minute

// client is one raw connection.
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

// send writes a request head and body as they are and reads one answer.
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

// write writes a request whose body has a length, and waits for nothing.
func (c *client) write(method, path, body string, headers ...string) {
	c.t.Helper()
	_, err := fmt.Fprintf(c.c, "%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n%s\r\n\r\n%s", method, path, len(body),
		strings.Join(headers, "\r\n"), body)
	require.NoError(c.t, err)
}

func (c *client) requireClosed() {
	c.t.Helper()
	_, err := c.r.ReadByte()
	require.ErrorIs(c.t, err, io.EOF)
}

const echoCall = `{"jsonrpc":"2.0","id":"7","method":"echo","params":{"text":"hello"}}`

func TestEveryHTTPMethodServes(t *testing.T) {
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
	require.Equal(t, 200, resp.StatusCode, "failures of JSON-RPC are answers")
	require.Contains(t, body, "-32601")
	resp, _ = c.send("POST", "/broken", "")
	require.Equal(t, 500, resp.StatusCode)
	c.requireClosed()

	c = dial(t, addr)
	resp, _ = c.send("POST", "/panics", "")
	require.Equal(t, 500, resp.StatusCode)
	c.requireClosed()
	resp, _ = dial(t, addr).send("POST", "/json_rpc", echoCall)
	require.Equal(t, 200, resp.StatusCode, "a panic is one request's")
}

func TestBinaryAnswersHaveTheirType(t *testing.T) {
	_, addr := start(t, ServerConfig{})
	resp, err := rpc.Call(t.Context(), posts{"http://" + addr}, packing, packed{4})
	require.NoError(t, err)
	require.Equal(t, uint64(5), resp.Height)
}

// posts is a client made of net/http that wants binary answers typed as such.
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

func TestCORS(t *testing.T) {
	_, addr := start(t, ServerConfig{Origins: []string{"http://good.example"}, Login: digest.NewLogin("user", "pw")})
	c := dial(t, addr)
	resp, body := c.send("OPTIONS", "/json_rpc", "", "Origin: http://good.example")
	require.Equal(t, 200, resp.StatusCode, "needs no login")
	require.Empty(t, body)
	for name, want := range map[string]string{
		"Access-Control-Allow-Origin":   "http://good.example",
		"Access-Control-Expose-Headers": "www-authenticate",
		"Access-Control-Allow-Headers":  "Content-Type, Authorization, X-Requested-With",
		"Access-Control-Allow-Methods":  "POST, PUT, GET, OPTIONS",
	} {
		require.Equal(t, want, resp.Header.Get(name), name)
	}
	resp, _ = c.send("POST", "/json_rpc", echoCall, "Origin: http://good.example")
	require.Equal(t, 401, resp.StatusCode)
	require.Equal(t, "http://good.example", resp.Header.Get("Access-Control-Allow-Origin"))
	require.Empty(t, resp.Header.Get("Access-Control-Allow-Headers"), "only to OPTIONS")
	resp, _ = c.send("OPTIONS", "*", "", "Origin: http://evil.example")
	require.Equal(t, 200, resp.StatusCode)
	require.Empty(t, resp.Header.Get("Access-Control-Allow-Origin"))
}

func TestWithoutLoginWebPagesAreRefused(t *testing.T) {
	_, addr := start(t, ServerConfig{Origins: []string{"http://good.example"}, Hosts: []string{"wallet.example"}})
	_, port, err := net.SplitHostPort(addr)
	require.NoError(t, err)
	for name, c := range map[string]struct {
		status  int
		method  string
		body    string
		headers []string
	}{
		"loopback address":             {200, "POST", echoCall, []string{"Host: 127.0.0.1:" + port}},
		"another loopback address":     {200, "POST", echoCall, []string{"Host: [::1]"}},
		"localhost":                    {200, "POST", echoCall, []string{"Host: LocalHost.:" + port}},
		"configured name":              {200, "POST", echoCall, []string{"Host: wallet.example:" + port}},
		"rebound name":                 {403, "POST", echoCall, []string{"Host: evil.example:" + port}},
		"name that looks like ours":    {403, "POST", echoCall, []string{"Host: localhost.evil.example"}},
		"address that looks like ours": {403, "POST", echoCall, []string{"Host: 127.0.0.1.evil.example"}},
		"another address":              {403, "POST", echoCall, []string{"Host: 192.0.2.1"}},
		"rebound name asks first":      {403, "OPTIONS", "", []string{"Host: evil.example"}},
		"origin not listed":            {403, "POST", echoCall, []string{"Host: localhost", "Origin: http://evil.example", "Content-Type: application/json"}},
		"origin null":                  {403, "POST", echoCall, []string{"Host: localhost", "Origin: null", "Content-Type: application/json"}},
		"origin listed":                {200, "POST", echoCall, []string{"Host: localhost", "Origin: http://good.example", "Content-Type: application/json; charset=utf-8"}},
		"epee of a listed origin":      {200, "POST", echoCall, []string{"Host: localhost", "Origin: http://good.example", "Content-Type: application/octet-stream"}},
		"form of a page":               {415, "POST", echoCall, []string{"Host: localhost", "Origin: http://good.example", "Content-Type: application/x-www-form-urlencoded"}},
		"simple request of a page":     {415, "POST", echoCall, []string{"Host: localhost", "Origin: http://good.example", "Content-Type: text/plain"}},
		"page without a type":          {415, "POST", echoCall, []string{"Host: localhost", "Origin: http://good.example"}},
		"page asks first":              {200, "OPTIONS", "", []string{"Host: localhost", "Origin: http://good.example"}},
		"image of a page":              {403, "GET", "", []string{"Host: localhost", "Sec-Fetch-Site: cross-site"}},
		"typed into the address bar":   {200, "GET", echoCall, []string{"Host: localhost", "Sec-Fetch-Site: none"}},
	} {
		resp, body := dial(t, addr).send(c.method, "/json_rpc", c.body, c.headers...)
		require.Equal(t, c.status, resp.StatusCode, name)
		if c.status != 200 {
			require.Empty(t, body, name)
		}
	}
}

// TestTwoOrigins: of several origins none counts, so that none hides behind another, with a login as without.
func TestTwoOrigins(t *testing.T) {
	for _, login := range []digest.Login{{}, digest.NewLogin("user", "pw")} {
		_, addr := start(t, ServerConfig{Login: login, Origins: []string{"http://good.example"}})
		for _, first := range []string{"Origin: http://good.example", "Origin:"} {
			resp, _ := dial(t, addr).send("POST", "/json_rpc", echoCall, first, "Origin: http://evil.example", "Content-Type: application/json")
			require.Equal(t, 403, resp.StatusCode)
		}
	}
}

// TestRememberedLogin: a browser sends the login it remembers along with forms, links and images of any page. Those are refused, whether the login is right
// or not, and none is asked for; who is no browser, was allowed, or came from the service itself is served.
func TestRememberedLogin(t *testing.T) {
	_, addr := start(t, ServerConfig{Login: digest.NewLogin("user", "pw"), Origins: []string{"http://good.example"}})
	for name, c := range map[string]struct {
		status  int
		method  string
		headers []string
	}{
		"no browser":             {200, "POST", nil},
		"no browser, any type":   {200, "POST", []string{"Content-Type: text/plain"}},
		"form":                   {403, "POST", []string{"Origin: http://evil.example", "Content-Type: text/plain"}},
		"form without a type":    {403, "POST", []string{"Origin: http://evil.example"}},
		"form of a sandbox":      {403, "POST", []string{"Origin: null", "Content-Type: application/x-www-form-urlencoded"}},
		"form, told by browser":  {403, "POST", []string{"Origin: http://evil.example", "Sec-Fetch-Site: cross-site", "Content-Type: text/plain"}},
		"form of a neighbour":    {403, "POST", []string{"Origin: http://localhost:1", "Sec-Fetch-Site: same-site", "Content-Type: text/plain"}},
		"link":                   {403, "GET", []string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"}},
		"address bar":            {200, "GET", []string{"Sec-Fetch-Site: none"}},
		"page of the service":    {200, "POST", []string{"Origin: http://localhost", "Sec-Fetch-Site: same-origin", "Content-Type: text/plain"}},
		"page that was allowed":  {200, "POST", []string{"Origin: http://good.example", "Sec-Fetch-Site: cross-site", "Content-Type: text/plain"}},
		"its browser asks first": {200, "POST", []string{"Origin: http://evil.example", "Sec-Fetch-Site: cross-site", "Content-Type: application/json"}},
	} {
		cl, auth := dial(t, addr), digest.NewClient(digest.NewLogin("user", "pw"), rand.Reader)
		resp, _ := cl.send("POST", "/json_rpc", "")
		usable, _ := auth.Challenge(resp.Header.Values("Www-Authenticate"))
		require.True(t, usable)
		value, err := auth.Authorize(c.method, "/json_rpc")
		require.NoError(t, err)
		resp, _ = cl.send(c.method, "/json_rpc", echoCall, append(c.headers, "Authorization: "+value)...)
		require.Equal(t, c.status, resp.StatusCode, name)
		if c.status != 200 {
			resp, _ = dial(t, addr).send(c.method, "/json_rpc", echoCall, c.headers...)
			require.Equal(t, 403, resp.StatusCode, name)
			require.Empty(t, resp.Header.Get("Www-Authenticate"), name)
		}
	}
	resp, _ := dial(t, addr).send("OPTIONS", "/json_rpc", "", "Origin: http://evil.example", "Access-Control-Request-Method: POST")
	require.Empty(t, resp.Header.Get("Access-Control-Allow-Origin"), "and is told no")
}

// TestNothingBehindChunks: what stands behind a body in chunks is answered to nobody, for a proxy that does not know them would take the answer for
// another client's. A length beside chunks is refused. With a login a body in chunks leaves the connection to the challenge.
func TestNothingBehindChunks(t *testing.T) {
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
		"both":                {false, chunked("HTTP/1.1", length+"Transfer-Encoding: chunked\r\n") + body, 400, false},
		"both, login":         {true, chunked("HTTP/1.1", length+"Transfer-Encoding: chunked\r\n") + body, 400, false},
		"other case":          {true, chunked("HTTP/1.1", "TRANSFER-encoding: chunked\r\ncontent-LENGTH: 5\r\n") + body, 400, false},
		"chunks alone":        {false, chunked("HTTP/1.1", "Transfer-Encoding: chunked\r\n") + body, 200, false},
		"chunks alone, login": {true, chunked("HTTP/1.1", "Transfer-Encoding: chunked\r\n") + body, 401, true},
		"HTTP/1.0":            {false, chunked("HTTP/1.0", "Transfer-Encoding: chunked\r\nContent-Length: 12\r\n") + `{"text":"a"}`, 400, false},
		"HTTP/1.0, login":     {true, chunked("HTTP/1.0", "Transfer-Encoding: chunked\r\nContent-Length: 12\r\n") + `{"text":"a"}`, 400, false},
		"HTTP/1.0 plain":      {true, chunked("HTTP/1.0", "Content-Length: 12\r\n") + `{"text":"a"}`, 401, true},
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

func TestLogin(t *testing.T) {
	_, addr := start(t, ServerConfig{Login: digest.NewLogin("user", "pw")})
	c, auth := dial(t, addr), digest.NewClient(digest.NewLogin("user", "pw"), rand.Reader)
	resp, body := c.send("POST", "/json_rpc", echoCall, "Host: evil.example")
	require.Equal(t, 401, resp.StatusCode)
	// source: body and header fields of the 401 of monero-wallet-rpc 0.18.0.0 started with --rpc-login
	require.Equal(t, "<html><head><title>Unauthorized Access</title></head><body><h1>401 Unauthorized</h1></body></html>", body)
	require.Equal(t, "text/html", resp.Header.Get("Content-Type"))
	challenges := resp.Header.Values("Www-Authenticate")
	require.Len(t, challenges, 2)
	require.Regexp(t, `^Digest qop="auth",algorithm=MD5,realm="monero-rpc",nonce="[A-Za-z0-9+/]{22}==",stale=false$`, challenges[0])
	require.Regexp(t, `^Digest qop="auth",algorithm=MD5-sess,realm="monero-rpc",nonce="[A-Za-z0-9+/]{22}==",stale=false$`, challenges[1])
	usable, _ := auth.Challenge(challenges)
	require.True(t, usable)
	first := authorization(t, auth)
	last := first
	for i := range 3 {
		if i > 0 {
			last = authorization(t, auth)
		}
		resp, body = c.send("POST", "/json_rpc", echoCall, last)
		require.Equal(t, 200, resp.StatusCode)
		require.Contains(t, body, "hello")
	}
	resp, _ = c.send("POST", "/json_rpc", echoCall, last)
	require.Equal(t, 401, resp.StatusCode, "a replay")
	require.Contains(t, resp.Header.Get("Www-Authenticate"), "stale=true")

	resp, _ = dial(t, addr).send("POST", "/json_rpc", echoCall, authorization(t, auth))
	require.Equal(t, 401, resp.StatusCode, "another connection has another nonce")
	resp, _ = dial(t, addr).send("POST", "/json_rpc", echoCall, first)
	require.Equal(t, 401, resp.StatusCode, "also where the count fits")

	c = dial(t, addr)
	resp, _ = c.send("POST", "/json_rpc", echoCall)
	usable, _ = auth.Challenge(resp.Header.Values("Www-Authenticate"))
	require.True(t, usable)
	resp, _ = c.send("POST", "/json_rpc", echoCall, authorization(t, auth), "Authorization: Digest username=\"other\"")
	require.Equal(t, 401, resp.StatusCode, "of two logins neither counts")

	for target, status := range map[string]int{"/echo_path": 401, "/json_rpc?a": 401, "http://localhost/json_rpc": 200} {
		c = dial(t, addr)
		resp, _ = c.send("POST", target, echoCall, "Host: localhost")
		usable, _ = auth.Challenge(resp.Header.Values("Www-Authenticate"))
		require.True(t, usable)
		resp, _ = c.send("POST", target, echoCall, "Host: localhost", authorization(t, auth))
		require.Equal(t, status, resp.StatusCode, "a login for /json_rpc at %s", target)
	}
}

// A body sent before the challenge does not cost the connection, for the nonce would go with it.
func TestChallengeSurvivesALargeBody(t *testing.T) {
	_, addr := start(t, ServerConfig{Login: digest.NewLogin("user", "pw")})
	large := `{"method":"echo","params":{"text":"` + strings.Repeat("x", 1<<20) + `"}}`
	c, auth := dial(t, addr), digest.NewClient(digest.NewLogin("user", "pw"), rand.Reader)
	resp, _ := c.send("POST", "/json_rpc", large)
	require.Equal(t, 401, resp.StatusCode)
	usable, _ := auth.Challenge(resp.Header.Values("Www-Authenticate"))
	require.True(t, usable)
	resp, body := c.send("POST", "/json_rpc", large, authorization(t, auth))
	require.Equal(t, 200, resp.StatusCode)
	require.Greater(t, len(body), 1<<20)
}

func authorization(t *testing.T, auth *digest.Client) string {
	t.Helper()
	h, err := auth.Authorize("POST", "/json_rpc")
	require.NoError(t, err)
	return "Authorization: " + h
}

func TestWrongLoginIsLoggedWithoutIt(t *testing.T) {
	var log bytes.Buffer
	s, addr := start(t, ServerConfig{
		Login: digest.NewLogin("user", "pw"), Limits: ServerLimits{FailDelay: time.Millisecond},
		Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	c, auth := dial(t, addr), digest.NewClient(digest.NewLogin("user", "guess"), rand.Reader)
	resp, _ := c.send("POST", "/json_rpc", echoCall)
	usable, _ := auth.Challenge(resp.Header.Values("Www-Authenticate"))
	require.True(t, usable)
	h := authorization(t, auth)
	resp, _ = c.send("POST", "/json_rpc", echoCall, h)
	require.Equal(t, 401, resp.StatusCode)
	require.Contains(t, resp.Header.Get("Www-Authenticate"), "stale=false")
	_ = c.c.Close()
	require.NoError(t, s.Shutdown(t.Context()), "nobody writes the log any more")
	require.Contains(t, log.String(), "wrong login")
	for _, secret := range []string{"pw", "guess", "Digest", "hello"} {
		require.NotContains(t, log.String(), secret)
	}
}

// TestGuessesWait: however many guess at a login at once, answers to wrong ones come one after the other, and the right one at once.
func TestGuessesWait(t *testing.T) {
	right := digest.NewLogin("user", "pw")
	_, addr := start(t, ServerConfig{Login: right, Limits: ServerLimits{FailsWaiting: 1, FailDelay: time.Minute}})
	ask := func(login digest.Login) *client {
		c, auth := dial(t, addr), digest.NewClient(login, rand.Reader)
		resp, _ := c.send("POST", "/json_rpc", echoCall)
		usable, _ := auth.Challenge(resp.Header.Values("Www-Authenticate"))
		require.True(t, usable)
		c.write("POST", "/json_rpc", echoCall, authorization(t, auth))
		return c
	}
	var guesses []*client
	for range 3 {
		guesses = append(guesses, ask(digest.NewLogin("user", "guess")))
	}
	resp, err := http.ReadResponse(ask(right).r, nil)
	require.NoError(t, err)
	require.Equal(t, 200, resp.StatusCode)
	for _, c := range guesses {
		require.NoError(t, c.c.SetReadDeadline(time.Now().Add(100*time.Millisecond)))
		_, err := c.r.ReadByte()
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		_ = c.c.Close()
	}
}

// TestLogIsOneLineARequest: what a path says cannot make lines of its own, nor speak to a terminal.
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
		require.NoError(t, s.Shutdown(t.Context()), "nobody writes the log any more")
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
	if err == nil { // on a busy machine the time may be over before anything was said
		_, err = io.ReadAll(c.r)
	}
	require.NotErrorIs(t, err, os.ErrDeadlineExceeded, "the server must end the connection")

	_, addr = start(t, ServerConfig{Limits: ServerLimits{ReadBody: 50 * time.Millisecond}})
	for _, extra := range []string{"", "X-Other: 1\r\n"} { // answered here, and by net/http
		c = dial(t, addr)
		_, err = io.WriteString(c.c, "POST /json_rpc HTTP/1.1\r\nHost: localhost\r\n"+extra+"Content-Length: 10\r\n\r\n{")
		require.NoError(t, err)
		answer, err := io.ReadAll(c.r)
		require.NoError(t, err, "the server must end the connection")
		require.Contains(t, string(answer), "400 Bad Request")
	}
}

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
	require.Error(t, c1.Close(), "leaves once")
	open, refused, gaveWay := l.places.count()
	require.Zero(t, open)
	require.Equal(t, uint64(1), refused)
	require.Zero(t, gaveWay, "who is served stays")
	first.requireClosed()
	third := dial(t, inner.Addr().String())
	c3 := <-accepted
	require.Equal(t, third.c.LocalAddr().String(), c3.RemoteAddr().String())
	require.NoError(t, c3.Close())
}

// fails is a listener that lets nobody in for a while.
type fails struct {
	net.Listener
	with []error
}

func (f *fails) Accept() (net.Conn, error) {
	err := f.with[0]
	f.with = f.with[1:]
	if err != nil {
		return nil, err
	}
	c, _ := net.Pipe()
	return c, nil
}

// That nobody can be let in is told once, until somebody was.
func TestNobodyLetInIsTold(t *testing.T) {
	full := errors.New("too many open files")
	l := limitConnections(&fails{with: []error{full, full, nil, full, net.ErrClosed}}, newPlaces(ServerLimits{Connections: 9, ConnectionsPublic: 9, ConnectionsLocal: 9}))
	told := 0
	l.failed = func(err error) {
		require.Equal(t, full, err)
		told++
	}
	for range 5 {
		if c, err := l.Accept(); err == nil {
			require.NoError(t, c.Close())
		}
	}
	require.Equal(t, 2, told)
}

// slow is a service whose call begins, then waits.
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
	require.NoError(t, <-served, "listens no more")
	select {
	case err := <-stopped:
		t.Fatalf("it did not wait: %v", err)
	case <-time.After(100 * time.Millisecond): // who does not wait is done by then
	}
	close(service.release)
	require.JSONEq(t, `{"done":true}`, <-answers)
	require.NoError(t, <-stopped)
}

func TestShutdownCutsCallsWhenTimeIsUp(t *testing.T) {
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

func TestGeneratedLogin(t *testing.T) {
	file := filepath.Join(t.TempDir(), "monero-wallet-rpc.18083.login")
	require.NoError(t, os.WriteFile(file, []byte("left over"), 0o644))
	login, remove, err := GenerateLogin(file, bytes.NewReader(bytes.Repeat([]byte{0xff}, 16)))
	require.NoError(t, err)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "monero://///////////////////w==", string(text))
	require.Equal(t, digest.NewLogin("monero", "/////////////////////w=="), login)
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	require.NoError(t, remove())
	require.NoFileExists(t, file)

	_, _, err = GenerateLogin(file, strings.NewReader("short"))
	require.Error(t, err)
	require.NoFileExists(t, file)
}
