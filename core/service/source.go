package service

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"

	"glim/core/daemon"
	"glim/core/syncer"
	"glim/core/xmr"
)

// source is a daemon as the syncer sees it. It decodes blocks on several goroutines.
type source struct {
	client  *daemon.Client
	network xmr.Network
	workers int
	pool    *poolTracker
	log     *slog.Logger
}

// progressBlocks is how many blocks in one answer are worth telling about.
const progressBlocks = 50

// source returns the daemon in use, for wallet o.
func (s *Service) source(o *open) source {
	return source{s.daemon(), s.config.Network, s.config.Workers, &o.pool, s.config.Log}
}

// Height returns the daemon's number of blocks. A daemon of another network is refused: its blocks would put an end to
// the wallet's chain.
func (s source) Height(ctx context.Context) (uint64, error) {
	return daemonHeight(ctx, s.client, s.network)
}

func daemonHeight(ctx context.Context, client *daemon.Client, network xmr.Network) (uint64, error) {
	info, err := client.Info(ctx)
	if err != nil {
		return 0, err
	}
	if !serves(info.Network, network) {
		return 0, &NetworkError{Daemon: info.Network, Wallet: network}
	}
	return info.Height, nil
}

// serves reports whether a daemon's network fits a wallet's. A wallet for mainnet may be tried on a private chain, which has
// mainnet's addresses and genesis; the other way round it would be told money is real that is not meant to be.
func serves(daemon, wallet xmr.Network) bool {
	return daemon == wallet || daemon == xmr.Regtest && wallet == xmr.Mainnet
}

// NetworkError reports a daemon of another network than the wallet's.
type NetworkError struct{ Daemon, Wallet xmr.Network }

func (e *NetworkError) Error() string {
	return "the daemon is on " + e.Daemon.String() + ", the wallet on " + e.Wallet.String() + "; choose another daemon"
}

// Blocks asks for pruned blocks.
func (s source) Blocks(ctx context.Context, history []xmr.Hash, start uint64) (syncer.Batch, error) {
	raw, err := s.client.RawBlocks(ctx, daemon.BlocksRequest{History: history, Start: start})
	if err != nil {
		return syncer.Batch{}, err
	}
	blocks, err := s.decode(raw)
	if err != nil {
		return syncer.Batch{}, err
	}
	if n := len(blocks); n > progressBlocks {
		s.log.Info("reading the chain", "block", blocks[n-1].Height, "of", raw.Current-1)
	}
	out := syncer.Batch{Height: raw.Current, Blocks: make([]syncer.Block, len(blocks))}
	for i := range blocks {
		b := &blocks[i]
		out.Blocks[i] = syncer.Block{
			Height: b.Height, Hash: b.Hash, Prev: b.Prev, Version: b.Major, Timestamp: b.Timestamp,
			Txs: make([]syncer.Tx, 1+len(b.Txs)),
		}
		out.Blocks[i].Txs[0] = syncTx(&b.MinerTx)
		for j := range b.Txs {
			out.Blocks[i].Txs[1+j] = syncTx(&b.Txs[j])
		}
	}
	return out, nil
}

func syncTx(t *daemon.Tx) syncer.Tx {
	return syncer.Tx{ID: t.ID, Tx: t.Transaction, Indices: t.OutputIndices}
}

// decode spreads the blocks of an answer over the workers.
func (s source) decode(raw *daemon.RawBlocks) ([]daemon.Block, error) {
	blocks := make([]daemon.Block, raw.Len())
	errs := make([]error, max(s.workers, 1))
	var group sync.WaitGroup
	for w := range errs {
		group.Go(func() {
			for i := w; i < len(blocks) && errs[w] == nil; i += len(errs) {
				errs[w] = syncer.Contain(func() (err error) {
					blocks[i], err = raw.DecodeBlock(i)
					return err
				})
			}
		})
	}
	group.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return blocks, raw.CheckLinks(blocks)
}

// Pool asks what the pool holds.
func (s source) Pool(ctx context.Context, known func(xmr.Hash) bool) (syncer.Pool, error) {
	ids, added, err := s.pool.look(ctx, s.client, known)
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

// maxPool is how many transactions a pool may hold, well above what fits into its memory.
// Source: src/cryptonote_config.h, DEFAULT_TXPOOL_MAX_WEIGHT.
const maxPool = 1 << 20

// poolTracker follows one daemon's pool for one wallet: daemons since RPC 3.11 tell only what changed.
type poolTracker struct {
	mu      sync.Mutex
	client  *daemon.Client // whose pool this is
	changes bool           // whether it tells changes
	since   uint64         // the daemon's time of the last answer
	ids     map[xmr.Hash]bool
}

// forget makes the next look see everything anew.
func (p *poolTracker) forget() {
	p.mu.Lock()
	p.client = nil
	p.mu.Unlock()
}

// look returns the IDs in the pool and the transactions among them that are not known.
func (p *poolTracker) look(ctx context.Context, client *daemon.Client, known func(xmr.Hash) bool) ([]xmr.Hash, []daemon.PoolTx, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.client != client {
		version, err := client.Version(ctx)
		if err != nil {
			return nil, nil, err
		}
		p.client, p.changes, p.since, p.ids = client, version.PoolInfo(), 0, map[xmr.Hash]bool{}
	}
	if !p.changes {
		return client.Pool(ctx, known)
	}
	raw, err := client.RawBlocks(ctx, daemon.BlocksRequest{Pool: daemon.OnlyPool, PoolSince: p.since})
	if err != nil {
		return nil, nil, err
	}
	change, err := raw.DecodePool()
	if err != nil {
		return nil, nil, err
	}
	if !change.Known {
		return client.Pool(ctx, known)
	}
	if change.Full {
		clear(p.ids)
	}
	if n := len(p.ids) + len(change.Added) + len(change.More); n > maxPool {
		p.client = nil
		return nil, nil, fmt.Errorf("%w: %d transactions in its pool", daemon.ErrDaemonLied, n)
	}
	added, err := p.complete(ctx, change)
	if err != nil {
		p.client = nil // part of what it told may be missing here
		return nil, nil, err
	}
	for _, id := range change.Removed {
		delete(p.ids, id)
	}
	for i := range added {
		p.ids[added[i].ID] = true
	}
	p.since = change.Time
	added = slices.DeleteFunc(added, func(t daemon.PoolTx) bool { return known(t.ID) })
	return slices.Collect(maps.Keys(p.ids)), added, nil
}

// complete adds the transactions that were too many for the answer.
func (p *poolTracker) complete(ctx context.Context, change daemon.PoolChange) ([]daemon.PoolTx, error) {
	added := change.Added
	found, _, err := p.client.Transactions(ctx, change.More, daemon.Pruned)
	if err != nil {
		return nil, err
	}
	for _, t := range found {
		if t.InPool {
			added = append(added, daemon.PoolTx{Tx: t.Tx, DoubleSpendSeen: t.DoubleSpendSeen})
		}
	}
	return added, nil
}
