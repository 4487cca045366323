package native

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/internal/holder"
	"glim/core/rpc"
)

// TestPlainHeads reads heads: what is plain, and all that is nearly so, which is for net/http.
func TestPlainHeads(t *testing.T) {
	plain := []string{
		"POST /json_rpc HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"GET / HTTP/1.1\r\nhost:[::1]:18081\r\n\r\n",
		"POST /get_outs.bin HTTP/1.1\r\nHost: 127.0.0.1:18081\r\nUser-Agent: Go-http-client/1.1\r\nContent-Length: 7\r\n" +
			"Content-Type: application/octet-stream\r\nAccept-Encoding: gzip\r\n\r\n",
		"POST /wallets/a-b_C.9/json_rpc HTTP/1.1\r\nConnection: Keep-Alive\r\nACCEPT: \r\nAccept-Language: *\r\nCONTENT-LENGTH: 007\r\nHost: a.example\r\n\r\n",
	}
	for _, text := range plain {
		q, ok := parsePlain([]byte(text + "more"))
		require.True(t, ok, "%q", text)
		require.Equal(t, len(text), q.size)
		for n := range len(text) {
			_, ok := parsePlain([]byte(text[:n]))
			require.False(t, ok, "%q", text[:n])
		}
	}
	head := func(fields string) string { return "POST /a HTTP/1.1\r\nHost: localhost\r\n" + fields + "\r\n\r\n" }
	_, ok := parsePlain([]byte(head("Content-Length: 1")))
	require.True(t, ok)
	for _, text := range []string{
		"", "\r\n\r\n", "\r\n" + head("Accept: *"), strings.ReplaceAll(head("Accept: *"), "\r\n", "\n"), strings.ReplaceAll(head("Accept: *"), "\r\n", "\r"),
		strings.Replace(head("Accept: *"), "\r\n", "\n", 1), strings.Replace(head("Accept: *"), "localhost\r\n", "localhost\n", 1),
		strings.Replace(head("Accept: *"), "*\r\n\r\n", "*\r\n\n", 1), strings.Replace(head("Accept: *"), "*\r\n\r\n", "*\n\r\n", 1),
		"POST /a HTTP/1.0\r\nHost: localhost\r\n\r\n", "POST /a HTTP/1.10\r\nHost: localhost\r\n\r\n", "POST /a HTTP/2.0\r\nHost: localhost\r\n\r\n",
		"POST /a http/1.1\r\nHost: localhost\r\n\r\n", "POST /a\r\nHost: localhost\r\n\r\n", "POST  /a HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"POST /a  HTTP/1.1\r\nHost: localhost\r\n\r\n", "POST /a HTTP/1.1 \r\nHost: localhost\r\n\r\n", " POST /a HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"post /a HTTP/1.1\r\nHost: localhost\r\n\r\n", "HEAD /a HTTP/1.1\r\nHost: localhost\r\n\r\n", "OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"POST  HTTP/1.1\r\nHost: localhost\r\n\r\n", "POST a HTTP/1.1\r\nHost: localhost\r\n\r\n", "POST http://localhost/a HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"POST /a?b HTTP/1.1\r\nHost: localhost\r\n\r\n", "POST /%61 HTTP/1.1\r\nHost: localhost\r\n\r\n", "POST /a#b HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"POST /\xc3\xa4 HTTP/1.1\r\nHost: localhost\r\n\r\n", "POST /a\x00 HTTP/1.1\r\nHost: localhost\r\n\r\n", "POST /a\\b HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"POST /a HTTP/1.1\r\n\r\n", "POST /a HTTP/1.1\r\nHost:\r\n\r\n", "POST /a HTTP/1.1\r\nHost: me@localhost\r\n\r\n", "POST /a HTTP/1.1\r\nHost: localhost, b\r\n\r\n",
		head("Host: localhost"), head("Host: elsewhere"), head("Content-Length: 1\r\nContent-Length: 1"), head("Content-Length: 1\r\nContent-Length: 2"),
		head("Content-Length: 1, 1"), head("Content-Length: +1"), head("Content-Length: -1"), head("Content-Length: 0x1"), head("Content-Length: 1 "), head("Content-Length:  1"),
		head("Content-Length:\t1"), head("Content-Length: 1_0"), head("Content-Length: "), head("Content-Length: 9999999999999999999"), head("Content-Length : 1"),
		head(" Content-Length: 1"), head("Content-Length: 1\r\n 2"), head("Content-Length"), head(": 1"), head("Content_Length: 1"), head("Content-Length\x00: 1"),
		head("Transfer-Encoding: chunked"), head("Transfer-Encoding: identity"), head("Transfer-Encoding : chunked"), head("Content-Length: 1\r\nTransfer-Encoding: chunked"),
		head("transfer-encoding:\x0bchunked"), head("Connection: close"), head("Connection: upgrade"), head("Connection: keep-alive, close"), head("Connection: content-length"),
		head("Upgrade: h2c"), head("Expect: 100-continue"), head("Trailer: a"), head("TE: trailers"), head("Origin: null"), head("Sec-Fetch-Site: none"),
		head("Authorization: Digest"), head("Last-Event-ID: 1"), head("Cookie: a"), head("X-Forwarded-For: 1.2.3.4"), head("Accept: a\rb"), head("Accept: a\x00b"), head("Accept: \xff"),
		head("Accept: a\tb"), head("Accept\r\n: a"), head("Accept:a: b \r\nHost"),
	} {
		_, ok := parsePlain([]byte(text))
		require.False(t, ok, "%q", text)
	}
}

// TestPlainAnswersAsNetHTTP asks everything in both ways, and sees that each request went the way that was meant.
func TestPlainAnswersAsNetHTTP(t *testing.T) {
	large := strings.Repeat("x", 3*plainCopy)
	s, addr := start(t, ServerConfig{Limits: ServerLimits{ConnectionsLocal: 100}})
	var odd int
	inner := s.http.Handler
	s.http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { odd++; inner.ServeHTTP(w, r) })
	for _, q := range []struct{ method, path, body string }{
		{"POST", "/json_rpc", echoCall}, {"GET", "/json_rpc", echoCall}, {"POST", "/json_rpc", "{"}, {"GET", "/echo_path", ""}, {"POST", "/echo_path", "{"},
		{"POST", "/echo_path", `{"text":"` + strings.Repeat("x", plainCopy-len(`{"text":""}`)) + `"}`}, {"POST", "/echo_path", `{"text":"` + large + `"}`},
		{"POST", "/packed.bin", epeeBody}, {"POST", "/packed.bin", "x"}, {"POST", "/nothing", "x"}, {"POST", "/", ""}, {"POST", "/events", ""}, {"POST", "/broken", ""}, {"GET", "/panics", ""},
	} {
		odd = 0
		a := dial(t, addr)
		resp, body := a.send(q.method, q.path, q.body)
		require.Zero(t, odd, q.path)
		b := dial(t, addr)
		want, wanted := b.send(q.method, q.path, q.body, "X-Odd: 1")
		require.Equal(t, 1, odd, q.path)
		require.Equal(t, want.StatusCode, resp.StatusCode, q.path)
		require.Equal(t, wanted, body, q.path)
		require.Equal(t, want.Close, resp.Close, q.path)
		for _, r := range []*http.Response{want, resp} {
			_, err := http.ParseTime(r.Header.Get("Date"))
			require.NoError(t, err)
			r.Header.Del("Date")
		}
		require.Equal(t, want.Header, resp.Header, q.path)
		if want.Close {
			a.requireClosed()
			b.requireClosed()
			continue
		}
		a.send("POST", "/echo_path", "")
		require.Equal(t, 1, odd, "plain ones stay here")
		a.send("PUT", "/echo_path", "")
		a.send("POST", "/echo_path", "")
		require.Equal(t, 3, odd, "but not after another one")
	}
	c := dial(t, addr)
	c.send("POST", "/echo_path", "")
	resp, _ := c.send("POST", "/echo_path", "", "Host: evil.example")
	require.Equal(t, 403, resp.StatusCode, "each request is judged by its own host")
	c.requireClosed()
}

const epeeBody = "\x01\x11\x01\x01\x01\x01\x02\x01\x01\x04\x06height\x05\x01\x00\x00\x00\x00\x00\x00\x00"

// TestPlainPipeline sends many requests at once, most of them plain: they are answered one after the other.
func TestPlainPipeline(t *testing.T) {
	_, addr := start(t, ServerConfig{})
	c := dial(t, addr)
	one := "POST /echo_path HTTP/1.1\r\nHost: localhost\r\nContent-Length: 12\r\n\r\n" + `{"text":"a"}`
	odd := "PUT" + one[4:]
	go func() { _, _ = io.WriteString(c.c, strings.Repeat(one, 500)+odd+strings.Repeat(one, 500)) }()
	for n := range 1001 {
		resp, err := http.ReadResponse(c.r, nil)
		require.NoError(t, err, n)
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err, n)
		require.JSONEq(t, `{"text":"a"}`, string(body))
	}
}

// TestPlainRestsAndEnds: who is silent too long loses the connection, and so does who rests when the server ends.
func TestPlainRestsAndEnds(t *testing.T) {
	_, addr := start(t, ServerConfig{Limits: ServerLimits{Idle: 50 * time.Millisecond}})
	c := dial(t, addr)
	c.send("POST", "/echo_path", "")
	c.requireClosed()

	s, addr := start(t, ServerConfig{Limits: ServerLimits{Idle: time.Hour, ReadHeader: time.Hour}})
	silent, c := dial(t, addr), dial(t, addr)
	c.send("POST", "/echo_path", "")
	require.NoError(t, s.Shutdown(t.Context()))
	require.Empty(t, s.plain.open)
	c.requireClosed()
	_, err := silent.r.ReadByte()
	require.Error(t, err) // the connection may not have been accepted yet
}

// TestPlainAnswerAtTheEnd: a call that runs when the server ends is answered, and the answer says that it is the last.
func TestPlainAnswerAtTheEnd(t *testing.T) {
	service := slow{make(chan struct{}), make(chan struct{})}
	s, addr := start(t, ServerConfig{Service: service})
	c := dial(t, addr)
	_, err := io.WriteString(c.c, "POST /a HTTP/1.1\r\nHost: localhost\r\n\r\n")
	require.NoError(t, err)
	<-service.begun
	stopped := make(chan error, 1)
	go func() { stopped <- s.Shutdown(context.Background()) }()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(patience); !s.plain.ending.Load(); <-tick.C {
		require.True(t, time.Now().Before(deadline), "the server does not end")
	}
	close(service.release)
	resp, err := http.ReadResponse(c.r, nil)
	require.NoError(t, err)
	require.Equal(t, 200, resp.StatusCode)
	require.True(t, resp.Close)
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.JSONEq(t, `{"done":true}`, string(body))
	c.requireClosed()
	require.NoError(t, <-stopped)
}

// TestPlainBodyIsSlow: the time a body has is its own, not that of the head.
func TestPlainBodyIsSlow(t *testing.T) {
	_, addr := start(t, ServerConfig{Limits: ServerLimits{ReadHeader: time.Hour, Idle: time.Hour, ReadBody: 50 * time.Millisecond}})
	resp, _ := dial(t, addr).send("POST", "/echo_path", "", "Content-Length: 1")
	require.Equal(t, 400, resp.StatusCode)
	require.True(t, resp.Close)
}

// TestPlainAnswerNotRead: a client that does not read its answers loses its connection, and nobody waits for it.
func TestPlainAnswerNotRead(t *testing.T) {
	s, addr := start(t, ServerConfig{Limits: ServerLimits{Write: 50 * time.Millisecond}})
	c := dial(t, addr)
	large := `{"text":"` + strings.Repeat("x", 1<<20) + `"}`
	go func() {
		for {
			if _, err := io.WriteString(c.c, "POST /echo_path HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1048587\r\n\r\n"+large); err != nil {
				return
			}
		}
	}()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	open := func() int {
		s.plain.mu.Lock()
		defer s.plain.mu.Unlock()
		return len(s.plain.open)
	}
	for deadline := time.Now().Add(patience); open() == 0; <-tick.C {
		require.True(t, time.Now().Before(deadline), "the connection does not begin")
	}
	for deadline := time.Now().Add(patience); open() > 0; <-tick.C {
		require.True(t, time.Now().Before(deadline), "the connection goes on")
	}
}

// TestPlainBody reads bodies in pieces of any size; what is announced and does not come costs nothing.
func TestPlainBody(t *testing.T) {
	read := func(from io.Reader, length int64) ([]byte, error) {
		l := plainConn{s: NewServer(ServerConfig{}), r: bufio.NewReaderSize(from, plainHead), read: deadline{set: func(time.Time) error { return nil }}}
		return l.body(length, &share{of: &bodies{most: 1 << 30}})
	}
	for _, n := range []int{0, 1, plainHead, plainBody - 1, plainBody, plainBody + 1, 5*plainBody + 7} {
		want := bytes.Repeat([]byte("0123456789abcdef"), n/16+1)[:n]
		for _, from := range []io.Reader{bytes.NewReader(want), iotest.HalfReader(bytes.NewReader(want)), iotest.DataErrReader(bytes.NewReader(want))} {
			got, err := read(io.MultiReader(from, strings.NewReader("more")), int64(n))
			require.NoError(t, err)
			require.True(t, bytes.Equal(want, got), n)
			require.LessOrEqual(t, cap(got), max(n, plainBody))
		}
	}
	broken := errors.New("broken")
	got, err := read(io.MultiReader(strings.NewReader("short"), iotest.ErrReader(broken)), 1<<40)
	require.ErrorIs(t, err, broken)
	require.LessOrEqual(t, cap(got), plainBody)
	got, err = read(io.MultiReader(bytes.NewReader(make([]byte, plainBody+1)), iotest.ErrReader(broken)), 1<<24)
	require.ErrorIs(t, err, broken)
	require.LessOrEqual(t, cap(got), 2*plainBody, "what is announced is not believed")
}

// TestDeadlines: they are moved when less than promised is left, or much more, and not each time.
func TestDeadlines(t *testing.T) {
	moved := 0
	d := deadline{set: func(time.Time) error { moved++; return nil }}
	for range 1000 {
		require.NoError(t, d.arm(time.Hour))
	}
	require.Equal(t, 1, moved)
	require.NoError(t, d.arm(time.Minute))
	require.Equal(t, 2, moved, "sooner")
	require.Less(t, time.Until(d.at), 2*time.Minute)
	require.NoError(t, d.arm(2*time.Minute))
	require.Equal(t, 3, moved, "later")
	require.Greater(t, time.Until(d.at), 2*time.Minute)
}

// told is a service that answers with what it was asked.
type told struct{}

func (told) Serve(_ context.Context, path string, body []byte, _ rpc.Options) ([]byte, error) {
	if strings.Contains(path, "x") {
		return nil, rpc.ErrNoPath
	}
	return append([]byte(path+" "), body...), nil
}

// script is a connection on which a client says what was decided before, and listens to the end.
type script struct {
	net.Conn
	says  *bytes.Reader
	hears bytes.Buffer
}

func (s *script) Read(b []byte) (int, error)       { return s.says.Read(b) }
func (s *script) Write(b []byte) (int, error)      { return s.hears.Write(b) }
func (s *script) Close() error                     { return nil }
func (s *script) SetDeadline(time.Time) error      { return nil }
func (s *script) SetReadDeadline(time.Time) error  { return nil }
func (s *script) SetWriteDeadline(time.Time) error { return nil }
func (s *script) LocalAddr() net.Addr              { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 1} }
func (s *script) RemoteAddr() net.Addr             { return s.LocalAddr() }

// FuzzPlainRequests says anything on a connection. Whatever is answered without net/http, net/http reads as the same requests, with
// nothing about them that would need it; and it gets to read the rest from its first byte on.
func FuzzPlainRequests(f *testing.F) {
	head := "POST /get_outs.bin HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nAccept: */*\r\n\r\nabc"
	f.Add([]byte(head + head + "GET /x HTTP/1.1\r\nhost:127.0.0.1:1\r\nConnection: Keep-Alive\r\n\r\n" + strings.ReplaceAll(head, "\r\n", "\n")))
	f.Add([]byte(head + "POST //a/../b HTTP/1.1\r\nHost: [::1]:9\r\nUser-Agent: a b\r\ncontent-type:\r\nContent-Length: 5\r\n\r\nab"))
	f.Add([]byte("POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + head))
	f.Add([]byte("POST /a HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 3\r\n\r\nabc" + head))
	s := NewServer(ServerConfig{Service: told{}, Limits: ServerLimits{Body: 1 << 20}, Log: slog.New(slog.DiscardHandler)})
	f.Fuzz(func(t *testing.T, says []byte) {
		c := &script{says: bytes.NewReader(says)}
		p := &plainListener{s: s, passed: make(chan accepted, 1), closed: make(chan struct{})}
		p.serve(c)
		var rest []byte
		passed := len(p.passed) == 1
		if passed {
			var err error
			rest, err = io.ReadAll((<-p.passed).conn)
			require.NoError(t, err)
		}
		r := bufio.NewReader(bytes.NewReader(says[:len(says)-len(rest)]))
		answers := bufio.NewReader(&c.hears)
		for {
			if _, err := answers.Peek(1); err != nil {
				break
			}
			q, err := http.ReadRequest(r)
			require.NoError(t, err)
			require.Contains(t, []string{"GET", "POST"}, q.Method)
			require.Equal(t, "HTTP/1.1", q.Proto)
			require.Empty(t, q.TransferEncoding)
			require.False(t, q.Close)
			require.True(t, s.isOurs(q.Host, holder.IP(c.LocalAddr())))
			require.Equal(t, q.URL.Path, q.RequestURI)
			for name, values := range q.Header {
				require.Contains(t, []string{"User-Agent", "Accept", "Accept-Encoding", "Accept-Language", "Content-Type", "Content-Length", "Connection"}, name)
				require.False(t, name == "Content-Length" && len(values) > 1)
			}
			body, broken := io.ReadAll(q.Body)
			want, taken := s.reply(q.URL.Path, body)
			taken.release()
			if broken != nil {
				want = reply{status: http.StatusBadRequest}
				require.False(t, passed)
			}
			a, err := http.ReadResponse(answers, nil)
			require.NoError(t, err)
			require.Equal(t, want.status, a.StatusCode)
			require.Equal(t, broken != nil, a.Close)
			b, err := io.ReadAll(a.Body)
			require.NoError(t, err)
			require.Equal(t, string(want.body), string(b))
		}
		left, err := io.ReadAll(r)
		require.NoError(t, err)
		require.Empty(t, left, "neither answered nor handed over")
	})
}
