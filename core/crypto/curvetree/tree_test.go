package curvetree

import (
	"encoding/hex"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/crypto/edwards"
	"glim/core/crypto/helioselene"
)

// vectors returns the lines of testdata/vectors.txt that begin with name, split into the words that follow.
func vectors(t *testing.T, name string) (lines [][]string) {
	text, err := os.ReadFile("testdata/vectors.txt")
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); words[0] == name {
			lines = append(lines, words[1:])
		}
	}
	require.NotEmpty(t, lines)
	return lines
}

func hexOf(b [32]byte) string { return hex.EncodeToString(b[:]) }

// multiple returns n·G.
func multiple(n uint64) *edwards.Point {
	return new(edwards.Point).ScalarBaseMult(edwards.ScalarFromUint64(n))
}

// someLeaves returns the leaves of the vectors: of n outputs whose points are multiples of G by 1000, 1001, 1002, …
func someLeaves(t testing.TB, n int) []Leaf {
	outputs := make([]Output, n)
	for i := range outputs {
		k := 1000 + 3*uint64(i)
		outputs[i] = Output{Key: multiple(k), KeyImageGenerator: multiple(k + 1), Commitment: multiple(k + 2)}
	}
	leaves, err := NewLeaves(outputs)
	require.NoError(t, err)
	return leaves
}

func TestGenerators(t *testing.T) {
	for _, w := range vectors(t, "generator") {
		text := "Monero " + strings.Join(w[:len(w)-1], " ")
		if w[1] == "init" {
			text = "Monero " + w[0] + " Hash Initializer"
		}
		got := helioselene.HashToSelene(text).Encode()
		if w[0] == "Helios" {
			got = helioselene.HashToHelios(text).Encode()
		}
		require.Equal(t, w[len(w)-1], hexOf(got), text)
	}
}

func TestWei25519(t *testing.T) {
	for _, w := range vectors(t, "wei25519") {
		b, err := hex.DecodeString(w[0])
		require.NoError(t, err)
		p, err := edwards.DecodePoint([32]byte(b))
		require.NoError(t, err)
		q := new(edwards.Point).Add(p, edwards.Base())
		q.Subtract(q, edwards.Base()) // z is not 1
		x, y := Weierstrass([]*edwards.Point{p, q})
		for i := range x {
			require.Equal(t, w[1:], []string{hexOf(x[i].Bytes()), hexOf(y[i].Bytes())})
		}
	}
	leaf := someLeaves(t, 1)[0]
	for i, want := range vectors(t, "leaf")[0] {
		require.Equal(t, want, hexOf(leaf[i].Bytes()))
	}
}

func TestGrow(t *testing.T) {
	for _, w := range vectors(t, "grow") {
		offset, err := strconv.Atoi(w[0])
		require.NoError(t, err)
		old, err := strconv.ParseUint(w[1], 10, 64)
		require.NoError(t, err)
		var p []helioselene.Element25519
		var q []helioselene.Element
		for text := range strings.SplitSeq(w[2], ",") {
			n, err := strconv.ParseUint(text, 10, 64)
			require.NoError(t, err)
			p = append(p, *new(helioselene.Element25519).SetUint64(n))
			q = append(q, *new(helioselene.Element).SetUint64(n))
			p[len(p)-1].Negate(&p[len(p)-1])
			q[len(q)-1].Negate(&q[len(q)-1])
		}
		s := GrowSelene(nil, offset, new(helioselene.Element25519).SetUint64(old), p)
		require.Equal(t, w[3], hexOf(s.Encode()))
		if offset+len(q) > HeliosWidth { // the Rust crate has more generators than hashes have children
			require.Panics(t, func() { GrowHelios(nil, offset, new(helioselene.Element), q) })
			continue
		}
		h := GrowHelios(nil, offset, new(helioselene.Element).SetUint64(old), q)
		require.Equal(t, w[4], hexOf(h.Encode()))
	}
	require.Panics(t, func() { GrowSelene(nil, 0, new(helioselene.Element25519), nil) })
	require.Panics(t, func() { GrowHelios(nil, 0, new(helioselene.Element), nil) })
}

// TestRoots compares roots with those of the Rust crates, for trees that grow at once and by parts.
func TestRoots(t *testing.T) {
	want := map[uint64]Root{}
	most := uint64(0)
	for _, w := range vectors(t, "root") {
		n, err := strconv.ParseUint(w[0], 10, 64)
		require.NoError(t, err)
		layers, err := strconv.Atoi(w[1])
		require.NoError(t, err)
		b, err := hex.DecodeString(w[2])
		require.NoError(t, err)
		want[n] = Root{Layers: layers, Hash: [32]byte(b)}
		most = max(most, n)
	}
	leaves := someLeaves(t, int(most))
	var parts, single Tree
	require.Equal(t, Root{}, parts.Root())
	rng := rand.New(rand.NewPCG(9, 10))
	for n := range most + 1 {
		root, ok := want[n]
		if !ok {
			continue
		}
		var once Tree
		once.Grow(leaves[:n])
		require.Equal(t, root, once.Root(), n)
		for parts.Outputs() < n {
			before := parts.Copy()
			part := leaves[parts.Outputs():min(n, parts.Outputs()+1+rng.Uint64N(60))]
			parts.Grow(part)
			root := parts.Root()
			before.Grow(nil)
			before.Grow(part)
			require.Equal(t, root, before.Root(), "a copy is independent")
		}
		require.Equal(t, root, parts.Root(), n)
		for single.Outputs() < min(n, 90) {
			single.Grow(leaves[single.Outputs():][:1])
		}
		if n < 90 {
			require.Equal(t, root, single.Root(), n)
		}
	}
	require.Equal(t, most, parts.Outputs())
}

// grown implements Watcher: it has the x coordinates of all hashes, by layers.
type grown [][][32]byte

func (g *grown) set(layer int, first uint64, x [32]byte) {
	if layer == len(*g) {
		*g = append(*g, nil)
	}
	(*g)[layer] = append((*g)[layer][:first], x)
}

func (g *grown) Selene(layer int, first uint64, x []helioselene.Element) {
	for i := range x {
		g.set(2*layer, first+uint64(i), x[i].Bytes())
	}
}

func (g *grown) Helios(layer int, first uint64, x []helioselene.Element25519) {
	for i := range x {
		g.set(2*layer+1, first+uint64(i), x[i].Bytes())
	}
}

// TestEdge: a tree goes on from its edge, and a watcher has the same hashes as one of a tree that grows at once.
func TestEdge(t *testing.T) {
	const most = 750
	few := someLeaves(t, 10)
	leaves := make([]Leaf, most)
	for i := range leaves {
		leaves[i] = few[i%7+i/11%3]
	}
	tree, parts := new(Tree), grown{}
	rng := rand.New(rand.NewPCG(3, 4))
	for tree.Outputs() < most {
		n := min(most-tree.Outputs(), 1+rng.Uint64N(90))
		tree.GrowWatched(leaves[tree.Outputs():][:n], &parts)
		edge := tree.Edge()
		require.Equal(t, tree.Root(), Root{len(edge), edge[len(edge)-1]})
		for i, hashes := range Hashes(tree.Outputs()) {
			require.Len(t, parts[i], int(hashes))
			x := edge[i]
			x[31] &= 0x7f
			require.Equal(t, x, parts[i][hashes-1])
		}
		root := tree.Root()
		var err error
		tree, err = FromEdge(tree.Outputs(), edge)
		require.NoError(t, err)
		require.Equal(t, root, tree.Root())
		require.Equal(t, edge, tree.Edge())
	}
	once := grown{}
	new(Tree).GrowWatched(leaves, &once)
	require.Equal(t, once, parts)
	require.Len(t, once, 3)
}

// TestHashes: the numbers of hashes at the bounds of layers, and edges that fit no tree.
func TestHashes(t *testing.T) {
	for outputs, want := range map[uint64][]uint64{
		0: nil, 1: {1}, 38: {1}, 39: {2, 1}, 684: {18, 1}, 685: {19, 2, 1}, 25_992: {684, 38, 1},
		25_993: {685, 39, 2, 1}, 150_000_000: {3_947_369, 219_299, 5_772, 321, 9, 1},
		1<<64 - 1: {
			485440633518672411, 26968924084370690, 709708528536071, 39428251585338, 1037585568036, 57643642669,
			1516937965, 84274332, 2217746, 123209, 3243, 181, 5, 1,
		},
	} {
		require.Equal(t, want, Hashes(outputs), outputs)
	}
	empty, err := FromEdge(0, nil)
	require.NoError(t, err)
	require.Equal(t, Root{}, empty.Root())
	var tree Tree
	tree.Grow(someLeaves(t, 39))
	edge := tree.Edge()
	for _, outputs := range []uint64{0, 38, 685} {
		_, err := FromEdge(outputs, edge)
		require.ErrorIs(t, err, ErrEdge)
	}
	for i := range edge {
		wrong := append([][32]byte{}, edge...)
		wrong[i] = [32]byte{0: 0xff, 31: 0x7f}
		for range 256 { // until it is the x coordinate of no point
			wrong[i][0]--
			if _, err = FromEdge(39, wrong); err != nil {
				break
			}
		}
		require.ErrorIs(t, err, ErrEdge)
		require.ErrorContains(t, err, "layer "+strconv.Itoa(i+1))
	}
}

// TestFourLayers grows a tree beyond 38·18·38 outputs, where a fourth layer begins, at once and by parts.
func TestFourLayers(t *testing.T) {
	const full = SeleneWidth * HeliosWidth * SeleneWidth
	few := someLeaves(t, 10)
	leaves := make([]Leaf, full+50)
	for i := range leaves {
		leaves[i] = few[i%7+i/11%3]
	}
	var once Tree
	once.Grow(leaves[:full-40])
	parts := once.Copy()
	once.Grow(leaves[full-40 : full])
	require.Equal(t, 3, once.Root().Layers)
	parts.Grow(leaves[full-40 : full-1])
	parts.Grow(leaves[full-1 : full])
	require.Equal(t, once.Root(), parts.Root())
	once.Grow(leaves[full:])
	require.Equal(t, 4, once.Root().Layers)
	for i := full; i < len(leaves); i += 7 {
		parts.Grow(leaves[i:min(i+7, len(leaves))])
	}
	require.Equal(t, once.Root(), parts.Root())
}

// TestTorsion: points that differ in torsion make the same leaf, and points without another part make none.
func TestTorsion(t *testing.T) {
	low := map[[32]byte]bool{} // the points of low order, from ℓ·P for points P with torsion
	order := edwards.NewScalar().Negate(edwards.ScalarFromUint64(1))
	for i := range byte(60) {
		p, err := edwards.DecodePoint([32]byte{i})
		if err != nil {
			continue
		}
		q := new(edwards.Point).ScalarMult(order, p)
		low[q.Add(q, p).Encode()] = true
	}
	require.Len(t, low, 8)
	want := someLeaves(t, 1)
	for b := range low {
		torsion, err := edwards.DecodePoint(b)
		require.NoError(t, err)
		require.True(t, ClearTorsion(torsion).IsIdentity())
		o := Output{
			Key:               new(edwards.Point).Add(multiple(1000), torsion),
			KeyImageGenerator: multiple(1001),
			Commitment:        new(edwards.Point).Add(multiple(1002), torsion),
		}
		got, err := NewLeaves([]Output{o})
		require.NoError(t, err)
		for i := range got[0] {
			require.True(t, got[0][i].Equal(&want[0][i]))
		}
		good := o
		o.Key = torsion
		_, err = NewLeaves([]Output{good, o})
		require.ErrorIs(t, err, ErrIdentity)
		require.ErrorContains(t, err, "output 1")
		o = good
		o.Commitment = torsion
		_, err = NewLeaves([]Output{o})
		require.ErrorIs(t, err, ErrIdentity)
	}
}

func BenchmarkLeaves(b *testing.B) {
	outputs := make([]Output, 38)
	for i := range outputs {
		outputs[i] = Output{multiple(uint64(i) + 1), multiple(uint64(i) + 2), multiple(uint64(i) + 3)}
	}
	for b.Loop() {
		if _, err := NewLeaves(outputs); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(outputs)), "ns/output")
}

func BenchmarkGrow(b *testing.B) {
	leaves := someLeaves(b, 38)
	for _, n := range []int{1, 38} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			var t Tree
			shortest := math.Inf(1) // other processes use the processor too
			for b.Loop() {
				start := time.Now()
				t.Grow(leaves[:n])
				shortest = min(shortest, float64(time.Since(start).Nanoseconds())/float64(n))
			}
			b.ReportMetric(shortest, "best-ns/output")
		})
	}
}
