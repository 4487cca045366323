//go:build js && wasm

package main

import (
	"context"
	"syscall/js"

	"glim/core/journal"
	"glim/wasm/host"
)

// muchMemory is the memory of a derivation, in KiB, above which it runs in its own worker: WebAssembly memory never
// shrinks.
const muchMemory = 4 << 10

// deriveElsewhere derives keys from passwords in a worker that ends afterwards.
func deriveElsewhere(outside js.Value) {
	journal.SetDeriver(func(k journal.KDF, password, salt []byte, size uint32) []byte {
		if k.MemoryKiB < muchMemory {
			return nil
		}
		// The derivation is not cancelled: the caller needs the key in any case, and holds no lock that blocks readers.
		args := []any{host.ToJS(password), host.ToJS(salt), k.Time, k.MemoryKiB, k.Lanes, size}
		v, err := host.Call(context.Background(), outside, "derive", args...)
		if err != nil {
			return nil
		}
		return host.FromJS(v)
	})
}

// deriving returns the functions of a deriver's worker.
func deriving() map[string]any {
	return map[string]any{"derive": function(func(args []js.Value) any {
		number := func(i int) uint32 { return uint32(args[i].Int()) }
		k := journal.KDF{Time: number(2), MemoryKiB: number(3), Lanes: number(4)}
		password := host.FromJS(args[0])
		defer clear(password)
		return host.ToJS(k.DeriveKey(password, host.FromJS(args[1]), number(5)))
	})}
}
