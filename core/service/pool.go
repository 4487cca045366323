package service

import (
	"context"
	"maps"
	"slices"
	"sync"

	"glim/core/daemon"
	"glim/core/internal/flight"
	"glim/core/say"
	"glim/core/syncer"
	"glim/core/xmr"
)

// maxPool is how many transactions a pool may hold, well above what fits into its memory.
// Source: src/cryptonote_config.h, DEFAULT_TXPOOL_MAX_WEIGHT.
const maxPool = 1 << 20

// maxKept is how many transactions of a pool are kept for other wallets; those beyond are fetched for each.
const maxKept = 256

// wholePool is how many seconds a daemon is asked for changes of its pool alone. Then it is asked for all of it, and what it does not tell
// again is gone: somebody else may answer at its address by now, who knows nothing of what was told before.
const wholePool = 300

// maxPoolAge is how many seconds a transaction is believed to be in the pool. No daemon keeps one for longer.
// Source: src/cryptonote_config.h, CRYPTONOTE_MEMPOOL_TX_FROM_ALT_BLOCK_LIVETIME.
const maxPoolAge = 7 * 24 * 3600

// poolTracker follows one daemon's pool for the wallets that use it: daemons since RPC 3.11 tell only what changed.
type poolTracker struct {
	client *daemon.Client
	now    func() uint64           // POSIX seconds
	news   flight.Latest[struct{}] // changes what follows

	mu      sync.Mutex
	telling *syncer.Telling // since all of the pool was asked for; nil to ask for it next
	asked   uint64          // when that was, POSIX seconds
	changes bool            // whether the daemon tells changes
	since   uint64          // its time of the last answer
	ids     map[xmr.Hash]bool
	first   map[xmr.Hash]uint64 // when it told of each for the first time, POSIX seconds
	kept    map[xmr.Hash]*daemon.PoolTx
}

func newPool(client *daemon.Client, now func() uint64) *poolTracker {
	p := &poolTracker{client: client, now: now, ids: map[xmr.Hash]bool{}, first: map[xmr.Hash]uint64{}, kept: map[xmr.Hash]*daemon.PoolTx{}}
	p.news.Ask = func(ctx context.Context) (struct{}, error) { return struct{}{}, p.update(ctx) }
	return p
}

// restart makes the next look ask for all of the pool.
func (p *poolTracker) restart() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.telling = nil
}

// look returns what the pool holds, and the transactions that are not known.
func (p *poolTracker) look(ctx context.Context, known func(*syncer.Telling, xmr.Hash) bool) (syncer.Pool, error) {
	if _, err := p.news.Get(ctx); err != nil {
		return syncer.Pool{}, err
	}
	pool, have, missing := p.unknown(known)
	found, gone, err := p.client.Transactions(ctx, missing, daemon.Pruned)
	if err != nil {
		return syncer.Pool{}, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, id := range gone {
		delete(p.ids, id)
	}
	pool.IDs = slices.DeleteFunc(pool.IDs, func(id xmr.Hash) bool { return !p.ids[id] })
	for _, t := range found {
		if t.InPool {
			made := daemon.PoolTx{Tx: t.Tx, DoubleSpendSeen: t.DoubleSpendSeen}
			p.keep(&made)
			have = append(have, made)
		}
	}
	pool.Txs = make([]syncer.Tx, len(have))
	for i := range have {
		pool.Txs[i] = syncTx(&have[i].Tx)
		pool.Txs[i].DoubleSpendSeen = have[i].DoubleSpendSeen
	}
	return pool, nil
}

// update makes ids what the daemon's pool holds now. It is never called twice at once.
func (p *poolTracker) update(ctx context.Context) error {
	err := p.next(ctx)
	if err != nil {
		p.restart() // part of what was told may be missing here
	}
	return err
}

func (p *poolTracker) next(ctx context.Context) error {
	now := p.now()
	p.mu.Lock()
	begun := p.telling != nil && now >= p.asked && now-p.asked < wholePool
	p.mu.Unlock()
	if !begun {
		version, err := p.client.Version(ctx)
		if err != nil {
			return err
		}
		p.mu.Lock()
		p.telling, p.asked = new(syncer.Telling), now
		p.changes, p.since = version.PoolInfo(), 0
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
	for i := range change.Added {
		p.ids[change.Added[i].ID] = true
	}
	p.prune()
	for i := range change.Added {
		p.keep(&change.Added[i])
	}
	p.since = change.Time
	return nil
}

// prune drops what left the pool, and notes when the daemon told of the rest first.
func (p *poolTracker) prune() {
	maps.DeleteFunc(p.kept, func(id xmr.Hash, _ *daemon.PoolTx) bool { return !p.ids[id] })
	maps.DeleteFunc(p.first, func(id xmr.Hash, _ uint64) bool { return !p.ids[id] })
	now := p.now()
	for id := range p.ids {
		if first, known := p.first[id]; !known || first > now {
			p.first[id] = now
		}
	}
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

// unknown returns the IDs of the pool, the transactions of it that are not known, and the IDs of those that have to be fetched.
func (p *poolTracker) unknown(known func(*syncer.Telling, xmr.Hash) bool) (pool syncer.Pool, have []daemon.PoolTx, missing []xmr.Hash) {
	p.mu.Lock()
	defer p.mu.Unlock()
	pool.Telling = p.telling
	if pool.Telling == nil {
		pool.Telling = new(syncer.Telling) // it is asked for anew already
	}
	now := p.now()
	for id := range p.ids {
		if first, ok := p.first[id]; ok && now > first && now-first > maxPoolAge {
			continue
		}
		pool.IDs = append(pool.IDs, id)
		if known(pool.Telling, id) {
			continue
		}
		if t, ok := p.kept[id]; ok {
			have = append(have, *t)
		} else {
			missing = append(missing, id)
		}
	}
	return pool, have, missing
}

// Pool asks what the pool holds.
func (l *link) Pool(ctx context.Context, known func(*syncer.Telling, xmr.Hash) bool) (syncer.Pool, error) {
	return l.pool.look(ctx, known)
}
