//go:build js && wasm

// Command daemon is a daemon of a private chain for browsers, so that a page can make complete payments without any
// other service.
//
// The script that starts it sets the global object glimHost; the program calls its member ready with its own functions.
// Its member store, if it is an object, stores the chain (see store); otherwise the chain ends with the worker. Its
// member forkHeight is the index of the first block of the next hard fork; only the program without the build tag
// nocarrot follows it.
package main

import (
	"context"
	"syscall/js"

	"glim/core/chain"
	"glim/core/rpc"
	"glim/wasm/host"
)

func main() {
	outside := js.Global().Get("glimHost")
	js.Global().Delete("glimHost")
	var kept chain.Store
	if v := outside.Get("store"); v.Truthy() {
		kept = store{v}
	}
	private, err := open(outside, kept)
	if err != nil {
		outside.Call("failed", err.Error())
		return
	}
	outside.Call("ready", map[string]any{
		// post answers one request; its arguments are path, body, strings (whether 64-bit numbers are decimal strings)
		// and done(status, answer), where status is that of HTTP.
		"post": js.FuncOf(func(_ js.Value, args []js.Value) any {
			path, body, done := args[0].String(), host.FromJS(args[1]), args[3]
			o := rpc.Options{BigStrings: args[2].Truthy()}
			go func() {
				answer, err := private.Registry().Serve(context.Background(), path, body, o)
				if err != nil {
					done.Invoke(404, js.Null())
					return
				}
				done.Invoke(200, host.ToJS(answer))
			}()
			return nil
		}),
	})
	select {}
}
