// Package daemon decodes and checks the responses of a daemon.
//
// Results are checked as far as possible without the complete chain: bytes hash to their IDs, blocks are linked, lists
// have the length that the request implies, and points are valid. Data that cannot be checked is in types whose
// comments describe what a malicious daemon can achieve with it. Results do not refer to the response, so responses
// are freed once decoded.
package daemon

import (
	"context"
	"errors"

	"glim/core/daemonrpc"
	"glim/core/rpc"
	"glim/core/smallfmt"
)

// Kinds of errors, for errors.Is. The error of a cancelled context is returned unchanged.
var (
	// ErrUnreachable: no response. Try again, or use another daemon.
	ErrUnreachable = errors.New("daemon: no answer")
	// ErrBusy: the daemon is synchronising. Try again later.
	ErrBusy = errors.New("daemon: busy synchronising")
	// ErrInvalidResponse: the response contradicts the request or itself. Use another daemon.
	ErrInvalidResponse = errors.New("daemon: invalid response")
	// ErrRejected: the daemon rejected a transaction; see *Rejected.
	ErrRejected = errors.New("daemon: transaction rejected")
	// ErrHistory: the request lacks block IDs, which a daemon counts as abuse. This is a mistake of the caller.
	ErrHistory = errors.New("daemon: empty history")
	// ErrRefused: the daemon refused the request; see *Refused.
	ErrRefused = errors.New("daemon: request refused")
)

// Refused is a response with a status other than OK, or a JSON-RPC error.
type Refused struct {
	Operation string
	Code      int    // of JSON-RPC; 0 for a status
	Status    string // what the daemon said
}

// Error returns the operation and the daemon's message.
func (r *Refused) Error() string {
	return smallfmt.Sprintf("%v: %s: %q", ErrRefused, r.Operation, r.Status)
}

// Is reports whether target is ErrRefused.
func (r *Refused) Is(target error) bool { return target == ErrRefused }

// invalid returns an ErrInvalidResponse with a reason.
func invalid(format string, args ...any) error {
	return smallfmt.Errorf("%w: %w", ErrInvalidResponse, smallfmt.Errorf(format, args...))
}

// Client sends requests to one daemon. It is safe for concurrent use if its transport is.
type Client struct{ t rpc.Transport }

// New returns a client that uses transport t.
func New(t rpc.Transport) *Client { return &Client{t} }

// All responses have a status.
type answer interface{ StatusText() string }

// Ask calls any operation. It checks only that the response decodes; the caller checks its status and contents. It
// returns the errors of this package.
func Ask[Req, Resp any](ctx context.Context, c *Client, m rpc.Method[Req, Resp], req Req) (Resp, error) {
	return ask(ctx, c, m, req)
}

// call calls m and returns an error for any status other than OK.
func call[Req any, Resp answer](ctx context.Context, c *Client, m rpc.Method[Req, Resp], req Req) (Resp, error) {
	resp, err := ask(ctx, c, m, req)
	if err != nil {
		return resp, err
	}
	return resp, judge(m.Name, resp.StatusText())
}

// ask is call without the check of the status.
func ask[Req, Resp any](ctx context.Context, c *Client, m rpc.Method[Req, Resp], req Req) (Resp, error) {
	resp, err := rpc.Call(ctx, c.t, m, req)
	if err != nil {
		err = explain(ctx, m.Name, err)
	}
	return resp, err
}

// explain converts the error of a failed operation to an error of this package.
func explain(ctx context.Context, operation string, err error) error {
	var said *rpc.Error
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &said):
		if said.Code == daemonrpc.CodeCoreBusy {
			return smallfmt.Errorf("%w: %s", ErrBusy, smallfmt.Short(said.Message))
		}
		return &Refused{operation, said.Code, smallfmt.Short(said.Message)}
	case errors.Is(err, rpc.ErrAnswer):
		return smallfmt.Errorf("%w: %w", ErrInvalidResponse, err)
	}
	return smallfmt.Errorf("%w: %w", ErrUnreachable, err)
}

func judge(operation, status string) error {
	switch status {
	case daemonrpc.StatusOK:
		return nil
	case daemonrpc.StatusBusy:
		return ErrBusy
	}
	return &Refused{Operation: operation, Status: smallfmt.Short(status)}
}

// Limits of responses: those of the reference, or well above what a chain can contain. The limits of lists are defined
// with their types in daemonrpc.
const (
	maxHeight    = 500_000_000 // blocks; larger numbers are times. Source: CRYPTONOTE_MAX_BLOCK_NUMBER
	maxPool      = 1 << 20     // transactions
	maxIndex     = 1 << 48     // global output indices
	askTxs       = 100         // a question. Source: RESTRICTED_TRANSACTIONS_COUNT
	askOutputs   = 5000        // a question. Source: MAX_RESTRICTED_GLOBAL_FAKE_OUTS_COUNT
	askKeyImages = 5000        // a question. Source: RESTRICTED_SPENT_KEY_IMAGES_COUNT
)
