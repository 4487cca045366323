// Package rpc turns an operation, a value with a request and a response type, into JSON-RPC, plain paths and epee on
// the wire, for servers and clients alike. It knows no HTTP.
package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"glim/core/codec/epee"
)

// Wire is how an operation travels.
type Wire uint8

// The three ways.
const (
	JSONRPC Wire = iota // POST /json_rpc with method and params
	Path                // POST /NAME with a bare JSON object
	Binary              // POST /NAME with epee portable storage
)

// Method is one operation. Request and response are structs whose json tags name the members; a `default:"…"` tag
// gives what an absent member reads as.
type Method[Req, Resp any] struct {
	Name    string   // without a slash
	Aliases []string // accepted anywhere Name is
	Wire    Wire
	// Restricted operations are refused to clients of a restricted service.
	Restricted bool
}

// Transport carries one request to a service and brings its answer. Post returns the body of a successful answer; a
// service that cannot be reached, or that answers with an HTTP failure, is an error.
type Transport interface {
	Post(ctx context.Context, path string, body []byte) ([]byte, error)
}

// Error is what a service answers instead of a result.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// Error returns the message with its code.
func (e *Error) Error() string { return fmt.Sprintf("%s (%d)", e.Message, e.Code) }

// Codes of JSON-RPC itself. Source: contrib/epee/include/net/jsonrpc_structs.h and http_server_handlers_map2.h.
const (
	CodeParse          = -32700
	CodeInvalidRequest = -32600
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternal       = -32603
)

// ErrAnswer reports an answer that does not parse as the operation's response.
var ErrAnswer = errors.New("rpc: malformed answer")

// Call asks for m over t. A failure the service states is an *Error; one of the transport is the transport's.
func Call[Req, Resp any](ctx context.Context, t Transport, m Method[Req, Resp], req Req) (Resp, error) {
	var resp Resp
	switch m.Wire {
	case Binary:
		body, err := epee.Marshal(&req)
		if err != nil {
			return resp, err
		}
		answer, err := t.Post(ctx, "/"+m.Name, body)
		if err != nil {
			return resp, err
		}
		if err := epee.Unmarshal(answer, &resp); err != nil {
			return resp, fmt.Errorf("%w: %s: %w", ErrAnswer, m.Name, err)
		}
		return resp, nil
	case Path:
		body, err := Encode(&req)
		if err != nil {
			return resp, err
		}
		answer, err := t.Post(ctx, "/"+m.Name, body)
		if err != nil {
			return resp, err
		}
		return resp, decodeAnswer(m.Name, answer, &resp)
	}
	params, err := Encode(&req)
	if err != nil {
		return resp, err
	}
	body, err := json.Marshal(envelope{Version: "2.0", ID: json.RawMessage(`"0"`), Method: m.Name, Params: params})
	if err != nil {
		return resp, err
	}
	answer, err := t.Post(ctx, "/json_rpc", body)
	if err != nil {
		return resp, err
	}
	var a struct {
		Result json.RawMessage `json:"result"`
		Error  *Error          `json:"error"`
	}
	if err := json.Unmarshal(answer, &a); err != nil {
		return resp, fmt.Errorf("%w: %s: %w", ErrAnswer, m.Name, err)
	}
	if a.Error != nil {
		return resp, a.Error
	}
	if len(a.Result) == 0 {
		return resp, fmt.Errorf("%w: %s: neither result nor error", ErrAnswer, m.Name)
	}
	return resp, decodeAnswer(m.Name, a.Result, &resp)
}

type envelope struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params,omitempty"`
}

// decodeAnswer is strict about types, for a client must not take a malformed number for zero, and lenient about
// members it does not know.
func decodeAnswer(name string, b []byte, v any) error {
	if err := setDefaults(v); err != nil {
		return err
	}
	if err := json.Unmarshal(b, v); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrAnswer, name, err)
	}
	return nil
}
