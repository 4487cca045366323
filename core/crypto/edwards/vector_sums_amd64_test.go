//go:build !purego

package edwards

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// wideMakers are the vector units of the processor.
func wideMakers() map[string]func(s *Sums, out []*Point) bool {
	makers := map[string]func(s *Sums, out []*Point) bool{"as it comes": (*Sums).makeWide}
	for i := range vectorUnits {
		u := &vectorUnits[i]
		makers[u.name] = func(s *Sums, out []*Point) bool { newSummer(u).make(s, out); return true }
	}
	return makers
}

// TestSimulatedSums compares all kinds of vector instructions, simulated, with portable code.
func TestSimulatedSums(t *testing.T) {
	r := rand.NewChaCha8([32]byte{35})
	points := somePoints(t, r, 8)
	var tables []*Table
	for width := uint(5); width <= 8; width++ { // not shared: each kind makes its own
		tables = append(tables, NewTables(somePoints(t, r, 3), width)...)
	}
	units := simulated(t)
	for i := range units {
		for _, secret := range []bool{false, true} {
			s := &Sums{Secret: secret}
			want := Identity()
			add := func(k *Scalar, p *Point, name int) {
				s.Add(k, name)
				want.Add(want, naive([]*Scalar{k}, []*Point{p}))
			}
			for j, p := range points {
				// Every digit there is, of either sign.
				add(ScalarFromUint64(uint64(0x0123456789abcdef)>>j), p, s.Point(p))
			}
			if secret {
				s.End()
			} else {
				for j, table := range tables {
					add(ScalarFromUint64(uint64(0x9f3ac5d1)<<j), table.Point(), s.Table(table))
				}
				s.End()
			}
			got := make([]*Point, 1)
			newSummer(&units[i]).make(s, got)
			require.True(t, want.Equal(got[0]), "%s, secret %v", units[i].name, secret)
		}
	}
}

// TestLongSums computes a sum that needs several parts.
func TestLongSums(t *testing.T) {
	points := somePoints(t, rand.NewChaCha8([32]byte{38}), 7)
	tables := NewTables(points, 5)
	edges := edgeScalars()
	for _, n := range []int{511, 512, 513, 1025} {
		for i := range vectorUnits {
			s := new(Sums)
			for j := range n {
				if j%3 == 0 {
					s.Add(edges[j%len(edges)], s.Table(tables[j%7]))
				} else {
					s.Add(edges[j%len(edges)], s.Point(points[j%7]))
				}
			}
			s.End()
			want, got := make([]*Point, 1), make([]*Point, 1)
			s.makePortable(want)
			newSummer(&vectorUnits[i]).make(s, got)
			require.True(t, want[0].Equal(got[0]), "%s, %d terms", vectorUnits[i].name, n)
		}
	}
}

// TestWindowDigits: the digits are in range, and add up to the scalar.
func TestWindowDigits(t *testing.T) {
	scalars := edgeScalars()
	for i := range byte(20) {
		scalars = append(scalars, HashToScalar([]byte{i}))
	}
	for _, k := range scalars {
		for w := uint(4); w <= 7; w++ {
			var digits [64][8]int64
			b := EncodeScalar(k)
			windowDigits(&digits, 3, w, &b)
			sum := new(big.Int)
			for i := len(digits) - 1; i >= 0; i-- {
				d := digits[i][3]
				require.LessOrEqual(t, max(d, -d), int64(1)<<(w-1))
				sum.Add(sum.Lsh(sum, w), big.NewInt(d))
			}
			require.Zero(t, sum.Cmp(littleEndian(b)), "width %d, %x", w, b)
		}
	}
}
