package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// Go's collector lets garbage grow to the size of the live heap, which doubles the memory of a service with large
// wallets. Therefore garbage is limited to garbageLimit, or to a quarter of a very large heap.
const (
	garbageLimit   = 16 << 20
	garbageDivisor = 4
)

// gcPercent returns the argument of debug.SetGCPercent for a live heap of this many bytes.
func gcPercent(live uint64) int {
	if live <= garbageLimit {
		return 100
	}
	return int(100 * max(garbageLimit, live/garbageDivisor) / live)
}

// limitGarbage adjusts the collector after each collection. It does nothing if GOGC or GOMEMLIMIT is set.
func limitGarbage() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	var busy atomic.Bool
	set := 100
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	var again func(*collected)
	again = func(c *collected) {
		runtime.SetFinalizer(c, again) // runs again after the next collection
		if !busy.CompareAndSwap(false, true) {
			return
		}
		go func() { // SetGCPercent stops the world, which must not block the goroutine that runs finalizers
			defer busy.Store(false)
			metrics.Read(sample)
			if want := gcPercent(sample[0].Value.Uint64()); want > set+set/8 || want < set-set/8 {
				set = want
				debug.SetGCPercent(set)
			}
		}()
	}
	again(&collected{new(int)})
}

// collected is garbage from the start: its finalizer runs after each collection.
type collected struct{ _ *int }
