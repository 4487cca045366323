package main

import (
	"fmt"
	"runtime"
	"slices"
	"time"

	"glim/core/tx"
	"glim/core/xmr"
)

// report prints medians of rates and their ratio, and the ratio of CPU time per unit.
func (d *daemonRun) report(reference, ours *side, asked []daemonQuestion) {
	txs := 0
	for i := range d.fixture.chain {
		txs += len(d.fixture.chain[i].narrow) + len(d.fixture.chain[i].wide)
	}
	fmt.Fprintf(d.out, "\n%d blocks, %d transactions besides coinbases; %s, %d cores, %s\n", len(d.fixture.chain), txs,
		runtime.Version(), runtime.NumCPU(), time.Now().UTC().Format("2006-01-02"))
	fmt.Fprint(d.out, "Medians over rounds. Above 1.00 glim is faster; below 1.00 it takes less CPU time.\n\n")
	fmt.Fprintf(d.out, "%-34s %18s %18s %8s %8s\n", "", reference.name, ours.name, "faster", "CPU")
	row := func(name string, scale float64, unit string) {
		a, b := reference.results[name], ours.results[name]
		if len(a) == 0 || len(b) == 0 {
			return
		}
		cell := func(list []sample) string {
			rate, digits := scale*rateOf(list), 1
			if rate >= 100 {
				digits = 0
			}
			return fmt.Sprintf("%.*f %s", digits, rate, unit)
		}
		cpu := "-"
		if c := cpuOf(a); c > 0 {
			cpu = fmt.Sprintf("%.2f", cpuOf(b)/c)
		}
		fmt.Fprintf(d.out, "%-34s %18s %18s %8.2f %8s\n", name, cell(a), cell(b), rateOf(b)/rateOf(a), cpu)
	}
	for i := range asked {
		q := &asked[i]
		if q.size > 100_000 {
			row(q.name, float64(q.size)/1e6, "MB/s")
		} else {
			row(q.name, 1, "/s")
		}
	}
	for _, name := range []string{judgeNarrow, judgeCrowd, judgeWide, judgeBlock} {
		row(name, 1, "tx/s")
	}
	row(hashBlock, 1, "/s")
	row(mineEmpty, 1, "blocks/s")
	memory := func(name string, a, b float64) {
		fmt.Fprintf(d.out, "%-34s %14.1f MiB %14.1f MiB %8.2f\n", name, a, b, a/b)
	}
	memory("memory at the end", reference.memory.memory, ours.memory.memory)
	memory("peak memory", reference.memory.peak, ours.memory.peak)
}

// rateOf returns the median of units a second.
func rateOf(list []sample) float64 {
	var rates []float64
	for _, s := range list {
		rates = append(rates, s.done/max(s.wall.Seconds(), 1e-9))
	}
	slices.Sort(rates)
	return rates[len(rates)/2]
}

// cpuOf returns CPU seconds per unit over all samples, because the clock is too coarse for a single one.
func cpuOf(list []sample) float64 {
	var cpu, done float64
	for _, s := range list {
		cpu, done = cpu+s.cpu.Seconds(), done+s.done
	}
	return cpu / max(done, 1)
}

func idOfTx(blob []byte) (xmr.Hash, error) {
	_, id, err := tx.ParseWithHash(blob)
	return id, err
}
