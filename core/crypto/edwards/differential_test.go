package edwards

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOwnEqualsLibrary computes everything that may touch a secret with both arithmetics, whichever of them the build uses, on edges and
// random inputs.
func TestOwnEqualsLibrary(t *testing.T) {
	seeded := rand.NewChaCha8([32]byte{44})
	keys := oddKeys(t, rand.New(rand.NewPCG(45, 46))) // y around p and x = 0 with the sign among them
	scalars := append(edgeScalars(), ScalarFromUint64(1<<63), NewScalar().Invert(ScalarFromUint64(8)))
	for range 12 {
		s, err := RandomScalar(seeded)
		require.NoError(t, err)
		scalars = append(scalars, s)
	}
	points := somePoints(t, seeded, 24) // the neutral one and torsion among them
	points = append(points, Identity(), Base(), H(), ofOrderEight, new(Point).Negate(Base()))
	same := func(t *testing.T, a, b *Point) {
		t.Helper()
		require.True(t, a.Equal(b))
		require.Equal(t, own{}.encode(a), library{}.encode(b))
	}

	t.Run("multiples", func(t *testing.T) {
		for i, s := range scalars {
			same(t, own{}.baseMult(s), library{}.baseMult(s))
			same(t, own{}.multH(s), library{}.multH(s))
			for j := i % 3; j < len(points); j += 3 {
				one, at := []*Scalar{s}, []*Point{points[j]}
				same(t, own{}.mult(one, at), library{}.mult(one, at))
			}
		}
	})
	t.Run("sums", func(t *testing.T) {
		for _, n := range []int{0, 1, 2, 3, 5, 8, 17, 24} {
			of := make([]*Scalar, n)
			for i := range of {
				of[i] = scalars[(5*i+n)%len(scalars)]
			}
			same(t, own{}.mult(of, points[:n]), library{}.mult(of, points[:n]))
			tables := NewTables(points[:n], 5)
			same(t, own{}.publicMult(of, tables, of, points[:n]), library{}.publicMult(of, tables, of, points[:n]))
			for _, pattern := range []uint32{0, 1, 0xffffff, 0x5a5a5a, seedOf(seeded)} {
				bits := make([]byte, n)
				for i := range bits {
					bits[i] = byte(pattern >> i & 1)
				}
				same(t, own{}.subset(bits, tables), library{}.subset(bits, tables))
			}
		}
		s := Sums{Secret: true}
		s.End() // a sum of nothing
		onTable := s.Table(NewTables(points[:1], 4)[0])
		for i, p := range points {
			s.Add(scalars[i%len(scalars)], s.Point(p))
			s.Add(scalars[(i+1)%len(scalars)], onTable)
			if i%4 == 0 {
				s.End()
			}
		}
		s.End()
		a, b := make([]*Point, len(s.Ends)), make([]*Point, len(s.Ends))
		own{}.sums(&s, a)
		library{}.sums(&s, b)
		for i := range a {
			same(t, a[i], b[i])
		}
	})
	t.Run("encodings", func(t *testing.T) {
		for _, k := range keys {
			a, errA := own{}.decode(&k)
			b, errB := library{}.decode(&k)
			require.Equal(t, errA, errB, "%x", k)
			if errA == nil {
				same(t, a, b)
				require.Equal(t, k, library{}.encode(b))
			}
			listA, errA := own{}.decodeAll([][32]byte{k, Base().Encode()})
			listB, errB := library{}.decodeAll([][32]byte{k, Base().Encode()})
			require.Equal(t, errA, errB)
			for i := range listA {
				same(t, listA[i], listB[i])
			}
			same(t, own{}.mapToPoint(k), library{}.mapToPoint(k))
		}
		require.Equal(t, own{}.encodeAll(points), library{}.encodeAll(points))
		a, b := own{}.hashToPoints(keys), library{}.hashToPoints(keys)
		for i := range keys {
			same(t, a[i], b[i])
		}
	})
	t.Run("scanning", func(t *testing.T) {
		for i, view := range scalars {
			some := keys
			if i%8 != 0 {
				some = keys[i : i+9]
			}
			a, b := make([]Derivation, len(some)), make([]Derivation, len(some))
			own{}.derive(own{}.newDeriver(view), a, some)
			d := library{}.cloneDeriver(library{}.newDeriver(view))
			library{}.derive(d, b, some)
			require.Equal(t, a, b, fmt.Sprint(i))
			require.Nil(t, d.Program(), "the view key's digits")
			mine, theirs := make([]Payment, len(some)), make([]Payment, len(some))
			for j, k := range some {
				mine[j] = Payment{Derivation: a[j], Index: uint64(j) << (j % 60), Output: k}
			}
			copy(theirs, mine)
			own{}.spendKeys(mine)
			library{}.spendKeys(theirs)
			require.Equal(t, mine, theirs)
		}
	})
	t.Run("addresses", func(t *testing.T) {
		list := make([]Scalar, 70)
		for i := range list {
			list[i].Set(scalars[i%len(scalars)])
		}
		for _, k := range keys[:40] {
			a, b := make([][32]byte, len(list)), make([][32]byte, len(list))
			require.Equal(t, own{}.addBaseMults(a, k, list), library{}.addBaseMults(b, k, list))
			require.Equal(t, a, b)
		}
	})
}

func seedOf(r *rand.ChaCha8) uint32 { return uint32(r.Uint64()) }
