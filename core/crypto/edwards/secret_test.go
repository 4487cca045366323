package edwards

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"filippo.io/edwards25519"
	"filippo.io/edwards25519/field"
	"github.com/stretchr/testify/require"
)

// TestSecretMultAgainstLibrary compares with the library, for edge cases and random scalars and points of all kinds.
func TestSecretMultAgainstLibrary(t *testing.T) {
	r := rand.NewChaCha8([32]byte{4})
	edges := edgeScalars()
	for i := range 60 {
		n := i % 7
		points, scalars := somePoints(t, r, n), make([]*Scalar, n)
		for j := range scalars {
			if scalars[j] = edges[(i+j)%len(edges)]; j%3 == 2 {
				s, err := RandomScalar(r)
				require.NoError(t, err)
				scalars[j] = s
			}
		}
		want := &Point{*new(edwards25519.Point).MultiScalarMult(scalars, inner(points))}
		require.True(t, want.Equal(new(Point).MultiScalarMult(scalars, points)))
		if n > 0 {
			want := &Point{*new(edwards25519.Point).ScalarMult(scalars[0], &points[0].p)}
			require.True(t, want.Equal(points[0].ScalarMult(scalars[0], points[0])), "into itself")
		}
	}
	require.Panics(t, func() { new(Point).MultiScalarMult(edges[:1], nil) })
}

func TestDigitsOf16(t *testing.T) {
	for i, s := range append(edgeScalars(), HashToScalar([]byte("digits"))) {
		var digits [64]int8
		scalar := EncodeScalar(s)
		digitsOf16(&digits, &scalar)
		sum, sixteen := NewScalar(), ScalarFromUint64(16)
		for j := len(digits) - 1; j >= 0; j-- {
			require.LessOrEqual(t, max(digits[j], -digits[j]), int8(8))
			sum.Multiply(sum, sixteen)
			if d := digits[j]; d < 0 {
				sum.Subtract(sum, ScalarFromUint64(uint64(-d)))
			} else {
				sum.Add(sum, ScalarFromUint64(uint64(d)))
			}
		}
		require.Equal(t, 1, sum.Equal(s), fmt.Sprint(i))
	}
}

// TestChoose looks up the multiple for every digit.
func TestChoose(t *testing.T) {
	p := HashToPoint([32]byte{5})
	var table secretTable
	table.set(p)
	for digit := int8(-8); digit <= 8; digit++ {
		s := ScalarFromUint64(uint64(max(digit, -digit)))
		if digit < 0 {
			s.Negate(s)
		}
		var m multiple
		table.choose(&m, digit)
		sum := projective{y: elementOne, z: elementOne}
		sum.add(&m.plus, &m.minus, &m.t2d, &m.z2, false, true)
		require.True(t, naive([]*Scalar{s}, []*Point{p}).Equal(sum.toPoint(new(Point))), digit)
	}
}

// TestEqualsTheLibrary compares encoding, decoding and roots with the library.
func TestEqualsTheLibrary(t *testing.T) {
	r := rand.NewChaCha8([32]byte{6})
	for i := range 2000 {
		var b [32]byte
		_, _ = r.Read(b[:])
		switch i % 4 {
		case 0:
			b = [32]byte{byte(i)}
		case 1:
			copy(b[1:], make([]byte, 20))
		}
		p, err := DecodePoint(b)
		q, libraryErr := new(edwards25519.Point).SetBytes(b[:])
		if libraryErr == nil && [32]byte(q.Bytes()) != b { // an encoding that Monero refuses
			require.ErrorIs(t, err, ErrPoint)
		} else {
			require.Equal(t, libraryErr == nil, err == nil, "%x", b)
		}
		if err == nil {
			require.Equal(t, 1, p.p.Equal(q))
			double := new(Point).Add(p, p)
			require.Equal(t, double.p.Bytes(), double.encoded())
		}
		u, _ := new(field.Element).SetBytes(b[:])
		_, _ = r.Read(b[:])
		v, _ := new(field.Element).SetBytes(b[:])
		want, square := new(field.Element).SqrtRatio(u, v)
		var got field.Element
		require.Equal(t, square == 1, sqrt(&got, u, v))
		require.Equal(t, 1, got.Equal(want))
	}
	for _, c := range [][2]*field.Element{
		{feUint(0), feUint(3)}, {feUint(3), feUint(0)}, {feUint(0), feUint(0)}, {feUint(1), feUint(1)},
	} {
		want, square := new(field.Element).SqrtRatio(c[0], c[1])
		var got field.Element
		require.Equal(t, square == 1, sqrt(&got, c[0], c[1]))
		require.Equal(t, 1, got.Equal(want))
	}
}

func (v *Point) encoded() []byte { b := v.Encode(); return b[:] }

func TestScalarMultH(t *testing.T) {
	scalars := edgeScalars()
	for i := range byte(20) {
		scalars = append(scalars, HashToScalar([]byte{i}))
	}
	for _, k := range scalars {
		want := naive([]*Scalar{k}, []*Point{Base()}).Encode()
		require.Equal(t, want, new(Point).secretTableMult(k, tableOfG()).Encode())
		require.Equal(t, naive([]*Scalar{k}, []*Point{H()}).Encode(), new(Point).ScalarMultH(k).Encode())
	}
}

// sqrt is sqrtRatio including its root.
func sqrt(r, u, v *field.Element) bool {
	a, b := elementOf(u.Bytes()), elementOf(v.Bytes())
	var root element
	root.almostRoot(&a, &b)
	return sqrtRatio(r, &root, &a, &b)
}
