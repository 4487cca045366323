package treecache

import (
	"encoding/hex"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/block"
	"glim/core/carrot"
	"glim/core/consensus"
	"glim/core/crypto/curvetree"
	"glim/core/crypto/edwards"
	"glim/core/crypto/helioselene"
	"glim/core/xmr"
)

// someOutput returns the n-th of some outputs.
func someOutput(n uint64) Output {
	point := func(k uint64) [32]byte {
		return new(edwards.Point).ScalarBaseMult(edwards.ScalarFromUint64(k)).Encode()
	}
	return Output{Key: point(2*n + 1000), Commitment: point(2*n + 1001), Carrot: n%3 == 0}
}

// source makes blocks.
type source struct {
	*rand.Rand
	outputs uint64
	usual   bool // no unlock times, except those of coinbases
}

// block returns a block with a coinbase and n other outputs, some of which are locked for longer.
func (s *source) block(height uint64, n int) *Block {
	b := &Block{Height: height, Txs: []Tx{{UnlockTime: height + xmr.CoinbaseUnlock}}}
	add := func(t *Tx) {
		s.outputs++
		t.Outputs = append(t.Outputs, someOutput(s.outputs))
	}
	add(&b.Txs[0])
	for n > 0 {
		var t Tx
		switch n := s.IntN(8); {
		case s.usual:
		case n == 0:
			t.UnlockTime = height + s.Uint64N(40)
		case n == 1:
			t.UnlockTime = 3*height + 10_000
		}
		for range min(n, 1+s.IntN(3)) {
			add(&t)
			n--
		}
		b.Txs = append(b.Txs, t)
	}
	return b
}

// invalid returns an output that cannot be in the tree.
func invalid() Output {
	o := someOutput(0)
	o.Key = [32]byte{1} // the identity
	return o
}

// naive is the whole tree after some blocks: outputs, leaves, and all hashes of all layers.
type naive struct {
	outputs []Output
	leaves  []curvetree.Leaf
	selene  [][]helioselene.Element
	helios  [][]helioselene.Element25519
	root    curvetree.Root
}

// inOrder returns the outputs in the tree after some blocks, in the tree's order.
func inOrder(blocks []*Block) (list []Output) {
	byLast := map[uint64][]Output{}
	for _, b := range blocks {
		for _, t := range b.Txs {
			last := consensus.LastLocked(t.UnlockTime, b.Height)
			byLast[last] = append(byLast[last], t.Outputs...)
		}
	}
	for last := range uint64(len(blocks)) + 9 {
		list = append(list, byLast[last]...)
	}
	return list
}

// known are leaves that have been computed, because several trees have them.
var known = map[Output][]curvetree.Leaf{}

// newNaive computes every hash from all its children.
func newNaive(blocks []*Block) *naive {
	n := new(naive)
	for _, o := range inOrder(blocks) {
		leaf, ok := known[o]
		if !ok {
			leaf, _ = Leaves(carrot.Default, []Output{o})
			known[o] = leaf
		}
		if len(leaf) == 1 {
			n.leaves, n.outputs = append(n.leaves, leaf[0]), append(n.outputs, o)
		}
	}
	numbers := make([]helioselene.Element25519, 0, 6*len(n.leaves))
	for i := range n.leaves {
		numbers = append(numbers, n.leaves[i][:]...)
	}
	width := 6 * curvetree.SeleneWidth
	for len(numbers) > 0 {
		var selene []helioselene.Selene
		for part := range slices.Chunk(numbers, width) {
			selene = append(selene, *curvetree.GrowSelene(nil, 0, new(helioselene.Element25519), part))
		}
		x, _ := helioselene.SeleneXY(selene)
		n.selene = append(n.selene, x)
		n.root = curvetree.Root{Layers: n.root.Layers + 1, Hash: selene[0].Encode()}
		if len(selene) == 1 {
			break
		}
		var helios []helioselene.Helios
		for part := range slices.Chunk(x, curvetree.HeliosWidth) {
			helios = append(helios, *curvetree.GrowHelios(nil, 0, new(helioselene.Element), part))
		}
		numbers, _ = helioselene.HeliosXY(helios)
		n.helios = append(n.helios, numbers)
		n.root = curvetree.Root{Layers: n.root.Layers + 1, Hash: helios[0].Encode()}
		if len(helios) == 1 {
			break
		}
		width = curvetree.SeleneWidth
	}
	return n
}

// cutOut returns the part of a list with an index.
func cutOut[T any](list []T, index, width int) []T {
	return list[index*width : min((index+1)*width, len(list))]
}

// path returns the path of the output at a place.
func (n *naive) path(place int) *Path {
	index := place / curvetree.SeleneWidth
	p := &Path{Leaves: cutOut(n.leaves, index, curvetree.SeleneWidth)}
	for i := 0; len(p.Helios)+len(p.Selene) < n.root.Layers-1; i++ {
		index /= curvetree.HeliosWidth
		p.Helios = append(p.Helios, cutOut(n.selene[i], index, curvetree.HeliosWidth))
		if len(p.Helios)+len(p.Selene) == n.root.Layers-1 {
			break
		}
		index /= curvetree.SeleneWidth
		p.Selene = append(p.Selene, cutOut(n.helios[i], index, curvetree.SeleneWidth))
	}
	return p
}

// numbersOf returns the numbers of a path by layers, in hexadecimal.
func numbersOf(p *Path) (layers []string) {
	var b []byte
	end := func() {
		layers = append(layers, hex.EncodeToString(b))
		b = nil
	}
	add := func(n [32]byte) { b = append(b, n[:]...) }
	for i := range p.Leaves {
		for j := range p.Leaves[i] {
			add(p.Leaves[i][j].Bytes())
		}
	}
	end()
	for i := range p.Helios {
		for j := range p.Helios[i] {
			add(p.Helios[i][j].Bytes())
		}
		end()
		if i == len(p.Selene) {
			break
		}
		for j := range p.Selene[i] {
			add(p.Selene[i][j].Bytes())
		}
		end()
	}
	return layers
}

// requireTree compares the cache with whole trees: the next header's root, and all paths in a random and the newest
// tree that transactions can refer to.
func requireTree(t *testing.T, c *Cache, random *rand.Rand, blocks []*Block) {
	t.Helper()
	require.EqualValues(t, len(blocks), c.Height())
	require.Equal(t, newNaive(blocks).root, c.Next())
	require.True(t, c.leaves.fits(c.ends()[0], c.places) && c.fits(), "as keep leaves it")
	newest, ok := c.Reference()
	require.EqualValues(t, len(blocks)-1, newest)
	if len(blocks) < 9 {
		require.False(t, ok)
		return
	}
	require.True(t, ok)
	oldest := c.oldest() + 8
	for _, reference := range []uint64{oldest + random.Uint64N(newest-oldest+1), newest} {
		whole := newNaive(blocks[:reference-8])
		root, err := c.Root(reference)
		require.NoError(t, err)
		require.Equal(t, whole.root, root)
		inTree := 0
		for o := range c.own {
			place := slices.Index(whole.outputs, o)
			path, err := c.Path(reference, o)
			if place < 0 {
				require.ErrorIs(t, err, ErrLocked)
				continue
			}
			inTree++
			require.NoError(t, err)
			require.Equal(t, numbersOf(whole.path(place)), numbersOf(path))
			got, err := path.Root()
			require.NoError(t, err)
			require.Equal(t, root, got)
		}
		if reference == newest {
			t.Log(len(blocks), "blocks,", len(whole.outputs), "outputs,", root.Layers, "layers,", inTree, "own")
		}
	}
}

// TestOwnPaths: after random blocks and reorganisations, roots and paths are those of the whole tree, also after the
// cache was encoded and decoded.
func TestOwnPaths(t *testing.T) {
	for seed := range uint64(2) {
		s := &source{Rand: rand.New(rand.NewPCG(seed, 1))}
		const depth = 15
		c := New(carrot.Default, depth)
		var blocks []*Block
		highest := 0
		add := func(n int) {
			b := s.block(uint64(len(blocks)), n)
			for _, tx := range b.Txs {
				for _, o := range tx.Outputs {
					if s.IntN(20) == 0 {
						c.Register(o)
					}
				}
			}
			if s.IntN(5) == 0 {
				b.Txs = append(b.Txs, Tx{Outputs: []Output{invalid(), someOutput(3)}}) // the second is a duplicate
			}
			root := c.Next()
			b.Tree = &block.Tree{Layers: uint8(root.Layers), Root: root.Hash}
			require.NoError(t, c.Add(b))
			blocks = append(blocks, b)
			highest = max(highest, len(blocks))
		}
		for len(blocks) < 65 || c.Outputs() < 700 {
			for range 1 + s.IntN(12) {
				add(s.IntN(25) * s.IntN(3))
			}
			if lowest := max(highest-depth, 0); s.IntN(2) == 0 && lowest < len(blocks) {
				height := lowest + s.IntN(len(blocks)-lowest+1)
				require.NoError(t, c.Detach(uint64(height)))
				blocks = blocks[:height]
			}
			for o := range c.own {
				if s.IntN(20) == 0 {
					c.Unregister(o)
				}
			}
			encoded := c.Append(nil)
			again, err := Decode(carrot.Default, encoded)
			require.NoError(t, err)
			require.Equal(t, encoded, again.Append(nil))
			c = again
			if s.IntN(8) == 0 && len(blocks) > 0 {
				requireTree(t, c, s.Rand, blocks)
			}
		}
		requireTree(t, c, s.Rand, blocks)
		require.Equal(t, 3, c.Next().Layers)
	}
}
