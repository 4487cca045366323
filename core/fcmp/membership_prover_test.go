package fcmp

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"slices"

	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/carrot"
	"glim/core/crypto/curvetree"
	"glim/core/crypto/helioselene"

	gbp "glim/core/crypto/generalizedbulletproofs"
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
	return ProveMembership(context.Background(), rand.Reader, carrot.Plain, g.root, g.members, nil)
}

// TestProveMembership proves for several numbers of inputs and layers, and verifies the proofs alone and with those of
// the Rust library.
func TestProveMembership(t *testing.T) {
	all := []Membership{membership(t, "1-3"), membership(t, "2-4")}
	for _, size := range [][2]int{{1, 1}, {1, 2}, {2, 3}, {1, 6}, {4, 2}, {8, 1}} {
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

// TestProvenMembershipAltered changes bytes of a proof, and what it is about.
func TestProvenMembershipAltered(t *testing.T) {
	m, err := newGrove(t, carrot.Plain, 1, 2).prove()
	require.NoError(t, err)
	for at := 3; at < len(m.Proof); at += len(m.Proof) / 20 {
		altered := m.copied()
		altered.Proof[at] ^= 1 << (at % 8)
		require.ErrorIs(t, verify(altered), ErrMembership, at)
	}
	other, err := newGrove(t, carrot.Plain, 1, 2).blind()
	require.NoError(t, err)
	for i := range 4 {
		altered := m.copied()
		changed := Spend{Input: m.Inputs[0]}
		*changed.inputs()[i] = *(&Spend{Input: other}).inputs()[i]
		altered.Inputs[0] = changed.Input
		require.ErrorIs(t, verify(altered), ErrMembership)
	}
}

// blind returns the first input.
func (g *grove) blind() (Input, error) {
	return g.members[0].Output.Blind(carrot.Plain, g.members[0].Blinds)
}

// TestMembershipOfTree proves for an output of a whole tree, whose root curvetree.Tree computes.
func TestMembershipOfTree(t *testing.T) {
	o := newOwned(t, carrot.Plain, 5)
	leaves := make([]curvetree.Leaf, 41)
	for i := range leaves {
		leaves[i] = curvetree.Leaf(randomElements25519(t, len(leaves[i])))
	}
	leaves[39] = o.leaf(t)
	var tree curvetree.Tree
	tree.Grow(leaves)
	x, _ := helioselene.SeleneXY([]helioselene.Selene{*hashLeaves(leaves[:38]), *hashLeaves(leaves[38:])})
	g := &grove{root: tree.Root(), members: []Member{{
		Output: o.Output, Blinds: newBlinds(t), Path: Path{Leaves: leaves[38:], Helios: [][]helioselene.Element{x}},
	}}}
	m, err := g.prove()
	require.NoError(t, err)
	require.NoError(t, verify(*m))
}

// TestProveMembershipRefuses proves with outputs, blinds and paths that are wrong.
func TestProveMembershipRefuses(t *testing.T) {
	right := newGrove(t, carrot.Plain, 2, 5)
	other := newGrove(t, carrot.Plain, 1, 5)
	try := func(want error, text string, change func(g *grove, m *Member)) {
		g := &grove{root: right.root, members: slices.Clone(right.members)}
		m := &g.members[1]
		blinds := *m.Blinds
		m.Blinds = &blinds
		m.Path.Leaves = slices.Clone(m.Path.Leaves)
		m.Path.Helios = slices.Clone(m.Path.Helios)
		for i := range m.Path.Helios {
			m.Path.Helios[i] = slices.Clone(m.Path.Helios[i])
		}
		m.Path.Selene = slices.Clone(m.Path.Selene)
		for i := range m.Path.Selene {
			m.Path.Selene[i] = slices.Clone(m.Path.Selene[i])
		}
		change(g, m)
		_, err := g.prove()
		require.ErrorIs(t, err, want)
		require.ErrorContains(t, err, text)
	}
	try(ErrLimits, "", func(g *grove, _ *Member) { g.members = nil })
	try(ErrLimits, "", func(g *grove, _ *Member) { g.members = make([]Member, MaxInputs+1) })
	for _, layers := range []int{-1, 0, MaxLayers + 1} {
		try(ErrLimits, "", func(g *grove, _ *Member) { g.root.Layers = layers })
	}
	for _, layers := range []int{1, 3, 4, 6, MaxLayers} {
		try(ErrPath, "output 0", func(g *grove, _ *Member) { g.root.Layers = layers })
	}
	try(ErrPath, "output 0", func(g *grove, _ *Member) { g.root.Hash[3] ^= 1 })
	try(ErrPath, "output 1", func(_ *grove, m *Member) { m.Path.Helios = m.Path.Helios[1:] })
	try(ErrPath, "output 1", func(_ *grove, m *Member) { m.Path.Selene = append(m.Path.Selene, m.Path.Selene[0]) })
	try(ErrPath, "output 1", func(_ *grove, m *Member) { m.Path.Leaves = make([]curvetree.Leaf, 39) })
	try(ErrLeaf, "output 1", func(_ *grove, m *Member) { m.Path.Leaves = nil })
	try(ErrPath, "output 1", func(_ *grove, m *Member) { m.Path.Leaves[0][0] = randomElements25519(t, 1)[0] })
	for i := range 2 {
		try(ErrPath, "output 1", func(_ *grove, m *Member) { m.Path.Helios[i] = nil })
		try(ErrPath, "output 1", func(_ *grove, m *Member) { m.Path.Helios[i] = make([]helioselene.Element, 19) })
		try(ErrPath, "output 1", func(_ *grove, m *Member) { m.Path.Helios[i][0] = randomElements(t, 1)[0] })
		try(ErrPath, "output 1", func(_ *grove, m *Member) { m.Path.Selene[i] = nil })
		try(ErrPath, "output 1", func(_ *grove, m *Member) { m.Path.Selene[i] = make([]helioselene.Element25519, 39) })
		try(ErrPath, "output 1", func(_ *grove, m *Member) { m.Path.Selene[i][0] = randomElements25519(t, 1)[0] })
		try(ErrPath, "output 1", func(_ *grove, m *Member) { m.Path.Helios[i] = other.members[0].Path.Helios[i] })
		try(ErrPath, "output 1", func(_ *grove, m *Member) { m.Path.Selene[i] = other.members[0].Path.Selene[i] })
	}
	try(ErrPath, "output 1", func(_ *grove, m *Member) { *m = other.members[0] }) // of another root
	try(ErrPath, "output 0", func(g *grove, _ *Member) { g.members[0] = other.members[0] })
	for i := range 6 {
		try(ErrLeaf, "output 1", func(_ *grove, m *Member) { m.Path.Leaves[1][i] = randomElements25519(t, 1)[0] })
	}
	try(ErrLeaf, "output 1", func(_ *grove, m *Member) { m.Output = other.members[0].Output })
	try(ErrLeaf, "output 1", func(_ *grove, m *Member) { m.Output.Commitment = other.members[0].Output.Commitment })
	try(ErrPoint, "output 1", func(_ *grove, m *Member) { m.Output.Key = [size]byte{2} })
	try(ErrBlind, "output 1", func(_ *grove, m *Member) { m.Blinds.R = nil })
	try(ErrBlind, "output 1", func(_ *grove, m *Member) { m.Blinds = nil })

	wrong := &carrot.Rules{T: [size]byte{2}}
	_, err := ProveMembership(context.Background(), rand.Reader, wrong, right.root, right.members, nil)
	require.Error(t, err)
}

// TestAlteredWitness changes committed numbers and given rows after the commitments were made. Either the prover or the
// verifier refuses: the circuit does not constrain padding.
func TestAlteredWitness(t *testing.T) {
	g := newGrove(t, carrot.Plain, 1, 3)
	prepared := &membershipProver{
		ctx: context.Background(), rand: rand.Reader, layout: newLayout(1, 3), members: g.members,
		result: &Membership{Root: g.root}, progress: func(int) {},
	}
	for _, step := range []func() error{
		func() error { return prepared.blind(carrot.Plain) }, prepared.follow, prepared.claim,
	} {
		require.NoError(t, step())
	}
	refused := 0
	try := func(alter func(p *membershipProver)) {
		copied, result, selene, helios := *prepared, *prepared.result, *prepared.selene, *prepared.helios
		p := &copied
		p.result, p.selene, p.helios = &result, &selene, &helios
		p.selene.numbers, p.helios.numbers = slices.Clone(selene.numbers), slices.Clone(helios.numbers)
		p.selene.blinds, p.helios.blinds = slices.Clone(selene.blinds), slices.Clone(helios.blinds)
		p.selene.given, p.helios.given = slices.Clone(selene.given), slices.Clone(helios.given)
		alter(p)
		err := p.prove()
		if err == nil {
			err = verify(*p.result)
		} else {
			require.ErrorIs(t, err, gbp.ErrWitness)
			refused++
		}
		require.Error(t, err)
	}
	var one helioselene.Element
	var one25519 helioselene.Element25519
	one.SetUint64(1)
	one25519.SetUint64(1)
	claims := newLayout(1, 3).claimsOf(0)
	for _, at := range []int{
		claims.key.coefficients, claims.generator.coefficients + 252, claims.commitment.spareIndex(),
		claims.v.divisor + 100, claims.r.xIndex(),
	} {
		try(func(p *membershipProver) { p.selene.numbers[at].Add(&p.selene.numbers[at], &one25519) })
	}
	try(func(p *membershipProver) { p.helios.given[0][0].Add(&p.helios.given[0][0], &one) })
	try(func(p *membershipProver) { p.selene.given[0][1].Add(&p.selene.given[0][1], &one25519) })
	require.Equal(t, 7, refused)
	// The last number of the last branch on Selene, which is padding: x of no child.
	try(func(p *membershipProver) {
		at := p.layout.selene.words - 1
		p.selene.numbers[at].Add(&p.selene.numbers[at], &one25519)
	})
	try(func(p *membershipProver) { p.selene.blinds[0].Add(&p.selene.blinds[0], &one25519) })
	try(func(p *membershipProver) { p.helios.blinds[0].Add(&p.helios.blinds[0], &one) })
	require.Equal(t, 7, refused)
	require.NoError(t, prepared.prove()) // without a change
	require.NoError(t, verify(*prepared.result))
}

// TestProveMembershipStops proves with a context that ends and with a source of randomness that fails.
func TestProveMembershipStops(t *testing.T) {
	g := newGrove(t, carrot.Plain, 1, 2)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := ProveMembership(ctx, rand.Reader, carrot.Plain, g.root, g.members, nil)
	require.ErrorIs(t, err, context.Canceled)

	failed := errors.New("no randomness")
	l := newLayout(1, 2)
	vectors := len(l.selene.sizes) + len(l.helios.sizes)
	for _, uses := range []int{0, len(l.selene.sizes), vectors, vectors + 1, vectors + 600} {
		source := io.MultiReader(io.LimitReader(rand.Reader, 64*int64(uses)), failingReader{failed})
		_, err := ProveMembership(context.Background(), source, carrot.Plain, g.root, g.members, nil)
		require.ErrorIs(t, err, failed)
	}
}

type failingReader struct{ err error }

func (r failingReader) Read([]byte) (int, error) { return 0, r.err }

// TestProveTransaction proves everything about the inputs of transactions, and verifies it.
func TestProveTransaction(t *testing.T) {
	var all []Transaction
	for inputs, layers := range map[int]int{1: 3, 2: 1} {
		g := newGrove(t, carrot.Plain, inputs, layers)
		spends := g.spend(t, [size]byte{byte(inputs)})
		m, err := g.prove()
		require.NoError(t, err)
		tx, err := NewTransaction(spends, m)
		require.NoError(t, err)
		require.Len(t, tx.Proof, ProofSize(inputs, layers))
		require.NoError(t, verifyTransactions(*tx))
		all = append(all, *tx)

		_, err = NewTransaction(spends[1:], m)
		require.ErrorIs(t, err, ErrInputs)
		_, err = NewTransaction(nil, &Membership{})
		require.ErrorIs(t, err, ErrInputs)
		last := spends[inputs-1]
		spends[inputs-1] = g.spend(t, [size]byte{9})[inputs-1]
		tx, err = NewTransaction(spends, m)
		if inputs > 1 {
			require.ErrorIs(t, err, ErrMessage)
		} else {
			require.NoError(t, err)
			require.NoError(t, verifyTransactions(*tx))
		}
		changed := *last
		changed.Input.R[0] ^= 1
		spends[inputs-1] = &changed
		_, err = NewTransaction(spends, m)
		require.ErrorIs(t, err, ErrInputs)
	}
	require.NoError(t, verifyTransactions(append(all, storedTransaction(t, 1))...))
}

// TestMembersAreSecret formats an output and its path.
func TestMembersAreSecret(t *testing.T) {
	m := Member{Blinds: newBlinds(t), Path: Path{Helios: [][]helioselene.Element{randomElements(t, 1)}}}
	for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
		require.Equal(t, "fcmp.Member(redacted)", fmt.Sprintf(format, m))
		require.Equal(t, "fcmp.Member(redacted)", fmt.Sprintf(format, &m))
		require.Equal(t, "fcmp.Path(redacted)", fmt.Sprintf(format, m.Path))
	}
}

// spend returns the spends of all outputs.
func (g *grove) spend(t testing.TB, message [size]byte) (spends []*Spend) {
	for i, o := range g.owned {
		spends = append(spends, o.prove(t, carrot.Plain, message, g.members[i].Blinds))
	}
	return spends
}
