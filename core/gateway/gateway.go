// Package gateway connects untrusted wallets to daemons. It permits only the operations that a wallet needs, uses
// daemons that agree with the majority, caches data of deeply buried blocks, and makes compact blocks from the full
// blocks of daemons that do not support them.
//
// Unlike package upstream, it returns most responses byte for byte, and decodes only a few members of JSON, so that its
// code is small. It caches only data of deeply buried blocks for long. It opens no socket and reads no clock: the host
// provides connections and the time. It stores no keys and no data about clients, so that the cache does not reveal
// which client made a request.
package gateway

import (
	"context"
	"errors"
	"strings"
	"sync"

	"glim/core/rpc"
)

// Upstream is a daemon that receives the gateway's requests.
type Upstream struct {
	Name string // identifies the daemon in reports
	// Transport limits the duration of requests and the size of responses. It returns an error for an HTTP failure and
	// for a timeout.
	Transport rpc.Transport
}

// Cache stores values by name. It may drop any value at any time.
type Cache interface {
	// Get returns a stored value, and false if nothing is stored under the key.
	Get(ctx context.Context, name string) ([]byte, bool)
	// Put stores a value. If seconds is 0, the name determines the value, which never changes (see Lasting). Otherwise
	// the value expires after that many seconds.
	Put(ctx context.Context, name string, value []byte, seconds uint64)
}

// Lasting reports whether a name contains a block ID that determines its value, so that the value never changes.
func Lasting(name string) bool { return strings.HasPrefix(name, segmentName) }

// Config configures a Gateway.
type Config struct {
	Network   string // mainnet, testnet, stagenet or fakechain: the nettype of get_info
	Upstreams []Upstream
	Origins   []string      // origins of web pages that may read responses; "*" for all
	MaxBody   int           // size limit of a request in bytes; DefaultMaxBody if 0
	Depth     uint64        // number of later blocks after which a block is assumed to be final; DefaultDepth if 0
	Cache     Cache         // in addition to the cache in memory; may be nil
	Now       func() uint64 // POSIX seconds
	// Report, if not nil, is called when an upstream fails, contradicts others, or agrees again.
	Report func(upstream, reason string)
}

// Defaults of Config.
const (
	DefaultMaxBody = 1 << 20 // more than a transaction that daemons relay, in hexadecimal
	DefaultDepth   = 100
)

// Gateway serves requests of wallets from upstreams and caches. It is safe for concurrent use.
type Gateway struct {
	c           Config
	mu          sync.Mutex
	connections []*connection
	view        view

	memory memory
	turns  turns
	segs   segments
	tail   tail
}

// New returns a gateway. It sends no requests before the first Answer, Serve or Post.
func New(c Config) *Gateway {
	if c.MaxBody == 0 {
		c.MaxBody = DefaultMaxBody
	}
	if c.Depth == 0 {
		c.Depth = DefaultDepth
	}
	g := &Gateway{c: c, memory: newMemory(), turns: turns{busy: map[string]chan struct{}{}}, segs: newSegments()}
	for _, u := range c.Upstreams {
		g.connections = append(g.connections, &connection{Upstream: u})
	}
	return g
}

// Request is an HTTP request, without any data about the client.
type Request struct {
	Method string // HTTP method
	Path   string // without query
	Origin string // value of the Origin header; empty for none
	Body   []byte
}

// Answer is an HTTP response.
type Answer struct {
	Status int         // HTTP status code
	Header [][2]string // names in lower case
	Body   []byte
}

// Answer handles one HTTP request. Failures are HTTP statuses: 400, 413, 403, 404 and 405 for requests, 502 if no
// upstream returns a valid response, 504 if the context ends.
func (g *Gateway) Answer(ctx context.Context, r Request) Answer {
	a := g.answer(ctx, r)
	a.Header = append(a.Header, [2]string{"cache-control", "no-store"}, [2]string{"x-content-type-options", "nosniff"})
	if allowed := g.origin(r.Origin); allowed != "" {
		a.Header = append(a.Header, [2]string{"access-control-allow-origin", allowed}, [2]string{"vary", "origin"})
	}
	return a
}

func (g *Gateway) answer(ctx context.Context, r Request) Answer {
	switch {
	case r.Origin != "" && g.origin(r.Origin) == "":
		return Answer{Status: 403}
	case r.Method == "OPTIONS":
		return Answer{Status: 204, Header: [][2]string{
			{
				"access-control-allow-methods", "GET, POST",
			}, {"access-control-allow-headers", "content-type"}, {"access-control-max-age", "86400"},
		}}
	case r.Method != "POST" && r.Method != "GET":
		return Answer{Status: 405, Header: [][2]string{{"allow", "GET, POST, OPTIONS"}}}
	case len(r.Body) > g.c.MaxBody:
		return Answer{Status: 413}
	}
	name, kind := find(r.Path, r.Body)
	switch kind {
	case unknown:
		return Answer{Status: 404}
	case refused:
		return Answer{
			Status: 200, Header: jsonType,
			Body: []byte(`{"error":{"code":-32601,"message":"Method not found"},"id":"0","jsonrpc":"2.0"}`),
		}
	case compactBlocks:
		body, err := g.compact(ctx, r.Body)
		return g.result(body, err, binaryType)
	}
	header := jsonType
	if strings.HasSuffix(r.Path, ".bin") {
		header = binaryType
	}
	body, err := g.pass(ctx, name, r.Path, r.Body)
	return g.result(body, err, header)
}

var (
	jsonType   = [][2]string{{"content-type", "application/json"}}
	binaryType = [][2]string{{"content-type", "application/octet-stream"}}
)

// ErrRequest reports a malformed request.
var ErrRequest = errors.New("gateway: malformed request")

func (g *Gateway) result(body []byte, err error, header [][2]string) Answer {
	switch {
	case err == nil:
		return Answer{Status: 200, Header: append([][2]string(nil), header...), Body: body}
	case errors.Is(err, ErrRequest):
		return Answer{Status: 400}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return Answer{Status: 504}
	}
	return Answer{Status: 502}
}

// origin returns the value of access-control-allow-origin for a page of origin: the origin, "*", or "" if not allowed.
func (g *Gateway) origin(origin string) string {
	for _, o := range g.c.Origins {
		if o == "*" {
			return "*"
		}
		if origin != "" && strings.EqualFold(o, origin) {
			return origin
		}
	}
	return ""
}

// Serve handles a request like rpc.Registry, for hosts with their own HTTP server. It returns rpc.ErrNoPath,
// rpc.ErrRequest or ErrAway.
func (g *Gateway) Serve(ctx context.Context, path string, body []byte, _ rpc.Options) ([]byte, error) {
	a := g.answer(ctx, Request{Method: "POST", Path: path, Body: body})
	switch a.Status {
	case 200:
		return a.Body, nil
	case 404:
		return nil, rpc.ErrNoPath
	case 400, 413:
		return nil, rpc.ErrRequest
	}
	return nil, ErrAway
}

// Post is Serve for callers in the same process, so that a Gateway is an rpc.Transport.
func (g *Gateway) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	return g.Serve(ctx, path, body, rpc.Options{})
}
