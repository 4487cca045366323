package upstream

import (
	"context"
	"errors"

	"glim/core/daemon"
	"glim/core/daemonrpc"
	"glim/core/internal/flight"
	"glim/core/rpc"
)

// Service are the operations for one kind of callers: those about the chain from upstreams, as far as these are asked, the others
// from the local daemon. It is a transport, too.
type Service struct {
	front  *Front
	local  *rpc.Registry
	remote *rpc.Registry
}

// service are the operations that upstreams answer.
type service struct {
	*Front
	local   *rpc.Registry
	limited bool // whether the callers are strangers
}

func newService(f *Front, local *rpc.Registry, limited bool) *Service {
	return &Service{f, local, register(service{f, local, limited})}
}

// Post serves the request unrestricted; see Serve.
func (s *Service) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	return s.Serve(ctx, path, body, rpc.Options{})
}

// Serve answers the request at path as rpc.Registry does.
func (s *Service) Serve(ctx context.Context, path string, body []byte, o rpc.Options) ([]byte, error) {
	if op := s.remote.Find(path, body); op != nil && (always[op.Name] || s.front.active(ctx)) {
		return s.remote.Serve(ctx, path, body, o)
	}
	return s.local.Serve(ctx, path, body, o)
}

// always are the operations that are answered here whether an upstream is asked or not.
var always = map[string]bool{daemonrpc.SetBootstrapDaemon.Name: true, daemonrpc.GetInfo.Name: true}

var (
	ok      = daemonrpc.Common{Status: daemonrpc.StatusOK}
	metered = daemonrpc.Metered{Common: ok}
)

func fail(code int, message string) error { return &rpc.Error{Code: code, Message: message} }

// refuse returns the error that becomes a status.
func refuse(status string) error { return &daemon.Refused{Status: status} }

// marked is an answer that says by its status that it is none, and that it is of another daemon.
type marked[T any] interface {
	*T
	SetStatus(string)
	SetUntrusted()
}

// handle lists an operation that upstreams answer.
func handle[Req, Resp any, P marked[Resp]](r *rpc.Registry, m rpc.Method[Req, Resp], h func(context.Context, Req) (Resp, error)) {
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

// excuse turns an error into a status or, where the operation has codes, an error of it.
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
	return daemonrpc.StatusBusy, only(w, &rpc.Error{Code: daemonrpc.CodeCoreBusy, Message: "Core is busy: no upstream gives an answer"})
}

func only(w rpc.Wire, e *rpc.Error) error {
	if w == rpc.JSONRPC {
		return e
	}
	return nil
}

// unsupported is what the reference says of operations that make no sense on the chain of others.
const unsupported = "This command is unsupported for bootstrap daemon"

// deny lists an operation that no upstream may be asked, and that needs a chain of one's own.
func deny[Req, Resp any](r *rpc.Registry, m rpc.Method[Req, Resp]) {
	rpc.Handle(r, m, func(context.Context, Req) (resp Resp, err error) {
		if p, ok := any(&resp).(interface{ SetStatus(string) }); ok && m.Wire != rpc.JSONRPC {
			p.SetStatus(unsupported)
			return resp, nil
		}
		return resp, fail(daemonrpc.CodeUnsupportedBootstrap, unsupported)
	})
}

// pass asks the upstream what the client asks, once for all who ask the same. check says what cannot be true of the answer; it may
// change it. The answer is shared: its lists are not to be changed.
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

// setBootstrapDaemon names the daemons to ask.
func (s service) setBootstrapDaemon(
	_ context.Context, req daemonrpc.SetBootstrapDaemonRequest,
) (r daemonrpc.SetBootstrapDaemonResponse, err error) {
	r.Status = daemonrpc.StatusOK
	if err := s.Name(Server{Address: req.Address, Username: req.Username, Password: req.Password, Proxy: req.Proxy}); err != nil {
		r.Status = "Failed to set bootstrap daemon"
		if errors.Is(err, ErrAuto) {
			r.Status += ": " + ErrAuto.Error()
		}
		s.log.Warn("no upstream set", "err", err)
	}
	return r, nil
}

// Remote returns the operations that are not the local daemon's while upstreams are asked, by name.
func (s *Service) Remote() []*rpc.Operation { return s.remote.Operations() }
