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
// pays waits for them. The others are asked for when somebody pays; from then on the blocks that wallets read anyway tell how it goes on, so that who
// pays again need not ask, and who does not pay tells the daemon nothing.
type distribution struct {
	client *daemon.Client
	step   uint64

	mu     sync.Mutex
	start  uint64 // height of the first block kept
	next   uint64 // and of the first that is not
	total  uint64 // outputs up to there
	counts []byte // outputs of each block kept, as varints: a quarter of what the numbers themselves take
	tail   tail
}

// tail is how the distribution goes on from next to where the chain ended when it was asked for, or to the last block that was seen since.
type tail struct {
	end    top    // without a height there is none
	total  uint64 // outputs up to the end
	counts []byte // as varints, of each block; only added to
}

// ask returns the distribution up to where the daemon's chain ends, as the caller heard last, or up to the daemon's top when he heard nothing.
// Without a question, when blocks have told. What is kept counts only as long as the daemon says the same of its last block; else all is asked
// for again.
func (d *distribution) ask(ctx context.Context, end top) (*decoy.Distribution, error) {
	start, cumulative, whole := d.kept(end)
	if whole {
		return d.keep(start, cumulative, end)
	}
	if len(cumulative) > 0 {
		last := start + uint64(len(cumulative)) - 1
		total := cumulative[len(cumulative)-1]
		from, rest, err := d.upTo(ctx, last, end)
		if err == nil && from == last && rest[0] == total {
			return d.keep(start, append(cumulative, rest[1:]...), end)
		}
		if errors.Is(err, daemon.ErrUnreachable) {
			return nil, err
		}
	}
	start, cumulative, err := d.upTo(ctx, 0, end)
	if err != nil {
		return nil, err
	}
	return d.keep(start, cumulative, end)
}

// upTo asks for the numbers from a block on. A daemon whose chain has become shorter meanwhile is asked for all it has.
func (d *distribution) upTo(ctx context.Context, from uint64, end top) (start uint64, cumulative []uint64, err error) {
	if end.height > from+1 {
		start, cumulative, err = d.client.Distribution(ctx, from, end.height-1)
		if !errors.Is(err, daemon.ErrRefused) {
			return start, cumulative, err
		}
	}
	return d.client.Distribution(ctx, from, 0)
}

// kept returns the cumulative counts of the blocks from start on that are kept, in a slice of the caller's; with those up to an end, and whole,
// when that is where the tail has come.
func (d *distribution) kept(end top) (start uint64, cumulative []uint64, whole bool) {
	d.mu.Lock()
	start, n, parts := d.start, d.next-d.start, [][]byte{d.counts} // counts never change, others take their place
	if whole = d.tail.end.height > 0 && d.tail.end == end; whole {
		n, parts = end.height-d.start, append(parts, d.tail.counts)
	}
	d.mu.Unlock()
	cumulative = make([]uint64, 0, n+n/64)
	var sum uint64
	for _, counts := range parts {
		for len(counts) > 0 {
			v, size := binary.Uvarint(counts)
			counts = counts[size:]
			sum += v
			cumulative = append(cumulative, sum)
		}
	}
	return start, cumulative, whole
}

// keep checks what a daemon said up to an end, and keeps it.
func (d *distribution) keep(start uint64, cumulative []uint64, end top) (*decoy.Distribution, error) {
	checked, err := decoy.NewDistribution(start, cumulative)
	if err != nil {
		return nil, err
	}
	height, next := start+uint64(len(cumulative)), start
	if height >= distributionEnd {
		next = max(start, (height-distributionEnd)/d.step*d.step)
	}
	var total uint64
	if next > start {
		total = cumulative[next-start-1]
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	moved := next != d.next || start != d.start || total != d.total
	if moved {
		d.start, d.next, d.total, d.counts = start, next, total, varints(cumulative[:next-start], 0)
	}
	switch {
	case height != end.height:
		if moved {
			d.tail = tail{}
		}
	case moved || d.tail.end != end:
		d.tail = tail{end, cumulative[len(cumulative)-1], varints(cumulative[next-start:], total)}
	}
	return checked, nil
}

// varints writes by how much numbers rise.
func varints(cumulative []uint64, before uint64) []byte {
	counts := make([]byte, 0, 2*len(cumulative))
	for _, c := range cumulative {
		counts = binary.AppendUvarint(counts, c-before)
		before = c
	}
	return slices.Clip(counts)
}

// saw takes note of blocks that were read, which follow one another: what comes after the tail prolongs it, and what is on another chain
// puts an end to it.
func (d *distribution) saw(blocks []daemon.Block) {
	d.mu.Lock()
	defer d.mu.Unlock()
	t := &d.tail
	for i := range blocks {
		b := &blocks[i]
		switch {
		case t.end.height == 0:
			return
		case b.Height+1 < t.end.height || b.Hash == t.end.id:
			continue
		}
		total, ok := lastOutput(b)
		if b.Height != t.end.height || b.Prev != t.end.id || !ok || total < t.total {
			*t = tail{}
			return
		}
		t.counts = binary.AppendUvarint(t.counts, total-t.total)
		t.end, t.total = top{b.Height + 1, b.Hash}, total
	}
}

// lastOutput returns how many RingCT outputs there are up to a block, as it says itself.
func lastOutput(b *daemon.Block) (total uint64, ok bool) {
	last := &b.MinerTx
	for i := range b.Txs {
		if t := &b.Txs[i]; t.Version >= 2 && len(t.OutputIndices) > 0 {
			last = t
		}
	}
	n := len(last.OutputIndices)
	if last.Version < 2 || n == 0 {
		return 0, false
	}
	return last.OutputIndices[n-1] + 1, true
}

// forget asks for all the next time: what is kept turned out not to be so.
func (d *distribution) forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.start, d.next, d.total, d.counts, d.tail = 0, 0, 0, nil, tail{}
}
