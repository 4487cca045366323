package gateway

import (
	"container/list"
	"context"
	"strconv"
	"sync"

	"glim/core/codec/epee"
	"glim/core/internal/compact"
	"glim/core/xmr"
)

const (
	segmentBlocks = compact.Segment
	segmentName   = "compact-1-" // prefix of segment names, with the format version of the blocks
)

// maxSegments is the size limit of the segments in memory, in bytes.
const maxSegments = 24 << 20

// segments holds runs of blocks that are assumed to be final. The ID of its last block determines all blocks of a
// segment and is part of its name, so that segments have other names after a reorganisation that deep.
type segments struct {
	mu     sync.Mutex
	ids    map[uint64]xmr.Hash // IDs of last blocks, by the index of the first
	known  map[xmr.Hash]uint64 // heights of the blocks in kept
	kept   map[xmr.Hash]*list.Element
	order  *list.List // of *run, most recently used first
	size   int
	anchor uint64   // index of the block by which steady recognises a deep reorganisation
	id     xmr.Hash // of the anchor; zero for none
	asked  uint64   // time of the view at the last check of the anchor
}

func newSegments() segments {
	return segments{
		ids:   map[uint64]xmr.Hash{},
		known: map[xmr.Hash]uint64{},
		kept:  map[xmr.Hash]*list.Element{},
		order: list.New(),
	}
}

func (s *segments) heightOf(id xmr.Hash) (uint64, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at, ok := s.known[id]
	return at, ok
}

func (s *segments) get(id xmr.Hash) (*run, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e, ok := s.kept[id]
	if !ok {
		return nil, false
	}
	s.order.MoveToFront(e)
	return e.Value.(*run), true
}

func (s *segments) put(id xmr.Hash, r *run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept[id] != nil {
		return
	}
	s.kept[id] = s.order.PushFront(r)
	s.size += r.size()
	for i := range r.IDs {
		s.known[r.IDs[i]] = r.Start + uint64(i)
	}
	for s.size > maxSegments && s.order.Len() > 1 {
		old := s.order.Remove(s.order.Back()).(*run)
		s.size -= old.size()
		delete(s.kept, old.IDs[len(old.IDs)-1])
		for i := range old.IDs {
			delete(s.known, old.IDs[i])
		}
	}
}

// segment returns the segment that begins at index first, from memory, the cache or a daemon, and reports whether it
// had to request it from a daemon.
func (g *Gateway) segment(ctx context.Context, first uint64) (*run, bool, error) {
	if err := g.steady(ctx); err != nil {
		return nil, false, err
	}
	s := &g.segs
	id, err := g.segmentID(ctx, first)
	if err != nil {
		return nil, false, err
	}
	done, err := g.turns.take(ctx, "segment-"+strconv.FormatUint(first, 10))
	if err != nil {
		return nil, false, err
	}
	defer done()
	if r, ok := s.get(id); ok {
		return r, false, nil
	}
	name := segmentName + g.c.Network + "-" + strconv.FormatUint(first, 10) + "-" + id.String()
	if g.c.Cache != nil {
		if b, ok := g.c.Cache.Get(ctx, name); ok {
			r := new(run)
			if epee.UnmarshalTrusted(b, r) == nil && r.Start == first && whole(r, id) {
				s.put(id, r)
				return r, false, nil
			}
		}
	}
	r, err := g.fetch(ctx, first, segmentBlocks)
	if err != nil {
		return nil, true, err
	}
	if !whole(&r, id) {
		s.forget()
		return nil, true, wrong("blocks from %d are not those of the chain", first)
	}
	s.put(id, &r)
	if g.c.Cache != nil {
		if b, err := epee.Marshal(&r); err == nil {
			g.c.Cache.Put(ctx, name, b, 0)
		}
	}
	return &r, true, nil
}

// segmentID returns the ID of the last block of a segment.
func (g *Gateway) segmentID(ctx context.Context, first uint64) (id xmr.Hash, err error) {
	s := &g.segs
	s.mu.Lock()
	id, named := s.ids[first]
	s.mu.Unlock()
	if named {
		return id, nil
	}
	if id, err = g.idOf(ctx, first+segmentBlocks-1); err != nil {
		return id, err
	}
	s.mu.Lock()
	s.ids[first] = id
	s.mu.Unlock()
	return id, nil
}

// whole reports whether a run is a complete segment that ends with the block last.
func whole(r *run, last xmr.Hash) bool {
	return len(r.Blocks) == segmentBlocks && len(r.IDs) == segmentBlocks && r.IDs[segmentBlocks-1] == last
}

// forget clears all segments and their names.
func (s *segments) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.ids)
	clear(s.known)
	clear(s.kept)
	s.order.Init()
	s.size, s.anchor, s.id = 0, 0, xmr.Hash{}
}

// steady checks, once after each comparison of the daemons, that the chain still contains the anchor, and moves the
// anchor to Depth blocks below the top. If the anchor was replaced, it clears the segments.
func (g *Gateway) steady(ctx context.Context) error {
	g.mu.Lock()
	at, height := g.view.at, g.view.height
	g.mu.Unlock()
	s := &g.segs
	s.mu.Lock()
	asked, anchor, id := s.asked, s.anchor, s.id
	s.asked = at
	s.mu.Unlock()
	if asked == at {
		return nil
	}
	again := func(err error) error { // the next request checks
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.asked == at {
			s.asked = asked
		}
		return err
	}
	if id != (xmr.Hash{}) {
		is, err := g.idOf(ctx, anchor)
		if err != nil {
			return again(err)
		}
		if is != id {
			s.forget()
		}
	}
	if height <= g.c.Depth {
		return nil
	}
	anchor = height - 1 - g.c.Depth
	id, err := g.idOf(ctx, anchor)
	if err != nil {
		return again(err)
	}
	s.mu.Lock()
	s.anchor, s.id = anchor, id
	s.mu.Unlock()
	return nil
}
