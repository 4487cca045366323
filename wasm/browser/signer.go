//go:build js && wasm

package main

import (
	"context"
	"errors"
	"syscall/js"

	"glim/core/signer"
	"glim/wasm/host"
)

// signing returns what a signer's worker can be asked: serve takes a request as bytes and hands the answer to its second argument.
// Spend keys are in this worker and in no other, and leave it only when their owner asks for them by name.
func signing() map[string]any {
	s := signer.New(signer.Host{Random: host.Random{}})
	return map[string]any{"serve": function(func(args []js.Value) any {
		request, done := host.FromJS(args[0]), args[1]
		go func() {
			defer clear(request)
			answer := s.Serve(context.Background(), request)
			defer clear(answer)
			done.Invoke(host.ToJS(answer))
		}()
		return nil
	})}
}

var errNoSigner = errors.New("the worker with the spend keys does not answer; open the wallet again")

// vault asks the signer's worker.
func (e *engine) vault(ctx context.Context, request []byte) ([]byte, error) {
	v, err := host.Call(ctx, e.host, "vault", host.ToJS(request))
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, errNoSigner
	}
	return host.FromJS(v), nil
}
