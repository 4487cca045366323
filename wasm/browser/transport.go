//go:build js && wasm

package main

import (
	"context"
	"errors"
	"strings"
	"sync"
	"syscall/js"

	"glim/bindings/native/digest"
	"glim/core/rpc"
	"glim/core/say"
	"glim/core/service"
	"glim/wasm/host"
)

// Why a request brought no answer.
var (
	errUnreachable = errors.New("the daemon cannot be reached, or does not let pages like this one read its answers (CORS)")
	errUnlogged    = errors.New("the daemon demands another user name or password")
	errRefused     = errors.New("the daemon refused the request")
)

// transport asks a daemon by the host's fetch, or the daemon embedded beside the page.
type transport struct {
	host    js.Value
	address string

	mu    sync.Mutex
	login *digest.Client // nil without a login
}

// connect is the service's Connect. An address without a scheme is encrypted, unless it is this machine's.
func (e *engine) connect(d service.DaemonConfig) (rpc.Transport, error) {
	t := &transport{host: e.host, address: strings.TrimSuffix(d.Address, "/")}
	if d.Proxy != "" {
		return nil, errors.New("a page has no proxy of its own; the browser's settings have")
	}
	if !strings.Contains(t.address, ":") || !strings.Contains(t.address, "://") && t.address != embedded {
		scheme := "https://"
		if local(t.address) {
			scheme = "http://"
		}
		t.address = scheme + t.address
	}
	if d.Username != "" || d.Password != "" {
		t.login = digest.NewClient(digest.NewLogin(d.Username, d.Password), host.Random{})
	}
	return t, nil
}

// embedded is the address of the daemon beside the page.
const embedded = "embedded:"

func local(address string) bool {
	for _, name := range []string{"localhost", "127.0.0.1", "[::1]"} {
		if address == name || strings.HasPrefix(address, name+":") {
			return true
		}
	}
	return false
}

// Post sends body to path and returns the answer.
func (t *transport) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	for tries := 0; ; tries++ {
		proof, err := t.authorize(path)
		if err != nil {
			return nil, err
		}
		abort := js.Global().Get("AbortController").New()
		stop := context.AfterFunc(ctx, func() { abort.Call("abort") })
		v, err := host.Call(ctx, t.host, "post", t.address, path, host.ToJS(body), proof, abort.Get("signal"))
		stop()
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			return nil, say.Errorf("%w: %s", errUnreachable, t.address)
		}
		switch status := v.Get("status").Int(); {
		case status == 200:
			return host.FromJS(v.Get("body")), nil
		case status == 401 && tries == 0 && t.challenge(v.Get("challenge")):
		case status == 401:
			return nil, say.Errorf("%w: %s", errUnlogged, t.address)
		default:
			return nil, say.Errorf("%w: %s: HTTP %d", errRefused, t.address, status)
		}
	}
}

func (t *transport) authorize(path string) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.login == nil {
		return "", nil
	}
	return t.login.Authorize("POST", path)
}

// challenge takes a WWW-Authenticate header, which a page sees only where the daemon's CORS headers expose it.
func (t *transport) challenge(header js.Value) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.login == nil || header.Type() != js.TypeString {
		return false
	}
	usable, _ := t.login.Challenge(strings.Split(header.String(), ", Digest "))
	return usable
}
