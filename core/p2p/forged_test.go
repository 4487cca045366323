package p2p

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/block"
	"glim/core/fcmptx"
	"glim/core/p2p/levin"
	"glim/core/p2p/message"
	"glim/core/tx"
	"glim/core/xmr"
)

// TestClaimedHeights checks that a peer that claims too many blocks delays synchronisation only briefly.
func TestClaimedHeights(t *testing.T) {
	t.Run("no blocks", func(t *testing.T) {
		w := newWorld(t)
		h := w.join()
		h.mine(20)
		r := w.malicious(h)
		r.on = func(f levin.Frame) {
			if f.Command == message.GetChain {
				e, _ := h.view.After(lastSent[message.ChainRequest](t, r, f.Command).IDs, 100)
				r.notify(message.Chain, message.ChainResponse{Start: e.Start, Total: 1000, IDs: e.IDs})
			}
		}
		r.shake(1000, 1<<40)
		r.dropped(time.Minute, BadChain, 5)
	})
	t.Run("same height repeatedly", func(t *testing.T) {
		w := newWorld(t)
		h := w.join()
		h.mine(20)
		r := w.malicious(h)
		r.on = func(f levin.Frame) {
			if f.Command == message.GetChain {
				e, _ := h.view.After([]xmr.Hash{xmr.Regtest.GenesisHash()}, 10)
				r.notify(message.Chain, message.ChainResponse{Start: e.Start, Total: 1000, IDs: e.IDs})
			}
		}
		r.shake(1000, 1<<40)
		r.dropped(time.Minute, BadChain, 5)
		require.Less(t, len(r.frames), 10)
	})
	t.Run("decreasing height", func(t *testing.T) {
		w := newWorld(t)
		r := w.malicious(w.join())
		r.on = func(f levin.Frame) {
			if f.Command == message.TimedSync && !f.IsResponse() {
				r.write(levin.Answer(f.Command, 1, message.Encode(message.TimedSyncResponse{
					Sync: message.SyncData{Height: uint64(100 - len(r.frames)), Cumulative: 1, TopVersion: 16}})))
			}
		}
		r.write(r.hello(1000, 1, func(*message.HandshakeRequest) {}))
		r.dropped(5*time.Minute, BadChain, 5)
	})
	t.Run("nonexistent blocks", func(t *testing.T) {
		w := newWorld(t)
		honest := w.join()
		honest.mine(100)
		h := w.join(exclusive(honest))
		r := w.malicious(h)
		r.on = func(f levin.Frame) {
			if f.Command == message.GetChain {
				c := message.ChainResponse{Start: 0, Total: 1000, IDs: []xmr.Hash{xmr.Regtest.GenesisHash()}}
				for i := range 999 {
					c.IDs = append(c.IDs, xmr.Hash{9, byte(i), byte(i >> 8)})
				}
				r.notify(message.Chain, c)
			}
		}
		r.shake(1000, 1<<40)
		w.must(10*time.Second, level(honest, h))
		r.dropped(time.Minute, TimedOut, 1)
		w.must(10*time.Second, func() bool { return h.m.Sync(w.now).Synchronized })
	})
}

// answerChain answers requests for a chain from the blocks of another host, with objects modified by change.
func (r *maliciousPeer) answerChain(from *host, change func(*message.ObjectsResponse)) {
	r.on = func(f levin.Frame) {
		switch f.Command {
		case message.GetChain:
			e, _ := from.view.After(lastSent[message.ChainRequest](r.w.t, r, f.Command).IDs, 10_000)
			r.notify(
				message.Chain,
				message.ChainResponse{Start: e.Start, Total: e.Start + uint64(len(e.IDs)), IDs: e.IDs},
			)
		case message.GetObjects:
			out := message.ObjectsResponse{Height: from.view.Tip().Height}
			for _, id := range lastSent[message.ObjectsRequest](r.w.t, r, f.Command).Blocks {
				d, _ := from.view.Block(id, false)
				out.Blocks = append(out.Blocks, toBlock(d, false))
			}
			change(&out)
			r.notify(message.Objects, out)
		}
	}
}

// TestBadObjects checks that a peer with unrequested, incomplete or invalid blocks is disconnected.
func TestBadObjects(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*message.ObjectsResponse)
		why    Reason
		fails  int
	}{
		"no blocks":   {func(o *message.ObjectsResponse) { o.Blocks = nil }, BadChain, 5},
		"missed":      {func(o *message.ObjectsResponse) { o.Missed = make([]xmr.Hash, 1) }, Useless, 0},
		"too few":     {func(o *message.ObjectsResponse) { o.Blocks = o.Blocks[1:] }, BadChain, 5},
		"order":       {func(o *message.ObjectsResponse) { slices.Reverse(o.Blocks) }, BadChain, 5},
		"wrong block": {func(o *message.ObjectsResponse) { o.Blocks[3].Blob = o.Blocks[2].Blob }, BadChain, 5},
		"garbage":     {func(o *message.ObjectsResponse) { o.Blocks[3].Blob = []byte("block") }, BadChain, 5},
		"pruned":      {func(o *message.ObjectsResponse) { o.Blocks[3].Pruned = true }, BadChain, 5},
		"weight":      {func(o *message.ObjectsResponse) { o.Blocks[3].Weight = 1 }, BadChain, 5},
		"unlisted transaction": {
			func(o *message.ObjectsResponse) { o.Blocks[3].Txs = []message.Tx{{Blob: []byte{1}}} }, BadChain, 5,
		},
		"trailing byte": {
			func(o *message.ObjectsResponse) { o.Blocks[3].Blob = append(slices.Clone(o.Blocks[3].Blob), 0) }, BadChain,
			5,
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			from, h := w.join(), w.join()
			from.mine(30)
			r := w.malicious(h)
			r.answerChain(from, c.change)
			r.shake(31, 31)
			r.dropped(time.Minute, c.why, c.fails)
			require.Empty(t, h.m.queue.spans)
			require.Empty(t, h.m.queue.wanted)
			require.Zero(t, h.m.queue.bytes)
			require.EqualValues(t, 1, h.view.Tip().Height)
		})
	}
}

// invalid returns a block on top of a chain that pays its miner too much.
func (h *host) invalid() []byte {
	template, err := h.chain.NewTemplate(h.w.to, nil, nil)
	require.NoError(h.w.t, err)
	template.Block.MinerTx.Outputs[0].Amount++
	return template.Block.Append(nil)
}

// TestInvalidBlocks checks that synchronisation stops at an invalid block, keeps those before it, and drops its sender.
func TestInvalidBlocks(t *testing.T) {
	w := newWorld(t)
	from, h := w.join(), w.join()
	from.mine(10)
	blob := from.invalid()
	parsed, err := block.Parse(blob)
	require.NoError(t, err)
	id, err := parsed.Hash()
	require.NoError(t, err)

	r := w.malicious(h)
	r.on = func(f levin.Frame) {
		switch f.Command {
		case message.GetChain:
			e, _ := from.view.After(lastSent[message.ChainRequest](t, r, f.Command).IDs, 10_000)
			r.notify(message.Chain, message.ChainResponse{Start: e.Start, Total: 12, IDs: append(e.IDs, id)})
		case message.GetObjects:
			out := message.ObjectsResponse{Height: 12}
			for _, requested := range lastSent[message.ObjectsRequest](t, r, f.Command).Blocks {
				d, found := from.view.Block(requested, false)
				if !found {
					d = BlockData{Blob: blob}
				}
				out.Blocks = append(out.Blocks, toBlock(d, false))
			}
			r.notify(message.Objects, out)
		}
	}
	r.shake(12, 12)
	r.dropped(time.Minute, BadBlock, 5)
	require.Equal(t, from.top(), h.top())

	other := w.malicious(h)
	other.level()
	other.notify(message.NewFluffyBlock, message.BlockNotice{Block: message.Block{Blob: blob}, Height: 12})
	other.dropped(time.Second, BadBlock, 1)
	require.Equal(t, from.top(), h.top())
}

// TestStalledPeer checks that blocks which are needed next are requested from another peer if the first does not
// respond.
func TestStalledPeer(t *testing.T) {
	w := newWorld(t)
	honest, h := w.join(), w.join()
	honest.mine(200)
	r := w.malicious(h)
	r.on = func(f levin.Frame) {
		if f.Command == message.GetChain {
			e, _ := honest.view.After(lastSent[message.ChainRequest](t, r, f.Command).IDs, 10_000)
			r.notify(message.Chain, message.ChainResponse{Start: e.Start, Total: 300, IDs: e.IDs})
		}
	}
	r.shake(300, 1<<40)
	w.run(time.Second, nil)
	require.Equal(t, uint32(message.GetObjects), r.frames[len(r.frames)-1].Command)
	h.m.c.Exclusive = append(h.m.c.Exclusive, honest.addr)
	sign := func() {}
	sign = func() { // it stays connected, but sends no blocks
		r.write(levin.Invoke(message.Ping, message.Encode(message.Empty{})))
		if r.connected() {
			w.after(time.Second, sign)
		}
	}
	sign()
	w.must(10*time.Second, func() bool { return len(h.m.queue.spans) > 5 })
	require.Regexp(t, `^\[\.o+`, h.m.Sync(w.now).Overview)
	w.must(frontTime, level(honest, h))
	require.True(t, r.connected())
	r.dropped(answerTime+syncInterval, TimedOut, 0)
}

// TestOrphans checks that blocks whose parents no peer has are dropped.
func TestOrphans(t *testing.T) {
	w := newWorld(t)
	from, h := w.join(), w.join()
	from.mine(200)
	r := w.malicious(h)
	r.answerChain(from, func(*message.ObjectsResponse) {})
	other := w.malicious(h)
	other.on = func(f levin.Frame) {
		if f.Command == message.GetChain {
			e, _ := from.view.After(lastSent[message.ChainRequest](t, other, f.Command).IDs, 10_000)
			other.notify(message.Chain, message.ChainResponse{Start: e.Start, Total: 201, IDs: e.IDs})
		}
	}
	other.shake(201, 201) // gets a request for the first blocks, and does not answer
	w.run(time.Second, nil)
	r.shake(201, 201)
	w.run(time.Second, nil)
	require.Greater(t, h.m.queue.bytes, 1000)
	for _, x := range []*maliciousPeer{other, r} {
		x.hangUp(x.end.id, x.end)
	}
	w.run(orphanTime/2, nil)
	require.Greater(t, h.m.queue.bytes, 1000)
	w.run(orphanTime, nil)
	require.Empty(t, h.m.queue.spans)
	require.Empty(t, h.m.queue.wanted)
	require.Zero(t, h.m.queue.bytes)
}

// TestPrunedObjects requests pruned blocks, whose transaction IDs must be verifiable.
func TestPrunedObjects(t *testing.T) {
	w := newWorld(t)
	h := w.join()
	h.mine(80)
	_, err := h.chain.AddTx(h.pay(1), false)
	require.NoError(t, err)
	h.mine(1)
	r := w.malicious(h)
	r.level()
	for _, prune := range []bool{true, false} {
		r.notify(message.GetObjects, message.ObjectsRequest{Blocks: []xmr.Hash{h.top(), {1}}, Prune: prune})
		w.run(time.Second, nil)
		got := lastSent[message.ObjectsResponse](t, r, message.Objects)
		require.Equal(t, []xmr.Hash{{1}}, got.Missed)
		require.Len(t, got.Blocks, 1)
		b := got.Blocks[0]
		require.Equal(t, prune, b.Pruned)
		require.Equal(t, prune, b.Weight > 0)
		parsed, err := block.Parse(b.Blob)
		require.NoError(t, err)
		require.Len(t, b.Txs, 1)
		var id xmr.Hash
		if prune {
			_, id, err = tx.ParsePrunedWithHash(b.Txs[0].Blob, b.Txs[0].Prunable)
		} else {
			_, id, err = fcmptx.Default.ParseAny(b.Txs[0].Blob)
		}
		require.NoError(t, err)
		require.Equal(t, parsed.TxHashes[0], id)
	}
}

// TestPrunedPeers checks that a pruned peer gets requests only for blocks that it stores in full.
func TestPrunedPeers(t *testing.T) {
	const total = 50_000
	for seed := uint32(0x180); seed < 0x188; seed++ {
		require.True(t, goodSeed(seed))
		whole := 0
		for stripe := range uint64(8) {
			if hasWhole(stripe*stripeSize+17, total, seed) {
				whole++
				require.EqualValues(t, seed&7, stripe)
			}
		}
		require.Equal(t, 1, whole)
		require.True(t, hasWhole(total-tipBlocks, total, seed))
	}
	require.True(t, hasWhole(17, total, 0))
	for _, bad := range []uint32{1, 0x17f, 0x188, 0x200, 1 << 31} {
		require.False(t, goodSeed(bad))
	}
}
