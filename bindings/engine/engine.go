// Package engine is the facade of the wallet service for all hosts, such as apps, browsers and Go programs. It calls
// operations by name, delivers events, and turns panics into errors.
package engine

import (
	"context"
	"errors"

	"glim/core/codec/jsontext"
	"glim/core/rpc"
	"glim/core/service"
)

// Engine is a wallet service. A request that panics does not end the process.
type Engine struct {
	wallets *service.Wallets
	log     service.Log
	keys    *keyed // nil without a key store
}

// New returns an engine that uses daemon d. It starts nothing; see Run. c.Random, Now, Wait and Connect are required.
// It returns a *service.ConfigError if one of them is missing, or the error of c.Connect.
func New(c service.Config, d service.DaemonConfig) (*Engine, error) {
	switch {
	case c.Wait == nil:
		return nil, &service.ConfigError{Field: "Wait"}
	case c.Connect == nil:
		return nil, &service.ConfigError{Field: "Connect"}
	}
	w, err := service.NewWallets(c, d)
	if err != nil {
		return nil, err
	}
	log := c.Log
	if log == nil {
		log = service.DiscardLog{}
	}
	return &Engine{wallets: w, log: log}, nil
}

// Service returns the service of the wallet without a name, for a host that opens one wallet at its start.
func (e *Engine) Service() *service.Service { return e.wallets.Default() }

// Run performs background work, such as automatic refreshes, until ctx ends.
func (e *Engine) Run(ctx context.Context) { e.wallets.Run(ctx) }

// Serve handles one request that a server has received. A panic becomes an error. It cannot damage the wallet's state,
// which changes only in commits, and these cannot fail.
func (e *Engine) Serve(ctx context.Context, path string, body []byte, o rpc.Options) (answer []byte, err error) {
	defer e.stopPanic(&err)
	return e.wallets.Serve(ctx, path, body, o)
}

// Post handles a request of the host itself, without restrictions. It makes an Engine an rpc.Transport for rpc.Call.
func (e *Engine) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	return e.Serve(ctx, path, body, rpc.Options{})
}

// Call calls an operation and returns its result as JSON. params is a JSON object, or empty. If bigStrings is set,
// 64-bit numbers are decimal strings. Errors of the contract wrap an *rpc.Error and their cause.
func (e *Engine) Call(ctx context.Context, method string, params []byte, bigStrings bool) (result []byte, err error) {
	return e.withKey(ctx, "/json_rpc", "", method, params, bigStrings)
}

func (e *Engine) call(
	ctx context.Context, path, method string, params []byte, bigStrings bool,
) (result []byte, err error) {
	defer e.stopPanic(&err)
	if len(params) == 0 {
		params = []byte("{}")
	}
	if !jsontext.Valid(params) {
		return nil, errParams
	}
	request := jsontext.AppendString([]byte(`{"jsonrpc":"2.0","id":0,"method":`), method)
	request = append(append(append(request, `,"params":`...), params...), '}')
	var cause error
	answer, err := e.wallets.Serve(ctx, path, request, rpc.Options{
		BigStrings: bigStrings, Failed: func(err error) { cause = err },
	})
	if err != nil {
		return nil, err
	}
	result, stated, err := rpc.Answer(answer)
	if stated != nil {
		return nil, &failure{stated, cause}
	}
	return result, err
}

// failure is an error of the contract with its cause, which may be nil.
type failure struct {
	answer *rpc.Error
	cause  error
}

func (f *failure) Error() string { return f.answer.Error() }

// Unwrap returns the error of the contract, and the cause for errors.Is and errors.As.
func (f *failure) Unwrap() []error { return []error{f.answer, f.cause} }

var errParams = errors.New("engine: params are not valid JSON")

// Wallet returns a handle of the wallet with a name. Any number of wallets may be open at the same time. The wallet
// need not be open; open_wallet and similar operations on the handle need no filename.
func (e *Engine) Wallet(name string) Wallet { return Wallet{e, name, "/wallets/" + name} }

// Wallet is a handle of one wallet of an Engine. It is an rpc.Transport.
type Wallet struct {
	engine *Engine
	name   string
	prefix string
}

// Post is Engine.Post for the wallet.
func (w Wallet) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	return w.engine.Post(ctx, w.prefix+path, body)
}

// Call is Engine.Call for the wallet.
func (w Wallet) Call(ctx context.Context, method string, params []byte, bigStrings bool) (result []byte, err error) {
	return w.engine.withKey(ctx, w.prefix+"/json_rpc", w.name, method, params, bigStrings)
}

// Follow returns the events after cursor of the wallet with a path: /events, or /wallets/NAME/events. It returns
// rpc.ErrNoPath for other paths, and an *rpc.Error for errors of the contract.
func (e *Engine) Follow(path string, cursor uint64) (f *service.EventStream, err error) {
	defer e.stopPanic(&err)
	return e.wallets.Follow(path, cursor)
}

// Statuses returns the synchronisation status of each open wallet.
func (e *Engine) Statuses() []service.WalletStatus { return e.wallets.Statuses() }

// Close closes all open wallets.
func (e *Engine) Close() error { return e.wallets.Close() }

func (e *Engine) stopPanic(err *error) {
	if p := recover(); p != nil {
		// The panic value may contain a secret, so only the stack is logged.
		e.log.Error("an operation failed unexpectedly; please report this", "stack", trace())
		*err = &rpc.Error{Code: rpc.CodeInternal, Message: "Internal error"}
	}
}
