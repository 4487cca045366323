package nextfork

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/block"
	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/crypto/curvetree"
	"glim/core/treecache"
	"glim/core/tx"
	"glim/core/xmr"
)

// follower reads the blocks of a chain as a wallet does, and keeps the paths of every third output.
type follower struct {
	*world
	cache *treecache.Cache
	ids   []xmr.Hash
	roots []curvetree.Root // after each block
	own   []treecache.Output
}

func newFollower(w *world, depth int) *follower {
	return &follower{world: w, cache: treecache.New(rules, depth)}
}

// blockOf returns what a tree cache needs of a block, with its own outputs registered.
func (f *follower) blockOf(b *chain.Block) *treecache.Block {
	out := &treecache.Block{
		Height: b.Height, Tree: b.Block.Tree, Txs: []treecache.Tx{treecache.TxOf(&b.Block.MinerTx)},
	}
	for _, t := range b.Txs {
		out.Txs = append(out.Txs, treecache.TxOf(t.Tx))
	}
	for _, t := range out.Txs {
		for _, o := range t.Outputs {
			if o.Key[0]%3 == 0 {
				f.cache.Register(o)
				f.own = append(f.own, o)
			}
		}
	}
	return out
}

// follow reads the blocks that are new, after those that are no longer in the chain are detached.
func (f *follower) follow() {
	f.Helper()
	f.View(func(v chain.View) {
		common := min(uint64(len(f.ids)), v.Height())
		for common > 0 && v.Block(common-1).ID != f.ids[common-1] {
			common--
		}
		require.NoError(f, f.cache.Detach(common))
		f.ids, f.roots = f.ids[:common], f.roots[:common]
		for h := common; h < v.Height(); h++ {
			b := v.Block(h)
			require.NoError(f, f.cache.Add(f.blockOf(b)))
			f.ids, f.roots = append(f.ids, b.ID), append(f.roots, f.cache.Next())
		}
	})
}

// check compares the trees after all blocks with those computed from nothing, and hashes all paths.
func (f *follower) check() (paths int) {
	f.Helper()
	want := roots(f.world)
	require.Len(f, f.roots, len(want))
	for h, r := range f.roots {
		require.Equal(f, want[h], block.Tree{Layers: uint8(r.Layers), Root: r.Hash}, h)
	}
	reference, ok := f.cache.Reference()
	require.True(f, ok)
	require.EqualValues(f, len(f.ids)-1, reference)
	root, err := f.cache.Root(reference)
	require.NoError(f, err)
	f.View(func(v chain.View) {
		header := v.Block(reference - 8).Block
		if header.Major < consensus.TreeVersion {
			require.Equal(f, f.roots[reference-9], root)
			return
		}
		require.Equal(f, &block.Tree{Layers: uint8(root.Layers), Root: root.Hash}, header.Tree)
	})
	for _, o := range f.own {
		path, err := f.cache.Path(reference, o)
		if err != nil {
			require.ErrorIs(f, err, treecache.ErrLocked)
			continue
		}
		got, err := path.Root()
		require.NoError(f, err)
		require.Equal(f, root, got)
		paths++
	}
	return paths
}

// TestPathsAcrossTheFork: a wallet that reads a chain across the fork, with unlock times, payments and reorganisations,
// has its trees and the paths of its own outputs.
func TestPathsAcrossTheFork(t *testing.T) {
	store := memory{}
	w := newWorld(t, 90, 95, func(o *chain.Options) { o.Store = store })
	f := newFollower(w, 40)
	w.mine(80, nil)
	for i, unlock := range []uint64{0, 100, 93, 1 << 40} {
		w.force(store, w.pay(uint64(1+i), unlock))
		f.follow()
	}
	w.mine(5, nil)
	f.follow()
	_, err := w.AddTx(w.pay(10, 0), false)
	require.NoError(t, err)
	w.mine(10, nil)
	f.follow()
	f.check()
	random := rand.New(rand.NewPCG(5, 6))
	for range 10 {
		switch random.IntN(4) {
		case 0:
			w.mine(1+random.IntN(15), nil)
		case 1:
			_, err := w.PopBlocks(uint64(1 + random.IntN(12)))
			require.NoError(t, err)
		default: // a longer branch replaces the last blocks
			back := uint64(1 + random.IntN(25))
			prev := w.id(w.height() - 1 - back)
			w.mine(int(back)+1, &prev)
		}
		f.follow()
	}
	w.mine(20, nil)
	f.follow()
	require.Greater(t, f.check(), 10)
	require.NoError(t, f.cache.Check())
}

// TestLyingDaemon: blocks in which a daemon leaves out, adds, alters or moves outputs, or alters unlock times, lead to
// another tree than the one in the next header.
func TestLyingDaemon(t *testing.T) {
	w := newWorld(t, 64, 65)
	w.mine(70, nil)
	lies := map[string]func(*treecache.Block){
		"output left out": func(b *treecache.Block) { b.Txs[0].Outputs = nil },
		"output added": func(b *treecache.Block) {
			b.Txs[0].Outputs = append(b.Txs[0].Outputs, b.Txs[0].Outputs[0])
		},
		"transaction added": func(b *treecache.Block) {
			b.Txs = append(b.Txs, treecache.Tx{Outputs: b.Txs[0].Outputs})
		},
		"commitment altered":  func(b *treecache.Block) { b.Txs[0].Outputs[0].Commitment = b.Txs[0].Outputs[0].Key },
		"Carrot or not":       func(b *treecache.Block) { b.Txs[0].Outputs[0].Carrot = !b.Txs[0].Outputs[0].Carrot },
		"unlock time earlier": func(b *treecache.Block) { b.Txs[0].UnlockTime-- },
		"unlock time later":   func(b *treecache.Block) { b.Txs[0].UnlockTime++ },
	}
	for name, lie := range lies {
		f := newFollower(w, 100)
		w.View(func(v chain.View) {
			for h := range v.Height() {
				b := f.blockOf(v.Block(h))
				if h == 15 { // in the tree with block 65, or 66
					lie(b)
				}
				err := f.cache.Add(b)
				if err == nil {
					continue
				}
				require.ErrorIs(t, err, treecache.ErrRoot, name)
				require.Contains(t, []uint64{64, 65, 66}, h, name)
				require.Equal(t, h, f.cache.Height(), "the block is not added")
				return
			}
			t.Error(name + " is not noticed")
		})
	}
}

// TestOwnBlocks: what the cache needs of a transaction follows from its bytes as a wallet gets them.
func TestOwnBlocks(t *testing.T) {
	w := newWorld(t, 90, 95)
	w.mine(85, nil)
	parsed, err := tx.Parse(w.pay(5, 0))
	require.NoError(t, err)
	got := treecache.TxOf(parsed)
	require.Len(t, got.Outputs, len(parsed.Outputs))
	for i, o := range got.Outputs {
		require.Equal(t, treecache.Output{Key: parsed.Outputs[i].Key, Commitment: parsed.RingCT.Commitments[i]}, o)
	}
	w.View(func(v chain.View) {
		coinbase := &v.Block(7).Block.MinerTx
		got := treecache.TxOf(coinbase)
		require.Equal(t, coinbase.UnlockTime, got.UnlockTime)
		o, ok := v.Output(0, v.Block(7).Indices[0][0])
		require.True(t, ok)
		require.Equal(t, []treecache.Output{{Key: o.Key, Commitment: o.Commitment}}, got.Outputs)
	})
}
