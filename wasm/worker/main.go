//go:build js && wasm

// Command worker is a gateway for wallets that runs in Cloudflare Workers. core/gateway implements it, and worker.mjs
// is its host.
//
// The script that starts it sets the global object glimHost with these members: network, depth, upstreams and origins
// (lists of strings); post(index of the upstream, path, body); get(name) and put(name, value, seconds) of the local
// cache; bucket (the name of a binding, or empty); report(upstream, reason). The program calls its member ready with
// the function that answers a request: method, path, origin, body, done(status, headers, body).
// github.com/syumai/workers finds the bindings in the member env of a global context.
package main

import (
	"bytes"
	"context"
	"io"
	"syscall/js"
	"time"

	"github.com/syumai/workers/cloudflare/r2"

	"glim/core/gateway"
	"glim/wasm/host"
)

func main() {
	outside := js.Global().Get("glimHost")
	js.Global().Delete("glimHost")
	c := gateway.Config{
		Network: outside.Get("network").String(),
		Depth:   uint64(outside.Get("depth").Int()),
		Origins: texts(outside.Get("origins")),
		Cache:   newCache(outside),
		Now:     func() uint64 { return uint64(time.Now().Unix()) },
		Report:  func(upstream, reason string) { outside.Call("report", upstream, reason) },
	}
	for i, name := range texts(outside.Get("upstreams")) {
		c.Upstreams = append(c.Upstreams, gateway.Upstream{Name: name, Transport: upstream{outside, i}})
	}
	g := gateway.New(c)
	outside.Call("ready", js.FuncOf(func(_ js.Value, args []js.Value) any {
		r := gateway.Request{
			Method: args[0].String(),
			Path:   args[1].String(),
			Origin: args[2].String(),
			Body:   host.FromJS(args[3]),
		}
		done := args[4]
		go func() {
			a := g.Answer(context.Background(), r)
			headers := make([]any, len(a.Header))
			for i, h := range a.Header {
				headers[i] = []any{h[0], h[1]}
			}
			done.Invoke(a.Status, headers, host.ToJS(a.Body))
		}()
		return nil
	}))
	select {}
}

func texts(v js.Value) []string {
	list := make([]string, v.Length())
	for i := range list {
		list[i] = v.Index(i).String()
	}
	return list
}

// upstream is the connection to a daemon, with the host's fetch.
type upstream struct {
	host   js.Value
	number int
}

func (u upstream) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	v, err := host.Call(ctx, u.host, "post", u.number, path, host.ToJS(body))
	return host.FromJS(v), err
}

// cache is the platform's cache: one in each location and, for immutable data, a bucket that all share.
type cache struct {
	host   js.Value
	bucket *r2.Bucket // may be nil
}

func newCache(host js.Value) cache {
	c := cache{host: host}
	if name := host.Get("bucket"); name.Truthy() {
		c.bucket, _ = r2.NewBucket(name.String())
	}
	return c
}

// maxValue limits a value read from the bucket, in bytes.
const maxValue = 32 << 20

func (c cache) Get(ctx context.Context, name string) ([]byte, bool) {
	v, err := host.Call(ctx, c.host, "get", name)
	if err == nil && !v.IsNull() && !v.IsUndefined() {
		return host.FromJS(v), true
	}
	if c.bucket == nil || !gateway.Lasting(name) {
		return nil, false
	}
	o, err := c.bucket.Get(name)
	if err != nil || o == nil || o.Body == nil || o.Size > maxValue {
		return nil, false
	}
	b, err := io.ReadAll(o.Body)
	if err != nil {
		return nil, false
	}
	_, _ = host.Try(c.host, "put", name, host.ToJS(b), 0)
	return b, true
}

// Put does not wait: the host stores the value before the program answers the next request.
func (c cache) Put(_ context.Context, name string, value []byte, seconds uint64) {
	_, _ = host.Try(c.host, "put", name, host.ToJS(value), seconds)
	if c.bucket != nil && seconds == 0 {
		go func() { _, _ = c.bucket.Put(name, io.NopCloser(bytes.NewReader(value)), nil) }()
	}
}
