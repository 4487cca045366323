package fcmp

import (
	"context"
	"crypto/rand"

	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/carrot"
	"glim/core/crypto/curvetree"
	"glim/core/crypto/helioselene"
)

// grove is a tree, of which only the hashes around the paths of some outputs exist.
type grove struct {
	root    curvetree.Root
	owned   []*owned
	members []Member
}

func randomElements(t testing.TB, n int) []helioselene.Element {
	list := make([]helioselene.Element, n)
	for i := range list {
		var err error
		list[i], err = randomHelios(rand.Reader)
		require.NoError(t, err)
	}
	return list
}

func randomElements25519(t testing.TB, n int) []helioselene.Element25519 {
	list := make([]helioselene.Element25519, n)
	for i := range list {
		var err error
		list[i], err = randomSelene(rand.Reader)
		require.NoError(t, err)
	}
	return list
}

func hashSelene(children []helioselene.Element25519) *helioselene.Selene {
	return curvetree.GrowSelene(nil, 0, new(helioselene.Element25519), children)
}

func hashHelios(children []helioselene.Element) *helioselene.Helios {
	return curvetree.GrowHelios(nil, 0, new(helioselene.Element), children)
}

func hashLeaves(leaves []curvetree.Leaf) *helioselene.Selene {
	var children []helioselene.Element25519
	for i := range leaves {
		children = append(children, leaves[i][:]...)
	}
	return hashSelene(children)
}

// leaf returns the leaf of an output.
func (o *Output) leaf(t testing.TB) curvetree.Leaf {
	p, err := o.points()
	require.NoError(t, err)
	leaves, err := curvetree.NewLeaves([]curvetree.Output{
		{Key: p.key, KeyImageGenerator: p.generator, Commitment: p.commitment},
	})
	require.NoError(t, err)
	return leaves[0]
}

// newGrove returns a tree with outputs whose paths have only the root in common.
func newGrove(t testing.TB, rules *carrot.Rules, outputs, layers int) *grove {
	g := &grove{root: curvetree.Root{Layers: layers}}
	var leaves []curvetree.Leaf
	for i := range outputs {
		o := newOwned(t, rules, uint64(1000+i))
		g.owned = append(g.owned, o)
		g.members = append(g.members, Member{Output: o.Output, Blinds: newBlinds(t)})
		leaves = append(leaves, o.leaf(t))
	}
	if layers == 1 {
		for i := range g.members {
			g.members[i].Path.Leaves = leaves
		}
		g.root.Hash = hashLeaves(leaves).Encode()
		return g
	}
	// The hashes below, of each output.
	selene, helios := make([]helioselene.Selene, outputs), make([]helioselene.Helios, outputs)
	for i := range g.members {
		random := randomElements25519(t, len(curvetree.Leaf{}))
		decoy := curvetree.Leaf(random)
		list := []curvetree.Leaf{decoy, leaves[i], decoy}
		g.members[i].Path.Leaves = list[:2+i%2]
		selene[i] = *hashLeaves(g.members[i].Path.Leaves)
	}
	for layer := 1; layer < layers; layer++ {
		if layer%2 == 1 {
			x, _ := helioselene.SeleneXY(selene)
			for i := range g.members {
				children := append(randomElements(t, 1+i%3), x[i])
				if layer == layers-1 {
					children = x
				}
				g.members[i].Path.Helios = append(g.members[i].Path.Helios, children)
				helios[i] = *hashHelios(children)
			}
			g.root.Hash = helios[0].Encode()
			continue
		}
		x, _ := helioselene.HeliosXY(helios)
		for i := range g.members {
			children := append([]helioselene.Element25519{x[i]}, randomElements25519(t, i%3)...)
			if layer == layers-1 {
				children = x
			}
			g.members[i].Path.Selene = append(g.members[i].Path.Selene, children)
			selene[i] = *hashSelene(children)
		}
		g.root.Hash = selene[0].Encode()
	}
	return g
}

func (g *grove) prove() (*Membership, error) {
	return ProveMembership(context.Background(), rand.Reader, carrot.Plain, g.root, g.members)
}

// TestProveMembership proves for several numbers of inputs and layers, and verifies the proofs alone and with those of
// the Rust library.
func TestProveMembership(t *testing.T) {
	all := []Membership{membership(t, "1-3"), membership(t, "2-4")}
	for _, size := range [][2]int{{1, 1}, {2, 1}, {1, 2}, {2, 3}, {1, 4}, {4, 5}, {1, 7}, {8, 2}} {
		g := newGrove(t, carrot.Plain, size[0], size[1])
		m, err := g.prove()
		require.NoError(t, err, size)
		require.Equal(t, g.root, m.Root)
		require.Len(t, m.Inputs, size[0])
		for i := range m.Inputs {
			input, err := g.members[i].Output.Blind(carrot.Plain, g.members[i].Blinds)
			require.NoError(t, err)
			require.Equal(t, input, m.Inputs[i])
		}
		require.NoError(t, verify(*m), size)
		all = append(all, *m)
	}
	require.NoError(t, verify(all...))
}
