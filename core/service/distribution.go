package service

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"sync"

	"glim/core/daemon"
	"glim/core/decoy"
)

// What is kept of a daemon's distribution ends at a multiple of distributionStep below the blocks that a reorganisation may still change. All
// wallets that have it ask for the rest from the same few heights on, which say nothing of when one of them last paid.
const (
	distributionStep = 10_000
	distributionEnd  = 720
)

// distribution is where on a daemon's chain RingCT outputs are. The blocks that stay are asked for once: on mainnet that is megabytes, and who
// pays waits for them.
type distribution struct {
	client *daemon.Client
	step   uint64

	mu     sync.Mutex
	start  uint64 // height of the first block kept
	next   uint64 // and of the first that is not
	total  uint64 // outputs up to there
	counts []byte // outputs of each block kept, as varints: a quarter of what the numbers themselves take
}

// ask returns the distribution up to the daemon's top. What is kept counts only as long as the daemon says the same of its last block; else
// all is asked for again.
func (d *distribution) ask(ctx context.Context) (*decoy.Distribution, error) {
	start, cumulative, total := d.kept()
	if len(cumulative) > 0 {
		last := start + uint64(len(cumulative)) - 1
		from, rest, err := d.client.Distribution(ctx, last, 0)
		if err == nil && from == last && rest[0] == total {
			return d.keep(start, append(cumulative, rest[1:]...))
		}
		if errors.Is(err, daemon.ErrUnreachable) {
			return nil, err
		}
	}
	start, cumulative, err := d.client.Distribution(ctx, 0, 0)
	if err != nil {
		return nil, err
	}
	return d.keep(start, cumulative)
}

// kept returns the cumulative counts of the blocks from start on that are kept, in a slice of the caller's, and the last of them.
func (d *distribution) kept() (start uint64, cumulative []uint64, total uint64) {
	d.mu.Lock()
	counts, start, n, total := d.counts, d.start, d.next-d.start, d.total // counts never change, others take their place
	d.mu.Unlock()
	cumulative = make([]uint64, 0, n+n/64)
	var sum uint64
	for len(counts) > 0 {
		v, size := binary.Uvarint(counts)
		counts = counts[size:]
		sum += v
		cumulative = append(cumulative, sum)
	}
	return start, cumulative, total
}

// keep checks what a daemon said and keeps what stays of it.
func (d *distribution) keep(start uint64, cumulative []uint64) (*decoy.Distribution, error) {
	checked, err := decoy.NewDistribution(start, cumulative)
	if err != nil {
		return nil, err
	}
	height := start + uint64(len(cumulative))
	if height < distributionEnd {
		return checked, nil
	}
	next := (height - distributionEnd) / d.step * d.step
	d.mu.Lock()
	unchanged := next == d.next && start == d.start
	d.mu.Unlock()
	if next <= start || unchanged {
		return checked, nil
	}
	stay := cumulative[:next-start]
	counts := make([]byte, 0, 2*len(stay))
	var before uint64
	for _, c := range stay {
		counts = binary.AppendUvarint(counts, c-before)
		before = c
	}
	d.mu.Lock()
	d.start, d.next, d.total, d.counts = start, next, before, slices.Clip(counts)
	d.mu.Unlock()
	return checked, nil
}

// forget asks for all the next time: what is kept turned out not to be so.
func (d *distribution) forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.start, d.next, d.total, d.counts = 0, 0, 0, nil
}
