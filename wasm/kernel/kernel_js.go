//go:build js && wasm

package kernel

import (
	_ "embed"
	"errors"
	"syscall/js"

	"glim/core/crypto/edwards"
)

//go:embed kernel.wasm
var module []byte

// Start makes edwards.Deriver use the module from now on, and edwards.Sums as well if sums is set. It returns an error
// if the host lacks an instruction, cannot compile the module, or rounds between multiplication and addition; then
// nothing changes.
func Start(sums bool) (err error) {
	defer func() {
		if p := recover(); p != nil {
			thrown, ok := p.(js.Error)
			if !ok {
				panic(p)
			}
			err = thrown
		}
	}()
	k := start()
	if !edwards.SetKernel(k.derive) || sums && !edwards.SetSumsKernel(k.sums) {
		return errors.New("kernel: the processor rounds between multiplication and addition")
	}
	return nil
}

// kernel is the compiled module.
type kernel struct {
	run                js.Value
	program, keys, out js.Value // views of the module's memory
	buffer             [32 * Batch]byte
	summing
}

func start() *kernel {
	source := js.Global().Get("Uint8Array").New(len(module))
	js.CopyBytesToJS(source, module)
	wasm := js.Global().Get("WebAssembly")
	exports := wasm.Get("Instance").New(wasm.Get("Module").New(source)).Get("exports")
	k := &kernel{run: exports.Get("derive")}
	k.summing.start(exports)
	k.look()
	return k
}

// look makes the views of the memory, which become invalid when it grows.
func (k *kernel) look() {
	memory := k.memory.Get("buffer")
	view := func(at, length int) js.Value { return js.Global().Get("Uint8Array").New(memory, at, length) }
	k.program, k.keys, k.out = view(AtProgram, Steps), view(AtKeys, 32*Batch), view(AtOut, 32*Batch)
	k.points, k.terms, k.made = view(AtPoints, Point*Points), view(AtTerms, Term*Terms), view(AtSums, 2*Point)
}

// derive is an edwards.Kernel. Its data, including the view key's digits, stays in the module's memory until the next
// call.
func (k *kernel) derive(out []edwards.Derivation, keys [][32]byte, program []byte) bool {
	if len(keys) == 0 || len(keys) > Batch || len(program) < 3 || len(program) > Steps {
		return false
	}
	for i := range keys {
		copy(k.buffer[32*i:], keys[i][:])
	}
	pairs := (len(keys) + 1) / 2
	if len(keys)%2 != 0 {
		clear(k.buffer[32*len(keys):][:32])
	}
	js.CopyBytesToJS(k.program, program)
	js.CopyBytesToJS(k.keys, k.buffer[:64*pairs])
	k.run.Invoke(pairs, AtProgram+len(program))
	js.CopyBytesToGo(k.buffer[:64*pairs], k.out)
	for i := range out {
		copy(out[i][:], k.buffer[32*i:])
	}
	return true
}
