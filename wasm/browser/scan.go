//go:build js && wasm

package main

import (
	"context"
	"syscall/js"

	"glim/core/scan"
	"glim/wasm/host"
)

// elsewhere runs a scan in the host's workers.
func (e *engine) elsewhere(ctx context.Context, job scan.Job) (scan.Result, error) {
	if err := e.gate.pass(ctx); err != nil {
		return scan.Result{}, err
	}
	b := job.Encode()
	defer clear(b)
	v, err := host.Call(ctx, e.host, "scan", host.ToJS(b))
	if err != nil {
		return scan.Result{}, err
	}
	return scan.DecodeResult(host.FromJS(v), job.Txs)
}

// breathe handles pending messages of the worker if its thread has been busy for long: a Go program in a browser has a
// single thread, and receives nothing while a goroutine can run.
func (e *engine) breathe() {
	now := js.Global().Get("performance").Call("now").Float()
	if now-e.breathed < longBusy {
		return
	}
	_, _ = host.Call(context.Background(), e.host, "turn") // it does not fail
	_ = e.gate.pass(context.Background())
	e.breathed = js.Global().Get("performance").Call("now").Float()
}

// longBusy is the longest time for which calls may have to wait, in milliseconds.
const longBusy = 12
