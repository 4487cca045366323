package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// measured returns an entrant whose rounds took ms milliseconds and mib MiB of memory, except for one outlier.
func measured(ms, mib int) *entrant {
	usual := time.Duration(ms) * time.Millisecond
	times := []time.Duration{time.Hour, usual, usual}
	memory := []float64{1e6, float64(mib), float64(mib)}
	e := &entrant{
		name: "one", results: results{restore: times, syncWall: times, syncCPU: times, memory: memory, atMost: memory},
	}
	for range payments() {
		e.results.payments = append(e.results.payments, []sample{
			{1, time.Hour, time.Hour},
			{1, usual, usual},
			{1, usual, usual},
		})
	}
	return e
}

// TestLimits: medians are compared, so that a single round decides nothing, and each limit alone makes the report fail.
func TestLimits(t *testing.T) {
	report := func(ours, lesser *entrant) (string, error) {
		var out strings.Builder
		c := walletRun{chain: forged{Blocks: 100, Transactions: 1000}, out: &out}
		err := c.report([]*entrant{measured(1000, 500), ours, lesser})
		return out.String(), err
	}
	text, err := report(measured(200, 100), measured(750, 200))
	require.NoError(t, err)
	require.Equal(t, 3, strings.Count(text, "holds"))
	require.Contains(t, text, "| one | 1000.0 µs | 1.00 |")
	require.Contains(t, text, "| one | 200.0 µs | 0.20 |")
	require.Contains(t, text, "| one | 750.0 µs | 0.75 |")

	slow := measured(751, 0)
	for what, spoil := range map[string]func(ours, lesser *results){
		"CPU time of a sync":  func(_, lesser *results) { lesser.syncCPU = slow.results.syncCPU },
		"time of a transfer":  func(ours, _ *results) { ours.payments[1] = measured(1001, 0).results.payments[1] },
		"memory after a sync": func(ours, _ *results) { ours.memory = measured(0, 101).results.memory },
	} {
		ours, lesser := measured(200, 100), measured(750, 100)
		spoil(&ours.results, &lesser.results)
		text, err := report(ours, lesser)
		require.ErrorIs(t, err, errLimit)
		require.ErrorContains(t, err, what)
		require.Equal(t, 1, strings.Count(text, "EXCEEDED"), text)
	}
}

// TestUsage measures this process.
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
	require.Eventually(t, func() bool { // uses CPU time until it is measurable
		after, err = usage(os.Getpid())
		return err == nil && after.cpu > before.cpu
	}, time.Minute, time.Millisecond)
	require.Greater(t, after.memory, 64.0)
	require.GreaterOrEqual(t, after.peak, after.memory)
	require.NoError(t, forgetPeak(os.Getpid()))
	require.NotZero(t, held[len(held)-1])
}
