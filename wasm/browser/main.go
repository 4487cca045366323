//go:build js && wasm

// Command browser is the engine for browsers: one program that plays the engine in one worker, the keeper of spend keys in another and scanners in others.
//
// The script that starts it leaves an object glimHost in the global scope, whose member role says which part this instance plays;
// web/sdk/src/host.ts says the rest of it. The program answers by calling glimHost.ready with what can be called here.
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
		startKernel() // nobody waits for it
	}
	select {}
}

// answer tells the host what can be called here, or why nothing can.
func answer(outside js.Value, start func(outside js.Value) (map[string]any, error)) {
	api, err := start(outside)
	if err != nil {
		outside.Call("failed", err.Error())
		return
	}
	outside.Call("ready", api)
}

// startKernel makes paying faster where the host can, and scanning. Where it cannot, the same is paid and found.
var startKernel = sync.OnceFunc(func() { _ = kernel.Start(true) })

// function is a callable of JavaScript that lives as long as the program.
func function(f func(args []js.Value) any) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) any { return f(args) })
}

// thrown is a value that JavaScript is to throw: a function cannot.
func thrown(err error) js.Value { return js.Global().Get("Error").New(err.Error()) }
