package service

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/internal/flight"
	"glim/core/journal"
	"glim/core/keys"
	"glim/core/session"
	"glim/core/syncer"
	"glim/core/wallet"
	"glim/core/xmr"
)

// countedChain is a chain that is read through a stream. It counts the requests.
type countedChain struct {
	*chaintest.Source
	stream *stream
	chain  atomic.Pointer[chaintest.Chain]
	asked  map[string]*atomic.Int64
}

func newCountedChain(c *chaintest.Chain, batch int) *countedChain {
	w := &countedChain{
		Source: chaintest.NewSource(c),
		asked:  map[string]*atomic.Int64{"top": {}, "blocks": {}, "pool": {}},
	}
	w.chain.Store(c)
	w.Source.Batch = batch
	w.Before = func(_ context.Context, call string) error { w.asked[call].Add(1); return nil }
	w.stream = &stream{source: w, flights: map[batchKey]*flight.Call[syncer.Batch]{}}
	w.stream.end.Do = func(context.Context) (chainTop, error) {
		w.asked["top"].Add(1)
		c := w.chain.Load()
		return chainTop{c.Height(), c.Blocks[len(c.Blocks)-1].Hash}, nil
	}
	w.stream.share(true)
	return w
}

func (w *countedChain) to(c *chaintest.Chain) {
	w.chain.Store(c)
	w.Switch(c)
}

// streamSource is the syncer.Source of a wallet that reads a countedChain.
type streamSource struct {
	*stream
	pool *chaintest.Source
}

func (t streamSource) Pool(ctx context.Context, known func(*syncer.PoolEpoch, xmr.Hash) bool) (syncer.Pool, error) {
	return t.pool.Pool(ctx, known)
}

func follower(t *testing.T, n byte) *session.Session {
	t.Helper()
	k, err := keys.FromSeed([32]byte{n, 1})
	require.NoError(t, err)
	s, err := session.Create(journal.NewMemory(), nil, journal.WeakestKDF(),
		wallet.Identity{Network: xmr.Regtest, Keys: k},
		wallet.Lookahead{Major: 1, Minor: 2}, session.Host{
			Random: rand.Reader, Now: func() uint64 { return 0 }, Workers: 1,
		})
	require.NoError(t, err)
	return s
}

func height(s *session.Session) (h uint64) {
	s.View(func(w *wallet.Wallet) { h = w.Height() })
	return h
}

// TestOneStreamForAll checks that wallets that follow a chain, concurrently or one after another, fetch each block
// once and reach the top, also after a reorganisation.
func TestOneStreamForAll(t *testing.T) {
	const blocks, batch, wallets = 120, 20, 12
	c := chaintest.New("stream", xmr.Regtest)
	c.Grow(blocks / 2)
	branch := c.Fork("branch", c.Height())
	c.Grow(blocks / 2)
	branch.Grow(blocks)
	w := newCountedChain(c, batch)
	all := make([]*session.Session, wallets)
	for i := range all {
		all[i] = follower(t, byte(i))
	}
	refresh := func(some []*session.Session) {
		var group sync.WaitGroup
		errs := make([]error, len(some))
		for i, s := range some {
			group.Go(func() { _, errs[i] = s.Refresh(t.Context(), streamSource{w.stream, w.Source}, 0) })
		}
		group.Wait()
		require.NoError(t, errors.Join(errs...))
	}

	// One after another: only the first wallet sends requests.
	refresh(all[:1])
	alone := w.asked["blocks"].Load()
	require.Positive(t, alone)
	for i := 1; i < wallets/2; i++ {
		refresh(all[i : i+1])
		require.Equal(t, alone, w.asked["blocks"].Load(), "fetched again for wallet %d", i)
	}
	// Concurrently.
	refresh(all)
	require.Equal(t, alone, w.asked["blocks"].Load())
	for _, s := range all {
		require.Equal(t, c.Height(), height(s))
	}

	// After a reorganisation, again only the first wallet sends requests.
	w.to(branch)
	refresh(all[:1])
	again := w.asked["blocks"].Load()
	require.Greater(t, again, alone)
	refresh(all)
	require.Equal(t, again, w.asked["blocks"].Load())
	for _, s := range all {
		require.Equal(t, branch.Height(), height(s))
	}
	// All wallets start concurrently on a new stream.
	w = newCountedChain(branch, batch)
	fresh := make([]*session.Session, wallets)
	for i := range fresh {
		fresh[i] = follower(t, byte(100+i))
	}
	refresh(fresh)
	for i, s := range fresh {
		require.Equal(t, branch.Height(), height(s), i)
	}
}

// TestKeptBatchesAreBounded checks that kept batches do not exceed their limit, and that none are kept for a single
// wallet.
func TestKeptBatchesAreBounded(t *testing.T) {
	w := newCountedChain(chaintest.New("forget", xmr.Regtest), 1)
	tx := make([]syncer.Tx, maxBatches/2+1)
	for i := range 4 {
		w.stream.keep(keptBatch{Batch: syncer.Batch{Blocks: []syncer.Block{{Height: uint64(i), Txs: tx}}}})
		require.Len(t, w.stream.batches, 1)
		require.Equal(t, len(tx), w.stream.size)
	}
	w.stream.share(false)
	require.Empty(t, w.stream.batches)
}

// TestAbandonedRequestIsCancelled checks that a request is cancelled when no caller waits for it any more.
func TestAbandonedRequestIsCancelled(t *testing.T) {
	w := newCountedChain(chaintest.New("giveup", xmr.Regtest), 1)
	entered := make(chan struct{}, 10)
	w.Before = func(ctx context.Context, call string) error {
		entered <- struct{}{}
		<-ctx.Done()
		return ctx.Err()
	}
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error)
	go func() {
		_, err := w.stream.Blocks(ctx, syncer.Request{History: []xmr.Hash{{1}}})
		failed <- err
	}()
	<-entered
	w.stream.mu.Lock()
	f := w.stream.flights[batchKey{known: xmr.Hash{1}}]
	w.stream.mu.Unlock()
	require.NotNil(t, f)
	cancel()
	require.ErrorIs(t, <-failed, context.Canceled)
	_, err := f.Wait(t.Context(), func() {})
	require.ErrorIs(t, err, context.Canceled)
	require.Empty(t, w.stream.flights)
}

// TestSharedBlocksAreNotModified checks that no wallet modifies blocks that others read.
func TestSharedBlocksAreNotModified(t *testing.T) {
	c := chaintest.New("same", xmr.Regtest)
	c.Grow(5)
	w := newCountedChain(c, 0)
	dump := func() string {
		var b bytes.Buffer
		for i := range c.Blocks {
			fmt.Fprintf(&b, "%+v\n", c.Blocks[i])
			for _, x := range c.Blocks[i].Txs {
				fmt.Fprintf(&b, "%x\n", x.Tx.AppendPruned(nil))
			}
		}
		return b.String()
	}
	before := dump()
	for i := range 3 {
		_, err := follower(t, byte(i)).Refresh(t.Context(), streamSource{w.stream, w.Source}, 0)
		require.NoError(t, err)
	}
	require.Equal(t, before, dump())
}
