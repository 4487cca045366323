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

// judge compares the last sample with the first that was taken after a quarter of the time: by then as much comes as goes of all that is
// not kept.
func judge(samples []sample, lasting time.Duration, out io.Writer) error {
	for _, first := range samples {
		if first.since < lasting/4 {
			continue
		}
		last := samples[len(samples)-1]
		n := last.entries - first.entries
		if n < leastEntries {
			break
		}
		live, resident, stored := last.memory.live-first.memory.live, last.memory.resident-first.memory.resident, last.memory.stored-first.memory.stored
		each := func(grown float64) float64 { return grown / float64(n) }
		fmt.Fprintf(out, "from %s on, for each of %d entries of histories: live %.0f B, resident %.0f B, stored %.0f B\n",
			first.since.Round(time.Second), n, each(live), each(resident), each(stored))
		if live > liveSlack+livePerEntry*float64(n) || resident > restSlack+restPerEntry*float64(n) {
			return fmt.Errorf("%w: %.1f MiB of them live, for %d entries", errGrew, live/(1<<20), n)
		}
		return nil
	}
	fmt.Fprintf(out, "too few payments to judge how memory grows\n")
	return nil
}
