// Package native implements what glim needs from an operating system: files, HTTP, TLS and sockets.
package native

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"glim/core/rpc/digest"
)

// Defaults of TransportOptions.
const (
	DefaultTimeout   = 210 * time.Second
	DefaultMaxAnswer = 256 << 20
	// DefaultConnections leaves one connection for another wallet: newer daemons accept at most three from one public
	// address.
	// Source: monerod --help, rpc-max-connections-per-public-ip.
	DefaultConnections = 2
)

const (
	dialTimeout = 30 * time.Second // and of an encrypted handshake
	idleTimeout = time.Minute      // shorter than the reference's, so that the client closes the connection first
	maxRefusal  = 64 << 10         // bytes of an unused answer that are read to keep the connection open
	// Under load, a daemon sometimes closes a connection during a long answer. The reference makes as many attempts.
	// Source: src/wallet/wallet2.cpp, refresh.
	readTries = 4
)

// TransportOptions configure the connection to a daemon.
type TransportOptions struct {
	Address     string       // host:port; a prefix http:// or https:// selects encryption
	DefaultPort int          // if Address has none; 0 for mainnet's 18081
	Login       digest.Login // zero for none
	SSL         SSL
	Proxy       string        // host:port or URL of a SOCKS5 proxy, which also resolves host names
	Timeout     time.Duration // of a request including its answer; 0 for DefaultTimeout
	MaxAnswer   int64         // bytes; 0 for DefaultMaxAnswer
	Connections int           // concurrent; 0 for DefaultConnections
}

// Transport sends requests to one daemon over HTTP. It is safe for concurrent use, keeps connections open and logs
// nothing.
type Transport struct {
	o        TransportOptions
	hostport string
	scheme   atomic.Pointer[string] // nil until detected
	slots    chan struct{}

	mu   sync.Mutex
	free []*lane // the most recently used last
}

// A lane is a connection with its digest state, because a nonce belongs to one connection.
type lane struct {
	http  *http.Transport
	login *digest.Client // nil without a login
}

// NewTransport checks the options; it connects with the first Post. Errors: ErrAddress, ErrSSL.
func NewTransport(o TransportOptions) (*Transport, error) {
	if o.DefaultPort == 0 {
		o.DefaultPort = 18081
	}
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	if o.MaxAnswer == 0 {
		o.MaxAnswer = DefaultMaxAnswer
	}
	if o.Connections == 0 {
		o.Connections = DefaultConnections
	}
	scheme, hostport, err := ParseAddress(o.Address, o.DefaultPort)
	if err != nil {
		return nil, err
	}
	switch {
	case scheme == "https" && o.SSL.Mode == SSLDisabled:
		return nil, fmt.Errorf("%w: an https address with ssl disabled", ErrSSL)
	case scheme == "http" && o.SSL.Mode == SSLEnabled:
		return nil, fmt.Errorf("%w: an http address with ssl enabled", ErrSSL)
	case o.SSL.Mode == SSLDisabled:
		scheme = "http"
	case o.SSL.Mode == SSLEnabled, scheme == "" && o.SSL.pinned():
		scheme = "https"
	}
	t := &Transport{o: o, hostport: hostport, slots: make(chan struct{}, o.Connections)}
	if scheme != "" {
		t.scheme.Store(&scheme)
	}
	config, err := o.SSL.config(scheme == "https")
	if err != nil {
		return nil, err
	}
	proxy, err := parseProxy(o.Proxy)
	if err != nil {
		return nil, err
	}
	for range o.Connections {
		l := &lane{http: &http.Transport{
			DialContext:     (&net.Dialer{Timeout: dialTimeout}).DialContext,
			TLSClientConfig: config.Clone(),
			TLSNextProto:    map[string]func(string, *tls.Conn) http.RoundTripper{}, // no HTTP/2
			// so that MaxAnswer bounds memory
			DisableCompression: true,
			MaxConnsPerHost:    1,
			IdleConnTimeout:    idleTimeout,
		}}
		if proxy != nil {
			l.http.Proxy = http.ProxyURL(proxy)
		}
		if !o.Login.IsZero() {
			l.login = digest.NewClient(o.Login, rand.Reader)
		}
		t.free = append(t.free, l)
	}
	return t, nil
}

// Address returns host:port of the daemon.
func (t *Transport) Address() string { return t.hostport }

// Encrypted reports whether requests are encrypted. With autodetection it is false before the first answer.
func (t *Transport) Encrypted() bool {
	s := t.scheme.Load()
	return s != nil && *s == "https"
}

// Close closes idle connections. It does not interrupt running requests.
func (t *Transport) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, l := range t.free {
		l.http.CloseIdleConnections()
	}
}

// Post sends body to path and returns the answer. It returns a *Failure, or the error of ctx if ctx was cancelled.
func (t *Transport) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, t.o.Timeout)
	defer cancel()
	l, err := t.take(ctx)
	if err != nil {
		return nil, classify(ctx, err, t.hostport, false)
	}
	defer t.give(l)
	if s := t.scheme.Load(); s != nil {
		answer, _, err := t.post(ctx, l, *s, path, body)
		return answer, err
	}
	answer, spoke, err := t.post(ctx, l, "https", path, body)
	var dial *net.OpError
	if err == nil || spoke || ctx.Err() != nil || errors.As(err, &dial) && dial.Op == "dial" {
		return answer, t.settle("https", spoke, err)
	}
	// There was no encrypted connection, so the request has not been sent.
	answer, spoke, err = t.post(ctx, l, "http", path, body)
	return answer, t.settle("http", spoke, err)
}

// settle stores the scheme after the daemon has answered.
func (t *Transport) settle(scheme string, spoke bool, err error) error {
	if spoke && err == nil {
		t.scheme.CompareAndSwap(nil, &scheme)
	}
	return err
}

func (t *Transport) take(ctx context.Context) (*lane, error) {
	select {
	case t.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	l := t.free[len(t.free)-1]
	t.free = t.free[:len(t.free)-1]
	return l, nil
}

func (t *Transport) give(l *lane) {
	t.mu.Lock()
	t.free = append(t.free, l)
	t.mu.Unlock()
	<-t.slots
}

// post sends the request, and repeats it after a login challenge. spoke reports whether a connection was established,
// so that the request may have arrived.
func (t *Transport) post(
	ctx context.Context, l *lane, scheme, path string, body []byte,
) (answer []byte, spoke bool, err error) {
	challenged := false
	for tries := 1; ; {
		status, headers, answer, connected, err := t.once(ctx, l, scheme, path, body)
		spoke = spoke || connected
		if errors.Is(err, ErrBroken) && harmless(path, body) && tries < readTries {
			tries++
			continue
		}
		if err != nil {
			return nil, spoke, err
		}
		f := &Failure{Address: t.hostport, Status: status}
		switch {
		case status == http.StatusOK:
			return answer, spoke, nil
		case status == http.StatusNotFound:
			f.Kind = ErrNoPath
		case status != http.StatusUnauthorized:
			f.Kind = ErrHTTP
		case l.login == nil:
			f.Kind = ErrUnlogged
		default:
			usable, _ := l.login.Challenge(headers)
			if !usable {
				f.Kind, f.Err = ErrUnlogged, errors.New("it offers no kind of login known here")
			} else if challenged { // the nonce was new, so the login is wrong
				f.Kind = ErrUnlogged
			} else {
				challenged = true
				continue
			}
		}
		return nil, spoke, f
	}
}

func (t *Transport) once(
	ctx context.Context, l *lane, scheme, path string, body []byte,
) (status int, challenges []string, answer []byte, connected bool, err error) {
	var stood atomic.Bool
	ctx = httptrace.WithClientTrace(
		ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { stood.Store(true) }},
	)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, scheme+"://"+t.hostport+path, bytes.NewReader(body))
	if err != nil {
		return 0, nil, nil, false, &Failure{Kind: ErrHTTP, Address: t.hostport, Err: err}
	}
	kind := "application/json"
	if strings.HasSuffix(path, ".bin") {
		kind = "application/octet-stream"
	}
	req.Header.Set("Content-Type", kind)
	req.Header["User-Agent"] = nil // does not identify the client program
	if harmless(path, body) {
		req.Header["Idempotency-Key"] = nil // not sent; lets net/http repeat it when an idle connection has died
	}
	if l.login != nil {
		proof, err := l.login.Authorize(req.Method, path)
		if err != nil {
			return 0, nil, nil, false, &Failure{Kind: ErrUnlogged, Address: t.hostport, Err: err}
		}
		if proof != "" {
			req.Header.Set("Authorization", proof)
		}
	}
	res, err := l.http.RoundTrip(req)
	if err != nil {
		return 0, nil, nil, stood.Load(), classify(ctx, err, t.hostport, stood.Load())
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		_, _ = io.CopyN(io.Discard, res.Body, maxRefusal)
		return res.StatusCode, res.Header.Values("Www-Authenticate"), nil, true, nil
	}
	answer, err = readAnswer(res, t.o.MaxAnswer)
	if errors.Is(err, ErrTooLarge) {
		return 0, nil, nil, true, &Failure{Kind: ErrTooLarge, Address: t.hostport}
	}
	if err != nil {
		return 0, nil, nil, true, classify(ctx, err, t.hostport, true)
	}
	return res.StatusCode, nil, answer, true, nil
}

// harmless reports whether a request may be repeated. A daemon with many connections closes those that were idle for
// seven seconds, which the client notices only with its next request.
// Source: contrib/epee/include/net/abstract_tcp_server2.inl, get_default_timeout.
func harmless(path string, body []byte) bool {
	return strings.HasPrefix(path, "/get") || path == "/json_rpc" && bytes.HasPrefix(body, []byte(reading))
}

// reading is the beginning of JSON-RPC requests that only read, as package rpc encodes them.
const reading = `{"jsonrpc":"2.0","id":"0","method":"get_`

// readAnswer reads the body. The buffer grows with the bytes that arrive. The Content-Length only limits its last
// growth.
func readAnswer(res *http.Response, limit int64) ([]byte, error) {
	if res.ContentLength > limit {
		return nil, ErrTooLarge
	}
	announced := int(max(res.ContentLength, 0)) + 1 // one more, to reach the end without growing again
	b := make([]byte, 0, min(announced, 1<<20))
	for {
		if len(b) == cap(b) {
			size := max(2*len(b), 4<<10)
			if announced > len(b) {
				size = min(size, announced)
			}
			b = append(make([]byte, 0, size), b...)
		}
		n, err := res.Body.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		switch {
		case int64(len(b)) > limit:
			return nil, ErrTooLarge
		case errors.Is(err, io.EOF):
			return b, nil
		case err != nil:
			return b, err
		}
	}
}
