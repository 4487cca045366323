// Command dudect measures whether operations on secrets take the same time for all secrets.
//
// Each operation is timed with inputs of two classes, in random order: one fixed secret, and random secrets. Welch's
// t-test compares the means of both classes, for all measurements and for those below several percentiles, which
// excludes interruptions by the system. An absolute t above 4.5 is suspicious; above 10 the command fails. A comparison
// that stops at the first difference is also measured and must be detected: otherwise the machine is too noisy.
//
// Source: Oscar Reparaz, Josep Balasch, Ingrid Verbauwhede, "Dude, is my code constant time?", eprint 2016/1123.
package main

import (
	"crypto/rand"
	"encoding/binary"
	"flag"
	"fmt"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"time"
)

const (
	suspicious = 4.5
	leaking    = 10
)

func main() {
	n := flag.Int("n", 20000, "measurements of each operation; slow ones get fewer")
	only := flag.String("only", "", "measure only this operation")
	flag.Parse()
	debug.SetGCPercent(-1)
	failed := false
	fmt.Printf("%-42s %8s %9s %10s\n", "operation", "times", "ns", "t")
	for _, o := range operations() {
		if *only != "" && *only != o.name {
			continue
		}
		r := o.measure(*n / max(o.slow, 1))
		verdict := ""
		switch {
		case o.leaks && r.t < leaking:
			verdict, failed = "not detected: the machine is too noisy", true
		case o.leaks:
			verdict = "detected, as expected"
		case o.known:
			verdict = "not constant, see core/SECURITY.md"
		case r.t > leaking:
			verdict, failed = "takes longer for some secrets", true
		case r.t > suspicious:
			verdict = "suspicious: measure again"
		}
		fmt.Printf("%-42s %8d %9.0f %10.2f  %s\n", o.name, r.n, r.mean, r.t, verdict)
	}
	if failed {
		os.Exit(1)
	}
}

// operation is an operation that is timed.
type operation struct {
	name  string
	slow  int  // divisor of the number of measurements
	again int  // repetitions in one measurement, for fast operations; 0 is one
	leaks bool // leaks on purpose and must be detected
	known bool // its time depends on the secret, see core/SECURITY.md
	// prepare returns the function to time, for the fixed secret or a random one. Its own time does not count.
	prepare func(fixed bool) func()
}

type result struct {
	n       int
	mean, t float64 // nanoseconds of one run; the largest absolute t
}

// measure times o in chunks, with garbage collection in between. The first chunk is warm-up.
func (o *operation) measure(n int) result {
	const chunk = 500
	var times [2][]float64
	total := 0.0
	for begun := -chunk; begun < n; begun += chunk {
		classes := make([]byte, chunk)
		if _, err := rand.Read(classes); err != nil {
			panic(err)
		}
		work := make([]func(), chunk)
		for i := range work {
			work[i] = o.prepare(classes[i]&1 == 0)
		}
		runtime.GC()
		for i, f := range work {
			start := time.Now()
			for range max(o.again, 1) {
				f()
			}
			took := float64(time.Since(start)) / float64(max(o.again, 1))
			if begun >= 0 {
				times[classes[i]&1] = append(times[classes[i]&1], took)
				total += took
			}
		}
	}
	runtime.KeepAlive(sink)
	r := result{n: len(times[0]) + len(times[1])}
	r.mean, r.t = total/float64(r.n), worst(times[0], times[1])
	return r
}

// worst returns the largest absolute t of all measurements, and of those below the 99th, 95th, 90th, 75th and 50th
// percentile of both classes together.
func worst(a, b []float64) float64 {
	all := append(slices.Clone(a), b...)
	slices.Sort(all)
	most := math.Abs(welch(a, b))
	for _, p := range []float64{0.99, 0.95, 0.9, 0.75, 0.5} {
		limit := all[int(p*float64(len(all)-1))]
		below := func(list []float64) (kept []float64) {
			for _, v := range list {
				if v <= limit {
					kept = append(kept, v)
				}
			}
			return kept
		}
		most = max(most, math.Abs(welch(below(a), below(b))))
	}
	return most
}

// welch returns Welch's t of two samples; 0 when either has fewer than two values or both do not vary and are equal.
func welch(a, b []float64) float64 {
	if len(a) < 2 || len(b) < 2 {
		return 0
	}
	ma, va := moments(a)
	mb, vb := moments(b)
	d := math.Sqrt(va/float64(len(a)) + vb/float64(len(b)))
	switch {
	case ma == mb:
		return 0
	case d == 0:
		return math.Inf(1)
	}
	return (ma - mb) / d
}

// moments returns the mean and the variance of a sample.
func moments(list []float64) (mean, variance float64) {
	for i, v := range list {
		d := v - mean
		mean += d / float64(i+1)
		variance += d * (v - mean)
	}
	return mean, variance / float64(len(list)-1)
}

// draw returns 32 random bytes.
func draw() (b [32]byte) {
	if _, err := rand.Read(b[:]); err != nil {
		panic(err)
	}
	return b
}

// index returns a random number below n.
func index(n int) int {
	b := draw()
	return int(binary.LittleEndian.Uint64(b[:]) % uint64(n))
}
