package main

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"
)

// The floors: at most so many times the reference's median, at most so many MiB.
const (
	floorScan     = 1.3
	floorTransfer = 1.0
	floorMemory   = 100.0
)

// report prints what was measured. errFloor when a floor is missed.
func (c *contest) report(reference, ours, referenceOne, oursOne *entrant) error {
	fmt.Fprintf(c.out, "\n%d transactions in %d blocks, %d payments to the wallet; %s, %d cores, %s\n\n",
		c.chain.Transactions, c.chain.Blocks, c.found.payments, runtime.Version(), runtime.NumCPU(), time.Now().UTC().Format("2006-01-02"))
	row := func(name string, cells ...any) {
		fmt.Fprintf(c.out, "%-34s %22s %22s %7s\n", append([]any{name}, cells...)...)
	}
	row("median (least)", reference.name, ours.name, "ratio")
	times := func(name string, a, b []time.Duration) float64 {
		ratio := float64(middle(b)) / float64(middle(a))
		row(name, span(a), span(b), fmt.Sprintf("%.2f", ratio))
		return ratio
	}
	rate := func(name string, a, b []time.Duration) {
		per := func(ds []time.Duration) float64 { return float64(c.chain.Transactions) / middle(ds).Seconds() }
		row(name, fmt.Sprintf("%.0f/s", per(a)), fmt.Sprintf("%.0f/s", per(b)), fmt.Sprintf("%.2f", per(b)/per(a)))
	}
	megabytes := func(name string, a, b []float64) float64 {
		row(name, fmt.Sprintf("%.1f MiB", middle(a)), fmt.Sprintf("%.1f MiB", middle(b)), fmt.Sprintf("%.2f", middle(b)/middle(a)))
		return middle(b)
	}
	r, g, r1, g1 := &reference.results, &ours.results, &referenceOne.results, &oursOne.results
	times("restore, time", r.restore, g.restore)
	times("sync, time", r.syncWall, g.syncWall)
	scan := times("sync, CPU time", r.syncCPU, g.syncCPU)
	times("sync with one thread, time", r1.syncWall, g1.syncWall)
	times("sync with one thread, CPU time", r1.syncCPU, g1.syncCPU)
	rate("transactions by time", r.syncWall, g.syncWall)
	rate("transactions by CPU time", r.syncCPU, g.syncCPU)
	memory := megabytes("memory after the sync", r.memory, g.memory)
	megabytes("memory at most, sync", r.syncPeak, g.syncPeak)
	megabytes("memory at most, restore", r.restorePeak, g.restorePeak)
	megabytes("memory after it, one thread", r1.memory, g1.memory)
	transfer := times("transfer of 2 inputs, time", r.transferWall, g.transferWall)
	times("transfer of 2 inputs, CPU time", r.transferCPU, g.transferCPU)
	fmt.Fprintln(c.out)

	var missed []string
	floor := func(what string, is, limit float64, unit string) {
		verdict := "holds"
		if is > limit {
			verdict, missed = "MISSED", append(missed, what)
		}
		fmt.Fprintf(c.out, "floor: %s at most %.1f%s: %.2f %s\n", what, limit, unit, is, verdict)
	}
	floor("CPU time of a sync", scan, floorScan, " × the reference's")
	floor("time of a transfer", transfer, floorTransfer, " × the reference's")
	floor("memory after a sync", memory, floorMemory, " MiB")
	if len(missed) > 0 {
		return fmt.Errorf("%w: %s", errFloor, strings.Join(missed, ", "))
	}
	return nil
}

// middle returns the median, the higher one of two.
func middle[T cmp.Ordered](all []T) T {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)/2]
}

func span(all []time.Duration) string {
	unit := 10 * time.Millisecond
	if middle(all) < time.Second {
		unit = 100 * time.Microsecond
	}
	return fmt.Sprintf("%s (%s)", middle(all).Round(unit), slices.Min(all).Round(unit))
}
