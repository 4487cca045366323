package malicious

import (
	"context"

	"glim/core/daemonrpc"
	"glim/core/rpc"
)

// Fault is one way to alter a daemon's answers. The zero value alters nothing.
type Fault struct {
	Name string
	// register adds handlers for the operations that the fault answers.
	register func(r *rpc.Registry, honest rpc.Transport)
	// raw answers requests for operation, or all requests if operation is empty.
	raw       func(ctx context.Context, honest func() ([]byte, error)) ([]byte, error)
	operation string
}

// Modify returns a fault that applies change to every answer of m. change may read the request and alter the answer.
func Modify[Req, Resp any](name string, m rpc.Method[Req, Resp], change func(req Req, resp *Resp)) Fault {
	return Fault{Name: name, register: func(r *rpc.Registry, honest rpc.Transport) {
		rpc.Handle(r, m, func(ctx context.Context, req Req) (Resp, error) {
			resp, err := rpc.Call(ctx, honest, m, req)
			if err == nil {
				change(req, &resp)
			}
			return resp, err
		})
	}}
}

// Combine returns several faults made by Modify or Fork as one. No two of them may answer the same operation.
func Combine(name string, faults ...Fault) Fault {
	return Fault{Name: name, register: func(r *rpc.Registry, honest rpc.Transport) {
		for _, f := range faults {
			f.register(r, honest)
		}
	}}
}

// ModifyBytes returns a fault that applies change to the bytes of every answer of operation, or of all operations if
// operation is empty.
func ModifyBytes(name, operation string, change func([]byte) []byte) Fault {
	raw := func(_ context.Context, honest func() ([]byte, error)) ([]byte, error) {
		b, err := honest()
		if err == nil {
			b = change(b)
		}
		return b, err
	}
	return Fault{Name: name, operation: operation, raw: raw}
}

// NotFound returns a fault that answers an operation as a daemon without that operation does.
func NotFound(name, operation string) Fault {
	raw := func(context.Context, func() ([]byte, error)) ([]byte, error) { return nil, rpc.ErrNoPath }
	return Fault{Name: name, operation: operation, raw: raw}
}

// Stall returns a fault that does not answer an operation until the client cancels the request.
func Stall(name, operation string) Fault {
	raw := func(ctx context.Context, _ func() ([]byte, error)) ([]byte, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return Fault{Name: name, operation: operation, raw: raw}
}

// HangUp returns a fault that carries out an operation and closes the connection without an answer.
func HangUp(name, operation string) Fault {
	raw := func(_ context.Context, honest func() ([]byte, error)) ([]byte, error) {
		if _, err := honest(); err != nil {
			return nil, err
		}
		return nil, errHangUp
	}
	return Fault{Name: name, operation: operation, raw: raw}
}

// Fork returns a fault that answers everything about the chain from another daemon, whose chain shares only the first
// block.
func Fork(name string, other rpc.Transport) Fault {
	return Fault{Name: name, register: func(r *rpc.Registry, _ rpc.Transport) {
		pass(r, other, daemonrpc.GetInfo)
		pass(r, other, daemonrpc.GetHeight)
		pass(r, other, daemonrpc.GetBlocks)
		pass(r, other, daemonrpc.GetHashes)
		pass(r, other, daemonrpc.GetOutsBin)
		pass(r, other, daemonrpc.GetOutputDistributionBin)
		pass(r, other, daemonrpc.GetTransactions)
		pass(r, other, daemonrpc.GetBlockHeaderByHeight)
		pass(r, other, daemonrpc.GetBlockHeadersRange)
	}}
}

func pass[Req, Resp any](r *rpc.Registry, to rpc.Transport, m rpc.Method[Req, Resp]) {
	rpc.Handle(r, m, func(ctx context.Context, req Req) (Resp, error) {
		return rpc.Call(ctx, to, m, req)
	})
}
