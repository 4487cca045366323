package native

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/internal/clientaddr"
	"glim/core/rpc"
	"glim/core/rpc/digest"
)

// readLimit is the deadline of a header or a body. Honest clients need less on the slowest machine.
const readLimit = 20 * time.Second

// attack sends one kind of hostile input on a connection and returns when the server closes it, or when over is
// closed.
type attack func(c net.Conn, over <-chan struct{})

// slowly writes one byte at a time.
func slowly(c net.Conn, text string, over <-chan struct{}) {
	for i := range text {
		if _, err := io.WriteString(c, text[i:i+1]); err != nil {
			return
		}
		select {
		case <-over:
			return
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// hold waits until the server ends the connection.
func hold(c net.Conn, over <-chan struct{}) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = io.Copy(io.Discard, c)
	}()
	select {
	case <-over:
	case <-ended:
	}
}

const attackHead = "POST /json_rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"

// attacks returns the kinds of hostile input. body is the largest accepted body, in bytes.
func attacks(body int) map[string]attack {
	large := bytes.Repeat([]byte(" "), body-1)
	headers := attackHead + strings.Repeat("X: y\r\n", 200_000)
	one := attackHead + fmt.Sprintf("Content-Length: %d\r\n\r\n", len(echoCall)) + echoCall
	requests := strings.Repeat(one, 1000)
	return map[string]attack{
		"no data": hold,
		"slow header": func(c net.Conn, over <-chan struct{}) {
			slowly(c, attackHead+strings.Repeat("X-More: y\r\n", 1000), over)
		},
		"slow body": func(c net.Conn, over <-chan struct{}) {
			slowly(c, attackHead+"Content-Length: 5000\r\n\r\n"+strings.Repeat(" ", 5000), over)
		},
		"incomplete ClientHello": func(c net.Conn, over <-chan struct{}) {
			_, _ = c.Write([]byte{0x16, 3, 1, 2, 0, 1})
			hold(c, over)
		},
		"many headers": func(c net.Conn, over <-chan struct{}) {
			_, _ = io.WriteString(c, headers)
			hold(c, over)
		},
		"long header": func(c net.Conn, over <-chan struct{}) {
			_, _ = io.WriteString(c, attackHead+"X: "+strings.Repeat("y", 1<<20))
			hold(c, over)
		},
		"large body without its last byte": func(c net.Conn, over <-chan struct{}) {
			fmt.Fprintf(c, attackHead+"Content-Length: %d\r\n\r\n", body)
			_, _ = c.Write(large)
			hold(c, over)
		},
		"large chunked body": func(c net.Conn, over <-chan struct{}) {
			fmt.Fprintf(c, attackHead+"Transfer-Encoding: chunked\r\n\r\n%x\r\n", body)
			_, _ = c.Write(large)
			hold(c, over)
		},
		"pipelined requests, responses not read": func(c net.Conn, over <-chan struct{}) {
			_, _ = io.WriteString(c, requests)
			select {
			case <-over:
			case <-time.After(50 * time.Millisecond):
			}
		},
	}
}

// TestHostileLoad runs all attacks at once, from more connections than the server accepts, with and without a login
// and TLS. Memory stays bounded, and a client at another address receives every response.
func TestHostileLoad(t *testing.T) {
	const (
		body   = 8 << 20
		bodies = 24 << 20
		calls  = 12
		enough = 150 // connections that were refused or closed for others
	)
	for login, mode := range map[digest.Login]SSLMode{{}: SSLDisabled, digest.NewLogin("me", "secret"): SSLAutodetect} {
		t.Run(fmt.Sprint("login ", !login.IsZero()), func(t *testing.T) {
			inner, err := net.Listen("tcp", "127.0.0.1:0")
			require.NoError(t, err)
			l, err := ListenSSL(remoteListener{inner}, SSL{Mode: mode})
			require.NoError(t, err)
			s := NewServer(ServerConfig{Service: registry(), Login: login, Random: rand.Reader, Limits: ServerLimits{
				Body: body, Bodies: bodies, Connections: 60, ConnectionsLocal: 50,
				ReadHeader: readLimit, ReadBody: readLimit,
			}})
			served := make(chan error, 1)
			go func() { served <- s.Serve(l) }()
			addr := inner.Addr().String()

			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			before := m.HeapInuse + m.StackInuse
			over := make(chan struct{})
			var group sync.WaitGroup
			var dialed atomic.Int64
			for _, run := range attacks(body) {
				for range 7 {
					group.Go(func() {
						for {
							select {
							case <-over:
								return
							case <-time.After(100 * time.Millisecond): // leaves processor time for the others
							}
							c, err := net.Dial("tcp", addr)
							if err != nil {
								continue
							}
							dialed.Add(1)
							go func() { <-over; _ = c.Close() }() // ends a blocked write
							run(c, over)
							_ = c.Close()
						}
					})
				}
			}
			most, open := uint64(0), 0
			refused, deadline := uint64(0), time.Now().Add(10*time.Minute)
			for n := 0; n < calls || refused < enough; n++ {
				require.True(t, time.Now().Before(deadline), "too few connections were refused")
				require.NoError(t, honest(addr, login, mode), "an honest client receives its response")
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapInuse+m.StackInuse)
				now, gone := s.Connections()
				open, refused = max(open, now), gone
			}
			close(over)
			group.Wait()
			t.Logf(
				"%d connections, %d refused, %d open at most; %d MiB at most", dialed.Load(), refused, open,
				most>>20,
			)
			require.LessOrEqual(t, open, 60)
			require.Less(t, most, before+160<<20, "14 bodies of 8 MiB and their copies would exceed this")
			require.NoError(t, s.Shutdown(t.Context()))
			require.NoError(t, <-served)
			require.Zero(t, s.bodies.used.Load())
		})
	}
}

// remoteListener is a listener that presents 127.0.0.2 as the address of another machine.
type remoteListener struct{ net.Listener }

func (n remoteListener) Accept() (net.Conn, error) {
	c, err := n.Listener.Accept()
	if err == nil && clientaddr.IP(c.RemoteAddr()) == netip.AddrFrom4([4]byte{127, 0, 0, 2}) {
		c = remoteConn{c}
	}
	return c, err
}

type remoteConn struct{ net.Conn }

func (remoteConn) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 168, 0, 2), Port: 1} }

// honest sends one request from 127.0.0.2 and checks the response.
func honest(addr string, login digest.Login, mode SSLMode) error {
	from := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}, Timeout: patience}
	c, err := from.Dial("tcp", addr)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	if mode != SSLDisabled {
		c = tls.Client(c, &tls.Config{InsecureSkipVerify: true}) //nolint:gosec // the test does not authenticate
	}
	r, proof := bufio.NewReader(c), ""
	auth := digest.NewClient(login, rand.Reader)
	for {
		if _, err := fmt.Fprintf(
			c, attackHead+"%sContent-Length: %d\r\n\r\n%s", proof, len(echoCall), echoCall,
		); err != nil {
			return err
		}
		res, err := http.ReadResponse(r, nil)
		if err != nil {
			return err
		}
		text, err := io.ReadAll(res.Body)
		switch {
		case err != nil:
			return err
		case res.StatusCode == http.StatusUnauthorized && proof == "" && !login.IsZero():
			auth.Challenge(res.Header.Values("Www-Authenticate"))
			header, err := auth.Authorize(http.MethodPost, "/json_rpc")
			if err != nil {
				return err
			}
			proof = "Authorization: " + header + "\r\n"
		case res.StatusCode != http.StatusOK || !bytes.Contains(text, []byte("hello")):
			return fmt.Errorf("HTTP %d: %s", res.StatusCode, text)
		default:
			return nil
		}
	}
}

// TestBodiesAreBounded checks that the memory of all bodies together is bounded, that small bodies are accepted at the
// limit, and that memory is released.
func TestBodiesAreBounded(t *testing.T) {
	for _, extra := range []string{"", "X-Other: 1"} { // handled by the fast path, and by net/http
		s, addr := start(t, ServerConfig{Limits: ServerLimits{Body: 1 << 20, Bodies: 1 << 20}})
		body := echoCall + strings.Repeat(" ", 900<<10)
		half := dial(t, addr)
		line := ""
		if extra != "" {
			line = extra + "\r\n"
		}
		_, err := fmt.Fprintf(half.c, attackHead+line+"Content-Length: %d\r\n\r\n%s", len(body), body[:len(body)-1])
		require.NoError(t, err)
		require.Eventually(t, func() bool { return s.bodies.used.Load() > 500<<10 }, patience, time.Millisecond)
		var headers []string
		if extra != "" {
			headers = append(headers, extra)
		}
		c := dial(t, addr)
		resp, _ := c.send("POST", "/json_rpc", body, headers...)
		require.Equal(t, http.StatusServiceUnavailable, resp.StatusCode)
		resp, _ = dial(t, addr).send("POST", "/json_rpc", echoCall, headers...)
		require.Equal(t, http.StatusOK, resp.StatusCode, "a small body")
		_, err = io.WriteString(half.c, body[len(body)-1:])
		require.NoError(t, err)
		first, err := http.ReadResponse(half.r, nil)
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, first.StatusCode)
		require.Eventually(t, func() bool { return s.bodies.used.Load() == 0 }, patience, time.Millisecond)
		resp, _ = dial(t, addr).send("POST", "/json_rpc", body, headers...)
		require.Equal(t, http.StatusOK, resp.StatusCode)
	}
}

// heavy is a service that returns the same bytes for every request except /small.
type heavy []byte

func (h heavy) Serve(_ context.Context, path string, _ []byte, _ rpc.Options) ([]byte, error) {
	if path == "/small" {
		return []byte("{}"), nil
	}
	return h, nil
}

// TestAnswersAreBounded checks that responses that are not read take bounded memory together: further large ones are
// discarded, small ones are sent.
func TestAnswersAreBounded(t *testing.T) {
	// larger than socket buffers; never accessed, so it takes no physical memory
	large := heavy(make([]byte, 256<<20))
	for _, extra := range []string{"", "X-Other: 1\r\n"} { // handled by the fast path, and by net/http
		s, addr := start(t, ServerConfig{Service: large, Limits: ServerLimits{Answers: 400 << 20}})
		request := func(path string) (*client, *http.Response) {
			c := dial(t, addr)
			_, err := fmt.Fprintf(
				c.c, "POST %s HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: 0\r\n\r\n", path, extra,
			)
			require.NoError(t, err)
			resp, err := http.ReadResponse(c.r, nil)
			require.NoError(t, err)
			return c, resp
		}
		slow, first := request("/large")
		require.Equal(t, http.StatusOK, first.StatusCode)
		_, second := request("/large")
		require.Equal(t, http.StatusServiceUnavailable, second.StatusCode)
		_, small := request("/small")
		require.Equal(t, http.StatusOK, small.StatusCode)
		_ = slow.c.Close()
		require.Eventually(t, func() bool { return s.responses.used.Load() == 0 }, patience, time.Millisecond)
		third, resp := request("/large")
		require.Equal(t, http.StatusOK, resp.StatusCode)
		_ = third.c.Close()
	}
}
