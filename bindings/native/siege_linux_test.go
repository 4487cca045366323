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

	"glim/bindings/internal/holder"
	"glim/bindings/native/digest"
	"glim/core/rpc"
)

// siegeLimit is how long a header or a body may take: those who are polite need less on the slowest machine.
const siegeLimit = 20 * time.Second

// besieger does one rude thing on a connection and leaves when it is thrown out, or at the end.
type besieger func(c net.Conn, over <-chan struct{})

// slowly writes a byte at a time.
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

const rudeHead = "POST /json_rpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"

// besiegers are the ways to be rude; body is the largest that is taken.
func besiegers(body int) map[string]besieger {
	large := bytes.Repeat([]byte(" "), body-1)
	headers := rudeHead + strings.Repeat("X: y\r\n", 200_000)
	one := rudeHead + fmt.Sprintf("Content-Length: %d\r\n\r\n", len(echoCall)) + echoCall
	requests := strings.Repeat(one, 1000)
	return map[string]besieger{
		"silence": hold,
		"slow header": func(c net.Conn, over <-chan struct{}) {
			slowly(c, rudeHead+strings.Repeat("X-More: y\r\n", 1000), over)
		},
		"slow body": func(c net.Conn, over <-chan struct{}) {
			slowly(c, rudeHead+"Content-Length: 5000\r\n\r\n"+strings.Repeat(" ", 5000), over)
		},
		"half a hello": func(c net.Conn, over <-chan struct{}) { _, _ = c.Write([]byte{0x16, 3, 1, 2, 0, 1}); hold(c, over) },
		"many headers": func(c net.Conn, over <-chan struct{}) {
			_, _ = io.WriteString(c, headers)
			hold(c, over)
		},
		"one long header": func(c net.Conn, over <-chan struct{}) {
			_, _ = io.WriteString(c, rudeHead+"X: "+strings.Repeat("y", 1<<20))
			hold(c, over)
		},
		"nearly a large body": func(c net.Conn, over <-chan struct{}) {
			fmt.Fprintf(c, rudeHead+"Content-Length: %d\r\n\r\n", body)
			_, _ = c.Write(large)
			hold(c, over)
		},
		"a large body in chunks": func(c net.Conn, over <-chan struct{}) {
			fmt.Fprintf(c, rudeHead+"Transfer-Encoding: chunked\r\n\r\n%x\r\n", body)
			_, _ = c.Write(large)
			hold(c, over)
		},
		"pipelined, unread": func(c net.Conn, over <-chan struct{}) {
			_, _ = io.WriteString(c, requests)
			select {
			case <-over:
			case <-time.After(50 * time.Millisecond):
			}
		},
	}
}

// Every kind of rudeness at once, from more connections than are let in, with and without a login and TLS: memory stays bounded, and who
// comes from elsewhere is answered every time.
func TestSiege(t *testing.T) {
	const (
		body   = 8 << 20
		bodies = 24 << 20
		calls  = 12
		enough = 150 // connections that were refused or gave way
	)
	for login, mode := range map[digest.Login]SSLMode{{}: SSLDisabled, digest.NewLogin("me", "secret"): SSLAutodetect} {
		t.Run(fmt.Sprint("login ", !login.IsZero()), func(t *testing.T) {
			inner, err := net.Listen("tcp", "127.0.0.1:0")
			require.NoError(t, err)
			l, err := ListenSSL(neighbours{inner}, SSL{Mode: mode})
			require.NoError(t, err)
			s := NewServer(ServerConfig{Service: registry(), Login: login, Random: rand.Reader, Limits: ServerLimits{
				Body: body, Bodies: bodies, Connections: 60, ConnectionsLocal: 50, ReadHeader: siegeLimit, ReadBody: siegeLimit,
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
			var came atomic.Int64
			for _, rude := range besiegers(body) {
				for range 7 {
					group.Go(func() {
						for {
							select {
							case <-over:
								return
							case <-time.After(100 * time.Millisecond): // so that the machine is left for the others
							}
							c, err := net.Dial("tcp", addr)
							if err != nil {
								continue
							}
							came.Add(1)
							go func() { <-over; _ = c.Close() }() // what it writes must not hold up the end
							rude(c, over)
							_ = c.Close()
						}
					})
				}
			}
			most, open := uint64(0), 0
			refused, deadline := uint64(0), time.Now().Add(10*time.Minute)
			for n := 0; n < calls || refused < enough; n++ {
				require.True(t, time.Now().Before(deadline), "they do not come")
				require.NoError(t, honest(addr, login, mode), "who is polite is answered")
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapInuse+m.StackInuse)
				now, gone := s.Connections()
				open, refused = max(open, now), gone
			}
			close(over)
			group.Wait()
			t.Logf("%d connections came, %d were refused, %d open at most; %d MiB at most", came.Load(), refused, open, most>>20)
			require.LessOrEqual(t, open, 60)
			require.Less(t, most, before+160<<20, "14 bodies of 8 MiB, and what they are copied into, would be more")
			require.NoError(t, s.Shutdown(t.Context()))
			require.NoError(t, <-served)
			require.Zero(t, s.bodies.used.Load())
		})
	}
}

// neighbours is a listener to which 127.0.0.2 is another machine.
type neighbours struct{ net.Listener }

func (n neighbours) Accept() (net.Conn, error) {
	c, err := n.Listener.Accept()
	if err == nil && holder.IP(c.RemoteAddr()) == netip.AddrFrom4([4]byte{127, 0, 0, 2}) {
		c = neighbour{c}
	}
	return c, err
}

type neighbour struct{ net.Conn }

func (neighbour) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4(192, 168, 0, 2), Port: 1} }

// honest asks once, from an address of its own.
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
		c = tls.Client(c, &tls.Config{InsecureSkipVerify: true}) //nolint:gosec // whom it speaks to is not the question
	}
	r, proof := bufio.NewReader(c), ""
	auth := digest.NewClient(login, rand.Reader)
	for {
		if _, err := fmt.Fprintf(c, rudeHead+"%sContent-Length: %d\r\n\r\n%s", proof, len(echoCall), echoCall); err != nil {
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

// All bodies together have a bound; small ones are served all the same, and room that was given back is there again.
func TestBodiesAreBounded(t *testing.T) {
	for _, extra := range []string{"", "X-Other: 1"} { // answered here, and by net/http
		s, addr := start(t, ServerConfig{Limits: ServerLimits{Body: 1 << 20, Bodies: 1 << 20}})
		body := echoCall + strings.Repeat(" ", 900<<10)
		half := dial(t, addr)
		line := ""
		if extra != "" {
			line = extra + "\r\n"
		}
		_, err := fmt.Fprintf(half.c, rudeHead+line+"Content-Length: %d\r\n\r\n%s", len(body), body[:len(body)-1])
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
		require.Equal(t, http.StatusOK, resp.StatusCode, "a small one")
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

// heavy answers everything with the same bytes.
type heavy []byte

func (h heavy) Serve(_ context.Context, path string, _ []byte, _ rpc.Options) ([]byte, error) {
	if path == "/small" {
		return []byte("{}"), nil
	}
	return h, nil
}

// TestAnswersAreBounded: answers that are not taken take bounded memory together; those beyond are thrown away, and small ones are given.
func TestAnswersAreBounded(t *testing.T) {
	large := heavy(make([]byte, 256<<20))                  // more than sockets hold; nobody touches it, so it takes no memory
	for _, extra := range []string{"", "X-Other: 1\r\n"} { // answered here, and by net/http
		s, addr := start(t, ServerConfig{Service: large, Limits: ServerLimits{Answers: 400 << 20}})
		ask := func(path string) (*client, *http.Response) {
			c := dial(t, addr)
			_, err := fmt.Fprintf(c.c, "POST %s HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: 0\r\n\r\n", path, extra)
			require.NoError(t, err)
			resp, err := http.ReadResponse(c.r, nil)
			require.NoError(t, err)
			return c, resp
		}
		slow, first := ask("/large")
		require.Equal(t, http.StatusOK, first.StatusCode)
		_, second := ask("/large")
		require.Equal(t, http.StatusServiceUnavailable, second.StatusCode)
		_, small := ask("/small")
		require.Equal(t, http.StatusOK, small.StatusCode)
		_ = slow.c.Close()
		require.Eventually(t, func() bool { return s.answers.used.Load() == 0 }, patience, time.Millisecond)
		third, resp := ask("/large")
		require.Equal(t, http.StatusOK, resp.StatusCode)
		_ = third.c.Close()
	}
}
