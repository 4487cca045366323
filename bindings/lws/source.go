package lws

import (
	"context"
	"fmt"

	"glim/core/daemon"
	"glim/core/syncer"
	"glim/core/tx"
	"glim/core/xmr"
)

// Source provides the blocks of a daemon.
type Source struct {
	Client  *daemon.Client
	Network xmr.Network
	// Whole requests transactions with signatures and proofs, so that all bytes are compared with their IDs. It costs
	// three times the traffic.
	Whole   bool
	Workers syncer.Workers
}

// NetworkError reports that the daemon is on another network.
type NetworkError struct{ Daemon, Server xmr.Network }

// Error names both networks.
func (e *NetworkError) Error() string {
	return fmt.Sprintf("the daemon is on %v, the server on %v; choose another daemon", e.Daemon, e.Server)
}

// Height implements syncer.Source. It returns *NetworkError for a daemon of another network, daemon.ErrBusy for one
// that synchronises, and the errors of package daemon.
func (s *Source) Height(ctx context.Context) (uint64, error) {
	info, err := s.Client.Info(ctx)
	if err != nil {
		return 0, err
	}
	if info.Network != s.Network {
		return 0, &NetworkError{info.Network, s.Network}
	}
	return info.Height, nil
}

// Blocks implements syncer.Source.
func (s *Source) Blocks(ctx context.Context, q syncer.Request) (syncer.Batch, error) {
	raw, err := s.Client.RawBlocks(ctx, daemon.BlocksRequest{History: q.History, Start: q.Start, Whole: s.Whole})
	if err != nil {
		return syncer.Batch{}, err
	}
	blocks := make([]daemon.Block, raw.Len())
	if err := s.Workers.For(ctx, len(blocks), func(i int) (err error) {
		blocks[i], err = raw.DecodeBlock(new(tx.Arena), i)
		return err
	}); err != nil {
		return syncer.Batch{}, err
	}
	if err := raw.CheckLinks(blocks); err != nil {
		return syncer.Batch{}, err
	}
	out := syncer.Batch{Height: raw.Current, Blocks: make([]syncer.Block, len(blocks))}
	for i := range blocks {
		b := &blocks[i]
		out.Blocks[i] = syncer.Block{
			Height: b.Height, Hash: b.Hash, Prev: b.Prev, Version: b.Major, Timestamp: b.Timestamp,
			Txs: []syncer.Tx{converted(&b.MinerTx)},
		}
		for k := range b.Txs {
			t := &b.Txs[k]
			if s.Whole && !t.Proven {
				return syncer.Batch{}, fmt.Errorf("%w: transaction %s is pruned", daemon.ErrInvalidResponse, t.ID)
			}
			out.Blocks[i].Txs = append(out.Blocks[i].Txs, converted(t))
		}
	}
	return out, nil
}

func converted(t *daemon.Tx) syncer.Tx {
	return syncer.Tx{ID: t.ID, Tx: t.Transaction, Indices: t.OutputIndices, Proven: t.Proven}
}

// Pool implements syncer.Source.
func (s *Source) Pool(ctx context.Context, known func(*syncer.PoolEpoch, xmr.Hash) bool) (syncer.Pool, error) {
	ids, err := s.Client.PoolHashes(ctx)
	if err != nil {
		return syncer.Pool{}, err
	}
	var fresh []xmr.Hash
	for _, id := range ids {
		if !known(nil, id) {
			fresh = append(fresh, id)
		}
	}
	extent := daemon.Pruned
	if s.Whole {
		extent = daemon.Whole
	}
	found, _, err := s.Client.Transactions(ctx, fresh, extent)
	if err != nil {
		return syncer.Pool{}, err
	}
	out := syncer.Pool{IDs: ids}
	for i := range found {
		if t := &found[i]; t.InPool {
			made := converted(&t.Tx)
			made.DoubleSpendSeen = t.DoubleSpendSeen
			out.Txs = append(out.Txs, made)
		}
	}
	return out, nil
}
