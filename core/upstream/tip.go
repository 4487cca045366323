package upstream

import (
	"context"
	"fmt"

	"glim/core/daemon"
	"glim/core/daemonrpc"
	"glim/core/internal/flight"
	"glim/core/rpc"
	"glim/core/say"
	"glim/core/xmr"
)

// tip is where the upstream's chain ends, and a block so far below the end that it is taken to stay. What is remembered is of
// blocks up to the anchor, and forgotten when the chain does not hold the anchor any more.
type tip struct {
	height uint64 // number of blocks; 0 when nothing is known
	id     xmr.Hash
	at     uint64 // when it was seen, in POSIX seconds
	anchor uint64 // index; valid when held
	held   bool
	hash   xmr.Hash // of the anchor
}

// freshFor is how long the number of blocks may be told without asking, in seconds, in answers that need nothing else of an
// upstream.
const freshFor = 5

// settled reports whether a block's index is one whose block is taken to stay.
func (t tip) settled(height uint64) bool { return t.held && height <= t.anchor }

// top returns the chain's end as it was a few seconds ago at most.
func (f *Front) top(ctx context.Context) (tip, error) {
	now := f.c.Now()
	f.mu.Lock()
	t := f.tip
	f.mu.Unlock()
	if t.height != 0 && now < t.at+freshFor {
		return t, nil
	}
	if _, err := f.info(ctx); err != nil {
		return tip{}, err
	}
	return f.lastTip(), nil
}

// memory is leave to remember what is asked for after it was given.
type memory struct {
	*store
	tip tip
	age uint64
}

// memory returns the chain's end as top does, and leave to remember.
func (f *Front) memory(ctx context.Context) (memory, error) {
	t, err := f.top(ctx)
	return memory{f.store, t, f.store.now()}, err
}

// memoryOf is memory for a question about the block at height: what seems to be above the end is looked at again.
func (f *Front) memoryOf(ctx context.Context, height uint64) (memory, error) {
	m, err := f.memory(ctx)
	if err != nil || height < m.tip.height {
		return m, err
	}
	if _, err := f.info(ctx); err != nil {
		return memory{}, err
	}
	return f.memory(ctx)
}

// put remembers what the block at height says, if that block is taken to stay.
func (m memory) put(k key, height uint64, value any, size int) {
	if m.tip.settled(height) {
		m.store.put(m.age, k, height, value, size)
	}
}

// add remembers a block that is taken to stay. False when it contradicts what is remembered.
func (m memory) add(b *held) bool {
	switch {
	case !m.tip.settled(b.height):
		return true
	case b.height == m.tip.anchor && b.id != m.tip.hash:
		return false
	}
	return m.store.add(m.age, b)
}

func (f *Front) lastTip() tip {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.tip
}

// info asks what the upstream says about itself, and looks whether its chain still holds what is remembered of it.
func (f *Front) info(ctx context.Context) (daemonrpc.GetInfoResponse, error) {
	return flight.Get(ctx, &f.group, "get_info", func(ctx context.Context) (daemonrpc.GetInfoResponse, error) {
		return ask(ctx, f, func(ctx context.Context, c *daemon.Client) (r daemonrpc.GetInfoResponse, err error) {
			if r, err = question(ctx, c, daemonrpc.GetInfo, daemonrpc.PayerOnly{}); err != nil {
				return r, err
			}
			id, err := xmr.ParseHash(r.TopBlockHash)
			switch {
			case err != nil:
				return r, lie("top block: %w", err)
			case r.Height == 0 || r.Height > maxHeight || r.TargetHeight > maxHeight:
				return r, lie("a chain of %d blocks, %d in the network", r.Height, r.TargetHeight)
			case r.NetType != f.c.Network.String():
				return r, lie("it is on %q, not on %v", say.Short(r.NetType), f.c.Network)
			case r.TargetHeight > r.Height+mayLag:
				return r, fmt.Errorf("%w: it has %d blocks of %d", daemon.ErrBusy, r.Height, r.TargetHeight)
			}
			return r, f.see(ctx, c, r.Height, id)
		})
	})
}

// maxHeight is more blocks than a chain can have; larger numbers are times. Source: src/cryptonote_config.h,
// CRYPTONOTE_MAX_BLOCK_NUMBER.
const maxHeight = 500_000_000

// see notes where the chain ends. When that is news, it looks whether the anchor is still there, and moves it on.
func (f *Front) see(ctx context.Context, c *daemon.Client, height uint64, id xmr.Hash) error {
	now := f.c.Now()
	was := f.lastTip()
	next := tip{height: height, id: id, at: now}
	switch {
	case was.id == id && was.height == height:
		next = was
		next.at = now
	default:
		if was.held {
			if height <= was.anchor {
				f.forget("the chain is shorter")
			} else if b, err := c.Header(ctx, was.anchor); err != nil {
				return err
			} else if b.Hash != was.hash {
				f.forget("the chain is another")
			}
		}
		if height > f.c.Depth {
			next.anchor = height - 1 - f.c.Depth
			b, err := c.Header(ctx, next.anchor)
			if err != nil {
				return err
			}
			next.held, next.hash = true, b.Hash
			f.store.dropAbove(next.anchor)
		} else {
			f.store.clear()
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tip = next
	return nil
}

// forget drops everything remembered.
func (f *Front) forget(why string) {
	f.log.Warn("what was remembered of the chain is forgotten", "reason", why)
	f.store.clear()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tip = tip{}
}

// question asks for m and takes a busy daemon for an error. Other statuses are answers.
func question[Req any, Resp interface{ StatusText() string }](
	ctx context.Context, c *daemon.Client, m rpc.Method[Req, Resp], req Req,
) (Resp, error) {
	r, err := daemon.Ask(ctx, c, m, req)
	switch {
	case err != nil:
		return r, err
	case r.StatusText() == daemonrpc.StatusBusy:
		return r, daemon.ErrBusy
	case r.StatusText() != daemonrpc.StatusOK:
		return r, &daemon.Refused{Operation: m.Name, Status: r.StatusText()}
	}
	return r, nil
}

// localHeight returns the number of blocks of the local chain.
func (f *Front) localHeight(ctx context.Context) (uint64, error) {
	r, err := rpc.Call(ctx, f.c.Local.Registry(), daemonrpc.GetHeight, daemonrpc.None{})
	return r.Height, err
}
