package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// A collector that lets garbage grow to as much as lives, as Go's does, makes a service with large wallets twice as large as they are. So beyond
// a room that is enough garbage grows no more with what lives, but for the very large ones, of which it is a part.
const (
	garbageRoom = 16 << 20
	garbagePart = 4 // of what lives, one in so many
)

// gcPercent is what debug.SetGCPercent takes for that, where so many bytes of the heap live.
func gcPercent(live uint64) int {
	if live <= garbageRoom {
		return 100
	}
	return int(100 * max(garbageRoom, live/garbagePart) / live)
}

// steadyHeap has the collector leave garbage that room from now on. It does nothing where the environment says what the collector is to do.
func steadyHeap() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	var busy atomic.Bool
	set := 100
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	var again func(*collected)
	again = func(c *collected) {
		runtime.SetFinalizer(c, again) // once more after the next collection
		if !busy.CompareAndSwap(false, true) {
			return
		}
		go func() { // setting it stops the world, for which whoever runs finalizers does not wait
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

// collected is garbage from the beginning: that it is found says that there was a collection.
type collected struct{ _ *int }
