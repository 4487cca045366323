package service

import (
	"context"
	"slices"
	"sync"

	"glim/core/internal/flight"
	"glim/core/syncer"
	"glim/core/xmr"
)

// maxBatches bounds, in transactions, the blocks kept for wallets that follow: some tens of megabytes.
const maxBatches = 10_000

// top is where a daemon's chain ends.
type top struct {
	height uint64 // number of blocks
	id     xmr.Hash
}

// stream reads one daemon's chain for all wallets that follow it. Wallets that stand at the same block get the same blocks, fetched
// and decoded once. Batches are kept while the chain ends where it ended when they came: what was true of a chain
// with that end stays true of it. They are shared, and nobody changes them.
type stream struct {
	source interface {
		Blocks(ctx context.Context, q syncer.Question) (syncer.Batch, error)
	}
	prover syncer.Prover // of the source; or nil
	end    flight.Latest[top]

	mu      sync.Mutex
	top     top
	shared  bool   // more than one wallet is there to keep batches for
	batches []kept // oldest first
	size    int    // their transactions
	flights map[question]*flight.Flight[syncer.Batch]
}

// kept is a batch with the question it answers.
type kept struct {
	question
	syncer.Batch
}

// question is what decides where the blocks of an answer begin, as long as the chain ends at the same block.
type question struct {
	top   xmr.Hash
	known xmr.Hash // newest of the history
	start uint64
}

func newStream(from source) *stream {
	s := &stream{source: from, prover: from, flights: map[question]*flight.Flight[syncer.Batch]{}}
	s.end.Ask = from.Top
	return s
}

// share says whether batches are worth keeping.
func (s *stream) share(yes bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shared = yes; !yes {
		s.batches, s.size = nil, 0
	}
}

// Height returns the daemon's number of blocks, asked no earlier than the call. Errors: NetworkError, the client's.
func (s *stream) Height(ctx context.Context) (uint64, error) {
	now, err := s.end.Get(ctx)
	if err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if now != s.top {
		s.top, s.batches, s.size = now, nil, 0
	}
	return now.height, nil
}

// heard returns where the daemon's chain ended when it was asked last.
func (s *stream) heard() top {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.top
}

// Cover is syncer.Prover's.
func (s *stream) Cover(left uint64) uint64 {
	if s.prover == nil {
		return 0
	}
	return s.prover.Cover(left)
}

// Prove is syncer.Prover's. What was kept for other wallets goes when it fails.
func (s *stream) Prove(ctx context.Context, blocks []syncer.Block) error {
	err := s.prover.Prove(ctx, blocks)
	if err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.batches, s.size = nil, 0
	}
	return err
}

// Blocks returns blocks from the newest of the history on the daemon's chain or from the start; none, without asking, to who is where it ends.
func (s *stream) Blocks(ctx context.Context, asked syncer.Question) (syncer.Batch, error) {
	s.mu.Lock()
	q := question{top: s.top.id, start: asked.Start}
	if len(asked.History) > 0 {
		q.known = asked.History[0]
	}
	if q.start == 0 && q.known == s.top.id && s.top.height > 0 {
		defer s.mu.Unlock()
		return syncer.Batch{Height: s.top.height}, nil
	}
	if b, ok := s.find(q); ok && continues(&b, &asked) {
		s.mu.Unlock()
		return b, nil
	}
	f := s.flights[q]
	if f == nil {
		f = flight.New(func(ctx context.Context) (syncer.Batch, error) { return s.source.Blocks(ctx, asked) })
		s.flights[q] = f
		f.Start(func() { s.landed(q, f) })
	}
	f.Waiting++
	s.mu.Unlock()
	b, err := f.Wait(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if f.Waiting--; f.Waiting == 0 {
			f.Cancel()
			s.forget(q, f) // whoever comes now asks anew
		}
	})
	if err == nil && !continues(&b, &asked) {
		return s.source.Blocks(ctx, asked)
	}
	return b, err
}

// continues reports whether a batch answers a question of its own, whatever else was asked with the same newest block. Where that block is on no chain any
// more, the answer depends on all blocks that are known, and wallets of different ages know different ones.
func continues(b *syncer.Batch, asked *syncer.Question) bool {
	if len(b.Blocks) == 0 || asked.Start > 0 {
		return true
	}
	first := &b.Blocks[0]
	return first.Height == 0 || slices.Contains(asked.History, first.Hash) || slices.Contains(asked.History, first.Prev)
}

func (s *stream) landed(q question, f *flight.Flight[syncer.Batch]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forget(q, f)
	if b, err := f.Landed(); err == nil && s.shared && s.top.id == q.top && b.Height == s.top.height {
		s.keep(kept{q, b})
	}
}

func (s *stream) forget(q question, f *flight.Flight[syncer.Batch]) {
	if s.flights[q] == f {
		delete(s.flights, q)
	}
}

// keep adds a batch and drops the oldest that are too many.
func (s *stream) keep(b kept) {
	s.batches = append(s.batches, b)
	s.size += b.transactions()
	for s.size > maxBatches && len(s.batches) > 1 {
		s.size -= s.batches[0].transactions()
		s.batches = append([]kept(nil), s.batches[1:]...)
	}
}

func (b *kept) transactions() (n int) {
	for i := range b.Blocks {
		n += len(b.Blocks[i].Txs)
	}
	return n
}

// find answers q from the batches kept.
func (s *stream) find(q question) (syncer.Batch, bool) {
	for i := len(s.batches) - 1; i >= 0; i-- {
		if b, ok := s.batches[i].answer(q); ok {
			return b, true
		}
	}
	return syncer.Batch{}, false
}

// answer returns the blocks from the one known, or the height asked for, to the end of the batch. The last block of a batch that
// does not reach the top leads nowhere; the batch after it may begin with it. A block that is on no chain any more is
// in no batch: then only the same question has the same answer.
func (b *kept) answer(q question) (syncer.Batch, bool) {
	if b.question == q {
		return b.Batch, true
	}
	n := len(b.Blocks)
	for i := range b.Blocks {
		found := b.Blocks[i].Hash == q.known
		if q.start > 0 {
			found = b.Blocks[i].Height == q.start
		}
		if found && (i+1 < n || b.Blocks[i].Height+1 == b.Height) {
			return syncer.Batch{Blocks: b.Blocks[i:], Height: b.Height}, true
		}
	}
	return syncer.Batch{}, false
}
