//go:build js && wasm

package kernel

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/crypto/edwards"
)

// material is the input of tasks: points of every kind, some of them equal, opposite or neutral, and scalars with long
// carries, extreme digits or only zeros.
type material struct {
	points  []*edwards.Point
	tables  []*edwards.Table // of some of the points, half of them kept
	scalars []*edwards.Scalar
}

func newMaterial(t testing.TB, rng *rand.Rand) *material {
	t.Helper()
	m := new(material)
	for _, key := range oddKeys(t, rng) {
		if p, err := edwards.DecodePoint(key); err == nil && len(m.points) < 60 {
			m.points = append(m.points, p)
		}
	}
	require.Len(t, m.points, 60)
	m.points = append(m.points, new(edwards.Point).Negate(m.points[1]), m.points[1], edwards.Identity(), edwards.Base())
	m.tables = append(edwards.NewPermanentTables(m.points[:31], 4), edwards.NewTables(m.points[31:50], 4)...)
	minus := edwards.NewScalar().Negate(edwards.ScalarFromUint64(1))
	m.scalars = []*edwards.Scalar{
		edwards.NewScalar(),
		edwards.ScalarFromUint64(1),
		minus,
		edwards.NewScalar().Invert(edwards.ScalarFromUint64(8)),
	}
	for _, b := range []byte{0x77, 0x88, 0xff, 0x7f, 0x80, 0x55, 0xdf, 0xf7, 0x7d} {
		var k [32]byte
		for i := range k {
			k[i] = b
		}
		m.scalars = append(m.scalars, edwards.ReduceScalar(k))
		k[31] = 0x0f // below the order, so stored unchanged
		m.scalars = append(m.scalars, edwards.ReduceScalar(k))
	}
	for i := range uint(10) {
		m.scalars = append(m.scalars, edwards.ScalarFromUint64(1<<(6*i)-1), edwards.ScalarFromUint64(1<<(6*i+3)))
	}
	for range 10 {
		m.scalars = append(m.scalars, edwards.ReduceScalar(random(rng)))
	}
	return m
}

// task makes sums with the given numbers of terms, and their results as computed by the library.
func (m *material) task(rng *rand.Rand, secret bool, lengths ...int) (s *edwards.Sums, want []*edwards.Point) {
	s = &edwards.Sums{Secret: secret}
	var names []int
	all := append([]*edwards.Point(nil), m.points...)
	for _, p := range m.points {
		names = append(names, s.Point(p))
	}
	for _, table := range m.tables {
		names, all = append(names, s.Table(table)), append(all, table.Point())
	}
	for _, n := range lengths {
		var scalars []*edwards.Scalar
		var points []*edwards.Point
		for range n {
			i, k := rng.IntN(len(names)), m.scalars[rng.IntN(len(m.scalars))]
			s.Add(k, names[i])
			scalars, points = append(scalars, k), append(points, all[i])
		}
		s.End()
		want = append(want, new(edwards.Point).VarTimeMultiScalarMult(scalars, points))
	}
	return s, want
}

func compare(t testing.TB, k *kernel, s *edwards.Sums, want []*edwards.Point, about ...any) {
	t.Helper()
	out := make([][Point]byte, len(want))
	require.True(t, k.sums(out, s))
	for i := range want {
		got, all := numbers(out[i]), numbers(want[i].Coordinates())
		times := func(a, b *big.Int) *big.Int { return new(big.Int).Mod(new(big.Int).Mul(a, b), p) }
		require.NotZero(t, got[2].Sign(), about...)
		require.Equal(t, times(got[0], got[1]), times(got[2], got[3]), about...)
		for i := range 2 { // x and y
			require.Equal(t, times(got[i], all[2]), times(all[i], got[2]), about...)
		}
	}
}

var p = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 255), big.NewInt(19))

// numbers returns X, Y, Z and T.
func numbers(coordinates [Point]byte) (n [4]*big.Int) {
	for i := range n {
		b := slices.Clone(coordinates[32*i:][:32])
		slices.Reverse(b)
		n[i] = new(big.Int).SetBytes(b)
	}
	return n
}

// TestSums compares the module with the library: single sums, pairs of similar and of different lengths, with zero, one
// and many terms.
func TestSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 36))
	m, k := newMaterial(t, rng), start()
	for _, secret := range []bool{false, true} {
		for _, lengths := range [][]int{
			{0}, {1}, {2}, {3}, {5}, {8}, {140}, {0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 3}, {3, 2, 5}, {1, 30},
			{30, 1, 0, 40, 41}, {12, 9, 11, 17, 0, 1, 2},
		} {
			s, want := m.task(rng, secret, lengths...)
			compare(t, k, s, want, "secret %v, %v", secret, lengths)
		}
	}
	// Every scalar with extreme digits, one at a time.
	for _, secret := range []bool{false, true} {
		s := &edwards.Sums{Secret: secret}
		var want []*edwards.Point
		for i, scalar := range m.scalars {
			p := m.points[i%len(m.points)]
			s.Add(scalar, s.Point(p))
			s.End()
			scalars, points := []*edwards.Scalar{scalar}, []*edwards.Point{p}
			want = append(want, new(edwards.Point).VarTimeMultiScalarMult(scalars, points))
			if !secret {
				table := m.tables[i%len(m.tables)]
				s.Add(scalar, s.Table(table))
				s.End()
				scalars, points := []*edwards.Scalar{scalar}, []*edwards.Point{table.Point()}
				want = append(want, new(edwards.Point).VarTimeMultiScalarMult(scalars, points))
			}
		}
		compare(t, k, s, want)
	}
}
