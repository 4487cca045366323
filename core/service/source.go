package service

import (
	"context"
	"errors"
	"sync"

	"glim/core/daemon"
	"glim/core/say"
	"glim/core/syncer"
	"glim/core/tx"
	"glim/core/xmr"
)

// source is a daemon as the syncer sees it. It decodes blocks with a crew.
type source struct {
	client  *daemon.Client
	network xmr.Network
	crew    syncer.Crew
	log     Log
	lean    *lean  // nil for blocks in full alone
	cover   uint64 // one block in so many is proven that need not be
	saw     func([]daemon.Block)
	pace    *pace
}

// progressBlocks is how many blocks in one answer are worth telling about.
const progressBlocks = 50

// Top returns where the daemon's chain ends. A daemon of another network is refused: its blocks would put an end to the
// wallet's chain.
func (s source) Top(ctx context.Context) (top, error) {
	info, err := s.client.Info(ctx)
	if err != nil {
		return top{}, err
	}
	if !serves(info.Network, s.network) {
		return top{}, &NetworkError{Daemon: info.Network, Wallet: s.network}
	}
	return top{info.Height, info.Top}, nil
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

// wholeBlocks is how many blocks at the end of the chain are asked for in full, where there are no compact ones: then all is proven, of
// everybody's blocks alike, and that takes no further question.
const wholeBlocks = 10

// Blocks asks for compact blocks where there are any, otherwise for pruned ones, or for the newest in full.
func (s source) Blocks(ctx context.Context, q syncer.Question) (syncer.Batch, error) {
	var none error
	if s.lean.use() {
		blocks, current, err := s.compactBlocks(ctx, q)
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
	whole := q.Start == 0 && q.Newest+1+wholeBlocks >= q.Height
	most, ended := s.pace.start()
	raw, err := s.client.RawBlocks(ctx, daemon.BlocksRequest{History: q.History, Start: q.Start, Max: most, Whole: whole})
	if err != nil {
		ended(0, err)
		return syncer.Batch{}, err
	}
	ended(raw.Len(), nil)
	blocks, err := s.decode(ctx, raw)
	if err != nil {
		return syncer.Batch{}, err
	}
	if none != nil {
		s.lean.failed(none, s.log)
	}
	for i := range blocks {
		for k := range blocks[i].Txs {
			if t := &blocks[i].Txs[k]; whole && !t.Proven && t.Version != 1 {
				return syncer.Batch{}, say.Errorf("%w: transaction %s is pruned, and was not to be", daemon.ErrDaemonLied, t.ID)
			}
		}
	}
	return s.batch(blocks, raw.Current), nil
}

// batch is blocks as the syncer has them.
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
			Txs: make([]syncer.Tx, 1+len(b.Txs)),
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

// decode spreads the blocks of an answer over the crew.
func (s source) decode(ctx context.Context, raw *daemon.RawBlocks) ([]daemon.Block, error) {
	blocks := make([]daemon.Block, raw.Len())
	if err := s.crew.Split(ctx, len(blocks), inArenas(func(a *tx.Arena, i int) (err error) {
		blocks[i], err = raw.DecodeBlock(a, i)
		return err
	})); err != nil {
		return nil, err
	}
	return blocks, raw.CheckLinks(blocks)
}

// inArenas gives work memory that nobody else takes from at the same time.
func inArenas(work func(a *tx.Arena, i int) error) func(i int) error {
	own := sync.Pool{New: func() any { return new(tx.Arena) }}
	return func(i int) error {
		a := own.Get().(*tx.Arena)
		defer own.Put(a)
		return work(a, i)
	}
}
