// Package rpc encodes and decodes typed operations as JSON-RPC, JSON at a path, and epee, for servers and clients. It
// does not implement HTTP.
package rpc

import (
	"context"
	"errors"
	"math"
	"reflect"
	"strconv"
	"strings"

	"glim/core/codec/epee"
	"glim/core/codec/jsontext"
	"glim/core/smallfmt"
)

// Wire is the encoding of an operation.
type Wire uint8

// The three encodings.
const (
	JSONRPC Wire = iota // POST /json_rpc with method and params
	Path                // POST /NAME with a bare JSON object
	Binary              // POST /NAME with epee portable storage
)

// Method is one operation. Request and response are structs whose json tags name the members; a `default:"…"` tag is
// the value of an absent member.
type Method[Req, Resp any] struct {
	Name    string   // without a slash
	Aliases []string // accepted anywhere Name is
	Wire    Wire
	// Restricted operations are not available to clients of a restricted service.
	Restricted bool
}

// Transport sends a request to a service. Post returns the body of a successful response. It returns an error if the
// service cannot be reached or responds with an HTTP failure.
type Transport interface {
	Post(ctx context.Context, path string, body []byte) ([]byte, error)
}

// Error is the error that a service returns instead of a result.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// Error returns the message with its code.
func (e *Error) Error() string { return smallfmt.Sprintf("%s (%d)", e.Message, e.Code) }

// Codes of JSON-RPC itself. Source: contrib/epee/include/net/jsonrpc_structs.h and http_server_handlers_map2.h.
const (
	CodeParse          = -32700
	CodeInvalidRequest = -32600
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternal       = -32603
)

// ErrAnswer reports a response that does not decode as the operation's response type.
var ErrAnswer = errors.New("rpc: malformed answer")

// Call calls m over t. It returns an *Error if the service reports a failure, and the error of the transport
// unchanged.
func Call[Req, Resp any](ctx context.Context, t Transport, m Method[Req, Resp], req Req) (Resp, error) {
	resp, err := call(ctx, t, m.Name, m.Wire, req, reflect.TypeFor[Resp]())
	return *resp.(*Resp), err
}

// call is Call for any request and response; generic code would be compiled once for each operation. It always returns
// a pointer to a response.
func call(ctx context.Context, t Transport, name string, wire Wire, request any, response reflect.Type) (any, error) {
	req, resp := reflect.New(reflect.TypeOf(request)), reflect.New(response).Interface()
	req.Elem().Set(reflect.ValueOf(request))
	return resp, exchange(ctx, t, name, wire, req.Interface(), resp)
}

// exchange is call with pointers to the request and the response.
func exchange(ctx context.Context, t Transport, name string, wire Wire, req, resp any) error {
	if wire == Binary {
		body, err := epee.Marshal(req)
		if err != nil {
			return err
		}
		answer, err := t.Post(ctx, "/"+name, body)
		if err != nil {
			return err
		}
		shape, most := shapeOf(reflect.TypeOf(resp).Elem()), bounds(req)
		if err := epee.UnmarshalLimited(answer, resp, func(name string) int {
			if i, known := shape.byName[name]; known {
				return most(&shape.members[i])
			}
			return math.MaxInt
		}); err != nil {
			return smallfmt.Errorf("%w: %s: %w", ErrAnswer, name, err)
		}
		return nil
	}
	body, err := Encode(req)
	if err != nil {
		return err
	}
	if wire == Path {
		answer, err := t.Post(ctx, "/"+name, body)
		if err != nil {
			return err
		}
		return decodeAnswer(name, answer, req, resp)
	}
	request := jsontext.AppendString([]byte(`{"jsonrpc":"2.0","id":"0","method":`), name)
	request = append(append(append(request, `,"params":`...), body...), '}')
	answer, err := t.Post(ctx, "/json_rpc", request)
	if err != nil {
		return err
	}
	result, stated, err := parts(&jsontext.Reader{Text: answer, AllowControl: true})
	switch {
	case err != nil:
		return smallfmt.Errorf("%w: %s: %w", ErrAnswer, name, err)
	case stated != nil:
		return stated
	case len(result) == 0:
		return smallfmt.Errorf("%w: %s: neither result nor error", ErrAnswer, name)
	}
	return decodeAnswer(name, result, req, resp)
}

// Answer returns the result in a JSON-RPC response, as text, or the error in it. It returns an error if the text is no
// JSON-RPC response.
func Answer(b []byte) (result []byte, stated *Error, err error) {
	return parts(&jsontext.Reader{Text: b})
}

// parts is Answer for the text of r.
func parts(r *jsontext.Reader) (result []byte, stated *Error, err error) {
	err = r.CheckEnd(r.Object(0, func(name []byte, i int) (int, error) {
		end, err := r.Skip(i)
		if err != nil {
			return 0, err
		}
		switch value := r.Text[i:end:end]; string(name) {
		case "result":
			result = value
		case "error":
			stated = nil
			if string(value) != "null" {
				stated = new(Error)
				err = read(value, reflect.ValueOf(stated).Elem(), nil)
			}
		}
		return end, err
	}))
	return result, stated, err
}

// decodeAnswer is strict about types, because a client must not read a malformed number as zero, and ignores unknown
// members.
func decodeAnswer(name string, b []byte, req, v any) error {
	rv := reflect.ValueOf(v).Elem()
	if err := setDefaults(rv); err != nil {
		return err
	}
	if err := read(b, rv, bounds(req)); err != nil {
		return smallfmt.Errorf("%w: %s: %w", ErrAnswer, name, err)
	}
	return nil
}

// read decodes all of b, part of a response, into v. The reference writes raw bytes into strings.
func read(b []byte, v reflect.Value, most func(*member) int) error {
	r := newReader(b)
	r.AllowControl, r.most = true, most
	return r.CheckEnd(r.decode(r.Start(), v, math.MaxInt))
}

// bounds returns the largest number of elements of each list in the response to the request that req points to. The
// tags of the lists define it: a number, the name of a list of the request that is at least as long, or two numbers of
// the request as end-start, both inclusive.
func bounds(req any) func(*member) int {
	return func(m *member) int {
		if m.max == "" {
			return math.MaxInt
		}
		if n, err := strconv.Atoi(m.max); err == nil {
			return n
		}
		name, less, isRange := strings.Cut(m.max, "-")
		v := reflect.ValueOf(req).Elem()
		s := shapeOf(v.Type())
		field := func(name string) reflect.Value { return v.FieldByIndex(s.members[s.byName[name]].path) }
		if isRange {
			return int(min(field(name).Uint()-field(less).Uint(), math.MaxInt32-1)) + 1
		}
		return field(name).Len()
	}
}
