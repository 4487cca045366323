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
	"glim/bindings/native/digest"
	"glim/core/rpc"
	"glim/core/service"
)

// HTTP carries requests to the daemon for the engine: an app's own Tor, its own judgement of certificates, its platform's stack.
type HTTP interface {
	// Send begins to carry a request and returns. The answer goes to the request, then or later. What it throws is the failure.
	Send(r *Request) error
	// Abort says that nobody waits for the answer any more.
	Abort(r *Request) error
}

// Request is a POST that waits for its answer.
type Request struct {
	id                       int64
	url, kind, authorization string
	body                     []byte
	limit                    int
	reply                    reply[answer]
}

// ID returns a number that no other request of the process has: another object may stand for the same request.
func (r *Request) ID() int64 { return r.id }

// URL returns where to post to.
func (r *Request) URL() string { return r.url }

// ContentType returns the header Content-Type.
func (r *Request) ContentType() string { return r.kind }

// Authorization returns the header of that name; empty for none.
func (r *Request) Authorization() string { return r.authorization }

// Body returns what to post.
func (r *Request) Body() []byte { return r.body }

// Limit returns how many bytes an answer may have.
func (r *Request) Limit() int64 { return int64(r.limit) }

// Answer hands over what the daemon answered: HTTP's status, the header WWW-Authenticate of a 401, several of them with line ends
// between, and the body. Only the first answer or failure counts.
func (r *Request) Answer(status int32, authenticate string, body []byte) {
	if len(body) > r.limit {
		r.reply.give(answer{}, native.ErrTooLarge)
		return
	}
	r.reply.give(answer{int(status), authenticate, bytes.Clone(body)}, nil) // the host's bytes are its own again when this returns
}

// Fail says why there is no answer.
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
		return nil, fmt.Errorf("%w: the address says %s", native.ErrSSL, scheme)
	case d.SSL.Support == "enabled":
		scheme = "https"
	case scheme == "":
		scheme = "http"
	}
	if d.Proxy != "" || len(d.SSL.AllowedFingerprints) > 0 || d.SSL.CAFile != "" {
		return nil, fmt.Errorf("%w: whoever brings HTTP brings the proxy and judges certificates, too", native.ErrSSL)
	}
	t := &transport{host: host, address: address, base: scheme + "://" + address}
	if login := digest.NewLogin(d.Username, d.Password); !login.IsZero() {
		t.login = digest.NewClient(login, rand.Reader)
	}
	return t, nil
}

// Post implements rpc.Transport. Errors: *native.Failure; the context's.
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

// challenge reports whether there is a login to answer with.
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
