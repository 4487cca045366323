package service

import (
	"context"
	"slices"
	"sync"

	"glim/core/internal/flight"
	"glim/core/syncer"
	"glim/core/xmr"
)

// maxBatches limits the blocks kept for other wallets, in transactions: some tens of megabytes.
const maxBatches = 10_000

// chainTop is the end of a daemon's chain.
type chainTop struct {
	height uint64 // number of blocks
	id     xmr.Hash
}

// stream reads one daemon's chain for all wallets that follow it. Wallets at the same height get the same blocks,
// fetched and decoded once. Batches are kept as long as the chain has the top they were fetched with, because that top
// determines all earlier blocks. Batches are shared and must not be modified.
type stream struct {
	source interface {
		Blocks(ctx context.Context, q syncer.Request) (syncer.Batch, error)
	}
	prover syncer.Prover // may be nil
	end    flight.Latest[chainTop]

	mu      sync.Mutex
	top     chainTop
	shared  bool        // whether several wallets use the stream
	batches []keptBatch // oldest first
	size    int         // transactions in batches
	flights map[batchKey]*flight.Call[syncer.Batch]
}

// keptBatch is a batch with the request that it answers.
type keptBatch struct {
	batchKey
	syncer.Batch
}

// batchKey determines where the blocks of a response begin, as long as the chain's top stays the same.
type batchKey struct {
	top   xmr.Hash
	known xmr.Hash // newest block of the history
	start uint64
}

// chainSource is a daemon whose chain is read.
type chainSource interface {
	syncer.Prover
	Top(ctx context.Context) (chainTop, error)
	Blocks(ctx context.Context, q syncer.Request) (syncer.Batch, error)
}

func newStream(from chainSource) *stream {
	s := &stream{source: from, prover: from, flights: map[batchKey]*flight.Call[syncer.Batch]{}}
	s.end.Do = from.Top
	return s
}

// share sets whether batches are kept for other wallets.
func (s *stream) share(yes bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shared = yes; !yes {
		s.batches, s.size = nil, 0
	}
}

// Height returns the number of blocks of the daemon's chain, from a request that is sent after the call begins. It
// returns a *NetworkError or the client's error.
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

// lastTop returns the top of the daemon's chain as it was last reported.
func (s *stream) lastTop() chainTop {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.top
}

// DecoyInterval implements syncer.Prover.
func (s *stream) DecoyInterval(left uint64) uint64 {
	if s.prover == nil {
		return 0
	}
	return s.prover.DecoyInterval(left)
}

// Prove implements syncer.Prover. It discards the kept batches if it fails.
func (s *stream) Prove(ctx context.Context, blocks []syncer.Block) error {
	err := s.prover.Prove(ctx, blocks)
	if err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.batches, s.size = nil, 0
	}
	return err
}

// Blocks returns blocks from the newest of the history that is on the daemon's chain, or from the start. A wallet
// that is at the top gets no blocks, and no request is sent.
func (s *stream) Blocks(ctx context.Context, asked syncer.Request) (syncer.Batch, error) {
	s.mu.Lock()
	q := batchKey{top: s.top.id, start: asked.Start}
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
			s.forget(q, f) // later callers send a new request
		}
	})
	if err == nil && !continues(&b, &asked) {
		return s.source.Blocks(ctx, asked)
	}
	return b, err
}

// continues reports whether a batch fetched for one request also answers another one with the same newest block. If
// that block is no longer on the chain, the response depends on all blocks of the history, and wallets of different
// ages have different histories.
func continues(b *syncer.Batch, asked *syncer.Request) bool {
	if len(b.Blocks) == 0 || asked.Start > 0 {
		return true
	}
	first := &b.Blocks[0]
	return first.Height == 0 || slices.Contains(asked.History, first.Hash) || slices.Contains(asked.History, first.Prev)
}

func (s *stream) landed(q batchKey, f *flight.Call[syncer.Batch]) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forget(q, f)
	if b, err := f.Result(); err == nil && s.shared && s.top.id == q.top && b.Height == s.top.height {
		s.keep(keptBatch{q, b})
	}
}

func (s *stream) forget(q batchKey, f *flight.Call[syncer.Batch]) {
	if s.flights[q] == f {
		delete(s.flights, q)
	}
}

// keep adds a batch and drops the oldest ones beyond the limit.
func (s *stream) keep(b keptBatch) {
	s.batches = append(s.batches, b)
	s.size += b.transactions()
	for s.size > maxBatches && len(s.batches) > 1 {
		s.size -= s.batches[0].transactions()
		s.batches = append([]keptBatch(nil), s.batches[1:]...)
	}
}

func (b *keptBatch) transactions() (n int) {
	for i := range b.Blocks {
		n += len(b.Blocks[i].Txs)
	}
	return n
}

// find answers q from the kept batches.
func (s *stream) find(q batchKey) (syncer.Batch, bool) {
	for i := len(s.batches) - 1; i >= 0; i-- {
		if b, ok := s.batches[i].answer(q); ok {
			return b, true
		}
	}
	return syncer.Batch{}, false
}

// answer returns the blocks from the known one, or from the requested height, to the end of the batch. If the batch
// does not reach the top, a result with only its last block could contain nothing new, so it reports false. If the
// known block was reorganised away, it is in no batch, and only an equal request has the same response.
func (b *keptBatch) answer(q batchKey) (syncer.Batch, bool) {
	if b.batchKey == q {
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
