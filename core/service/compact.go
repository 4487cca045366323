package service

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"sync/atomic"

	"glim/core/compact"
	"glim/core/daemon"
	"glim/core/syncer"
	"glim/core/xmr"
)

// Compact says how compact blocks are used, with less than half the bytes of others, where a daemon has them.
type Compact struct {
	Off bool // blocks in full alone
	// Every is how many blocks go by, on average, until one is compared with the block in full: DefaultEvery when 0, all when 1.
	Every uint16
	// Witness is the daemon that is asked for those in full; the one that gave the compact blocks when it has no address.
	Witness DaemonConfig
}

// DefaultEvery makes comparing cost a tenth of what compact blocks save.
const DefaultEvery = 128

// lean is what is known of a daemon's compact blocks.
type lean struct {
	every   uint64
	random  io.Reader
	witness *daemon.Client // nil for the daemon itself
	away    atomic.Int64   // how many more times blocks are asked for in full, because it has none
	never   atomic.Bool    // it has lied
}

// forget is how many times blocks are asked for in full before compact ones are tried again.
const forget = 200

// newLean reads compact blocks of a daemon that is reached through a proxy or, when that is empty, without. What is compared with goes
// through it, too: nothing goes around a proxy.
func newLean(c *Config, proxy string) (*lean, error) {
	l := &lean{every: uint64(c.Compact.Every), random: c.Random}
	if l.every == 0 {
		l.every = DefaultEvery
	}
	if w := c.Compact.Witness; w.Address != "" {
		if w.Proxy == "" {
			w.Proxy = proxy
		}
		t, err := c.Connect(w)
		if err != nil {
			return nil, err
		}
		l.witness = daemon.New(t)
	}
	return l, nil
}

// use reports whether compact blocks are to be asked for.
func (l *lean) use() bool { return l != nil && !l.never.Load() && l.away.Add(-1) < 0 }

// failed notes that a daemon gave no compact blocks, and blocks in full when it was asked for them next.
func (l *lean) failed(err error, log Log) {
	if errors.Is(err, daemon.ErrDaemonLied) {
		l.never.Store(true)
		log.Warn("the daemon's compact blocks are not the blocks of the chain; from now on blocks are asked for in full. "+
			"What they told may be wrong: choose another daemon and scan again (rescan_bc)", "error", err)
		return
	}
	l.away.Store(forget)
	log.Debug("no compact blocks", "error", err)
}

// compactBlocks asks for compact blocks, and compares some of them, chosen by chance, with those in full.
func (s source) compactBlocks(ctx context.Context, history []xmr.Hash, start uint64) ([]daemon.Block, uint64, error) {
	raw, err := s.client.RawCompact(ctx, daemon.BlocksRequest{History: history, Start: start})
	if err != nil {
		return nil, 0, err
	}
	parsed := make([]*compact.Block, raw.Len())
	if err := s.crew.Split(ctx, len(parsed), func(i int) (err error) {
		parsed[i], err = raw.Parse(i)
		return err
	}); err != nil {
		return nil, 0, err
	}
	blocks, err := raw.Link(parsed)
	if err != nil {
		return nil, 0, err
	}
	return blocks, raw.Current, s.compare(ctx, raw, blocks)
}

// compare looks at one block in every so many. Those without transactions of their own are proven by their IDs.
func (s source) compare(ctx context.Context, raw *daemon.RawCompact, blocks []daemon.Block) error {
	dice := make([]byte, 8*len(blocks))
	if _, err := io.ReadFull(s.lean.random, dice); err != nil {
		return err
	}
	for i := range blocks {
		if len(blocks[i].Txs) == 0 || binary.LittleEndian.Uint64(dice[8*i:])%s.lean.every != 0 {
			continue
		}
		if s.lean.witness == nil {
			if err := raw.Compare(ctx, s.client, i, &blocks[i]); err != nil {
				return err
			}
			continue
		}
		if blocks[i].Height+witnessLag > raw.Current {
			continue // the witness may not have heard of it
		}
		err := raw.Compare(ctx, s.lean.witness, i, &blocks[i])
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, daemon.ErrDaemonLied):
			return err
		case err != nil:
			s.log.Warn("no second daemon to compare blocks with", "error", err)
		}
	}
	return nil
}

// witnessLag is how far below the end a block is before another daemon is expected to have it.
const witnessLag = 10

// ringed is a link for wallets that have to see rings, which compact blocks leave out.
type ringed struct {
	*stream
	link *link
}

// WithRings returns the link for who needs transactions as they are.
func (l *link) WithRings() syncer.Source { return ringed{l.full, l} }

// Pool asks what the pool holds.
func (r ringed) Pool(ctx context.Context, known func(xmr.Hash) bool) (syncer.Pool, error) {
	return r.link.Pool(ctx, known)
}
