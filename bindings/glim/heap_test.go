package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestGarbageLimit checks that garbage is limited relative to a small heap, to a constant for a larger one, and to a
// fraction of a very large one, and that the limit follows the heap.
func TestGarbageLimit(t *testing.T) {
	const mib = 1 << 20
	for live, want := range map[uint64]int{0: 100, mib: 100, 16 * mib: 100, 32 * mib: 50, 64 * mib: 25, 960 * mib: 25} {
		require.Equal(t, want, gcPercent(live), "%d MiB", live/mib)
	}

	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	before := debug.SetGCPercent(100)
	defer debug.SetGCPercent(before)
	limitGarbage()
	comesTo := func(what string, ok func(percent uint64) bool) {
		t.Helper()
		sample := []metrics.Sample{{Name: "/gc/gogc:percent"}}
		for deadline := time.Now().Add(5 * time.Minute); ; {
			runtime.GC()
			if metrics.Read(sample); ok(sample[0].Value.Uint64()) {
				return
			}
			require.True(t, time.Now().Before(deadline), "%s: %d percent", what, sample[0].Value.Uint64())
		}
	}
	held := make([]byte, 200*mib)
	comesTo("much", func(percent uint64) bool { return percent <= 30 })
	runtime.KeepAlive(held)
	held = nil
	comesTo("little", func(percent uint64) bool { return percent > 28 })
}
