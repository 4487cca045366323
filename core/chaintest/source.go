package chaintest

import (
	"context"
	"slices"
	"sync"

	"glim/core/syncer"
	"glim/core/xmr"
)

// Source responds from a chain like an honest daemon. Its methods may be called from several goroutines.
type Source struct {
	// Batch is the maximum number of blocks in a response; 0 means 1000.
	Batch int
	// Before, if not nil, is called before every response with the name of the call. Its error becomes the response.
	Before func(ctx context.Context, call string) error

	mu    sync.Mutex
	chain *Chain
	pool  []syncer.Tx
}

// NewSource returns a source of c.
func NewSource(c *Chain) *Source { return &Source{chain: c} }

// Switch replaces the chain.
func (s *Source) Switch(c *Chain) {
	s.mu.Lock()
	s.chain = c
	s.mu.Unlock()
}

// SetPool replaces the transaction pool.
func (s *Source) SetPool(txs ...syncer.Tx) {
	s.mu.Lock()
	s.pool = txs
	s.mu.Unlock()
}

func (s *Source) before(ctx context.Context, call string) error {
	if s.Before == nil {
		return ctx.Err()
	}
	if err := s.Before(ctx, call); err != nil {
		return err
	}
	return ctx.Err()
}

// Height implements syncer.Source.
func (s *Source) Height(ctx context.Context) (uint64, error) {
	if err := s.before(ctx, "height"); err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.chain.Height(), nil
}

// Blocks implements syncer.Source.
func (s *Source) Blocks(ctx context.Context, q syncer.Request) (syncer.Batch, error) {
	if err := s.before(ctx, "blocks"); err != nil {
		return syncer.Batch{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.chain.Answer(q.History, q.Start, s.Batch), nil
}

// Answer returns the response of an honest daemon, with at most limit blocks; 0 means 1000.
// Source: src/cryptonote_core/blockchain.cpp, find_blockchain_supplement.
func (c *Chain) Answer(history []xmr.Hash, start uint64, limit int) syncer.Batch {
	if limit == 0 {
		limit = 1000
	}
	out := syncer.Batch{Height: c.Height()}
	if start == 0 {
		found := false
		for _, id := range history {
			i := slices.IndexFunc(c.Blocks, func(b syncer.Block) bool { return b.Hash == id })
			if found = i >= 0; found {
				start = uint64(i)
				break
			}
		}
		if !found {
			return out
		}
	}
	if start < c.Height() {
		out.Blocks = c.Blocks[start:min(start+uint64(limit), c.Height())]
	}
	return out
}

// Pool implements syncer.Source.
func (s *Source) Pool(ctx context.Context, known func(*syncer.PoolEpoch, xmr.Hash) bool) (syncer.Pool, error) {
	if err := s.before(ctx, "pool"); err != nil {
		return syncer.Pool{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var p syncer.Pool
	for _, t := range s.pool {
		p.IDs = append(p.IDs, t.ID)
		if !known(nil, t.ID) {
			p.Txs = append(p.Txs, t)
		}
	}
	return p, nil
}
