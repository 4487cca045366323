//go:build js && wasm

// Command browser is the engine for browsers. One program has three roles: the engine in one worker, the keeper of
// spend keys in another, and scanners in others.
//
// The script that starts it sets the global object glimHost, whose member role selects the role of this instance;
// web/sdk/src/host.ts defines the other members. The program calls glimHost.ready with its own functions.
package main

import (
	"sync"
	"syscall/js"

	"glim/wasm/kernel"
)

func main() {
	outside := js.Global().Get("glimHost")
	js.Global().Delete("glimHost")
	switch outside.Get("role").String() {
	case "scanner":
		_ = kernel.Start(false)
		outside.Call("ready", scanner())
	case "signer":
		deriveElsewhere(outside)
		answer(outside, signing)
		startKernel()
	case "deriver":
		outside.Call("ready", deriving())
	default:
		deriveElsewhere(outside)
		answer(outside, newEngine)
		startKernel() // in the background
	}
	select {}
}

// answer passes the functions of this instance to the host, or the error that prevents it from starting.
func answer(outside js.Value, start func(outside js.Value) (map[string]any, error)) {
	api, err := start(outside)
	if err != nil {
		outside.Call("failed", err.Error())
		return
	}
	outside.Call("ready", api)
}

// startKernel speeds up payments and scanning if the host supports it. Otherwise the results are the same.
var startKernel = sync.OnceFunc(func() { _ = kernel.Start(true) })

// function makes a JavaScript function that exists as long as the program.
func function(f func(args []js.Value) any) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) any { return f(args) })
}

// thrown is an error for JavaScript to throw, which a Go function cannot do itself.
func thrown(err error) js.Value { return js.Global().Get("Error").New(err.Error()) }
