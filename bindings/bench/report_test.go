package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// measured returns an entrant whose every round took ms milliseconds and MiB of memory, but for one round out of line.
func measured(ms, mib int) *entrant {
	times := []time.Duration{time.Hour, time.Duration(ms) * time.Millisecond, time.Duration(ms) * time.Millisecond}
	memory := []float64{1e6, float64(mib), float64(mib)}
	return &entrant{name: "one", results: results{
		restore: times, syncWall: times, syncCPU: times, transferWall: times, transferCPU: times,
		memory: memory, restorePeak: memory, syncPeak: memory,
	}}
}

// TestFloors judges medians: a single round decides nothing, and each floor alone can fail the whole.
func TestFloors(t *testing.T) {
	reference := measured(1000, 500)
	report := func(ours *entrant) (string, error) {
		var out strings.Builder
		c := contest{chain: chain{100, 300}, out: &out}
		err := c.report(reference, ours, reference, ours)
		return out.String(), err
	}
	text, err := report(measured(1000, 100))
	require.NoError(t, err)
	require.Equal(t, 3, strings.Count(text, "holds"))
	require.Contains(t, text, "300/s")

	for what, spoil := range map[string]func(*results){
		"CPU time of a sync":  func(r *results) { r.syncCPU = measured(1301, 0).results.syncCPU },
		"time of a transfer":  func(r *results) { r.transferWall = measured(1001, 0).results.syncCPU },
		"memory after a sync": func(r *results) { r.memory = measured(0, 101).results.memory },
	} {
		ours := measured(1000, 100)
		spoil(&ours.results)
		text, err := report(ours)
		require.ErrorIs(t, err, errFloor)
		require.ErrorContains(t, err, what)
		require.Equal(t, 1, strings.Count(text, "MISSED"), text)
	}
}

// TestUsage reads this very process.
func TestUsage(t *testing.T) {
	before, err := usage(os.Getpid())
	if err != nil {
		require.ErrorContains(t, err, "Linux")
		return
	}
	held := make([]byte, 64<<20)
	for i := range held {
		held[i] = byte(i)
	}
	var after usageOf
	require.Eventually(t, func() bool { // uses time until it shows
		after, err = usage(os.Getpid())
		return err == nil && after.cpu > before.cpu
	}, time.Minute, time.Millisecond)
	require.Greater(t, after.memory, 64.0)
	require.GreaterOrEqual(t, after.peak, after.memory)
	require.NoError(t, forgetPeak(os.Getpid()))
	require.NotZero(t, held[len(held)-1])
}
