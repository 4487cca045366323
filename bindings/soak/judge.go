package main

import (
	"errors"
	"fmt"
	"io"
	"time"
)

// errGrew reports that the service's memory grew by more than its history.
var errGrew = errors.New("the service's memory grew by more than its history")

// sample is one measurement.
type sample struct {
	since   time.Duration
	memory  memory
	entries int // of histories: two for a payment (sender and recipient), one for a reward
}

// The limits of memory growth: a constant part, which varies with current work, and a part for each history entry, for
// which a wallet stores an output or a spend, a payment, its destinations and an event. Resident memory is larger than
// live memory, because the collector allows garbage in proportion.
const (
	leastEntries = 2000 // with fewer, variation hides the growth
	liveSlack    = 8 << 20
	livePerEntry = 2 << 10
	restSlack    = 32 << 20
	restPerEntry = 4 << 10
)

// judge compares memory in the last eighth of the run with the eighth after its first quarter, because temporary memory
// grows only in the beginning. It returns errGrew if the growth exceeds the limits.
func judge(samples []sample, lasting time.Duration, out io.Writer) error {
	first, last := mean(samples, lasting/4, lasting*3/8), mean(samples, lasting*7/8, 2*lasting)
	n := last.entries - first.entries
	if n < leastEntries || first.since == 0 {
		fmt.Fprintf(out, "too few payments to judge how memory grows\n")
		return nil
	}
	live, resident, stored := last.memory.live-first.memory.live, last.memory.resident-first.memory.resident,
		last.memory.stored-first.memory.stored
	each := func(grown float64) float64 { return grown / float64(n) }
	fmt.Fprintf(out,
		"after about %s, for each of %d history entries: live %.0f B, resident %.0f B, stored %.0f B\n",
		first.since.Round(time.Second), n, each(live), each(resident), each(stored))
	if live > liveSlack+livePerEntry*float64(n) || resident > restSlack+restPerEntry*float64(n) {
		return fmt.Errorf("%w: %.1f MiB of live memory for %d entries", errGrew, live/(1<<20), n)
	}
	return nil
}

// mean returns the mean of the samples between two times, or zero if no sample lies between them.
func mean(samples []sample, from, to time.Duration) (m sample) {
	n := 0
	for _, s := range samples {
		if s.since < from || s.since > to {
			continue
		}
		n++
		m.since, m.entries = m.since+s.since, m.entries+s.entries
		m.memory.live, m.memory.resident, m.memory.stored = m.memory.live+s.memory.live,
			m.memory.resident+s.memory.resident, m.memory.stored+s.memory.stored
	}
	if n == 0 {
		return m
	}
	m.since, m.entries = m.since/time.Duration(n), m.entries/n
	m.memory.live, m.memory.resident, m.memory.stored = m.memory.live/float64(n), m.memory.resident/float64(n),
		m.memory.stored/float64(n)
	return m
}
