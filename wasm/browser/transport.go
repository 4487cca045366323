//go:build js && wasm

package main

import (
	"context"
	"errors"
	"strings"
	"sync"
	"syscall/js"

	"glim/core/rpc"
	"glim/core/rpc/digest"
	"glim/core/service"
	"glim/core/smallfmt"
	"glim/wasm/host"
)

// Reasons why a request failed.
var (
	errUnreachable = errors.New("the daemon cannot be reached, or does not allow this page to read its answers (CORS)")
	errUnlogged    = errors.New("the daemon rejected the user name or password")
	errRefused     = errors.New("the daemon refused the request")
)

// transport sends requests to a daemon with the host's fetch, or to the embedded daemon.
type transport struct {
	host    js.Value
	address string

	mu    sync.Mutex
	login *digest.Client // nil without a login
}

// connect is the service's Connect. An address without a scheme uses TLS unless it is on this machine.
func (e *engine) connect(d service.DaemonConfig) (rpc.Transport, error) {
	t := &transport{host: e.host, address: strings.TrimSuffix(d.Address, "/")}
	if d.Proxy != "" {
		return nil, errors.New("pages cannot use a proxy; set it in the browser")
	}
	if !strings.Contains(t.address, ":") || !strings.Contains(t.address, "://") && !inside(t.address) {
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

// inside reports whether the host knows where an address leads: to the embedded daemon, or to a public daemon that it
// chooses.
func inside(address string) bool {
	return address == "embedded:" || strings.HasPrefix(address, "nodes:")
}

func local(address string) bool {
	for _, name := range []string{"localhost", "127.0.0.1", "[::1]"} {
		if address == name || strings.HasPrefix(address, name+":") {
			return true
		}
	}
	return false
}

// Post sends body to path and returns the response.
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
			return nil, smallfmt.Errorf("%w: %s", errUnreachable, t.address)
		}
		switch status := v.Get("status").Int(); {
		case status == 200:
			return host.FromJS(v.Get("body")), nil
		case status == 401 && tries == 0 && t.challenge(v.Get("challenge")):
		case status == 401:
			return nil, smallfmt.Errorf("%w: %s", errUnlogged, t.address)
		default:
			return nil, smallfmt.Errorf("%w: %s: HTTP %d", errRefused, t.address, status)
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

// challenge processes a WWW-Authenticate header, which a page can read only if the daemon's CORS headers expose it.
func (t *transport) challenge(header js.Value) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.login == nil || header.Type() != js.TypeString {
		return false
	}
	usable, _ := t.login.Challenge(strings.Split(header.String(), ", Digest "))
	return usable
}
