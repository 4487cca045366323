package gateway

import (
	"context"
	"encoding/binary"
	"slices"
	"strconv"
	"sync"

	"glim/core/codec/epee"
	"glim/core/xmr"
)

const (
	tailBlocks  = 20  // maximum number of blocks in a piece of the tail; pieces begin at multiples of it
	tailSeconds = 600 // lifetime of a piece in the host's cache
	tipSeconds  = 3   // lifetime of the tip that one daemon reported
)

// tip is the top of a chain.
type tip struct {
	height uint64 // number of blocks
	id     xmr.Hash
}

// tail is the part of the chain above the last segment, which may change, in pieces. The ID of its last block
// determines all blocks of a piece and is part of its name. The first block of a piece contains the ID that names the
// piece before. So pieces from any cache form one chain, and those that a reorganisation did not replace are found
// again.
type tail struct {
	mu   sync.Mutex
	tip  tip
	runs []*run // ascending, without gaps, up to the tip. The list and the runs are immutable
}

// heightOf returns the height of a block of the tail, if the tail ends with the given tip.
func (t *tail) heightOf(end tip, id xmr.Hash) (uint64, bool) {
	t.mu.Lock()
	runs := t.runs
	if t.tip != end {
		runs = nil
	}
	t.mu.Unlock()
	for _, r := range slices.Backward(runs) {
		if i := slices.Index(r.IDs, id); i >= 0 {
			return r.Start + uint64(i), true
		}
	}
	return 0, false
}

// find returns the piece that begins at index first, if the tail ends with the given tip.
func (t *tail) find(end tip, first uint64) (*run, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.tip != end {
		return nil, false
	}
	for _, r := range t.runs {
		if r.Start == first {
			return r, true
		}
	}
	return nil, false
}

// tip returns the tip that one daemon reported at most tipSeconds ago. If the block at index has is above that tip by
// at most mayLag blocks, it may be new, and the tip is requested again.
func (g *Gateway) tip(ctx context.Context, has uint64) (tip, error) {
	name := "tip-" + g.c.Network
	known := func() (t tip, ok bool) {
		b, ok := g.recall(ctx, name)
		if !ok || len(b) != 40 {
			return t, false
		}
		t.height = binary.LittleEndian.Uint64(b)
		copy(t.id[:], b[8:])
		return t, has < t.height || has > t.height+mayLag
	}
	if t, ok := known(); ok {
		return t, nil
	}
	done, err := g.turns.take(ctx, name)
	if err != nil {
		return tip{}, err
	}
	defer done()
	if t, ok := known(); ok {
		return t, nil
	}
	var t tip
	if _, err := g.ask(ctx, "/json_rpc", rpcCall("get_info", "{}"), func(b []byte) (err error) {
		t.height, t.id, err = g.infoOf(b)
		return err
	}); err != nil {
		return tip{}, err
	}
	g.keep(ctx, name, append(binary.LittleEndian.AppendUint64(nil, t.height), t.id[:]...), tipSeconds)
	return t, nil
}

// stays returns the number of blocks in segments of a chain with height blocks.
func (g *Gateway) stays(height uint64) uint64 {
	return (height - min(height, g.c.Depth)) / segmentBlocks * segmentBlocks
}

// tailAt returns the piece of the tail that contains the block at an index, which must be below end.height.
func (g *Gateway) tailAt(ctx context.Context, end tip, at uint64) (*run, error) {
	t := &g.tail
	first := at / tailBlocks * tailBlocks
	if r, ok := t.find(end, first); ok {
		return r, nil
	}
	done, err := g.turns.take(ctx, "tail")
	if err != nil {
		return nil, err
	}
	defer done()
	if r, ok := t.find(end, first); ok {
		return r, nil
	}
	t.mu.Lock()
	runs, old := t.runs, t.runs
	if t.tip != end {
		runs = nil
	}
	t.mu.Unlock()
	down := first
	if len(old) > 0 { // keep the range that the tail covered, except blocks that are now in segments
		down = min(down, max(old[0].Start, g.stays(end.height)))
	}
	for len(runs) == 0 || runs[0].Start > down {
		last, id := end.height-1, end.id
		if len(runs) > 0 {
			last, id = runs[0].Start-1, runs[0].Prev
		}
		part, err := g.piece(ctx, old, down, last, id)
		if err != nil {
			return nil, err
		}
		runs = append(part, runs...)
	}
	t.mu.Lock()
	t.tip, t.runs = end, runs
	t.mu.Unlock()
	r, ok := t.find(end, first)
	if !ok {
		return nil, wrong("block %d is missing", at)
	}
	return r, nil
}

// piece returns the piece that ends with the block id at index last, from old pieces, the cache or a daemon. If it has
// to request all blocks of it, it may also return pieces before, down to index from.
func (g *Gateway) piece(ctx context.Context, old []*run, from, last uint64, id xmr.Hash) ([]*run, error) {
	first := last / tailBlocks * tailBlocks
	from = max(from, first-min(first, maxFresh-tailBlocks))
	name := "tail-1-" + g.c.Network + "-" + strconv.FormatUint(first, 10) + "-" + id.String()
	var before *run // the piece with the same start that ends earlier
	for _, r := range old {
		switch {
		case r.Start == first && r.IDs[len(r.IDs)-1] == id:
			return []*run{r}, nil
		case r.Start == first && r.Start+uint64(len(r.IDs)) <= last:
			before = r
		case r.Start < first:
			from = max(from, r.Start+tailBlocks)
		}
	}
	if b, ok := g.recall(ctx, name); ok {
		r := new(run)
		if epee.UnmarshalTrusted(b, r) == nil && r.Start == first && r.ends(last, id) {
			return []*run{r}, nil
		}
	}
	if before != nil {
		next := first + uint64(len(before.IDs))
		more, err := g.fetch(ctx, next, last-next+1)
		if err != nil {
			return nil, err
		}
		if more.ends(last, id) && more.Prev == before.IDs[len(before.IDs)-1] {
			r := &run{
				Start: first, Prev: before.Prev, IDs: slices.Concat(before.IDs, more.IDs),
				Blocks: slices.Concat(before.Blocks, more.Blocks),
			}
			g.keepPiece(ctx, name, r)
			return []*run{r}, nil
		}
	}
	all, err := g.fetch(ctx, from, last-from+1)
	if err != nil {
		return nil, err
	}
	if !all.ends(last, id) {
		return nil, errMoved
	}
	var out []*run
	for at := from; at <= last; at += tailBlocks {
		r := all.from(at, tailBlocks)
		end := r.Start + uint64(len(r.IDs)) - 1
		g.keepPiece(ctx, "tail-1-"+g.c.Network+"-"+strconv.FormatUint(at, 10)+"-"+r.IDs[end-at].String(), &r)
		out = append(out, &r)
	}
	return out, nil
}

func (g *Gateway) keepPiece(ctx context.Context, name string, r *run) {
	if g.c.Cache == nil {
		return // Gateway.tail is the only cache
	}
	if b, err := epee.Marshal(r); err == nil {
		g.keep(ctx, name, b, tailSeconds)
	}
}

// errMoved reports that the blocks of a daemon do not end with the expected tip.
var errMoved = wrong("the chain has changed during the request")

// ends reports whether a run ends with the block id at index last.
func (r *run) ends(last uint64, id xmr.Hash) bool {
	n := len(r.IDs)
	return n > 0 && n == len(r.Blocks) && r.Start+uint64(n)-1 == last && r.IDs[n-1] == id
}
