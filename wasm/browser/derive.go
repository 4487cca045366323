//go:build js && wasm

package main

import (
	"context"
	"syscall/js"

	"glim/core/journal"
	"glim/wasm/host"
)

// muchMemory is how much a derivation takes, in KiB, that is worth a worker of its own: the memory of WebAssembly never shrinks.
const muchMemory = 4 << 10

// deriveElsewhere has keys made of passwords in a worker that ends when it has.
func deriveElsewhere(outside js.Value) {
	journal.SetDeriver(func(k journal.KDF, password, salt []byte, size uint32) []byte {
		if k.MemoryKiB < muchMemory {
			return nil
		}
		// Who needs the key waits for it in any case, and holds nothing that readers wait for.
		v, err := host.Call(context.Background(), outside, "derive", host.ToJS(password), host.ToJS(salt), k.Time, k.MemoryKiB, k.Lanes, size)
		if err != nil {
			return nil
		}
		return host.FromJS(v)
	})
}

// deriving returns what a deriver's worker can be asked.
func deriving() map[string]any {
	return map[string]any{"derive": function(func(args []js.Value) any {
		number := func(i int) uint32 { return uint32(args[i].Int()) }
		k := journal.KDF{Time: number(2), MemoryKiB: number(3), Lanes: number(4)}
		password := host.FromJS(args[0])
		defer clear(password)
		return host.ToJS(k.DeriveKey(password, host.FromJS(args[1]), number(5)))
	})}
}
