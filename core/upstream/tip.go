package upstream

import (
	"context"
	"fmt"

	"glim/core/daemon"
	"glim/core/daemonrpc"
	"glim/core/internal/flight"
	"glim/core/rpc"
	"glim/core/smallfmt"
	"glim/core/xmr"
)

// tip is the top of the upstream's chain, and the anchor: a block so deep below the top that it is assumed to be final.
// The cache holds data of blocks up to the anchor, and is cleared when the chain no longer contains the anchor.
type tip struct {
	height uint64 // number of blocks; 0 if unknown
	id     xmr.Hash
	at     uint64 // time of the response, in POSIX seconds
	anchor uint64 // index of the anchor; valid if held
	held   bool
	hash   xmr.Hash // of the anchor
}

// freshFor is the number of seconds for which the height is reused in responses that need nothing else from an
// upstream.
const freshFor = 5

// settled reports whether the block at height is assumed to be final.
func (t tip) settled(height uint64) bool { return t.held && height <= t.anchor }

// top returns the tip, at most freshFor seconds old.
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

// memory allows caching of responses to requests made after it was obtained.
type memory struct {
	*store
	tip tip
	age uint64
}

// memory returns the tip, as top does, with access to the cache.
func (f *Front) memory(ctx context.Context) (memory, error) {
	t, err := f.top(ctx)
	return memory{f.store, t, f.store.now()}, err
}

// memoryOf is memory for a request about the block at height. If that block appears to be above the top, it refreshes
// the tip first.
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

// put caches data of the block at height, if that block is assumed to be final.
func (m memory) put(k key, height uint64, value any, size int) {
	if m.tip.settled(height) {
		m.store.put(m.age, k, height, value, size)
	}
}

// add caches a block if it is assumed to be final. It returns false if the block contradicts the cache.
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

// info requests the state of the upstream, and checks that its chain still contains the anchor.
func (f *Front) info(ctx context.Context) (daemonrpc.GetInfoResponse, error) {
	return flight.Get(ctx, &f.group, "get_info", func(ctx context.Context) (daemonrpc.GetInfoResponse, error) {
		return ask(ctx, f, func(ctx context.Context, c *daemon.Client) (r daemonrpc.GetInfoResponse, err error) {
			if r, err = question(ctx, c, daemonrpc.GetInfo, daemonrpc.PayerOnly{}); err != nil {
				return r, err
			}
			id, err := xmr.ParseHash(r.TopBlockHash)
			switch {
			case err != nil:
				return r, invalid("top block: %w", err)
			case r.Height == 0 || r.Height > maxHeight || r.TargetHeight > maxHeight:
				return r, invalid("a chain of %d blocks, %d in the network", r.Height, r.TargetHeight)
			case r.NetType != f.c.Network.String():
				return r, invalid("it is on %q, not on %v", smallfmt.Short(r.NetType), f.c.Network)
			case r.TargetHeight > r.Height+mayLag:
				return r, fmt.Errorf("%w: it has %d blocks of %d", daemon.ErrBusy, r.Height, r.TargetHeight)
			}
			return r, f.see(ctx, c, r.Height, id)
		})
	})
}

// maxHeight exceeds the number of blocks of any chain; larger numbers are timestamps. Source: src/cryptonote_config.h,
// CRYPTONOTE_MAX_BLOCK_NUMBER.
const maxHeight = 500_000_000

// see records the top of the chain. If it has changed, see checks that the chain still contains the anchor, and
// advances the anchor.
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
			} else if b, err := c.BlockHeader(ctx, was.anchor); err != nil {
				return err
			} else if b.Hash != was.hash {
				f.forget("the chain is another")
			}
		}
		if height > f.c.Depth {
			next.anchor = height - 1 - f.c.Depth
			b, err := c.BlockHeader(ctx, next.anchor)
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

// forget clears the cache and the tip.
func (f *Front) forget(why string) {
	f.log.Warn("the chain has changed, so its cache is cleared", "reason", why)
	f.store.clear()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tip = tip{}
}

// question sends a request. It returns daemon.ErrBusy if the daemon is busy, and *daemon.Refused for any other status
// except OK.
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
