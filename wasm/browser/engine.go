//go:build js && wasm

package main

import (
	"context"
	"errors"
	"io"
	"strconv"
	"sync"
	"syscall/js"
	"time"

	glim "glim/bindings/engine"
	"glim/core/keys"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/walletrpc"
	"glim/wasm/host"
)

// engine is the wallet service with an interface for JavaScript.
type engine struct {
	host     js.Value
	core     *glim.Engine
	gate     gate
	breathed float64 // when other events were last handled, in milliseconds of the worker's clock

	mu      sync.Mutex
	running map[int]context.CancelFunc // pending calls and followers by their number
}

func newEngine(outside js.Value) (map[string]any, error) {
	o, err := readOptions(outside)
	if err != nil {
		return nil, err
	}
	e := &engine{host: outside, running: map[int]context.CancelFunc{}}
	c := service.Config{
		Network:   networks[o.Network],
		Files:     &files{outside.Get("files")},
		Languages: seedLanguages(outside),
		Polyseeds: polyseedLanguages(outside),
		Random:    host.Random{},
		Now:       host.Now,
		Workers:   max(o.Scanners, 1),
		Yield:     e.breathe,
		Vault:     e.vault,
		KDF:       o.kdf(),
		Connect:   e.connect,
		Witness:   o.Witness.config(),
		Sending:   o.Sending.config(),
		Log:       logger{outside, o.LogLevel},
		Match:     match,
		Wait: func(ctx context.Context, d time.Duration) error {
			if err := host.Wait(ctx, d); err != nil {
				return err
			}
			return e.gate.pass(ctx)
		},
	}
	if keys.HasHierarchies {
		c.Paths = e.paths
	}
	if o.Scanners > 0 {
		c.Workers = 2 * o.Scanners // for each worker, one job that runs and one that waits
		c.Scan = e.elsewhere
	} else {
		startKernel()
	}
	if e.core, err = glim.New(c, o.Daemon.config()); err != nil {
		return nil, err
	}
	ctx, stop := context.WithCancel(context.Background())
	go e.core.Run(ctx)
	return map[string]any{
		"call":   function(e.call),
		"cancel": function(func(args []js.Value) any { e.cancel(args[0].Int()); return nil }),
		"follow": function(e.follow),
		"pause":  function(func([]js.Value) any { e.gate.pause(); return nil }),
		"resume": function(func([]js.Value) any { e.gate.resume(); return nil }),
		"close":  function(func(args []js.Value) any { e.close(stop, args[0]); return nil }),
	}, nil
}

// begin makes the context of the call or follower with this number.
func (e *engine) begin(id int) context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	e.mu.Lock()
	defer e.mu.Unlock()
	e.running[id] = cancel
	return ctx
}

func (e *engine) cancel(id int) {
	e.mu.Lock()
	cancel := e.running[id]
	delete(e.running, id)
	e.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// call calls an operation; its arguments are id, wallet, method, params, done(kind, code, text, reason, cause). If kind
// is empty, text is the result.
func (e *engine) call(args []js.Value) any {
	id, name, method, params, done := args[0].Int(), args[1].String(), args[2].String(), args[3].String(), args[4]
	ctx := e.begin(id)
	answered := e.gate.ask()
	go func() {
		defer answered()
		defer e.cancel(id)
		operation := e.core.Call
		if name != "" {
			operation = e.core.Wallet(name).Call
		}
		result, err := operation(ctx, method, []byte(params), true)
		if err == nil {
			done.Invoke("", 0, string(result), "", "")
			return
		}
		kind, code := kindOf(ctx, err)
		done.Invoke(kind, code, err.Error(), reasonOf(err), causeOf(err))
	}()
	return nil
}

func kindOf(ctx context.Context, err error) (kind string, code int) {
	var contract *rpc.Error
	switch {
	case ctx.Err() != nil:
		return "aborted", 0
	case errors.As(err, &contract) && contract.Code == rpc.CodeInternal:
		return "internal", contract.Code
	case errors.As(err, &contract):
		return "contract", contract.Code
	}
	return "internal", 0
}

// reasonOf is service.Reason, with the failures that only a page's engine has.
func reasonOf(err error) string {
	var stored *host.Failure
	switch {
	case passedFork(err):
		return "NextFork"
	case errors.Is(err, errUnlogged):
		return "NodeLogin"
	case errors.As(err, &stored) && stored.Name == "QuotaExceededError":
		return "StorageFull"
	}
	return service.Reason(err)
}

// causeOf returns the text of the error that the engine converted to one of the contract; without one, that of err.
func causeOf(err error) string {
	for {
		both, ok := err.(interface{ Unwrap() []error })
		if !ok {
			return err.Error()
		}
		all := both.Unwrap()
		cause := all[len(all)-1]
		if _, stated := all[0].(*rpc.Error); !stated || cause == nil {
			return err.Error()
		}
		err = cause
	}
}

// follow reports the events of a wallet; its arguments are id, wallet, cursor, tell(event), ended(). The cursor is
// decimal; if it is empty, only new events are reported.
func (e *engine) follow(args []js.Value) any {
	id, name, from, tell, ended := args[0].Int(), args[1].String(), args[2].String(), args[3], args[4]
	cursor := uint64(service.NewEventsOnly)
	if from != "" {
		var err error
		if cursor, err = strconv.ParseUint(from, 10, 64); err != nil {
			return thrown(err)
		}
	}
	path := "/events"
	if name != "" {
		path = "/wallets/" + name + "/events"
	}
	ctx := e.begin(id)
	go func() {
		defer e.cancel(id)
		defer ended.Invoke()
		f, err := e.core.Follow(path, cursor)
		for err == nil {
			var events []walletrpc.Event
			if events, err = f.Next(ctx); err != nil {
				break
			}
			for i := range events {
				var text []byte
				if text, err = rpc.EncodeBigStrings(&events[i]); err != nil {
					break
				}
				tell.Invoke(string(text))
			}
		}
		if err != nil && !errors.Is(err, io.EOF) && ctx.Err() == nil {
			e.host.Call("log", 2, "following "+name+": "+err.Error())
		}
	}()
	return nil
}

func (e *engine) close(stop func(), done js.Value) {
	stop()
	e.gate.resume()
	go func() {
		if err := e.core.Close(); err != nil {
			done.Invoke(err.Error())
			return
		}
		done.Invoke("")
	}()
}
