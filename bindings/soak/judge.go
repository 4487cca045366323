package main

import (
	"errors"
	"fmt"
	"io"
	"time"
)

// errGrew reports that the service grew by more than what it has to remember.
var errGrew = errors.New("the service's memory grew by more than its history")

// sample is what one report saw.
type sample struct {
	since   time.Duration
	memory  memory
	entries int // of histories: a payment is one where it was made and one where it arrived, a block's reward is one
}

// What a service may grow by. Some of it comes and goes with what is under way; the rest is for each entry of a history, of which the wallet keeps an output,
// a payment or what was spent, what was told of it, and to whom it was sent. Resident is more than what lives: the
// collector lets garbage grow in proportion.
const (
	leastEntries = 2000 // with fewer, what comes and goes is all that is seen
	liveSlack    = 8 << 20
	livePerEntry = 2 << 10
	restSlack    = 32 << 20
	restPerEntry = 4 << 10
)

// judge compares the eighth of the time that follows the first quarter, by when as much comes as goes of all that is not kept, with the
// last.
func judge(samples []sample, lasting time.Duration, out io.Writer) error {
	first, last := mean(samples, lasting/4, lasting*3/8), mean(samples, lasting*7/8, 2*lasting)
	n := last.entries - first.entries
	if n < leastEntries || first.since == 0 {
		fmt.Fprintf(out, "too few payments to judge how memory grows\n")
		return nil
	}
	live, resident, stored := last.memory.live-first.memory.live, last.memory.resident-first.memory.resident, last.memory.stored-first.memory.stored
	each := func(grown float64) float64 { return grown / float64(n) }
	fmt.Fprintf(out, "from about %s on, for each of %d entries of histories: live %.0f B, resident %.0f B, stored %.0f B\n",
		first.since.Round(time.Second), n, each(live), each(resident), each(stored))
	if live > liveSlack+livePerEntry*float64(n) || resident > restSlack+restPerEntry*float64(n) {
		return fmt.Errorf("%w: %.1f MiB that live, for %d entries", errGrew, live/(1<<20), n)
	}
	return nil
}

// mean returns the mean of the samples taken between two times; nothing when there is none.
func mean(samples []sample, from, to time.Duration) (m sample) {
	n := 0
	for _, s := range samples {
		if s.since < from || s.since > to {
			continue
		}
		n++
		m.since, m.entries = m.since+s.since, m.entries+s.entries
		m.memory.live, m.memory.resident, m.memory.stored = m.memory.live+s.memory.live, m.memory.resident+s.memory.resident, m.memory.stored+s.memory.stored
	}
	if n == 0 {
		return m
	}
	m.since, m.entries = m.since/time.Duration(n), m.entries/n
	m.memory.live, m.memory.resident, m.memory.stored = m.memory.live/float64(n), m.memory.resident/float64(n), m.memory.stored/float64(n)
	return m
}
