package edwards

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// edgeScalars are scalars with long carries or few digits.
func edgeScalars() []*Scalar {
	s := []*Scalar{NewScalar(), ScalarFromUint64(1), minusOne, ScalarFromUint64(1 << 63), ScalarFromUint64(^uint64(0)),
		NewScalar().Invert(ScalarFromUint64(2)), NewScalar().Invert(ScalarFromUint64(8))}
	for _, b := range []byte{0x55, 0xaa, 0xff, 0x0f, 0xf0, 0x77} {
		var k [32]byte
		for i := range k {
			k[i] = b
		}
		s = append(s, ReduceScalar(k))
		k[31] = 0x0f // below the order, kept as written
		s = append(s, ReduceScalar(k))
	}
	return s
}

// somePoints returns n points, among them the identity and points with torsion.
func somePoints(t testing.TB, r *rand.ChaCha8, n int) []*Point {
	t.Helper()
	out := make([]*Point, n)
	for i := range out {
		s, err := RandomScalar(r)
		require.NoError(t, err)
		out[i] = new(Point).ScalarBaseMult(s)
		switch i % 5 {
		case 3:
			out[i].Add(out[i], ofOrderEight)
		case 4:
			out[i] = Identity()
		}
	}
	return out
}

// naive computes a sum bit by bit, only with the library's addition.
func naive(scalars []*Scalar, points []*Point) *Point {
	sum := Identity()
	for i, s := range scalars {
		b := EncodeScalar(s)
		one := Identity()
		for bit := 255; bit >= 0; bit-- {
			one.Add(one, one)
			if b[bit/8]>>(bit%8)&1 == 1 {
				one.Add(one, points[i])
			}
		}
		sum.Add(sum, one)
	}
	return sum
}

func TestVarTimeTableMultAgainstNaive(t *testing.T) {
	r := rand.NewChaCha8([32]byte{1})
	edges := edgeScalars()
	for width := uint(2); width <= 8; width++ {
		for _, n := range [][2]int{{0, 0}, {1, 0}, {0, 1}, {3, 5}, {20, 20}} {
			points := somePoints(t, r, n[0]+n[1])
			scalars := make([]*Scalar, len(points))
			for i := range scalars {
				if scalars[i] = edges[i%len(edges)]; i%3 == 2 {
					s, err := RandomScalar(r)
					require.NoError(t, err)
					scalars[i] = s
				}
			}
			tables := NewTables(points[:n[0]], width)
			got := new(Point).VarTimeTableMult(scalars[:n[0]], tables, scalars[n[0]:], points[n[0]:])
			require.True(t, naive(scalars, points).Equal(got), "width %d, %v", width, n)
		}
		for i, s := range edges {
			p := somePoints(t, r, 1)
			want := naive([]*Scalar{s}, p).Encode()
			got := new(Point).VarTimeTableMult([]*Scalar{s}, NewTables(p, width), nil, nil)
			require.Equal(t, want, got.Encode(), "width %d, edge %d", width, i)
			require.Equal(t, want, new(Point).VarTimeTableMult(nil, nil, []*Scalar{s}, p).Encode(), "edge %d", i)
		}
	}
}

func TestVarTimeTableMultAliases(t *testing.T) {
	p := somePoints(t, rand.NewChaCha8([32]byte{2}), 1)[0]
	s := ScalarFromUint64(12345)
	want := naive([]*Scalar{s}, []*Point{p})
	require.True(t, want.Equal(p.VarTimeTableMult(nil, nil, []*Scalar{s}, []*Point{p})))
}

func TestSum(t *testing.T) {
	r := rand.NewChaCha8([32]byte{3})
	points := somePoints(t, r, 23)
	tables := NewTables(points, 4)
	for range 20 {
		bits := make([]byte, len(points))
		want := Identity()
		for i := range bits {
			if bits[i] = byte(r.Uint64() & 1); bits[i] == 1 {
				want.Add(want, points[i])
			}
		}
		require.True(t, want.Equal(new(Point).Sum(bits, tables)))
	}
}

func BenchmarkVarTimeTableMult(b *testing.B) {
	r := rand.NewChaCha8([32]byte{4})
	for _, width := range []uint{5, 7, 8} {
		points := somePoints(b, r, 256)
		scalars := make([]*Scalar, len(points))
		for i := range scalars {
			scalars[i], _ = RandomScalar(r)
		}
		tables := NewTables(points, width)
		b.Run(fmt.Sprint("256 points, width ", width), func(b *testing.B) {
			for b.Loop() {
				new(Point).VarTimeTableMult(scalars, tables, nil, nil)
			}
		})
	}
}
