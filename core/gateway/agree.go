package gateway

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"glim/core/smallfmt"
	"glim/core/xmr"
)

// view is the result of the last comparison of the daemons.
type view struct {
	at     uint64   // time of the comparison, in POSIX seconds; 0 for never
	height uint64   // number of blocks of the longest chain of agreeing daemons
	top    xmr.Hash // ID of its last block
	busy   chan struct{}
}

// Parameters of the comparison.
const (
	agreeEvery = 15 // seconds between comparisons
	mayLag     = 5  // number of blocks a height may differ from the median
	feeSpread  = 4  // factor by which a fee may differ from the median
)

// opinion is the state that one daemon reports, and the judgement on it.
type opinion struct {
	connection *connection
	height     uint64
	top        xmr.Hash
	fee        uint64
	at         xmr.Hash // ID of the block at the compared height
	err        error
	reason     string
}

// agree compares the daemons if the last comparison is too old. Concurrent callers share one comparison, and wait for
// it only if it is the first. It returns the error of the context.
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
	for _, w := range g.connections {
		list = append(list, w.Name)
	}
	return list
}

// said encodes the view for other gateways that use the same daemons and share a cache: time, height, ID of the last
// block, and a byte for each daemon that is 1 if it is outvoted. It returns nil if no daemon responded.
func (g *Gateway) said() []byte {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.view.height == 0 {
		return nil
	}
	b := binary.LittleEndian.AppendUint64(nil, g.view.at)
	b = append(binary.LittleEndian.AppendUint64(b, g.view.height), g.view.top[:]...)
	for _, w := range g.connections {
		if w.outvoted {
			b = append(b, 1)
		} else {
			b = append(b, 0)
		}
	}
	return b
}

// adopt decodes the view of another gateway. It returns false if the length is wrong.
func (g *Gateway) adopt(b []byte) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(b) != 48+len(g.connections) {
		return false
	}
	g.view.at, g.view.height = binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
	copy(g.view.top[:], b[16:])
	for i, w := range g.connections {
		w.outvoted = b[48+i] == 1
	}
	return true
}

// compare requests from all daemons their height, their fee estimate, and the ID of a block that all should have. A
// daemon that contradicts more than half of the responding ones receives no requests until it agrees again. If two
// contradict each other without a majority, both are reported and remain in use.
func (g *Gateway) compare(ctx context.Context) {
	g.mu.Lock()
	all := make([]opinion, len(g.connections))
	for i, w := range g.connections {
		all[i].connection = w
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
				o.reason = fmt.Sprintf("its chain has %d blocks, that of others %d", o.height, height)
			case o.height+mayLag < height:
				o.reason = fmt.Sprintf("it is behind: %d blocks of %d", o.height, height)
			case o.fee > fee*feeSpread || o.fee*feeSpread < fee:
				o.reason = fmt.Sprintf("a fee of %d, and of others %d", o.fee, fee)
			default:
				common = min(common, o.height-1)
			}
		}
		each(said, func(o *opinion) {
			if o.reason == "" {
				o.at, o.err = g.blockAt(ctx, o.connection, common)
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

// median returns the lower median, so that the smaller of two numbers counts.
func median(list []uint64) uint64 {
	slices.Sort(list)
	return list[(len(list)-1)/2]
}

// vote marks the daemons whose block differs from that of the majority.
func vote(said []opinion, common uint64) {
	votes := map[xmr.Hash]int{}
	n := 0
	for _, o := range said {
		if o.reason == "" && o.err == nil {
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
		if o.reason == "" && o.err == nil && len(votes) > 1 && o.at != most {
			o.reason = fmt.Sprintf("block %d is %s", common, o.at)
			if most != (xmr.Hash{}) {
				o.reason += fmt.Sprintf(", and of most others %s", most)
			}
		}
	}
}

// settle records which daemons are outvoted and the top of the others' chain, and reports changes.
func (g *Gateway) settle(all, said []opinion) {
	good := 0
	for _, o := range said {
		if o.reason == "" && o.err == nil {
			good++
		}
	}
	now := g.c.Now()
	var news []opinion
	g.mu.Lock()
	g.view.at, g.view.height = now, 0
	for _, o := range all {
		if o.err != nil {
			if !o.connection.failing {
				news = append(news, o)
			}
			o.connection.failing, o.connection.rest = true, now+restAfterFailure
		}
	}
	for _, o := range said {
		was := o.connection.outvoted
		o.connection.outvoted = o.reason != "" && 2*good > len(said)
		switch {
		case o.reason != "" && (!was || !o.connection.outvoted):
			news = append(news, o)
		case o.reason == "" && was:
			news = append(news, opinion{connection: o.connection, reason: "it agrees again"})
		}
		if (o.reason == "" || good == 0) && o.err == nil && o.height > g.view.height {
			g.view.height, g.view.top = o.height, o.top
		}
	}
	g.mu.Unlock()
	for _, o := range news {
		if o.err != nil {
			g.report(o.connection, o.err.Error())
		} else {
			g.report(o.connection, o.reason)
		}
	}
}

// hear requests the height, the top block and the fee estimate of one daemon.
func (g *Gateway) hear(ctx context.Context, o *opinion) error {
	b, err := o.connection.Transport.Post(ctx, "/json_rpc", rpcCall("get_info", "{}"))
	if err != nil {
		return err
	}
	height, top, err := g.infoOf(b)
	if err != nil {
		return err
	}
	if b, err = o.connection.Transport.Post(ctx, "/json_rpc", rpcCall("get_fee_estimate", "{}")); err != nil {
		return err
	}
	fee, ok := numberOf(b, "result", "fee")
	if !ok || fee == 0 || fee > maxFee {
		return wrong("get_fee_estimate returns no fee")
	}
	o.height, o.top, o.fee = height, top, fee
	return nil
}

// infoOf returns the number of blocks and the ID of the last one from a get_info response.
func (g *Gateway) infoOf(b []byte) (height uint64, top xmr.Hash, err error) {
	height, ok := numberOf(b, "result", "height")
	top, hashed := hashOf(stringOf(b, "result", "top_block_hash"))
	if !ok || !hashed || height == 0 || height > maxHeight {
		return 0, top, wrong("get_info returns no valid height or no ID of the top block")
	}
	if said := stringOf(b, "result", "nettype"); said != g.c.Network {
		return 0, top, wrong("get_info names the network %q", smallfmt.Short(said))
	}
	return height, top, nil
}

// Upper bounds of values in responses.
const (
	maxHeight = 500_000_000 // blocks. Source: src/cryptonote_config.h, CRYPTONOTE_MAX_BLOCK_NUMBER
	maxFee    = 1 << 40     // atomic units per byte, far above any valid fee
)

// blockAt requests the ID of a block from one daemon.
func (g *Gateway) blockAt(ctx context.Context, w *connection, height uint64) (xmr.Hash, error) {
	b, err := w.Transport.Post(ctx, "/json_rpc", rpcCall("on_get_block_hash", "["+strconv.FormatUint(height, 10)+"]"))
	if err != nil {
		return xmr.Hash{}, err
	}
	h, ok := hashOf(stringOf(b, "result"))
	if !ok {
		return h, wrong("on_get_block_hash returns no ID for block %d", height)
	}
	return h, nil
}

// Height returns the number of blocks of the chain on which the daemons last agreed; 0 if none has responded.
func (g *Gateway) Height() uint64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.view.height
}
