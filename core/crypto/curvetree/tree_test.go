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
