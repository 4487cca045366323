package service

import (
	"context"
	"errors"
	"sync/atomic"

	"glim/core/daemon"
	"glim/core/internal/compact"
	"glim/core/rpc"
	"glim/core/say"
	"glim/core/syncer"
	"glim/core/tx"
	"glim/core/xmr"
)

// Compact says how compact blocks are used, with less than half the bytes of others, where a daemon has them.
type Compact struct {
	Off bool // blocks in full alone
	// Every is how many blocks go by, on average, until one is proven in which nothing of the wallet was found: DefaultEvery when 0, all when 1.
	Every uint16
}

// DefaultEvery makes proving cost a twentieth of what compact blocks take.
const DefaultEvery = 128

// lean is what is known of a daemon's compact blocks.
type lean struct {
	away  atomic.Int64 // how many more times blocks are asked for in full, because it has none
	never atomic.Bool  // it has lied
}

// forget is how many times blocks are asked for in full before compact ones are tried again.
const forget = 200

// use reports whether compact blocks are to be asked for.
func (l *lean) use() bool { return l != nil && !l.never.Load() && l.away.Add(-1) < 0 }

// failed notes that a daemon gave no compact blocks, and blocks in full when it was asked for them next.
func (l *lean) failed(err error, log Log) {
	if errors.Is(err, daemon.ErrDaemonLied) {
		l.never.Store(true)
		log.Warn("the daemon's compact blocks are not the blocks of the chain; from now on blocks are asked for in full. "+
			"What they told may be wrong: choose another daemon and scan again (rescan_bc)", "error", err)
		return
	}
	l.away.Store(forget)
	log.Debug("no compact blocks", "error", err)
}

// compactBlocks asks for compact blocks: for those of whole segments while that is possible, so that wallets ask in the same words wherever
// they are, otherwise by the history, which is also what finds the way back to a chain that changed.
func (s source) compactBlocks(ctx context.Context, q syncer.Question) ([]daemon.Block, uint64, error) {
	byHistory := daemon.BlocksRequest{History: q.History, Start: q.Start}
	ask, known, ok := aligned(q)
	if !ok {
		return s.readCompact(ctx, byHistory)
	}
	blocks, current, err := s.readCompact(ctx, ask)
	switch {
	case errors.Is(err, daemon.ErrRefused): // it has no such block
		return s.readCompact(ctx, byHistory)
	case err != nil || q.Start > 0:
		return blocks, current, err
	}
	switch {
	case known < 0 && len(blocks) > 0 && blocks[0].Prev == q.History[0]:
		return blocks, current, nil
	case known >= 0 && known < len(blocks) && blocks[known].Hash == q.History[0]:
		return blocks[known:], current, nil
	}
	return s.readCompact(ctx, byHistory)
}

// aligned returns what to ask for in the place of q: blocks from a multiple of compact.Segment on, nearer to the end of one of a tenth of it, and
// at last just what is new, so that what is read twice is never much of it. known is where in the answer the newest known block is, -1 for
// before its first. Where nothing is new, ok is false.
func aligned(q syncer.Question) (r daemon.BlocksRequest, known int, ok bool) {
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
	if r.Start == 0 { // which stands for the history: the block that all know
		r.History = q.History[len(q.History)-1:]
	}
	return r, int(int64(next) - int64(r.Start) - 1), true
}

// readCompact asks for compact blocks.
func (s source) readCompact(ctx context.Context, q daemon.BlocksRequest) ([]daemon.Block, uint64, error) {
	most, ended := s.pace.start()
	q.Max = most
	raw, err := s.client.RawCompact(ctx, q)
	if err != nil {
		return nil, 0, err // which may be that there are none: blocks in full, which are asked for then, tell whether the way is slow
	}
	ended(raw.Len(), nil)
	parsed := make([]*compact.Block, raw.Len())
	if err := s.crew.Split(ctx, len(parsed), inArenas(func(a *tx.Arena, i int) (err error) {
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

// errCompact reports compact blocks that are not the blocks of the chain. Asked again, the source gives blocks in full.
var errCompact = say.Errorf("%w: in its compact blocks", daemon.ErrDaemonLied)

// tailCover is how many times more often newest blocks are proven: who follows the chain may be paid in many of them.
const tailCover = 16

// Cover is syncer.Prover's.
func (s source) Cover(left uint64) uint64 {
	if left < wholeBlocks {
		return max(s.cover/tailCover, 1)
	}
	return s.cover
}

// Prove is syncer.Prover's.
func (s source) Prove(ctx context.Context, blocks []syncer.Block) error {
	var shown []daemon.Shown
	compact := false
	for i := range blocks {
		for _, t := range blocks[i].Txs {
			if !t.Proven {
				shown = append(shown, daemon.Shown{ID: t.ID, Block: blocks[i].Hash, Tx: t.Tx, Compact: t.Compact})
				compact = compact || t.Compact
			}
		}
	}
	err := s.client.Prove(ctx, shown)
	if compact && errors.Is(err, daemon.ErrDaemonLied) && !errors.Is(err, rpc.ErrAnswer) {
		s.lean.failed(err, s.log)
		return errCompact
	}
	return err
}

// ringed is a link for wallets that have to see rings, which compact blocks leave out.
type ringed struct {
	*stream
	link *link
}

// WithRings returns the link for who needs transactions as they are.
func (l *link) WithRings() syncer.Source { return ringed{l.full, l} }

// Pool asks what the pool holds.
func (r ringed) Pool(ctx context.Context, known func(*syncer.Telling, xmr.Hash) bool) (syncer.Pool, error) {
	return r.link.Pool(ctx, known)
}
