package liar

import (
	"context"

	"glim/core/daemonrpc"
	"glim/core/rpc"
)

// Lie is one way to lie. The zero value is none.
type Lie struct {
	Name string
	bend func(r *rpc.Registry, honest rpc.Transport)
	// raw answers in bytes; of operation, or of all when that is empty.
	raw       func(ctx context.Context, honest func() ([]byte, error)) ([]byte, error)
	operation string
}

// Bend is the lie that changes every answer of m. change sees the request, and may change the answer in any way.
func Bend[Req, Resp any](name string, m rpc.Method[Req, Resp], change func(req Req, resp *Resp)) Lie {
	return Lie{Name: name, bend: func(r *rpc.Registry, honest rpc.Transport) {
		rpc.Handle(r, m, func(ctx context.Context, req Req) (Resp, error) {
			resp, err := rpc.Call(ctx, honest, m, req)
			if err == nil {
				change(req, &resp)
			}
			return resp, err
		})
	}}
}

// Both tells several lies at once, under a name of their own. They must be of different operations.
func Both(name string, lies ...Lie) Lie {
	return Lie{Name: name, bend: func(r *rpc.Registry, honest rpc.Transport) {
		for _, l := range lies {
			l.bend(r, honest)
		}
	}}
}

// Bytes is the lie that answers an operation, or all when operation is empty, with what change makes of the honest answer's bytes.
func Bytes(name, operation string, change func([]byte) []byte) Lie {
	return Lie{Name: name, operation: operation, raw: func(_ context.Context, honest func() ([]byte, error)) ([]byte, error) {
		b, err := honest()
		if err == nil {
			b = change(b)
		}
		return b, err
	}}
}

// Unknown answers an operation as a daemon does that has never heard of it.
func Unknown(name, operation string) Lie {
	return Lie{Name: name, operation: operation, raw: func(context.Context, func() ([]byte, error)) ([]byte, error) {
		return nil, rpc.ErrNoPath
	}}
}

// Stall never answers an operation, until the client gives up.
func Stall(name, operation string) Lie {
	return Lie{Name: name, operation: operation, raw: func(ctx context.Context, _ func() ([]byte, error)) ([]byte, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}
}

// HangUp does what an operation asks for and hangs up instead of answering.
func HangUp(name, operation string) Lie {
	return Lie{Name: name, operation: operation, raw: func(_ context.Context, honest func() ([]byte, error)) ([]byte, error) {
		if _, err := honest(); err != nil {
			return nil, err
		}
		return nil, errHangUp
	}}
}

// Elsewhere is a fork: what is said of the chain is another daemon's truth, which shares the first block.
func Elsewhere(name string, other rpc.Transport) Lie {
	return Lie{Name: name, bend: func(r *rpc.Registry, _ rpc.Transport) {
		all(r, other)
	}}
}

// all passes on to a daemon what wallets ask about the chain.
func all(r *rpc.Registry, to rpc.Transport) {
	pass(r, to, daemonrpc.GetInfo)
	pass(r, to, daemonrpc.GetHeight)
	pass(r, to, daemonrpc.GetBlocks)
	pass(r, to, daemonrpc.GetHashes)
	pass(r, to, daemonrpc.GetOutsBin)
	pass(r, to, daemonrpc.GetOutputDistributionBin)
	pass(r, to, daemonrpc.GetTransactions)
	pass(r, to, daemonrpc.GetBlockHeaderByHeight)
	pass(r, to, daemonrpc.GetBlockHeadersRange)
}

func pass[Req, Resp any](r *rpc.Registry, to rpc.Transport, m rpc.Method[Req, Resp]) {
	rpc.Handle(r, m, func(ctx context.Context, req Req) (Resp, error) {
		return rpc.Call(ctx, to, m, req)
	})
}
