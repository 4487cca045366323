package service

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"glim/core/daemon"
	"glim/core/rpc"
	"glim/core/smallfmt"
	"glim/core/syncer"
	"glim/core/tx"
	"glim/core/xmr"
)

// source is the chainSource of a daemon. It decodes blocks on several goroutines.
type source struct {
	client  *daemon.Client
	network xmr.Network
	workers syncer.Workers
	log     Log
	lean    *compactSupport      // nil to request only full blocks
	cover   uint64               // one in cover blocks without own outputs is proven, on average
	saw     func([]daemon.Block) // called with the blocks of each batch
	pace    *pace
	compact compactReader
	hashes  *atomic.Bool // whether the daemon has sent prunable hashes with pruned blocks
}

// progressBlocks is the number of blocks in one response above which progress is logged.
const progressBlocks = 50

// Top returns the top of the daemon's chain. It returns a *NetworkError for a daemon of another network, because the
// blocks of that network would replace the wallet's chain.
func (s source) Top(ctx context.Context) (chainTop, error) {
	info, err := s.client.Info(ctx)
	if err != nil {
		return chainTop{}, err
	}
	if !serves(info.Network, s.network) {
		return chainTop{}, &NetworkError{Daemon: info.Network, Wallet: s.network}
	}
	return chainTop{info.Height, info.Top}, nil
}

// serves reports whether a daemon's network fits a wallet's. A mainnet wallet may use a private chain, which has
// mainnet's address prefixes and genesis block. A wallet of a private chain must not use mainnet.
func serves(ofDaemon, ofWallet xmr.Network) bool {
	return ofDaemon == ofWallet || ofDaemon == xmr.Regtest && ofWallet == xmr.Mainnet
}

// NetworkError reports that the daemon's network is not the wallet's.
type NetworkError struct{ Daemon, Wallet xmr.Network }

func (e *NetworkError) Error() string {
	return "the daemon is on " + e.Daemon.String() + ", the wallet on " + e.Wallet.String() + "; choose another daemon"
}

// wholeBlocks is how many of the newest blocks are requested in full if there are no compact ones and no prunable
// hashes. All their transactions can then be verified without another request.
const wholeBlocks = 10

// Blocks requests compact blocks if the daemon serves them. Otherwise it requests pruned blocks, or full ones near
// the top if the daemon does not prove pruned ones.
func (s source) Blocks(ctx context.Context, q syncer.Request) (syncer.Batch, error) {
	var none error
	if s.lean.use() {
		blocks, current, err := s.compact.blocks(ctx, q)
		switch {
		case err == nil:
			return s.batch(blocks, current), nil
		case ctx.Err() != nil:
			return syncer.Batch{}, ctx.Err()
		case errors.Is(err, daemon.ErrBusy):
			return syncer.Batch{}, err
		}
		none = err
	}
	blocks, current, err := s.full(ctx, q)
	if err != nil {
		return syncer.Batch{}, err
	}
	if none != nil {
		s.lean.failed(none, s.log)
	}
	return s.batch(blocks, current), nil
}

// full requests blocks that are not compact, and returns the number of blocks of the daemon's chain. Once the daemon
// has proven pruned transactions by their prunable hashes, it requests full ones only if these hashes are missing: then
// a node of another release answers at the same address, or the daemon hides something.
func (s source) full(ctx context.Context, q syncer.Request) ([]daemon.Block, uint64, error) {
	whole := !s.hashes.Load() && q.Start == 0 && q.Newest+1+wholeBlocks >= q.Height
	blocks, current, err := s.request(ctx, q, whole)
	if err == nil && !whole && s.hashes.Load() && unproven(blocks) != nil {
		whole = true
		blocks, current, err = s.request(ctx, q, whole)
	}
	if err != nil {
		return nil, 0, err
	}
	if t := unproven(blocks); t != nil && whole {
		return nil, 0, smallfmt.Errorf("%w: transaction %s is pruned although full transactions were requested",
			daemon.ErrInvalidResponse, t.ID)
	} else if t == nil && !whole && slices.ContainsFunc(blocks, pruned) {
		s.hashes.Store(true)
	}
	return blocks, current, nil
}

// request requests and decodes blocks, with pruned or full transactions.
func (s source) request(ctx context.Context, q syncer.Request, whole bool) ([]daemon.Block, uint64, error) {
	most, ended := s.pace.start()
	raw, err := s.client.RawBlocks(ctx,
		daemon.BlocksRequest{History: q.History, Start: q.Start, Max: most, Whole: whole})
	if err != nil {
		ended(0, err)
		return nil, 0, err
	}
	ended(raw.Len(), nil)
	blocks, err := s.decode(ctx, raw)
	return blocks, raw.Current, err
}

// pruned reports whether b has a pruned transaction.
func pruned(b daemon.Block) bool {
	return slices.ContainsFunc(b.Txs, func(t daemon.Tx) bool { return t.IsPruned() })
}

// unproven returns the first transaction that is neither proven nor of version 1, or nil.
func unproven(blocks []daemon.Block) *daemon.Tx {
	for i := range blocks {
		for k := range blocks[i].Txs {
			if t := &blocks[i].Txs[k]; !t.Proven && t.Version != 1 {
				return t
			}
		}
	}
	return nil
}

// batch converts blocks for the syncer.
func (s source) batch(blocks []daemon.Block, current uint64) syncer.Batch {
	if n := len(blocks); n > progressBlocks {
		s.log.Info("reading the chain", "block", blocks[n-1].Height, "of", current-1)
	}
	s.saw(blocks)
	out := syncer.Batch{Height: current, Blocks: make([]syncer.Block, len(blocks))}
	for i := range blocks {
		b := &blocks[i]
		out.Blocks[i] = syncer.Block{
			Height: b.Height, Hash: b.Hash, Prev: b.Prev, Version: b.Major, Timestamp: b.Timestamp,
			Tree: b.Tree, Txs: make([]syncer.Tx, 1+len(b.Txs)),
		}
		out.Blocks[i].Txs[0] = syncTx(&b.MinerTx)
		for j := range b.Txs {
			out.Blocks[i].Txs[1+j] = syncTx(&b.Txs[j])
		}
	}
	return out
}

func syncTx(t *daemon.Tx) syncer.Tx {
	return syncer.Tx{ID: t.ID, Tx: t.Transaction, Indices: t.OutputIndices, Proven: t.Proven, Compact: t.Compact}
}

// decode decodes the blocks of a response on several goroutines.
func (s source) decode(ctx context.Context, raw *daemon.RawBlocks) ([]daemon.Block, error) {
	blocks := make([]daemon.Block, raw.Len())
	if err := s.workers.For(ctx, len(blocks), inArenas(func(a *tx.Arena, i int) (err error) {
		blocks[i], err = raw.DecodeBlock(a, i)
		return err
	})); err != nil {
		return nil, err
	}
	return blocks, raw.CheckLinks(blocks)
}

// tailCover is how many times more often the newest blocks are proven: a wallet that follows the chain may be paid in
// many of them.
const tailCover = 16

// DecoyInterval implements syncer.Prover.
func (s source) DecoyInterval(left uint64) uint64 {
	if left < wholeBlocks {
		return max(s.cover/tailCover, 1)
	}
	return s.cover
}

// Prove implements syncer.Prover.
func (s source) Prove(ctx context.Context, blocks []syncer.Block) error {
	var shown []daemon.ShownTx
	compact := false
	for i := range blocks {
		for _, t := range blocks[i].Txs {
			if !t.Proven {
				shown = append(shown, daemon.ShownTx{ID: t.ID, Block: blocks[i].Hash, Tx: t.Tx, Compact: t.Compact})
				compact = compact || t.Compact
			}
		}
	}
	err := s.client.Prove(ctx, shown)
	if compact && errors.Is(err, daemon.ErrInvalidResponse) && !errors.Is(err, rpc.ErrAnswer) {
		s.lean.failed(err, s.log)
		return errCompact
	}
	return err
}
