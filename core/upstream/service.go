package upstream

import (
	"context"
	"errors"

	"glim/core/daemon"
	"glim/core/daemonrpc"
	"glim/core/internal/flight"
	"glim/core/rpc"
)

// Service serves the operations for unrestricted or for restricted callers: those about the chain from upstreams while
// these are in use, the others from the local daemon. It implements rpc.Transport.
type Service struct {
	front  *Front
	local  *rpc.Registry
	remote *rpc.Registry
}

// service implements the operations that upstreams answer.
type service struct {
	*Front
	local   *rpc.Registry
	limited bool // the limits of restricted RPC apply
}

func newService(f *Front, local *rpc.Registry, limited bool) *Service {
	return &Service{f, local, register(service{f, local, limited})}
}

// Post serves the request unrestricted; see Serve.
func (s *Service) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	return s.Serve(ctx, path, body, rpc.Options{})
}

// Serve handles the request at path like rpc.Registry.
func (s *Service) Serve(ctx context.Context, path string, body []byte, o rpc.Options) ([]byte, error) {
	if op := s.remote.Find(path, body); op != nil && (always[op.Name] || s.front.active(ctx)) {
		return s.remote.Serve(ctx, path, body, o)
	}
	return s.local.Serve(ctx, path, body, o)
}

// always lists the operations that are handled here whether upstreams are in use or not.
var always = map[string]bool{daemonrpc.SetBootstrapDaemon.Name: true, daemonrpc.GetInfo.Name: true}

var (
	ok      = daemonrpc.Common{Status: daemonrpc.StatusOK}
	metered = daemonrpc.Metered{Common: ok}
)

func fail(code int, message string) error { return &rpc.Error{Code: code, Message: message} }

// refuse returns an error that excuse converts to a status.
func refuse(status string) error { return &daemon.Refused{Status: status} }

// marked is a response that can carry a status and be marked as untrusted.
type marked[T any] interface {
	*T
	SetStatus(string)
	SetUntrusted()
}

// handle registers an operation that upstreams answer.
func handle[Req, Resp any, P marked[Resp]](
	r *rpc.Registry, m rpc.Method[Req, Resp], h func(context.Context, Req) (Resp, error),
) {
	rpc.Handle(r, m, func(ctx context.Context, req Req) (Resp, error) {
		resp, err := h(ctx, req)
		if err != nil {
			var none Resp
			resp = none
			var status string
			if status, err = excuse(m.Wire, err); err == nil {
				P(&resp).SetStatus(status)
			}
		}
		P(&resp).SetUntrusted()
		return resp, err
	})
}

// excuse converts an error to a status and, if the wire has error codes, to an *rpc.Error.
func excuse(w rpc.Wire, err error) (string, error) {
	var refused *daemon.Refused
	var said *rpc.Error
	switch {
	case errors.As(err, &said):
		return said.Message, only(w, said)
	case errors.As(err, &refused) && refused.Code != 0:
		return refused.Status, only(w, &rpc.Error{Code: refused.Code, Message: refused.Status})
	case refused != nil:
		return refused.Status, nil
	}
	return daemonrpc.StatusBusy, only(
		w, &rpc.Error{Code: daemonrpc.CodeCoreBusy, Message: "Core is busy: no upstream daemon answers"},
	)
}

func only(w rpc.Wire, e *rpc.Error) error {
	if w == rpc.JSONRPC {
		return e
	}
	return nil
}

// unsupported is the reference's message for operations that need a local chain.
const unsupported = "This command is unsupported for bootstrap daemon"

// deny registers an operation that needs a local chain and is never sent to an upstream.
func deny[Req, Resp any](r *rpc.Registry, m rpc.Method[Req, Resp]) {
	rpc.Handle(r, m, func(context.Context, Req) (resp Resp, err error) {
		if p, ok := any(&resp).(interface{ SetStatus(string) }); ok && m.Wire != rpc.JSONRPC {
			p.SetStatus(unsupported)
			return resp, nil
		}
		return resp, fail(daemonrpc.CodeUnsupportedBootstrap, unsupported)
	})
}

// pass sends the request of a client to an upstream, once for identical requests. check returns an error if the
// response is invalid; it may change the response. The response is shared: callers must not change its lists.
func pass[Req any, Resp interface{ StatusText() string }](
	ctx context.Context, f *Front, m rpc.Method[Req, Resp], req Req, check func(*Resp) error,
) (Resp, error) {
	if p, ok := any(&req).(interface{ Anonymous() }); ok {
		p.Anonymous()
	}
	name, err := rpc.Encode(&req)
	if err != nil {
		var none Resp
		return none, err
	}
	return flight.Get(ctx, &f.group, m.Name+" "+string(name), func(ctx context.Context) (Resp, error) {
		return ask(ctx, f, func(ctx context.Context, c *daemon.Client) (Resp, error) {
			r, err := question(ctx, c, m, req)
			if err == nil && check != nil {
				err = check(&r)
			}
			return r, err
		})
	})
}

// setBootstrapDaemon sets the upstreams.
func (s service) setBootstrapDaemon(
	_ context.Context, req daemonrpc.SetBootstrapDaemonRequest,
) (r daemonrpc.SetBootstrapDaemonResponse, err error) {
	r.Status = daemonrpc.StatusOK
	if err := s.Name(Server{
		Address: req.Address, Username: req.Username, Password: req.Password, Proxy: req.Proxy,
	}); err != nil {
		r.Status = "Failed to set bootstrap daemon"
		for _, clear := range []error{ErrAuto, ErrServers} {
			if errors.Is(err, clear) {
				r.Status += ": " + clear.Error()
			}
		}
		s.log.Warn("no upstream set", "err", err)
	}
	return r, nil
}

// Remote returns the operations that the local daemon does not handle while upstreams are in use, by name.
func (s *Service) Remote() []*rpc.Operation { return s.remote.Operations() }
