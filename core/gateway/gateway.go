// Package gateway stands between strangers' wallets and daemons: it lets through what a wallet needs and nothing else, asks the daemons that
// agree with most, remembers what cannot change, and makes compact blocks for wallets of daemons that have none.
//
// Unlike package upstream it hands most answers on as they came, byte for byte, and is small: it decodes no JSON but a few members, so that it
// fits where size counts. What it keeps for long is what follows from the blocks that stay. It opens no socket and reads no clock; it keeps no keys, and nothing about who asks: a request leaves nothing behind
// but what others would have left as well.
package gateway

import (
	"context"
	"errors"
	"strings"
	"sync"

	"glim/core/rpc"
)

// Upstream is a daemon.
type Upstream struct {
	Name string // for reports
	// Transport is bounded in time and in the size of answers. A failure of HTTP is an error, and so is a stall.
	Transport rpc.Transport
}

// Cache keeps values by names. It may forget anything at any time.
type Cache interface {
	Get(ctx context.Context, name string) ([]byte, bool)
	// Put keeps a value that never changes, under a name that follows from the content of the chain, when seconds is 0; otherwise
	// one that is of no use after so many seconds.
	Put(ctx context.Context, name string, value []byte, seconds uint64)
}

// Lasting reports whether a name follows from the content of the chain, so that its value never changes.
func Lasting(name string) bool { return strings.HasPrefix(name, segmentName) }

// Config says whom a gateway asks, for whom, and how.
type Config struct {
	Network   string // mainnet, testnet, stagenet or fakechain, as get_info says it
	Upstreams []Upstream
	Origins   []string // of web pages that may read answers; "*" for all
	MaxBody   int      // bytes of a request; DefaultMaxBody when 0
	Depth     uint64   // blocks until one is taken to stay; DefaultDepth when 0
	Cache     Cache    // nil for none but the memory
	Now       func() uint64
	// Report is told what is wrong with an upstream. Nil for nobody.
	Report func(upstream, reason string)
}

// Defaults of Config.
const (
	DefaultMaxBody = 1 << 20 // a transaction as hexadecimal digits, and some
	DefaultDepth   = 100
)

// Gateway is safe for concurrent use.
type Gateway struct {
	c    Config
	mu   sync.Mutex
	ways []*way
	view view

	memory memory
	turns  turns
	segs   segments
	tail   tail
}

// New returns a gateway that has asked nobody yet.
func New(c Config) *Gateway {
	if c.MaxBody == 0 {
		c.MaxBody = DefaultMaxBody
	}
	if c.Depth == 0 {
		c.Depth = DefaultDepth
	}
	g := &Gateway{c: c, memory: newMemory(), turns: turns{busy: map[string]chan struct{}{}}, segs: newSegments()}
	for _, u := range c.Upstreams {
		g.ways = append(g.ways, &way{Upstream: u})
	}
	return g
}

// Request is what of a request counts. Who sent it does not.
type Request struct {
	Method string // of HTTP
	Path   string // without a query
	Origin string // of the page that sent it; empty for none
	Body   []byte
}

// Answer is what is answered.
type Answer struct {
	Status int         // of HTTP
	Header [][2]string // names in lower case
	Body   []byte
}

// Answer answers one request.
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
			{"access-control-allow-methods", "GET, POST"}, {"access-control-allow-headers", "content-type"}, {"access-control-max-age", "86400"},
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
		return Answer{Status: 200, Header: jsonType, Body: []byte(`{"error":{"code":-32601,"message":"Method not found"},"id":"0","jsonrpc":"2.0"}`)}
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

// ErrRequest reports a request that does not parse.
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

// origin returns what a page of origin is told: the origin, "*", or nothing.
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

// Serve answers as rpc.Registry does, for hosts that speak HTTP themselves.
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

// Post is Serve for callers in the same process.
func (g *Gateway) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	return g.Serve(ctx, path, body, rpc.Options{})
}
