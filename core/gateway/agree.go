package gateway

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"glim/core/say"
	"glim/core/xmr"
)

// view is what the daemons agree on.
type view struct {
	at     uint64   // when they were compared last, in POSIX seconds; 0 for never
	height uint64   // number of blocks of the longest chain of those that agree
	top    xmr.Hash // its last block
	busy   chan struct{}
}

// How daemons are compared.
const (
	agreeEvery = 15 // seconds
	mayLag     = 5  // blocks one may be behind the others
	feeSpread  = 4  // times one may ask more or less for a fee than is usual
)

// opinion is what one daemon says.
type opinion struct {
	way    *way
	height uint64
	top    xmr.Hash
	fee    uint64
	at     xmr.Hash // the block at the height that is compared
	err    error
	lie    string
}

// agree compares the daemons when it is time, once for all who ask meanwhile. Errors: the context's.
func (g *Gateway) agree(ctx context.Context) error {
	now := g.c.Now()
	g.mu.Lock()
	if g.view.at != 0 && now < g.view.at+agreeEvery {
		g.mu.Unlock()
		return nil
	}
	if busy := g.view.busy; busy != nil {
		known := g.view.at != 0
		g.mu.Unlock()
		if known {
			return nil
		}
		select {
		case <-busy:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	done := make(chan struct{})
	g.view.busy = done
	g.mu.Unlock()
	defer func() {
		g.mu.Lock()
		g.view.busy = nil
		g.mu.Unlock()
		close(done)
	}()
	name := "view-" + g.c.Network + "-" + digest(g.names()...)
	if b, ok := g.recall(ctx, name); ok && g.adopt(b) {
		return ctx.Err()
	}
	g.compare(ctx)
	if b := g.said(); b != nil {
		g.keep(ctx, name, b, agreeEvery)
	}
	return ctx.Err()
}

func (g *Gateway) names() (list []string) {
	for _, w := range g.ways {
		list = append(list, w.Name)
	}
	return list
}

// said writes what came out of comparing, for other gateways of the same daemons that share a cache: when, the height, the last block, and who
// is outvoted. It is nothing when no daemon answered.
func (g *Gateway) said() []byte {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.view.height == 0 {
		return nil
	}
	b := binary.LittleEndian.AppendUint64(nil, g.view.at)
	b = append(binary.LittleEndian.AppendUint64(b, g.view.height), g.view.top[:]...)
	for _, w := range g.ways {
		if w.outvoted {
			b = append(b, 1)
		} else {
			b = append(b, 0)
		}
	}
	return b
}

// adopt takes what another gateway found out.
func (g *Gateway) adopt(b []byte) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(b) != 48+len(g.ways) {
		return false
	}
	g.view.at, g.view.height = binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
	copy(g.view.top[:], b[16:])
	for i, w := range g.ways {
		w.outvoted = b[48+i] == 1
	}
	return true
}

// compare asks all daemons where their chains end, which block they have where all should have the same, and what a fee is. Who is
// contradicted by more than half of those that answer is asked nothing until it agrees again. Of two that contradict each other
// nobody knows which is right: both are reported, and the first is asked.
func (g *Gateway) compare(ctx context.Context) {
	g.mu.Lock()
	all := make([]opinion, len(g.ways))
	for i, w := range g.ways {
		all[i].way = w
	}
	g.mu.Unlock()
	each(all, func(o *opinion) { o.err = g.hear(ctx, o) })
	if ctx.Err() != nil {
		return
	}
	said := slices.DeleteFunc(slices.Clone(all), func(o opinion) bool { return o.err != nil })
	if len(said) > 0 {
		heights := make([]uint64, len(said))
		fees := make([]uint64, len(said))
		for i, o := range said {
			heights[i], fees[i] = o.height, o.fee
		}
		height, fee := median(heights), median(fees)
		common := height - 1
		for i := range said {
			o := &said[i]
			switch {
			case o.height > height+mayLag:
				o.lie = fmt.Sprintf("its chain has %d blocks, those of others %d", o.height, height)
			case o.height+mayLag < height:
				o.lie = fmt.Sprintf("it is behind: %d blocks of %d", o.height, height)
			case o.fee > fee*feeSpread || o.fee*feeSpread < fee:
				o.lie = fmt.Sprintf("a fee of %d, and of others %d", o.fee, fee)
			default:
				common = min(common, o.height-1)
			}
		}
		each(said, func(o *opinion) {
			if o.lie == "" {
				o.at, o.err = g.blockAt(ctx, o.way, common)
			}
		})
		if ctx.Err() != nil {
			return
		}
		vote(said, common)
	}
	g.settle(all, said)
}

func each(list []opinion, f func(*opinion)) {
	var group sync.WaitGroup
	for i := range list {
		group.Go(func() { f(&list[i]) })
	}
	group.Wait()
}

// median returns the lower one of an even number, so that of two the lesser counts.
func median(list []uint64) uint64 {
	slices.Sort(list)
	return list[(len(list)-1)/2]
}

// vote marks those whose block is not that of most.
func vote(said []opinion, common uint64) {
	votes := map[xmr.Hash]int{}
	n := 0
	for _, o := range said {
		if o.lie == "" && o.err == nil {
			votes[o.at]++
			n++
		}
	}
	var most xmr.Hash
	for at, v := range votes {
		if 2*v > n {
			most = at
		}
	}
	for i := range said {
		o := &said[i]
		if o.lie == "" && o.err == nil && len(votes) > 1 && o.at != most {
			o.lie = fmt.Sprintf("block %d is %s", common, o.at)
			if most != (xmr.Hash{}) {
				o.lie += fmt.Sprintf(", and of most others %s", most)
			}
		}
	}
}

// settle notes who was outvoted and where the chain ends for the others.
func (g *Gateway) settle(all, said []opinion) {
	good := 0
	for _, o := range said {
		if o.lie == "" && o.err == nil {
			good++
		}
	}
	now := g.c.Now()
	var news []opinion
	g.mu.Lock()
	g.view.at, g.view.height = now, 0
	for _, o := range all {
		if o.err != nil {
			if !o.way.failing {
				news = append(news, o)
			}
			o.way.failing, o.way.rest = true, now+restAfterFailure
		}
	}
	for _, o := range said {
		was := o.way.outvoted
		o.way.outvoted = o.lie != "" && 2*good > len(said)
		switch {
		case o.lie != "" && (!was || !o.way.outvoted):
			news = append(news, o)
		case o.lie == "" && was:
			news = append(news, opinion{way: o.way, lie: "it agrees again"})
		}
		if (o.lie == "" || good == 0) && o.err == nil && o.height > g.view.height {
			g.view.height, g.view.top = o.height, o.top
		}
	}
	g.mu.Unlock()
	for _, o := range news {
		if o.err != nil {
			g.report(o.way, o.err.Error())
		} else {
			g.report(o.way, o.lie)
		}
	}
}

// hear asks one daemon where its chain ends, and for the fee.
func (g *Gateway) hear(ctx context.Context, o *opinion) error {
	b, err := o.way.Transport.Post(ctx, "/json_rpc", rpcCall("get_info", "{}"))
	if err != nil {
		return err
	}
	height, top, err := g.infoOf(b)
	if err != nil {
		return err
	}
	if b, err = o.way.Transport.Post(ctx, "/json_rpc", rpcCall("get_fee_estimate", "{}")); err != nil {
		return err
	}
	fee, ok := numberOf(b, "result", "fee")
	if !ok || fee == 0 || fee > maxFee {
		return wrong("get_fee_estimate says no fee")
	}
	o.height, o.top, o.fee = height, top, fee
	return nil
}

// infoOf reads where a chain ends from an answer of get_info.
func (g *Gateway) infoOf(b []byte) (height uint64, top xmr.Hash, err error) {
	height, ok := numberOf(b, "result", "height")
	top, hashed := hashOf(stringOf(b, "result", "top_block_hash"))
	if !ok || !hashed || height == 0 || height > maxHeight {
		return 0, top, wrong("get_info says no height")
	}
	if said := stringOf(b, "result", "nettype"); said != g.c.Network {
		return 0, top, wrong("it is on %q", say.Short(said))
	}
	return height, top, nil
}

// Bounds of what a daemon may say.
const (
	maxHeight = 500_000_000 // blocks. Source: src/cryptonote_config.h, CRYPTONOTE_MAX_BLOCK_NUMBER
	maxFee    = 1 << 40     // atomic units a byte, far above what rules allow
)

// blockAt asks one daemon for the ID of a block.
func (g *Gateway) blockAt(ctx context.Context, w *way, height uint64) (xmr.Hash, error) {
	b, err := w.Transport.Post(ctx, "/json_rpc", rpcCall("on_get_block_hash", "["+strconv.FormatUint(height, 10)+"]"))
	if err != nil {
		return xmr.Hash{}, err
	}
	h, ok := hashOf(stringOf(b, "result"))
	if !ok {
		return h, wrong("on_get_block_hash says no ID of block %d", height)
	}
	return h, nil
}

// Height returns the number of blocks of the daemons' chain, as they said last; 0 when nobody has said anything.
func (g *Gateway) Height() uint64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.view.height
}
