// Package kernel makes derivations in WebAssembly's vector instructions, two at a time: a small module that edwards.Deriver hands its
// batches to.
//
// Go's compiler has no vectors and sixteen variables; the module takes less than half the time. What it needs beyond ordinary vectors
// is the fused multiplication and addition of relaxed SIMD. Where a host lacks that, Start says so and nothing changes.
//
//go:generate go run ./make kernel.wasm
package kernel

// The module exports its memory and derive(n, end): with a program of edwards.Kernel at AtProgram, which ends at address end, and n
// pairs of keys at AtKeys, n positive, it leaves 8·a·R of each at AtOut, zeros for what is no point. From AtEnd on it works.
const (
	// Batch is how many keys a call takes.
	Batch = 256
	// Steps is how many bytes a program may have.
	Steps = 1024

	AtProgram = 1024
	AtKeys    = AtProgram + Steps
	AtOut     = AtKeys + 32*Batch
	AtEnd     = AtOut + 32*Batch
)
