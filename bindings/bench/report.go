package main

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"
)

// The limits: a multiple of the reference's median, and MiB.
const (
	maxScan     = 0.75 // for the slowest of ours
	maxTransfer = 1.0
	maxMemory   = 100.0
)

// report prints the results as Markdown tables, the reference first. It returns errLimit if a limit is exceeded.
func (c *walletRun) report(all []*entrant) error {
	fmt.Fprintf(c.out,
		"\n%d transactions with one key each in %d blocks, %d payments to the wallet; %s, %d cores, %s. "+
			"Medians, and minima in parentheses.\n\n",
		c.chain.Transactions, c.chain.Blocks, c.chain.Payments, runtime.Version(), runtime.NumCPU(),
		time.Now().UTC().Format("2006-01-02"))
	reference, ours := &all[0].results, &all[1].results
	fmt.Fprint(c.out, "| sync | CPU per key | × the reference's | CPU | time | memory after | peak | restored in |\n"+
		"|---|---|---|---|---|---|---|---|\n")
	scan := 0.0
	for _, e := range all {
		r := &e.results
		ratio := ratioOf(r.syncCPU, reference.syncCPU)
		scan = max(scan, ratio)
		if e == all[0] {
			scan = 0
		}
		perKey := float64(middle(r.syncCPU).Nanoseconds()) / 1000 / float64(c.chain.Transactions)
		fmt.Fprintf(c.out, "| %s | %.1f µs | %.2f | %s | %s | %.0f MiB | %.0f MiB | %s |\n", e.name, perKey, ratio,
			span(r.syncCPU), span(r.syncWall), middle(r.memory), middle(r.atMost), span(r.restore))
	}
	fmt.Fprintf(c.out, "\n| made, not relayed | %s | glim | × its time | %[1]s, CPU | glim, CPU | × its CPU |\n"+
		"|---|---|---|---|---|---|---|\n", all[0].name)
	var transfer float64
	for i, p := range payments() {
		a, b := walls(reference.payments[i]), walls(ours.payments[i])
		if p.inputs == 2 {
			transfer = max(transfer, ratioOf(b, a))
		}
		// A single sample takes few ticks of the CPU clock, so use the mean of all.
		x, y := cpuOf(reference.payments[i]), cpuOf(ours.payments[i])
		fmt.Fprintf(c.out, "| %s | %s | %s | %.2f | %.0f ms | %.0f ms | %.2f |\n", p.title(), span(a), span(b),
			ratioOf(b, a), 1000*x, 1000*y, y/max(x, 1e-9))
	}
	fmt.Fprintln(c.out)

	var missed []string
	limit := func(what string, is, most float64, unit string) {
		verdict := "holds"
		if is > most {
			verdict, missed = "EXCEEDED", append(missed, what)
		}
		fmt.Fprintf(c.out, "limit: %s at most %.2f%s: %.2f %s\n", what, most, unit, is, verdict)
	}
	limit("CPU time of a sync", scan, maxScan, " × the reference's")
	limit("time of a transfer", transfer, maxTransfer, " × the reference's")
	limit("memory after a sync", middle(ours.memory), maxMemory, " MiB")
	if len(missed) > 0 {
		return fmt.Errorf("%w: %s", errLimit, strings.Join(missed, ", "))
	}
	return nil
}

func (p *payment) title() string {
	if p.inputs > 2 {
		return fmt.Sprintf("%s, %d", p.name, p.inputs)
	}
	return p.name
}

func walls(list []sample) (out []time.Duration) {
	for _, s := range list {
		out = append(out, s.wall)
	}
	return out
}

// ratioOf returns the ratio of the medians of a and b.
func ratioOf(a, b []time.Duration) float64 { return float64(middle(a)) / float64(middle(b)) }

// middle returns the median, the higher one of the two in the middle.
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
