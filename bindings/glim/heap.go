package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// A collector that lets garbage grow to as much as lives makes a service with many wallets twice as large as they are, and has one with few collect
// all the time. So garbage gets a room that is the same for both, and for the very large ones a part of what lives.
const (
	garbageRoom = 24 << 20
	garbagePart = 4 // of what lives, one in so many
)

// gcPercent is what debug.SetGCPercent takes for that, where so many bytes of the heap live.
func gcPercent(live uint64) int {
	live = max(live, 1<<20)
	return int(min(100*max(garbageRoom, live/garbagePart)/live, 400))
}

// steadyHeap has the collector leave that room from now on. It does nothing where the environment says what the collector is to do.
func steadyHeap() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	var busy atomic.Bool
	var set int
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
