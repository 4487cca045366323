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

// The kept part of a distribution ends at a multiple of distributionStep, below the blocks that a reorganisation may
// change. All wallets then request the rest from the same few heights, which do not reveal when one of them last paid.
const (
	distributionStep = 10_000
	distributionEnd  = 720
)

// distribution records where the RingCT outputs of a daemon's chain are. The part that no reorganisation changes is
// requested once: on mainnet it takes megabytes, and a payment waits for it. The rest is requested for a payment;
// from then on it is extended from the blocks that wallets read anyway. Another payment then needs no request, and
// wallets that do not pay reveal nothing to the daemon.
type distribution struct {
	client *daemon.Client
	step   uint64

	mu     sync.Mutex
	start  uint64 // height of the first block in counts
	next   uint64 // height after the last block in counts
	total  uint64 // outputs below next
	counts []byte // outputs of each block as varints, a quarter of the size of plain integers
	tail   tail
}

// tail is the distribution from next to the top at the time of the request, or to the last block read since.
type tail struct {
	end    chainTop // the zero value means that there is no tail
	total  uint64   // outputs below end
	counts []byte   // outputs of each block as varints; append-only
}

// get returns the distribution up to end, which is the top of the daemon's chain as last reported to the caller, or up
// to the daemon's current top if end is zero. It sends no request if blocks have extended the distribution up to end.
// The kept part is valid only as long as the daemon still reports the same count for its last block; otherwise
// everything is requested again.
func (d *distribution) get(ctx context.Context, end chainTop) (*decoy.Distribution, error) {
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

// upTo requests the counts from a block on. If the chain has become shorter in the meantime, it requests everything
// up to the top.
func (d *distribution) upTo(
	ctx context.Context, from uint64, end chainTop,
) (start uint64, cumulative []uint64, err error) {
	if end.height > from+1 {
		start, cumulative, err = d.client.Distribution(ctx, from, end.height-1)
		if !errors.Is(err, daemon.ErrRefused) {
			return start, cumulative, err
		}
	}
	return d.client.Distribution(ctx, from, 0)
}

// kept returns a copy of the stored cumulative counts, for the blocks from start. If the tail ends at end, the result
// includes it and whole is true.
func (d *distribution) kept(end chainTop) (start uint64, cumulative []uint64, whole bool) {
	d.mu.Lock()
	start, n, parts := d.start, d.next-d.start, [][]byte{d.counts} // counts are replaced, never modified
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

// keep checks and stores a response that ends at end.
func (d *distribution) keep(start uint64, cumulative []uint64, end chainTop) (*decoy.Distribution, error) {
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
		d.start, d.next, d.total, d.counts = start, next, total, encodeDeltas(cumulative[:next-start], 0)
	}
	switch {
	case height != end.height:
		if moved {
			d.tail = tail{}
		}
	case moved || d.tail.end != end:
		d.tail = tail{end, cumulative[len(cumulative)-1], encodeDeltas(cumulative[next-start:], total)}
	}
	return checked, nil
}

// encodeDeltas encodes the differences of cumulative counts as varints.
func encodeDeltas(cumulative []uint64, before uint64) []byte {
	counts := make([]byte, 0, 2*len(cumulative))
	for _, c := range cumulative {
		counts = binary.AppendUvarint(counts, c-before)
		before = c
	}
	return slices.Clip(counts)
}

// observe extends the tail with consecutive blocks that were read. It drops the tail if they are on another chain.
func (d *distribution) observe(blocks []daemon.Block) {
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
		t.end, t.total = chainTop{b.Height + 1, b.Hash}, total
	}
}

// lastOutput returns how many RingCT outputs exist up to a block, according to its own output indices.
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

// forget discards everything kept, because it may be wrong.
func (d *distribution) forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.start, d.next, d.total, d.counts, d.tail = 0, 0, 0, nil, tail{}
}
