package service

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"glim/core/daemon"
	"glim/core/internal/compact"
	"glim/core/smallfmt"
	"glim/core/syncer"
	"glim/core/tx"
)

// compactReader reads a daemon's compact blocks.
type compactReader struct {
	client  *daemon.Client
	workers syncer.Workers
	pace    *pace
}

// compactSupport records whether a daemon serves usable compact blocks.
type compactSupport struct {
	away  atomic.Int64 // remaining requests for full blocks, because the daemon has no compact ones
	never atomic.Bool  // its compact blocks were wrong
}

// fullRequests is the number of requests for full blocks before compact ones are tried again.
const fullRequests = 200

// use reports whether to request compact blocks.
func (l *compactSupport) use() bool { return l != nil && !l.never.Load() && l.away.Add(-1) < 0 }

// failed records that a daemon did not serve compact blocks, but did serve full blocks afterwards.
func (l *compactSupport) failed(err error, log Log) {
	if errors.Is(err, daemon.ErrInvalidResponse) {
		l.never.Store(true)
		log.Warn("the daemon's compact blocks differ from the chain; full blocks are requested from now on. "+
			"The wallet may show false payments: choose another daemon and scan again (rescan_bc)", "error", err)
		return
	}
	l.away.Store(fullRequests)
	log.Debug("no compact blocks", "error", err)
}

// blocks requests compact blocks. It requests complete segments where possible, so that wallets send equal requests
// wherever they are; otherwise it sends the history, which also handles reorganisations.
func (c compactReader) blocks(ctx context.Context, q syncer.Request) ([]daemon.Block, uint64, error) {
	byHistory := daemon.BlocksRequest{History: q.History, Start: q.Start}
	ask, known, ok := aligned(q)
	if !ok {
		return c.read(ctx, byHistory)
	}
	blocks, current, err := c.read(ctx, ask)
	switch {
	case errors.Is(err, daemon.ErrRefused): // the daemon has no such block
		return c.read(ctx, byHistory)
	case err != nil || q.Start > 0:
		return blocks, current, err
	}
	switch {
	case known < 0 && len(blocks) > 0 && blocks[0].Prev == q.History[0]:
		return blocks, current, nil
	case known >= 0 && known < len(blocks) && blocks[known].Hash == q.History[0]:
		return blocks[known:], current, nil
	}
	return c.read(ctx, byHistory)
}

// aligned returns the request to send instead of q. It begins at a multiple of compact.Segment, near the top at a
// multiple of a tenth of that, and finally at the first new block, so that few blocks are read twice. known is the
// position of the newest known block in the response, or -1 if that block precedes the response. ok is false if there
// are no new blocks.
func aligned(q syncer.Request) (r daemon.BlocksRequest, known int, ok bool) {
	next := q.Start
	if next == 0 {
		next = q.Newest + 1
	}
	if next >= q.Height {
		return r, 0, false
	}
	step := uint64(1)
	switch left := q.Height - next; {
	case left > compact.Segment:
		step = compact.Segment
	case left > compact.Segment/10:
		step = compact.Segment / 10
	}
	r.Start = next / step * step
	if r.Start == 0 { // 0 selects the history, so send the genesis block, which all wallets have in common
		r.History = q.History[len(q.History)-1:]
	}
	return r, int(int64(next) - int64(r.Start) - 1), true
}

// read requests and decodes compact blocks.
func (c compactReader) read(ctx context.Context, q daemon.BlocksRequest) ([]daemon.Block, uint64, error) {
	most, ended := c.pace.start()
	q.Max = most
	raw, err := c.client.RawCompact(ctx, q)
	if err != nil {
		return nil, 0, err // the pace is measured with the full blocks requested next, if there are no compact ones
	}
	ended(raw.Len(), nil)
	parsed := make([]*compact.Block, raw.Len())
	if err := c.workers.For(ctx, len(parsed), inArenas(func(a *tx.Arena, i int) (err error) {
		parsed[i], err = raw.Parse(a, i)
		return err
	})); err != nil {
		return nil, 0, err
	}
	blocks, err := raw.Link(parsed)
	if err != nil {
		return nil, 0, err
	}
	return blocks, raw.Current, nil
}

// errCompact reports compact blocks that do not match the chain's blocks. After it, the source returns full blocks.
var errCompact = smallfmt.Errorf("%w: in its compact blocks", daemon.ErrInvalidResponse)

// inArenas calls work with an arena that no other goroutine uses at the same time.
func inArenas(work func(a *tx.Arena, i int) error) func(i int) error {
	own := sync.Pool{New: func() any { return new(tx.Arena) }}
	return func(i int) error {
		a := own.Get().(*tx.Arena)
		defer own.Put(a)
		return work(a, i)
	}
}
