package service

import (
	"context"
	"maps"
	"slices"
	"sync"

	"glim/core/daemon"
	"glim/core/flight"
	"glim/core/say"
	"glim/core/syncer"
	"glim/core/xmr"
)

// maxPool is how many transactions a pool may hold, well above what fits into its memory.
// Source: src/cryptonote_config.h, DEFAULT_TXPOOL_MAX_WEIGHT.
const maxPool = 1 << 20

// maxKept is how many transactions of a pool are kept for other wallets; those beyond are fetched for each.
const maxKept = 256

// poolTracker follows one daemon's pool for the wallets that use it: daemons since RPC 3.11 tell only what changed.
type poolTracker struct {
	client *daemon.Client
	news   flight.Latest[struct{}] // changes what follows

	mu      sync.Mutex
	begun   bool
	changes bool   // whether the daemon tells changes
	since   uint64 // its time of the last answer
	ids     map[xmr.Hash]bool
	kept    map[xmr.Hash]*daemon.PoolTx
}

func newPool(client *daemon.Client) *poolTracker {
	p := &poolTracker{client: client, ids: map[xmr.Hash]bool{}, kept: map[xmr.Hash]*daemon.PoolTx{}}
	p.news.Ask = func(ctx context.Context) (struct{}, error) { return struct{}{}, p.update(ctx) }
	return p
}

// look returns the IDs in the pool and the transactions among them that are not known.
func (p *poolTracker) look(ctx context.Context, known func(xmr.Hash) bool) ([]xmr.Hash, []daemon.PoolTx, error) {
	if _, err := p.news.Get(ctx); err != nil {
		return nil, nil, err
	}
	have, missing := p.unknown(known)
	found, gone, err := p.client.Transactions(ctx, missing, daemon.Pruned)
	if err != nil {
		return nil, nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, id := range gone {
		delete(p.ids, id)
	}
	for _, t := range found {
		if t.InPool {
			made := daemon.PoolTx{Tx: t.Tx, DoubleSpendSeen: t.DoubleSpendSeen}
			p.keep(&made)
			have = append(have, made)
		}
	}
	return slices.Collect(maps.Keys(p.ids)), have, nil
}

// update makes ids what the daemon's pool holds now. It is never called twice at once.
func (p *poolTracker) update(ctx context.Context) error {
	err := p.next(ctx)
	if err != nil {
		p.mu.Lock()
		p.begun = false // part of what was told may be missing here
		p.mu.Unlock()
	}
	return err
}

func (p *poolTracker) next(ctx context.Context) error {
	if !p.begun {
		version, err := p.client.Version(ctx)
		if err != nil {
			return err
		}
		p.mu.Lock()
		p.begun, p.changes, p.since = true, version.PoolInfo(), 0
		clear(p.ids)
		clear(p.kept)
		p.mu.Unlock()
	}
	if p.changes {
		raw, err := p.client.RawBlocks(ctx, daemon.BlocksRequest{Pool: daemon.OnlyPool, PoolSince: p.since})
		if err != nil {
			return err
		}
		change, err := raw.DecodePool()
		if err != nil {
			return err
		}
		if change.Known {
			return p.apply(change)
		}
	}
	ids, err := p.client.PoolHashes(ctx)
	if err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.ids)
	for _, id := range ids {
		p.ids[id] = true
	}
	p.prune()
	return nil
}

func (p *poolTracker) apply(change daemon.PoolChange) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if change.Full {
		clear(p.ids)
	}
	if n := len(p.ids) + len(change.Added) + len(change.More); n > maxPool {
		return say.Errorf("%w: %d transactions in its pool", daemon.ErrDaemonLied, n)
	}
	for _, id := range change.Removed {
		delete(p.ids, id)
	}
	for _, id := range change.More {
		p.ids[id] = true
	}
	p.prune()
	for i := range change.Added {
		p.ids[change.Added[i].ID] = true
		p.keep(&change.Added[i])
	}
	p.since = change.Time
	return nil
}

// prune drops what left the pool.
func (p *poolTracker) prune() {
	maps.DeleteFunc(p.kept, func(id xmr.Hash, _ *daemon.PoolTx) bool { return !p.ids[id] })
}

// keep holds t for other wallets, in the place of any other when there are too many: those just come are asked for next.
func (p *poolTracker) keep(t *daemon.PoolTx) {
	if len(p.kept) >= maxKept {
		for id := range p.kept {
			delete(p.kept, id)
			break
		}
	}
	p.kept[t.ID] = t
}

// unknown returns the transactions of the pool that are not known, and the IDs of those that have to be fetched.
func (p *poolTracker) unknown(known func(xmr.Hash) bool) (have []daemon.PoolTx, missing []xmr.Hash) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for id := range p.ids {
		if known(id) {
			continue
		}
		if t, ok := p.kept[id]; ok {
			have = append(have, *t)
		} else {
			missing = append(missing, id)
		}
	}
	return have, missing
}

// Pool asks what the pool holds.
func (l *link) Pool(ctx context.Context, known func(xmr.Hash) bool) (syncer.Pool, error) {
	ids, added, err := l.pool.look(ctx, known)
	if err != nil {
		return syncer.Pool{}, err
	}
	pool := syncer.Pool{IDs: ids, Txs: make([]syncer.Tx, len(added))}
	for i := range added {
		pool.Txs[i] = syncTx(&added[i].Tx)
		pool.Txs[i].DoubleSpendSeen = added[i].DoubleSpendSeen
	}
	return pool, nil
}
