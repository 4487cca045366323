package edwards

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOwnEqualsLibrary computes everything that may touch a secret with both implementations of pointArithmetic,
// whichever of them the build selects, on edge cases and random inputs.
func TestOwnEqualsLibrary(t *testing.T) {
	c := newComparison(t)
	t.Run("multiples", c.multiples)
	t.Run("sums", c.sums)
	t.Run("secret sums", c.secretSums)
	t.Run("encodings", c.encodings)
	t.Run("scanning", c.scanning)
	t.Run("many view keys", c.manyViewKeys)
	t.Run("addresses", c.addresses)
}

// comparison holds the inputs that both implementations get.
type comparison struct {
	seeded  *rand.ChaCha8
	keys    [][32]byte // with y around p, and x = 0 with the sign, among them
	scalars []*Scalar
	points  []*Point // with the neutral element and torsion among them
}

func newComparison(t *testing.T) *comparison {
	c := &comparison{seeded: rand.NewChaCha8([32]byte{44}), keys: oddKeys(t, rand.New(rand.NewPCG(45, 46)))}
	c.scalars = append(edgeScalars(), ScalarFromUint64(1<<63), NewScalar().Invert(ScalarFromUint64(8)))
	for range 12 {
		s, err := RandomScalar(c.seeded)
		require.NoError(t, err)
		c.scalars = append(c.scalars, s)
	}
	c.points = append(somePoints(t, c.seeded, 24), Identity(), Base(), H(), ofOrderEight, new(Point).Negate(Base()))
	return c
}

// requireSame requires that a, computed by own, and b, computed by library, are one point with one encoding.
func requireSame(t *testing.T, a, b *Point) {
	t.Helper()
	require.True(t, a.Equal(b))
	require.Equal(t, own{}.encode(a), library{}.encode(b))
}

func (c *comparison) multiples(t *testing.T) {
	for i, s := range c.scalars {
		requireSame(t, own{}.baseMult(s), library{}.baseMult(s))
		requireSame(t, own{}.multH(s), library{}.multH(s))
		for j := i % 3; j < len(c.points); j += 3 {
			one, at := []*Scalar{s}, []*Point{c.points[j]}
			requireSame(t, own{}.mult(one, at), library{}.mult(one, at))
		}
	}
}

func (c *comparison) sums(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 5, 8, 17, 24} {
		of := make([]*Scalar, n)
		for i := range of {
			of[i] = c.scalars[(5*i+n)%len(c.scalars)]
		}
		points := c.points[:n]
		requireSame(t, own{}.mult(of, points), library{}.mult(of, points))
		tables := NewTables(points, 5)
		requireSame(t, own{}.publicMult(of, tables, of, points), library{}.publicMult(of, tables, of, points))
		for _, pattern := range []uint32{0, 1, 0xffffff, 0x5a5a5a, uint32(c.seeded.Uint64())} {
			bits := make([]byte, n)
			for i := range bits {
				bits[i] = byte(pattern >> i & 1)
			}
			requireSame(t, own{}.subset(bits, tables), library{}.subset(bits, tables))
		}
	}
}

func (c *comparison) secretSums(t *testing.T) {
	s := Sums{Secret: true}
	s.End() // an empty sum
	onTable := s.Table(NewTables(c.points[:1], 4)[0])
	for i, p := range c.points {
		s.Add(c.scalars[i%len(c.scalars)], s.Point(p))
		s.Add(c.scalars[(i+1)%len(c.scalars)], onTable)
		if i%4 == 0 {
			s.End()
		}
	}
	s.End()
	a, b := make([]*Point, len(s.Ends)), make([]*Point, len(s.Ends))
	own{}.sums(&s, a)
	library{}.sums(&s, b)
	for i := range a {
		requireSame(t, a[i], b[i])
	}
}

func (c *comparison) encodings(t *testing.T) {
	for _, k := range c.keys {
		a, errA := own{}.decode(&k)
		b, errB := library{}.decode(&k)
		require.Equal(t, errA, errB, "%x", k)
		if errA == nil {
			requireSame(t, a, b)
			require.Equal(t, k, library{}.encode(b))
		}
		listA, errA := own{}.decodeAll([][32]byte{k, Base().Encode()})
		listB, errB := library{}.decodeAll([][32]byte{k, Base().Encode()})
		require.Equal(t, errA, errB)
		for i := range listA {
			requireSame(t, listA[i], listB[i])
		}
		requireSame(t, own{}.mapToPoint(k), library{}.mapToPoint(k))
	}
	require.Equal(t, own{}.encodeAll(c.points), library{}.encodeAll(c.points))
	a, b := own{}.hashToPoints(c.keys), library{}.hashToPoints(c.keys)
	for i := range c.keys {
		requireSame(t, a[i], b[i])
	}
}

func (c *comparison) scanning(t *testing.T) {
	for i, view := range c.scalars {
		some := c.keys
		if i%8 != 0 {
			some = c.keys[i : i+9]
		}
		a, b := make([]Derivation, len(some)), make([]Derivation, len(some))
		own{}.derive(own{}.newDeriver(view), a, some)
		d := library{}.cloneDeriver(library{}.newDeriver(view))
		library{}.derive(d, b, some)
		require.Equal(t, a, b, fmt.Sprint(i))
		require.Nil(t, d.Program(), "the view key's digits")
		byOwn, byLibrary := make([]Payment, len(some)), make([]Payment, len(some))
		for j, k := range some {
			byOwn[j] = Payment{Derivation: a[j], Index: uint64(j) << (j % 60), Output: k}
		}
		copy(byLibrary, byOwn)
		own{}.spendKeys(byOwn)
		library{}.spendKeys(byLibrary)
		require.Equal(t, byOwn, byLibrary)
	}
}

func (c *comparison) addresses(t *testing.T) {
	list := make([]Scalar, 70)
	for i := range list {
		list[i].Set(c.scalars[i%len(c.scalars)])
	}
	for _, k := range c.keys[:40] {
		a, b := make([][32]byte, len(list)), make([][32]byte, len(list))
		require.Equal(t, own{}.addBaseMults(a, k, list), library{}.addBaseMults(b, k, list))
		require.Equal(t, a, b)
	}
}

func (c *comparison) manyViewKeys(t *testing.T) {
	byOwn, byLibrary := own{}.newViewKeys(c.scalars), library{}.newViewKeys(c.scalars)
	require.Equal(t, len(c.scalars), byOwn.Len())
	require.Equal(t, len(c.scalars), byLibrary.Len())
	require.Empty(t, byLibrary.groups, "digits of view keys")
	for i, k := range c.keys {
		var a, b KeyTable
		valid := own{}.setTable(&a, &k, 100*(i%8))
		require.Equal(t, valid, library{}.setTable(&b, &k, 0), "%x", k)
		if valid {
			from := i % 5
			outA, outB := make([]Derivation, len(c.scalars)-from), make([]Derivation, len(c.scalars)-from)
			own{}.deriveTable(&a, outA, byOwn, from)
			library{}.deriveTable(&b, outB, byLibrary, from)
			require.Equal(t, outB, outA, "%x", k)
		}
	}
}
