package treecache

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/carrot"
	"glim/core/crypto/curvetree"
	"glim/core/crypto/helioselene"
)

// newEdge returns a cache that begins before a block, with a number of outputs in its tree. Their hashes are random,
// except for those of the edge.
func newEdge(t testing.TB, outputs, height uint64, depth int) *Cache {
	random := rand.New(rand.NewPCG(outputs, height))
	c := New(carrot.Default, depth)
	c.next = height
	ends := curvetree.Hashes(outputs)
	c.addLayers(len(ends))
	start := (outputs - 1) / curvetree.SeleneWidth * curvetree.SeleneWidth
	for i := start; i < outputs; i++ {
		c.leaves.put(i, []Output{someOutput(1_000_000 + i)})
	}
	leaves, _ := Leaves(carrot.Default, c.leaves.recent[0].children)
	p := &Path{Leaves: leaves}
	for i, end := range ends {
		edge, err := p.hashes()
		require.NoError(t, err)
		hash := edge[len(edge)-1]
		if i == len(ends)-1 {
			c.hashes[i].put(0, [][32]byte{xOf(hash)})
			c.states = []state{{outputs, edge}}
			break
		}
		var children [][32]byte
		for range (end - 1) % c.hashes[i].width {
			var x helioselene.Element // less than both moduli
			x.SetUint64(random.Uint64())
			children = append(children, x.Bytes())
		}
		children = append(children, xOf(hash))
		c.hashes[i].put((end-1)/c.hashes[i].width*c.hashes[i].width, children)
		if i%2 == 0 {
			p.Helios = append(p.Helios, elements(children, (*helioselene.Element).SetBytes))
		} else {
			p.Selene = append(p.Selene, elements(children, (*helioselene.Element25519).SetBytes))
		}
	}
	var err error
	c.tree, err = curvetree.FromEdge(outputs, c.states[0].edge)
	require.NoError(t, err)
	return c
}

// TestNewLayers: paths are those of the tree while it gets its fourth to seventh layer, and after reorganisations
// across that moment. The cache begins with an encoding from somebody else.
func TestNewLayers(t *testing.T) {
	for layers, outputs := range map[int]uint64{4: 25_992, 5: 467_856, 6: 17_778_528, 7: 320_013_504} {
		c, err := Decode(carrot.Default, newEdge(t, outputs-3, 1000, 20).Append(nil))
		require.NoError(t, err)
		require.NoError(t, c.Check())
		require.Equal(t, layers-1, c.Next().Layers)
		s := &source{Rand: rand.New(rand.NewPCG(1, outputs)), outputs: outputs}
		var own []Output
		for range 2 {
			for c.Height() < 1012 {
				b := s.block(c.Height(), 2)
				for _, tx := range b.Txs {
					own = append(own, tx.Outputs...)
				}
				for _, o := range own {
					c.Register(o)
				}
				require.NoError(t, c.Add(b))
			}
			require.Equal(t, layers, c.Next().Layers)
			require.NoError(t, c.Check())
			for reference := uint64(1008); reference < 1012; reference++ {
				root, err := c.Root(reference)
				require.NoError(t, err)
				_, err = c.Path(reference, own[0])
				require.ErrorIs(t, err, ErrLocked, "the coinbase")
				for _, o := range own {
					path, err := c.Path(reference, o)
					if err != nil {
						require.ErrorIs(t, err, ErrLocked)
						continue
					}
					got, err := path.Root()
					require.NoError(t, err)
					require.Equal(t, root, got)
				}
			}
			require.NoError(t, c.Detach(1000))
			require.Equal(t, layers-1, c.Next().Layers)
			all, inTree := c.Registered()
			require.Equal(t, []int{len(own), 0}, []int{all, inTree})
			require.ErrorIs(t, c.Detach(999), ErrDepth)
		}
	}
}
