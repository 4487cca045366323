// Package engine is the facade that every host uses: operations by name, events, and an end to panics.
package engine

import (
	"context"
	"errors"

	"glim/core/codec/jsontext"
	"glim/core/rpc"
	"glim/core/service"
)

// Engine is a service of wallets that no request can bring down.
type Engine struct {
	wallets *service.Wallets
	log     service.Log
	keys    *keyed // nil without a key store
}

// New returns an engine that uses the daemon d; nothing runs yet. Config.Random, Now, Wait and Connect are required. Errors:
// *service.ConfigError for one that is not set, Config.Connect's.
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
		log = service.Silence{}
	}
	return &Engine{wallets: w, log: log}, nil
}

// Service returns the service of the plain path, for a host that opens a wallet at its start.
func (e *Engine) Service() *service.Service { return e.wallets.Plain() }

// Run does what goes on without being asked, such as automatic refreshes, until ctx ends.
func (e *Engine) Run(ctx context.Context) { e.wallets.Run(ctx) }

// Serve answers one request as a server gets it. A panic becomes an error; the wallet's state is safe, for it changes
// only by commits that cannot fail.
func (e *Engine) Serve(ctx context.Context, path string, body []byte, o rpc.Options) (answer []byte, err error) {
	defer e.stopPanic(&err)
	return e.wallets.Serve(ctx, path, body, o)
}

// Post serves a request of the host itself, unrestricted. With it an Engine is an rpc.Transport, for rpc.Call.
func (e *Engine) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	return e.Serve(ctx, path, body, rpc.Options{})
}

// Call carries out the operation method with params, a JSON object or nothing, and returns its result as JSON. 64-bit
// numbers are decimal strings when bigStrings is set. A failure the contract knows is an *rpc.Error.
func (e *Engine) Call(ctx context.Context, method string, params []byte, bigStrings bool) (result []byte, err error) {
	return e.withKey(ctx, "/json_rpc", "", method, params, bigStrings)
}

func (e *Engine) call(ctx context.Context, path, method string, params []byte, bigStrings bool) (result []byte, err error) {
	defer e.stopPanic(&err)
	if len(params) == 0 {
		params = []byte("{}")
	}
	if !jsontext.Valid(params) {
		return nil, errParams
	}
	request := jsontext.AppendString([]byte(`{"jsonrpc":"2.0","id":0,"method":`), method)
	request = append(append(append(request, `,"params":`...), params...), '}')
	answer, err := e.wallets.Serve(ctx, path, request, rpc.Options{BigStrings: bigStrings})
	if err != nil {
		return nil, err
	}
	result, stated, err := rpc.Answer(answer)
	if stated != nil {
		return nil, stated
	}
	return result, err
}

var errParams = errors.New("engine: params are not JSON")

// Wallet returns the way to the wallet of a name, one of any number that may be open at once. It is there whether the wallet is
// open or not; open_wallet and its like need no filename on it.
func (e *Engine) Wallet(name string) Wallet { return Wallet{e, name, "/wallets/" + name} }

// Wallet is an Engine's way to one of its wallets, and an rpc.Transport.
type Wallet struct {
	engine *Engine
	name   string
	prefix string
}

// Post is Engine.Post for this wallet.
func (w Wallet) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	return w.engine.Post(ctx, w.prefix+path, body)
}

// Call is Engine.Call for this wallet.
func (w Wallet) Call(ctx context.Context, method string, params []byte, bigStrings bool) (result []byte, err error) {
	return w.engine.withKey(ctx, w.prefix+"/json_rpc", w.name, method, params, bigStrings)
}

// Follow returns what happens after cursor to the wallet whose path this is: /events, or /wallets/NAME/events. Another path is
// rpc.ErrNoPath; a failure the contract knows is an *rpc.Error.
func (e *Engine) Follow(path string, cursor uint64) (f *service.Follower, err error) {
	defer e.stopPanic(&err)
	return e.wallets.Follow(path, cursor)
}

// Standing returns how far every open wallet has come.
func (e *Engine) Standing() []service.Standing { return e.wallets.Standing() }

// Close closes every open wallet.
func (e *Engine) Close() error { return e.wallets.Close() }

func (e *Engine) stopPanic(err *error) {
	if p := recover(); p != nil {
		// What panicked may hold a secret; only where it happened is logged.
		e.log.Error("an operation failed unexpectedly; please report this", "stack", trace())
		*err = &rpc.Error{Code: rpc.CodeInternal, Message: "Internal error"}
	}
}
