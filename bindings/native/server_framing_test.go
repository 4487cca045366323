package native

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/rpc"
	"glim/core/rpc/digest"
)

// counted is a service that counts its requests.
type counted struct{ requests atomic.Int64 }

func (c *counted) Serve(context.Context, string, []byte, rpc.Options) ([]byte, error) {
	c.requests.Add(1)
	return []byte("{}"), nil
}

const (
	begins = "POST /a HTTP/1.1\r\nHost: localhost\r\n"
	next   = begins + "Content-Length: 0\r\n\r\n"
)

// ambiguous are requests that are malformed or that parsers interpret differently. Each ends where a lenient parser
// would respond.
var ambiguous = map[string]string{
	"LF after the first line":      "POST /a HTTP/1.1\nHost: localhost\r\nContent-Length: 0\r\n\r\n",
	"LF after a field":             "POST /a HTTP/1.1\r\nHost: localhost\nContent-Length: 0\r\n\r\n",
	"LF after the last field":      begins + "Content-Length: 0\n\r\n",
	"LF in the place of the end":   begins + "Content-Length: 0\r\n\n",
	"LF everywhere":                strings.ReplaceAll(next, "\r\n", "\n"),
	"CR alone":                     strings.ReplaceAll(next, "\r\n", "\r") + "\r\n\r\n",
	"CR in a value":                begins + "X: a\rContent-Length: 5\r\n\r\n",
	"CR before the end of a line":  begins + "X: a\r\r\n\r\n",
	"folded line":                  begins + "X: a\r\n b\r\n\r\n",
	"folded line with a colon":     begins + "X: a\r\n b: c\r\n\r\n",
	"folded length":                begins + "Content-Length:\r\n 0\r\n\r\n",
	"folded with a tab":            begins + "X: a\r\n\tb\r\n\r\n",
	"folded first field":           "POST /a HTTP/1.1\r\n Host: localhost\r\nHost: localhost\r\n\r\n",
	"space before the colon":       begins + "Content-Length : 0\r\n\r\n",
	"tab before the colon":         begins + "Transfer-Encoding\t: chunked\r\n\r\n0\r\n\r\n",
	"no colon":                     begins + "Content-Length\r\n\r\n",
	"no name":                      begins + ": a\r\n\r\n",
	"space in a name":              begins + "Content Length: 0\r\n\r\n",
	"NUL in a name":                begins + "Content-Length\x00: 0\r\n\r\n",
	"NUL in a value":               begins + "X: a\x00b\r\n\r\n",
	"NUL in the target":            "POST /a\x00b HTTP/1.1\r\nHost: localhost\r\n\r\n",
	"control character in a value": begins + "X: a\x0bb\r\n\r\n",
	"letter of another script":     begins + "Content-Length\xc2\xb2: 0\r\n\r\n",
	"empty line first":             "\r\n" + next,
	"LF first":                     "\n" + next,
	"space first":                  " " + next,
	"two spaces":                   "POST  /a HTTP/1.1\r\nHost: localhost\r\n\r\n",
	"two spaces before version":    "POST /a  HTTP/1.1\r\nHost: localhost\r\n\r\n",
	"tab in the first line":        "POST\t/a HTTP/1.1\r\nHost: localhost\r\n\r\n",
	"space after the version":      "POST /a HTTP/1.1 \r\nHost: localhost\r\n\r\n",
	"space in the target":          "POST /a b HTTP/1.1\r\nHost: localhost\r\n\r\n",
	"no version":                   "GET /a\r\n\r\n",
	"version 0.9":                  "GET /a HTTP/0.9\r\nHost: localhost\r\n\r\n",
	"version 1.2":                  "GET /a HTTP/1.2\r\nHost: localhost\r\n\r\n",
	"version 2":                    "GET /a HTTP/2.0\r\nHost: localhost\r\n\r\n",
	"version in small letters":     "GET /a http/1.1\r\nHost: localhost\r\n\r\n",
	"beginning of HTTP/2":          "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
	"invalid method":               "P(ST /a HTTP/1.1\r\nHost: localhost\r\n\r\n",
	"CONNECT":                      "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost:80\r\n\r\n",
	"CONNECT to a path":            "CONNECT /a HTTP/1.1\r\nHost: localhost\r\n\r\n",
	"star for another method":      "POST * HTTP/1.1\r\nHost: localhost\r\n\r\n",
	"target without a slash":       "POST a HTTP/1.1\r\nHost: localhost\r\n\r\n",
	"fragment":                     "POST /a#b HTTP/1.1\r\nHost: localhost\r\n\r\n",
	"backslash":                    "POST /a\\b HTTP/1.1\r\nHost: localhost\r\n\r\n",
	"letter beyond ASCII":          "POST /\xc3\xa4 HTTP/1.1\r\nHost: localhost\r\n\r\n",
	"target of another host":       "POST http://elsewhere/a HTTP/1.1\r\nHost: localhost\r\n\r\n",
	"target of another port":       "POST http://localhost:1/a HTTP/1.1\r\nHost: localhost\r\n\r\n",
	"target with a user":           "POST http://localhost@localhost/a HTTP/1.1\r\nHost: localhost@localhost\r\n\r\n",
	"target without a host":        "POST http:///a HTTP/1.1\r\nHost: localhost\r\n\r\n",
	"target of another scheme":     "POST ftp://localhost/a HTTP/1.1\r\nHost: localhost\r\n\r\n",
	"no Host":                      "POST /a HTTP/1.1\r\nContent-Length: 0\r\n\r\n",
	"two Hosts":                    begins + "Host: elsewhere\r\n\r\n",
	"two equal Hosts":              begins + "host: localhost\r\n\r\n",
	"list of Hosts":                "POST /a HTTP/1.1\r\nHost: localhost, elsewhere\r\n\r\n",
	"Host with a user":             "POST /a HTTP/1.1\r\nHost: elsewhere@localhost\r\n\r\n",
	"Host with a path":             "POST /a HTTP/1.1\r\nHost: localhost/b\r\n\r\n",
	"two lengths":                  begins + "Content-Length: 0\r\nContent-Length: 5\r\n\r\n",
	"two equal lengths":            begins + "Content-Length: 0\r\nContent-Length: 0\r\n\r\n",
	"list of lengths":              begins + "Content-Length: 0, 0\r\n\r\n",
	"length with a sign":           begins + "Content-Length: +0\r\n\r\n",
	"length below nothing":         begins + "Content-Length: -1\r\n\r\n",
	"length in hexadecimal":        begins + "Content-Length: 0x0\r\n\r\n",
	"length with an underscore":    begins + "Content-Length: 0_0\r\n\r\n",
	"length of nothing":            begins + "Content-Length: \r\n\r\n",
	"length beyond 64 bits":        begins + "Content-Length: 18446744073709551616\r\n\r\n",
	"length and chunks":            begins + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
	"chunks and length":            begins + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
	"chunks in HTTP/1.0": "POST /a HTTP/1.0\r\nHost: localhost\r\n" +
		"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
	"two encodings": begins +
		"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
	"list of encodings":          begins + "Transfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n",
	"no encoding":                begins + "Transfer-Encoding: identity\r\n\r\n",
	"encoding in quotes":         begins + "Transfer-Encoding: \"chunked\"\r\n\r\n0\r\n\r\n",
	"encoding behind a control":  begins + "Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n",
	"a field that is to be lost": begins + "Connection: close, Content-Length\r\nContent-Length: 0\r\n\r\n",
	"too many fields":            begins + strings.Repeat("X: y\r\n", maxFields) + "\r\n",
}

// badChunks are chunked bodies that are malformed or that parsers interpret differently.
var badChunks = map[string]string{
	"LF after a size":        "1\nx\r\n0\r\n\r\n",
	"LF after a chunk":       "1\r\nx\n0\r\n\r\n",
	"LF after the last":      "1\r\nx\r\n0\n\r\n",
	"LF at the end":          "1\r\nx\r\n0\r\n\n",
	"extension":              "1;a=b\r\nx\r\n0\r\n\r\n",
	"extension with LF":      "1;a\nx\r\n0\r\n\r\n",
	"extension of the last":  "1\r\nx\r\n0;a\r\n\r\n",
	"trailer":                "1\r\nx\r\n0\r\nX: y\r\n\r\n",
	"trailer with a length":  "1\r\nx\r\n0\r\nContent-Length: 5\r\n\r\n",
	"space before a size":    " 1\r\nx\r\n0\r\n\r\n",
	"space after a size":     "1 \r\nx\r\n0\r\n\r\n",
	"tab after a size":       "1\t\r\nx\r\n0\r\n\r\n",
	"size with a sign":       "+1\r\nx\r\n0\r\n\r\n",
	"size below nothing":     "-1\r\nx\r\n0\r\n\r\n",
	"size with a prefix":     "0x1\r\nx\r\n0\r\n\r\n",
	"size of 64 bits":        "ffffffffffffffff\r\nx\r\n0\r\n\r\n",
	"size beyond 64 bits":    "10000000000000001\r\nx\r\n0\r\n\r\n",
	"size of nothing":        "\r\nx\r\n0\r\n\r\n",
	"invalid chunk size":     "g\r\nx\r\n0\r\n\r\n",
	"size with many zeros":   strings.Repeat("0", 40) + "1\r\nx\r\n0\r\n\r\n",
	"chunk longer than said": "1\r\nxy\r\n0\r\n\r\n",
}

// TestAmbiguousRequestsAreRefused checks that the server responds to an ambiguous request with status 400 and to
// nothing after it, with and without TLS and a login, as the first request of a connection and after others.
func TestAmbiguousRequestsAreRefused(t *testing.T) {
	for _, login := range []digest.Login{{}, digest.NewLogin("user", "pw")} {
		for _, mode := range []SSLMode{SSLDisabled, SSLEnabled} {
			t.Run(fmt.Sprint("login ", !login.IsZero(), ", TLS ", mode == SSLEnabled), func(t *testing.T) {
				testAmbiguousRequests(t, login, mode)
			})
		}
	}
}

func testAmbiguousRequests(t *testing.T, login digest.Login, mode SSLMode) {
	all := map[string]string{}
	for name, text := range ambiguous {
		all[name] = text
	}
	for name, text := range badChunks {
		all["chunks: "+name] = begins + "Transfer-Encoding: chunked\r\n\r\n" + text
	}
	service := &counted{}
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	l, err := ListenSSL(inner, SSL{Mode: mode})
	require.NoError(t, err)
	s := NewServer(ServerConfig{Service: service, Login: login, Random: rand.Reader})
	served := make(chan error, 1)
	go func() { served <- s.Serve(l) }()
	gate := make(chan struct{}, 24) // net/http keeps a refused connection open for half a second
	for name, text := range all {
		gate <- struct{}{}
		go func() {
			defer func() { <-gate }()
			statuses, err := responseStatuses(inner.Addr(), mode, text+next+next)
			if err != nil || !slices.Equal(statuses, []int{http.StatusBadRequest}) {
				t.Errorf("%s: %v, %v", name, statuses, err)
			}
		}()
	}
	for range cap(gate) {
		gate <- struct{}{}
	}
	require.Zero(t, service.requests.Load(), "no ambiguous or later request may reach the service")
	well := http.StatusOK
	if !login.IsZero() {
		well = http.StatusUnauthorized
	}
	statuses, err := responseStatuses(inner.Addr(), mode, next+next+ambiguous["LF after a field"]+next)
	require.NoError(t, err)
	require.Equal(t, []int{well, well, http.StatusBadRequest}, statuses)
	require.NoError(t, s.Shutdown(t.Context()))
	require.NoError(t, <-served)
}

// responseStatuses sends text and returns the status of each response until the connection ends.
func responseStatuses(addr net.Addr, mode SSLMode, text string) (statuses []int, err error) {
	c, err := net.Dial("tcp", addr.String())
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if err = c.SetDeadline(time.Now().Add(patience)); err != nil {
		return nil, err
	}
	if mode == SSLEnabled {
		c = tls.Client(c, &tls.Config{InsecureSkipVerify: true}) //nolint:gosec // the test does not authenticate
	}
	if _, err = io.WriteString(c, text); err != nil {
		return nil, err
	}
	// a server that waits for more data sees the end of the request
	if err = c.(interface{ CloseWrite() error }).CloseWrite(); err != nil {
		return nil, err
	}
	for r := bufio.NewReader(c); ; {
		resp, err := http.ReadResponse(r, nil)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			return statuses, err
		} else if err != nil {
			return statuses, nil
		}
		statuses = append(statuses, resp.StatusCode)
		if _, err := io.Copy(io.Discard, resp.Body); err != nil {
			return statuses, err
		}
	}
}

// TestRequestsInPieces checks that the split of the input into reads does not matter: well-formed requests pass
// completely, others only up to a point at which net/http cannot parse a request.
func TestRequestsInPieces(t *testing.T) {
	good := []string{
		next,
		"GET / HTTP/1.0\r\n\r\n",
		"OPTIONS * HTTP/1.1\r\nHost: \r\n\r\n",
		"GET HTTP://LocalHost:1/a?b HTTP/1.1\r\nhost: localhost:1\r\nX:\t a\tb\xff \r\n\r\n",
		begins + "content-length: 007\r\nConnection: keep-alive, Upgrade\r\n\r\n1234\n67",
		begins + "Transfer-Encoding: Chunked\r\n\r\n00a\r\n0123\r\n6789\r\nB\r\n0123456789\n\r\n000\r\n\r\n",
	}
	run := func(text string, size int) (int, bool) {
		r, n := requests{maxHead: 1 << 20}, 0
		for text != "" && !r.refused {
			piece := text[:min(size, len(text))]
			n += r.take([]byte(piece))
			text = text[len(piece):]
		}
		return n, r.refused
	}
	whole := strings.Join(good, "") + next
	for _, size := range []int{1, 2, 3, 7, 64, len(whole)} {
		n, refused := run(whole, size)
		require.False(t, refused, "in pieces of %d", size)
		require.Equal(t, len(whole), n)
	}
	for name, text := range ambiguous {
		text = whole + text + next
		want, refused := run(text, len(text))
		require.True(t, refused, name)
		for _, size := range []int{1, 2, 3, 7, 64} {
			n, refused := run(text, size)
			require.True(t, refused, name)
			require.Equal(t, want, n, name)
		}
		r := bufio.NewReader(strings.NewReader(text[:want]))
		for range len(good) + 1 {
			q, err := http.ReadRequest(r)
			require.NoError(t, err)
			_, err = io.Copy(io.Discard, q.Body)
			require.NoError(t, err)
		}
		_, err := http.ReadRequest(r)
		require.Error(t, err, name)
	}
}

// FuzzRequests parses arbitrary input in two pieces. net/http must find the same requests, ending at the same bytes,
// in the part that passes.
func FuzzRequests(f *testing.F) {
	f.Add([]byte(next+begins+"Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n"+next), 9)
	f.Add([]byte(begins+"Content-Length: 010\r\n\r\n0123456789"+next), 50)
	for _, text := range ambiguous {
		f.Add([]byte(text+next), 1)
	}
	for _, text := range badChunks {
		f.Add([]byte(begins+"Transfer-Encoding: chunked\r\n\r\n"+text+next), 40)
	}
	f.Fuzz(func(t *testing.T, input []byte, at int) {
		if len(input) > 64<<10 {
			return
		}
		one := requests{maxHead: 128 << 10}
		good := one.take(input)
		two := requests{maxHead: 128 << 10}
		at = min(max(at, 0), len(input))
		n := two.take(input[:at])
		if !two.refused {
			n += two.take(input[at:])
		}
		require.Equal(t, good, n)
		require.Equal(t, one.refused, two.refused)
		require.True(t, one.refused || good == len(input))
		source := bytes.NewReader(input[:good])
		r := bufio.NewReader(source)
		for {
			if _, err := r.Peek(1); err != nil {
				break
			}
			before := good - source.Len() - r.Buffered()
			q, err := http.ReadRequest(r)
			if err != nil {
				break // net/http alone considers it malformed, or it is truncated
			}
			_, err = io.Copy(io.Discard, q.Body)
			after := good - source.Len() - r.Buffered()
			own := requests{maxHead: 128 << 10}
			require.Equal(t, after-before, own.take(input[before:after]))
			require.False(t, own.refused)
			if err == nil {
				require.Equal(t, inRequestLine, own.in, "net/http ends the request elsewhere")
				require.Empty(t, own.line)
			}
		}
	})
}
