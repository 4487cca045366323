package service

import (
	"context"
	"maps"
	"slices"
	"sync"

	"glim/core/daemon"
	"glim/core/internal/flight"
	"glim/core/smallfmt"
	"glim/core/syncer"
	"glim/core/xmr"
)

// maxPool limits the number of transactions in a pool, well above what fits into a daemon's pool.
// Source: src/cryptonote_config.h, DEFAULT_TXPOOL_MAX_WEIGHT.
const maxPool = 1 << 20

// maxKept limits the transactions kept for other wallets; the rest is fetched for each wallet.
const maxKept = 256

// wholePool is the interval, in seconds, between requests for the complete pool; in between, only changes are
// requested. Another daemon may have taken over the address, and it would not report the removal of transactions that
// it never had.
const wholePool = 300

// maxPoolAge is how many seconds a transaction is considered to be in the pool. No daemon keeps one for longer.
// Source: src/cryptonote_config.h, CRYPTONOTE_MEMPOOL_TX_FROM_ALT_BLOCK_LIVETIME.
const maxPoolAge = 7 * 24 * 3600

// poolTracker follows one daemon's pool for all wallets that use the daemon. Daemons since RPC 3.11 report only
// changes.
type poolTracker struct {
	client *daemon.Client
	now    func() uint64           // POSIX seconds
	news   flight.Latest[struct{}] // updates the fields below

	mu      sync.Mutex
	telling *syncer.PoolEpoch // begun by the last request for the complete pool; nil to send another one next
	asked   uint64            // time of that request, POSIX seconds
	changes bool              // whether the daemon reports changes
	since   uint64            // the daemon's time of the last response
	ids     map[xmr.Hash]bool
	first   map[xmr.Hash]uint64 // when each was first reported, POSIX seconds
	kept    map[xmr.Hash]*daemon.PoolTx
}

func newPool(client *daemon.Client, now func() uint64) *poolTracker {
	p := &poolTracker{client: client, now: now, ids: map[xmr.Hash]bool{}, first: map[xmr.Hash]uint64{},
		kept: map[xmr.Hash]*daemon.PoolTx{}}
	p.news.Do = func(ctx context.Context) (struct{}, error) { return struct{}{}, p.update(ctx) }
	return p
}

// restart makes the next poll request the complete pool.
func (p *poolTracker) restart() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.telling = nil
}

// poll returns the contents of the pool, with the transactions that known does not recognise.
func (p *poolTracker) poll(ctx context.Context, known func(*syncer.PoolEpoch, xmr.Hash) bool) (syncer.Pool, error) {
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

// update makes ids equal the daemon's pool. Calls do not overlap.
func (p *poolTracker) update(ctx context.Context) error {
	err := p.next(ctx)
	if err != nil {
		p.restart() // some reported changes may be missing
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
		p.telling, p.asked = new(syncer.PoolEpoch), now
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
		return smallfmt.Errorf("%w: %d transactions in its pool", daemon.ErrInvalidResponse, n)
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

// prune drops transactions that left the pool, and records when the others were first reported.
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

// keep stores t for other wallets. If too many are stored, it replaces an arbitrary one, because the newest are
// requested next.
func (p *poolTracker) keep(t *daemon.PoolTx) {
	if len(p.kept) >= maxKept {
		for id := range p.kept {
			delete(p.kept, id)
			break
		}
	}
	p.kept[t.ID] = t
}

// unknown returns the IDs of the pool, the kept transactions that known does not recognise, and the IDs of those to
// fetch.
func (p *poolTracker) unknown(
	known func(*syncer.PoolEpoch, xmr.Hash) bool,
) (pool syncer.Pool, have []daemon.PoolTx, missing []xmr.Hash) {
	p.mu.Lock()
	defer p.mu.Unlock()
	pool.Epoch = p.telling
	if pool.Epoch == nil {
		pool.Epoch = new(syncer.PoolEpoch) // the next poll requests the complete pool
	}
	now := p.now()
	for id := range p.ids {
		if first, ok := p.first[id]; ok && now > first && now-first > maxPoolAge {
			continue
		}
		pool.IDs = append(pool.IDs, id)
		if known(pool.Epoch, id) {
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
