package rpc

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"unicode/utf8"

	"glim/core/codec/epee"
	"glim/core/codec/jsontext"
	"glim/core/smallfmt"
)

// Registry is the list of operations that a service implements. It is a Transport, so a caller in the same process
// needs no HTTP. Fill it before the first call; it must not change afterwards.
type Registry struct {
	byName map[string]*Operation // JSON-RPC names and aliases
	byPath map[string]*Operation // "/name" for the other wires
	list   []*Operation
	// MapError converts an error of a handler to the error that the client receives. It is not called for an *Error.
	MapError func(error) *Error
	// Before, if not nil, is called before an operation runs. Its error is the response; otherwise done is called when
	// the operation has ended.
	Before func(op *Operation) (done func(), err error)
}

// Operation describes a registered method for generators and parity tests.
type Operation struct {
	Name       string
	Aliases    []string
	Wire       Wire
	Restricted bool
	Request    reflect.Type
	Response   reflect.Type
	handler    reflect.Value // a func(context.Context, Request) (Response, error)
}

// NewRegistry returns an empty registry.
func NewRegistry() *Registry {
	return &Registry{byName: map[string]*Operation{}, byPath: map[string]*Operation{}}
}

// Handle registers h as the handler of m. It panics if a name is already registered.
func Handle[Req, Resp any](r *Registry, m Method[Req, Resp], h func(context.Context, Req) (Resp, error)) {
	r.handle(&Operation{Name: m.Name, Aliases: m.Aliases, Wire: m.Wire, Restricted: m.Restricted}, h)
}

// handle registers op, which h serves; generic code would be compiled once for each operation.
func (r *Registry) handle(op *Operation, h any) {
	op.handler = reflect.ValueOf(h)
	op.Request, op.Response = op.handler.Type().In(1), op.handler.Type().Out(0)
	names, prefix := r.byName, ""
	if op.Wire != JSONRPC {
		names, prefix = r.byPath, "/"
	}
	for _, n := range append([]string{op.Name}, op.Aliases...) {
		if names[prefix+n] != nil {
			panic("rpc: two handlers for " + prefix + n)
		}
		names[prefix+n] = op
	}
	r.list = append(r.list, op)
}

// call runs op with a request that bind decodes from params, and returns a pointer to the response.
func (r *Registry) call(ctx context.Context, op *Operation, params []byte, bind func([]byte, any) error) (any, error) {
	req := reflect.New(op.Request)
	if err := bind(params, req.Interface()); err != nil {
		return nil, &unread{err}
	}
	if r.Before != nil {
		done, err := r.Before(op)
		if err != nil {
			return nil, err
		}
		defer done()
	}
	out := op.handler.Call([]reflect.Value{reflect.ValueOf(&ctx).Elem(), req.Elem()})
	if err, failed := out[1].Interface().(error); failed {
		return nil, err
	}
	resp := reflect.New(op.Response)
	resp.Elem().Set(out[0])
	return resp.Interface(), nil
}

// Operations returns every operation, by name.
func (r *Registry) Operations() []*Operation {
	ops := slices.Clone(r.list)
	sort.Slice(ops, func(i, j int) bool { return ops[i].Name < ops[j].Name })
	return ops
}

// Find returns the operation that a request would run, whether permitted or not, or nil.
func (r *Registry) Find(path string, body []byte) *Operation {
	if path != "/json_rpc" {
		return r.byPath[path]
	}
	return r.byName[MethodOf(body)]
}

// MethodOf returns the method of a JSON-RPC request; "" if it has none.
func MethodOf(body []byte) string {
	var name string
	if jsontext.Object(body, func(member, value []byte) error {
		if string(member) != "method" {
			return nil
		}
		s, ok := jsontext.String(value)
		if !ok && string(value) != "null" {
			return errType
		}
		name = s
		return nil
	}) != nil {
		return ""
	}
	return name
}

// ErrNoPath reports a path that no operation serves: HTTP's 404.
var ErrNoPath = errors.New("rpc: no such path")

// unread is the reason why a request cannot be decoded.
type unread struct{ error }

func (e *unread) Unwrap() error { return e.error }

// ErrRequest reports a body that does not parse: HTTP's 400. JSON-RPC responses contain their errors instead.
var ErrRequest = errors.New("rpc: malformed request")

// Options restrict one call of Serve and select the form of its response.
type Options struct {
	// Restricted refuses restricted operations.
	Restricted bool
	// Deny, if not nil, is called before a restricted operation runs; the client receives its error. If it is nil, a
	// refused operation is reported as unknown.
	Deny *Error
	// BigStrings writes 64-bit numbers as decimal strings, for hosts whose integers are exact only up to 2^53.
	BigStrings bool
	// MaxAnswer limits a response, in bytes; 0 selects the constant MaxAnswer. A larger one is refused before it is
	// encoded.
	MaxAnswer int
	// Room, if not nil, is called with the size of a response of more than 256 KiB, before its memory is allocated.
	// Serve returns its error.
	Room func(size int) error
	// Answered, if not nil, is called once for every request: with the operation, nil if no operation has that name,
	// and the error code of the response, 0 for success.
	Answered func(op *Operation, code int)
	// Failed, if not nil, is called with the error of an operation before it is encoded, so that a caller in the same
	// process can use errors.Is.
	Failed func(err error)
}

type restricted struct{} // key of a context's value

// IsRestricted reports whether the context of an operation belongs to a request with Options.Restricted.
func IsRestricted(ctx context.Context) bool { return ctx.Value(restricted{}) != nil }

// MaxAnswer is the largest response in bytes unless Options set another limit. It is the limit of clients of the
// native transport.
const MaxAnswer = 256 << 20

func (o Options) maxAnswer() int {
	if o.MaxAnswer > 0 {
		return o.MaxAnswer
	}
	return MaxAnswer
}

// tooLarge is the error that a client receives instead of a response over the limit.
func (o Options) tooLarge() error {
	return smallfmt.Errorf("The answer is larger than %d bytes. Request less at once.", o.maxAnswer())
}

// noRoom is an error of Options.Room.
type noRoom struct{ error }

func (e *noRoom) Unwrap() error { return e.error }

func (o Options) room(size int) error {
	if o.Room == nil {
		return nil
	}
	if err := o.Room(size); err != nil {
		return &noRoom{err}
	}
	return nil
}

func (o Options) answered(op *Operation, code int) {
	if o.Answered != nil {
		o.Answered(op, code)
	}
}

// Post serves the request unrestricted; see Serve.
func (r *Registry) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	return r.Serve(ctx, path, body, Options{})
}

// Serve handles the request at path: "/json_rpc" or the path of an operation. JSON-RPC failures are responses, not
// errors.
func (r *Registry) Serve(ctx context.Context, path string, body []byte, o Options) ([]byte, error) {
	if o.Restricted {
		ctx = context.WithValue(ctx, restricted{}, true)
	}
	if path == "/json_rpc" {
		answer, op, code, err := r.serveJSONRPC(ctx, body, o)
		o.answered(op, code)
		return answer, err
	}
	op := r.byPath[path]
	answer, err := r.servePath(ctx, op, body, o)
	if o.Answered != nil {
		o.Answered(op, r.codeOf(err))
	}
	return answer, err
}

// codeOf returns the JSON-RPC code of an error of a path operation.
func (r *Registry) codeOf(err error) int {
	switch {
	case err == nil:
		return 0
	case errors.Is(err, ErrNoPath):
		return CodeMethodNotFound
	case errors.Is(err, ErrRequest):
		return CodeParse
	}
	return r.mapError(err).Code
}

// servePath handles a request that is not JSON-RPC; op is nil for an unknown path.
func (r *Registry) servePath(ctx context.Context, op *Operation, body []byte, o Options) ([]byte, error) {
	if op == nil || o.Restricted && op.Restricted {
		return nil, ErrNoPath
	}
	bind := Bind
	if op.Wire == Binary {
		bind = bindBinary
	} else if text := trim(body); len(text) > 0 && (text[0] != '{' || !jsontext.Valid(text) || !reads(text)) {
		return nil, ErrRequest
	}
	resp, err := r.call(ctx, op, body, bind)
	if bad := (*unread)(nil); errors.As(err, &bad) {
		return nil, smallfmt.Errorf("%w: %w", ErrRequest, bad.error)
	}
	if err != nil {
		return nil, err
	}
	answer, err := o.encode(op, resp)
	if err == errLarge {
		// The contract's way to say why there is no answer.
		s := shapeOf(op.Response)
		status, ok := s.byName["status"]
		if !ok {
			return nil, o.tooLarge()
		}
		failed := reflect.New(op.Response)
		failed.Elem().FieldByIndex(s.members[status].path).SetString(o.tooLarge().Error())
		return o.encode(op, failed.Interface())
	}
	return answer, err
}

// bindBinary decodes a request in epee, with the list limits of Bind.
func bindBinary(b []byte, v any) error {
	return epee.UnmarshalLimited(b, v, func(string) int { return MaxListed })
}

// encode encodes the response of an operation with a path.
func (o Options) encode(op *Operation, resp any) ([]byte, error) {
	if op.Wire != Binary {
		return encodeAnswer(nil, resp, "", o.BigStrings, o.maxAnswer(), o.room)
	}
	answer, err := epee.MarshalLimited(resp, o.maxAnswer())
	if errors.Is(err, epee.ErrSize) {
		return nil, errLarge
	}
	if err == nil && len(answer) > longAnswer {
		err = o.room(len(answer))
	}
	return answer, err
}

// serveJSONRPC returns the response to one call, its operation and the code of its failure. The error is that of
// Options.Room.
func (r *Registry) serveJSONRPC(
	ctx context.Context, body []byte, o Options,
) (answer []byte, op *Operation, code int, err error) {
	failure := func(id []byte, e *Error) ([]byte, *Operation, int, error) { return failure(id, e), op, e.Code, nil }
	if body = trim(body); len(body) == 0 {
		return failure(nil, &Error{CodeInvalidRequest, "Invalid Request"})
	}
	var id, method, params []byte
	if jsontext.Object(body, func(name, value []byte) error {
		switch string(name) {
		case "id":
			id = value
		case "method":
			method = value
		case "params":
			params = value
		}
		return nil
	}) != nil || !reads(body) {
		return failure(nil, &Error{CodeParse, "Parse error"})
	}
	if absent(method) {
		return failure(nil, &Error{CodeInvalidRequest, "Invalid Request"})
	}
	name, ok := jsontext.String(method)
	if !ok {
		return failure(id, &Error{CodeInvalidRequest, "Invalid Request"})
	}
	op = r.byName[name]
	if op == nil {
		if absent(id) {
			id = []byte(`""`)
		}
		return failure(id, &Error{CodeMethodNotFound, "Method not found"})
	}
	if o.Restricted && op.Restricted {
		if o.Deny != nil {
			return failure(id, o.Deny)
		}
		return failure(id, &Error{CodeMethodNotFound, "Method not found"})
	}
	if len(params) > 0 && params[0] != '{' && op.Request.Kind() == reflect.Struct {
		params = nil // as in the reference; languages without a type of its own for an empty object send []
	}
	resp, err := r.call(ctx, op, params, Bind)
	if err != nil {
		if o.Failed != nil {
			o.Failed(err)
		}
		return failure(id, r.mapError(err))
	}
	b := append(append([]byte(`{"id":`), idOf(id)...), `,"jsonrpc":"2.0","result":`...)
	answer, err = encodeAnswer(b, resp, "}", o.BigStrings, o.maxAnswer(), o.room)
	switch full := (*noRoom)(nil); {
	case err == errLarge:
		return failure(id, r.mapError(o.tooLarge()))
	case errors.As(err, &full):
		return nil, op, CodeInternal, full.error
	case err != nil:
		return failure(id, &Error{CodeInternal, "Internal error"})
	}
	return answer, op, 0, nil
}

func (r *Registry) mapError(err error) *Error {
	var e *Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(err, ErrParams):
		return &Error{CodeInvalidParams, "Invalid params"}
	case r.MapError != nil:
		return r.MapError(err)
	}
	return &Error{CodeInternal, err.Error()}
}

// maxMessage limits the text of an error in bytes, because many repeat parts of the request.
const maxMessage = 4 << 10

func failure(id []byte, e *Error) []byte {
	message := e.Message
	if len(message) > maxMessage {
		cut := maxMessage
		for !utf8.RuneStart(message[cut]) && cut > maxMessage-utf8.UTFMax {
			cut--
		}
		message = message[:cut] + "..."
	}
	b := strconv.AppendInt([]byte(`{"error":{"code":`), int64(e.Code), 10)
	b = append(jsontext.AppendString(append(b, `,"message":`...), message), `},"id":`...)
	return append(append(b, idOf(id)...), `,"jsonrpc":"2.0"}`...)
}

// idOf returns the id of the request; an absent one becomes 0, as in the reference.
func idOf(id []byte) []byte {
	if absent(id) {
		return []byte("0")
	}
	return id
}

// absent reports whether a member is missing, null or an empty list, which the reference drops.
func absent(member []byte) bool {
	return len(member) == 0 || string(member) == "null" || emptyList(member)
}

func emptyList(b []byte) bool { return b[0] == '[' && trim(b[1:])[0] == ']' }

// trim removes white space of the C locale around a body, as the reference does before an object.
func trim(b []byte) []byte { return bytes.Trim(b, " \t\n\v\f\r") }
