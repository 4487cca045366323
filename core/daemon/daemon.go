// Package daemon turns what a daemon answers into checked values.
//
// What it returns has been checked as far as anybody can without the whole chain: bytes hash to the IDs they go by,
// blocks link, lists have the length their question calls for, points are points. What cannot be checked is in types
// whose comment says what a lying daemon could do with it. Nothing returned refers to the answer it came from, so
// answers are freed as soon as they are decoded.
package daemon

import (
	"context"
	"errors"

	"glim/core/daemonrpc"
	"glim/core/rpc"
	"glim/core/say"
)

// Kinds of errors, to be asked for with errors.Is. A cancelled context's error comes as it is.
var (
	// ErrUnreachable: no answer. Try again, or another daemon.
	ErrUnreachable = errors.New("daemon: no answer")
	// ErrBusy: the daemon is synchronising. Try again later.
	ErrBusy = errors.New("daemon: busy synchronising")
	// ErrDaemonLied: the answer contradicts the question or itself. Use another daemon.
	ErrDaemonLied = errors.New("daemon: the answer is not true")
	// ErrRejected: the daemon did not take a transaction; see *Rejected.
	ErrRejected = errors.New("daemon: transaction rejected")
	// ErrHistory: a question without the block IDs it needs; a daemon counts it as abuse. A mistake of the caller.
	ErrHistory = errors.New("daemon: empty history")
	// ErrRefused: the daemon would not do what was asked; see *Refused.
	ErrRefused = errors.New("daemon: request refused")
)

// Refused is an answer with a status other than OK, or an error of JSON-RPC.
type Refused struct {
	Operation string
	Code      int    // of JSON-RPC; 0 for a status
	Status    string // what the daemon said
}

// Error returns the operation and the daemon's words.
func (r *Refused) Error() string { return say.Sprintf("%v: %s: %q", ErrRefused, r.Operation, r.Status) }

// Is reports whether target is ErrRefused.
func (r *Refused) Is(target error) bool { return target == ErrRefused }

// lie returns an ErrDaemonLied that says what is wrong.
func lie(format string, args ...any) error {
	return say.Errorf("%w: %w", ErrDaemonLied, say.Errorf(format, args...))
}

// Client asks one daemon. It is safe for concurrent use when its transport is.
type Client struct{ t rpc.Transport }

// New returns a client that asks over t.
func New(t rpc.Transport) *Client { return &Client{t} }

// An answer has a status.
type answer interface{ StatusText() string }

// Ask asks for any operation. The answer has m's shape and the status it has; what else is true of it is the caller's to check.
// Errors: those of this package.
func Ask[Req, Resp any](ctx context.Context, c *Client, m rpc.Method[Req, Resp], req Req) (Resp, error) {
	return ask(ctx, c, m, req)
}

// call asks for m and takes any answer but OK for an error.
func call[Req any, Resp answer](ctx context.Context, c *Client, m rpc.Method[Req, Resp], req Req) (Resp, error) {
	resp, err := ask(ctx, c, m, req)
	if err != nil {
		return resp, err
	}
	return resp, judge(m.Name, resp.StatusText())
}

// ask is call without the judgement of the status.
func ask[Req, Resp any](ctx context.Context, c *Client, m rpc.Method[Req, Resp], req Req) (Resp, error) {
	resp, err := rpc.Call(ctx, c.t, m, req)
	if err != nil {
		err = explain(ctx, m.Name, err)
	}
	return resp, err
}

// explain says in the words of this package why an operation brought no answer.
func explain(ctx context.Context, operation string, err error) error {
	var said *rpc.Error
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &said):
		if said.Code == daemonrpc.CodeCoreBusy {
			return say.Errorf("%w: %s", ErrBusy, say.Short(said.Message))
		}
		return &Refused{operation, said.Code, say.Short(said.Message)}
	case errors.Is(err, rpc.ErrAnswer):
		return say.Errorf("%w: %w", ErrDaemonLied, err)
	}
	return say.Errorf("%w: %w", ErrUnreachable, err)
}

func judge(operation, status string) error {
	switch status {
	case daemonrpc.StatusOK:
		return nil
	case daemonrpc.StatusBusy:
		return ErrBusy
	}
	return &Refused{Operation: operation, Status: say.Short(status)}
}

// Limits of answers: what the reference keeps to, or well above what a chain can have. Those of lists are with their types in daemonrpc.
const (
	maxHeight    = 500_000_000 // blocks; larger numbers are times. Source: CRYPTONOTE_MAX_BLOCK_NUMBER
	maxPool      = 1 << 20     // transactions
	maxIndex     = 1 << 48     // global output indices
	askTxs       = 100         // a question. Source: RESTRICTED_TRANSACTIONS_COUNT
	askOutputs   = 5000        // a question. Source: MAX_RESTRICTED_GLOBAL_FAKE_OUTS_COUNT
	askKeyImages = 5000        // a question. Source: RESTRICTED_SPENT_KEY_IMAGES_COUNT
)
