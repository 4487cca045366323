package ecdivisors

import (
	"crypto/rand"
	"encoding/hex"
	"io"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/crypto/blake2b"
	"glim/core/crypto/curvetree"
	"glim/core/crypto/edwards"
	"glim/core/crypto/helioselene"
)

var groups = map[string]*Group{"Ed25519": Ed25519, "Helios": Helios, "Selene": Selene}

func fill(t *testing.T, b []byte) {
	_, err := io.ReadFull(rand.Reader, b)
	require.NoError(t, err)
}

func (g *Group) modulus() *big.Int {
	n := new(big.Int)
	for i, w := range g.order {
		n.Add(n, new(big.Int).Lsh(new(big.Int).SetUint64(w), uint(64*i)))
	}
	return n
}

func encoded(n *big.Int) (b [size]byte) {
	n.FillBytes(b[:])
	slices.Reverse(b[:])
	return b
}

// scalarsOf returns scalars of a group: a random one first, then the smallest, the largest and powers of 2.
func scalarsOf(g *Group) (list [][size]byte) {
	order := g.modulus()
	random, err := rand.Int(rand.Reader, new(big.Int).Sub(order, big.NewInt(1000)))
	if err != nil {
		panic(err)
	}
	list = append(list, encoded(random.Add(random, big.NewInt(500))))
	for _, n := range []int64{1, 2, 3, 127, 252, 253, 254, 255, 256, 1000} {
		list = append(list, encoded(big.NewInt(n)), encoded(new(big.Int).Sub(order, big.NewInt(n))))
	}
	for _, n := range []uint{64, 128, 251, 252} {
		list = append(list, encoded(new(big.Int).Lsh(big.NewInt(1), n)))
	}
	half := new(big.Int).Rsh(order, 1)
	return append(list, encoded(half), encoded(half.Add(half, big.NewInt(1))))
}

// TestOrders checks the orders of the groups.
func TestOrders(t *testing.T) {
	for name, g := range groups {
		require.Equal(t, g.bits, g.modulus().BitLen(), name)
		require.True(t, g.modulus().ProbablyPrime(10), name)
	}
	below := func(g *Group) [size]byte { return encoded(new(big.Int).Sub(g.modulus(), big.NewInt(1))) }
	_, err := edwards.DecodeScalar(below(Ed25519))
	require.NoError(t, err)
	_, err = edwards.DecodeScalar(encoded(Ed25519.modulus()))
	require.Error(t, err)
	require.NoError(t, new(helioselene.Element).SetBytes(below(Helios)))
	require.Error(t, new(helioselene.Element).SetBytes(encoded(Helios.modulus())))
	require.NoError(t, new(helioselene.Element25519).SetBytes(below(Selene)))
	require.Error(t, new(helioselene.Element25519).SetBytes(encoded(Selene.modulus())))
}

// TestDecompose adds up the coefficients of scalars.
func TestDecompose(t *testing.T) {
	for name, g := range groups {
		order := g.modulus()
		list := scalarsOf(g)
		for n := range int64(600) {
			list = append(list, encoded(big.NewInt(n+1)))
		}
		for _, scalar := range list {
			l, err := g.Decompose(&scalar)
			require.NoError(t, err, name)
			require.Len(t, l, g.Bits(), name)
			count, value := 0, new(big.Int)
			for i, c := range l {
				count += int(c)
				value.Add(value, new(big.Int).Lsh(big.NewInt(int64(c)), uint(i)))
			}
			require.Equal(t, g.Bits(), count, name)
			require.Equal(t, scalar, encoded(value.Mod(value, order)), name)
		}
		ones := [size]byte(slices.Repeat([]byte{0xff}, size))
		for _, scalar := range [][size]byte{{}, encoded(order), encoded(order.Add(order, big.NewInt(1))), ones} {
			_, err := g.Decompose(&scalar)
			require.ErrorIs(t, err, ErrScalar, name)
		}
	}
}

// generator25519 returns the generator of Ed25519.
func generator25519() *SeleneGenerator {
	points := make([]*edwards.Point, Ed25519.Bits())
	points[0] = edwards.Base()
	for i := 1; i < len(points); i++ {
		points[i] = new(edwards.Point).Add(points[i-1], points[i-1])
	}
	x, y := curvetree.Weierstrass(points)
	// a = 1 − A²/3, with A = 486662
	var a, third helioselene.Element25519
	third.SetUint64(3)
	third.Invert(&third)
	a.SetUint64(486662)
	a.Square(&a)
	a.Multiply(&a, &third)
	a.Subtract(third.SetUint64(1), &a)
	return NewSeleneGenerator(&a, x, y)
}

// TestMultiples25519 makes multiples of the generator of Ed25519.
func TestMultiples25519(t *testing.T) {
	g := generator25519()
	for _, scalar := range scalarsOf(Ed25519) {
		m := checkSelene(t, g, Ed25519, scalar)
		s, err := edwards.DecodeScalar(scalar)
		require.NoError(t, err)
		x, y := curvetree.Weierstrass([]*edwards.Point{new(edwards.Point).ScalarBaseMult(s)})
		require.True(t, m.X.Equal(&x[0]) && m.Y.Equal(&y[0]))
	}
}

// TestPublishedMultiples compares logarithms, multiples and functions with those of the Rust crates.
func TestPublishedMultiples(t *testing.T) {
	text, err := os.ReadFile("testdata/multiples.txt")
	require.NoError(t, err)
	seen := map[string]int{}
	for line := range strings.Lines(string(text)) {
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if name == "#" {
			continue
		}
		seen[name]++
		var fields [5][]byte
		for i, f := range strings.Fields(rest) {
			fields[i], err = hex.DecodeString(f)
			require.NoError(t, err)
		}
		scalar := [size]byte(fields[0])
		l, err := groups[name].Decompose(&scalar)
		require.NoError(t, err)
		require.Equal(t, fields[1], []byte(l))
		var x, y [size]byte
		var b []byte
		add := func(c [size]byte) { b = append(b, c[:]...) }
		if name == "Selene" {
			m, err := generatorHelios().Multiple(l)
			require.NoError(t, err)
			x, y = m.X.Bytes(), m.Y.Bytes()
			for i := range m.Divisor {
				add(m.Divisor[i].Bytes())
			}
		} else {
			g := generatorSelene()
			if name == "Ed25519" {
				g = generator25519()
			}
			m, err := g.Multiple(l)
			require.NoError(t, err)
			x, y = m.X.Bytes(), m.Y.Bytes()
			for i := range m.Divisor {
				add(m.Divisor[i].Bytes())
			}
		}
		require.Equal(t, fields[2], x[:])
		require.Equal(t, fields[3], y[:])
		var hash [32]byte
		blake2b.Sum(hash[:], nil, "", b)
		require.Equal(t, fields[4], hash[:])
	}
	require.Equal(t, map[string]int{"Ed25519": 6, "Helios": 6, "Selene": 6}, seen)
}

// TestLogarithmOfAnotherGroup makes a multiple for a logarithm with a wrong number of coefficients.
func TestLogarithmOfAnotherGroup(t *testing.T) {
	scalar := [size]byte{1}
	l, err := Ed25519.Decompose(&scalar)
	require.NoError(t, err)
	require.Panics(t, func() { _, _ = generatorHelios().Multiple(l) })
	require.Len(t, l.Helios(), 253)
	for i, c := range l.Selene() {
		var want helioselene.Element25519
		require.True(t, c.Equal(want.SetUint64(uint64(l[i]))))
	}
}

func BenchmarkDecompose(b *testing.B) {
	scalar := scalarsOf(Ed25519)[0]
	for b.Loop() {
		if _, err := Ed25519.Decompose(&scalar); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMultiple25519(b *testing.B) {
	g := generator25519()
	scalar := scalarsOf(Ed25519)[0]
	for b.Loop() {
		l, err := Ed25519.Decompose(&scalar)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := g.Multiple(l); err != nil {
			b.Fatal(err)
		}
	}
}
