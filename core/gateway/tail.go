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
	tailBlocks  = 20  // blocks of a piece of the chain's end; pieces begin at multiples of it
	tailSeconds = 600 // for which a host's cache keeps a piece: as long as it may be the end, and some
	tipSeconds  = 3   // for which one daemon's word stands about where the chain ends
)

// tip is where a chain ends.
type tip struct {
	height uint64 // number of blocks
	id     xmr.Hash
}

// tail is the end of the chain, which may change: what is above the last segment, in pieces. A piece is named by the ID of its last block,
// which says what its blocks are, and the piece before it is the one whose name its first block says: so pieces are of one chain whoever
// keeps them, and after a reorganisation those that are still on it are found again.
type tail struct {
	mu   sync.Mutex
	tip  tip
	runs []*run // ascending, without gaps, to the tip. Neither list nor runs are ever changed
}

// heightOf says where a block of the tail is, as long as the chain ends where it ended.
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

// find returns the piece that begins at a block, of a chain with this end.
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

// tip asks where the chain ends: one daemon, once in a few seconds for all who ask. What is known is good enough when it has a block.
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

// stays is the number of blocks that are in segments, of a chain with so many.
func (g *Gateway) stays(height uint64) uint64 {
	return (height - min(height, g.c.Depth)) / segmentBlocks * segmentBlocks
}

// tailAt returns the piece of the tail that has a block. The block is below the tip's height.
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
	if len(old) > 0 { // what was there before stays there, with what came to it
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
		return nil, wrong("no block %d", at)
	}
	return r, nil
}

// piece returns the piece that ends with a block, or that and some before it, from a block on at most: from old ones, the cache or a daemon.
func (g *Gateway) piece(ctx context.Context, old []*run, from, last uint64, id xmr.Hash) ([]*run, error) {
	first := last / tailBlocks * tailBlocks
	from = max(from, first-min(first, maxFresh-tailBlocks))
	name := "tail-1-" + g.c.Network + "-" + strconv.FormatUint(first, 10) + "-" + id.String()
	var before *run // of the same place, ending earlier
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
		if epee.UnmarshalOwn(b, r) == nil && r.Start == first && r.ends(last, id) {
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
			r := &run{Start: first, Prev: before.Prev, IDs: slices.Concat(before.IDs, more.IDs), Blocks: slices.Concat(before.Blocks, more.Blocks)}
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
		return // Gateway.tail has it
	}
	if b, err := epee.Marshal(r); err == nil {
		g.keep(ctx, name, b, tailSeconds)
	}
}

// errMoved: the daemon's chain is another than it was said to be.
var errMoved = wrong("the chain changed meanwhile")

// ends reports whether a run ends with a block.
func (r *run) ends(last uint64, id xmr.Hash) bool {
	n := len(r.IDs)
	return n > 0 && n == len(r.Blocks) && r.Start+uint64(n)-1 == last && r.IDs[n-1] == id
}
