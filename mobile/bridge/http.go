package bridge

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync"

	"glim/bindings/native"
	"glim/core/rpc"
	"glim/core/rpc/digest"
	"glim/core/service"
)

// HTTP sends requests to the daemon for the engine, for an app with its own Tor, certificate checks or HTTP stack.
type HTTP interface {
	// Send begins to send a request and returns. The request receives the answer, immediately or later. An error makes
	// the request fail.
	Send(r *Request) error
	// Abort reports that the answer is no longer needed.
	Abort(r *Request) error
}

// Request is a POST request that waits for its answer.
type Request struct {
	id                       int64
	url, kind, authorization string
	body                     []byte
	limit                    int
	reply                    reply[answer]
}

// ID returns a number that is unique in the process; several objects may represent the same request.
func (r *Request) ID() int64 { return r.id }

// URL returns the URL to post to.
func (r *Request) URL() string { return r.url }

// ContentType returns the Content-Type header.
func (r *Request) ContentType() string { return r.kind }

// Authorization returns the Authorization header; empty for none.
func (r *Request) Authorization() string { return r.authorization }

// Body returns the body to post.
func (r *Request) Body() []byte { return r.body }

// Limit returns the largest allowed answer, in bytes.
func (r *Request) Limit() int64 { return int64(r.limit) }

// Answer delivers the daemon's response: the HTTP status, the WWW-Authenticate headers of a 401 separated by line
// breaks, and the body. Only the first answer or failure counts.
func (r *Request) Answer(status int32, authenticate string, body []byte) {
	if len(body) > r.limit {
		r.reply.give(answer{}, native.ErrTooLarge)
		return
	}
	// the host may reuse its bytes when this returns
	r.reply.give(answer{int(status), authenticate, bytes.Clone(body)}, nil)
}

// Fail reports why there is no answer.
func (r *Request) Fail(message string) { r.reply.give(answer{}, errors.New(message)) }

type answer struct {
	status       int
	authenticate string
	body         []byte
}

// transport is an rpc.Transport over a host's HTTP.
type transport struct {
	host    HTTP
	address string
	base    string

	mu    sync.Mutex
	login *digest.Client // nil without a login
}

// hostTimeout ends requests that a host never answers.
const hostTimeout = native.DefaultTimeout

func newTransport(host HTTP, d service.DaemonConfig, port int) (rpc.Transport, error) {
	scheme, address, err := native.ParseAddress(d.Address, port)
	if err != nil {
		return nil, err
	}
	switch {
	case d.SSL.Support == "disabled" && scheme == "https", d.SSL.Support == "enabled" && scheme == "http":
		return nil, fmt.Errorf("%w: the address has the scheme %s", native.ErrSSL, scheme)
	case d.SSL.Support == "enabled":
		scheme = "https"
	case scheme == "":
		scheme = "http"
	}
	if d.Proxy != "" || len(d.SSL.AllowedFingerprints) > 0 || d.SSL.CAFile != "" {
		return nil, fmt.Errorf("%w: with HTTP, the host itself must handle the proxy and certificates", native.ErrSSL)
	}
	t := &transport{host: host, address: address, base: scheme + "://" + address}
	if login := digest.NewLogin(d.Username, d.Password); !login.IsZero() {
		t.login = digest.NewClient(login, rand.Reader)
	}
	return t, nil
}

// Post implements rpc.Transport. It returns a *native.Failure or the context's error.
func (t *transport) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, hostTimeout, native.ErrTimeout)
	defer cancel()
	for challenged := false; ; challenged = true {
		a, err := t.once(ctx, path, body)
		switch {
		case err != nil && errors.Is(context.Cause(ctx), native.ErrTimeout):
			return nil, &native.Failure{Kind: native.ErrTimeout, Address: t.address}
		case err != nil && ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, native.ErrTooLarge):
			return nil, &native.Failure{Kind: native.ErrTooLarge, Address: t.address}
		case err != nil:
			return nil, &native.Failure{Kind: native.ErrUnreachable, Address: t.address, Err: err}
		case a.status == 200:
			return a.body, nil
		case a.status == 404:
			return nil, &native.Failure{Kind: native.ErrNoPath, Address: t.address, Status: a.status}
		case a.status != 401:
			return nil, &native.Failure{Kind: native.ErrHTTP, Address: t.address, Status: a.status}
		case challenged || !t.challenge(a.authenticate):
			return nil, &native.Failure{Kind: native.ErrUnlogged, Address: t.address, Status: a.status}
		}
	}
}

// challenge reports whether there is a login that can answer the challenge.
func (t *transport) challenge(headers string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.login == nil {
		return false
	}
	usable, _ := t.login.Challenge(strings.Split(headers, "\n"))
	return usable
}

func (t *transport) authorization(path string) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.login == nil {
		return "", nil
	}
	return t.login.Authorize("POST", path)
}

func (t *transport) once(ctx context.Context, path string, body []byte) (answer, error) {
	proof, err := t.authorization(path)
	if err != nil {
		return answer{}, err
	}
	r := &Request{
		id: ids.Add(1), url: t.base + path, kind: "application/json", authorization: proof, body: body,
		limit: native.DefaultMaxAnswer, reply: newReply[answer](),
	}
	if strings.HasSuffix(path, ".bin") {
		r.kind = "application/octet-stream"
	}
	return await(ctx, r.reply, func() error { return t.host.Send(r) }, func() { _ = t.host.Abort(r) })
}
