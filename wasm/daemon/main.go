//go:build js && wasm

// Command daemon is a daemon of a private chain for browsers, so that a page can play a whole payment with nothing else there.
//
// The script that starts it leaves an object glimHost in the global scope; the program answers by calling its member ready with
// what can be called here. The chain is in memory and ends with the worker.
package main

import (
	"context"
	"syscall/js"

	"glim/core/node"
	"glim/core/rpc"
	"glim/wasm/host"
)

func main() {
	outside := js.Global().Get("glimHost")
	js.Global().Delete("glimHost")
	chain, err := node.NewRegtest(host.Now, host.Random{})
	if err != nil {
		outside.Call("failed", err.Error())
		return
	}
	outside.Call("ready", map[string]any{
		// post answers one request: path, body, strings (numbers of 64 bits as decimal strings), done(status, answer). The status is HTTP's.
		"post": js.FuncOf(func(_ js.Value, args []js.Value) any {
			path, body, o, done := args[0].String(), host.FromJS(args[1]), rpc.Options{BigStrings: args[2].Truthy()}, args[3]
			go func() {
				answer, err := chain.Registry().Serve(context.Background(), path, body, o)
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
