package field25519

import (
	"math/big"
	"testing"

	"filippo.io/edwards25519/field"
	"github.com/stretchr/testify/require"
)

// TestElement checks the operations that Words and Limbs share.
func TestElement(t *testing.T) {
	var v, one Element
	one.SetBytes(&[32]byte{1})
	require.True(t, v.IsZero())
	require.False(t, one.IsZero())
	require.Equal(t, byte(1), one.IsOdd())
	v.Difference(&v, &one)
	require.Equal(t, byte(0), v.IsOdd(), "p − 1 is even")
	require.False(t, v.Equal(&one))
	v.Square(&v)
	require.True(t, v.Equal(&one))

	v.Invert(&Element{})
	require.True(t, v.IsZero())
	for i := range byte(40) {
		b := [32]byte{i + 1, 31: i}
		var a, half Element
		a.SetBytes(&b)
		v.Invert(&a)
		n := new(big.Int).ModInverse(littleEndian(b), fieldPrime)
		require.Zero(t, n.Cmp(littleEndian(v.Bytes())))
		// The exponent of Power252 is a quarter of p − 5, halved.
		half.Power252(&a)
		n.Exp(littleEndian(b), new(big.Int).Rsh(fieldPrime, 3), fieldPrime)
		require.Zero(t, n.Cmp(littleEndian(half.Bytes())))
	}
}

func littleEndian(b [32]byte) *big.Int {
	n := new(big.Int)
	for i := len(b) - 1; i >= 0; i-- {
		n.Lsh(n, 8).Or(n, big.NewInt(int64(b[i])))
	}
	return n
}

// FuzzElement compares Words and Limbs with the library's field elements, in all operations and with the sizes of the
// formulas.
func FuzzElement(f *testing.F) {
	all := make([]byte, 32)
	for i := range all {
		all[i] = 0xff
	}
	f.Add(make([]byte, 32), all)
	f.Add(append([]byte{0xed}, all[1:]...), []byte{19})
	f.Fuzz(func(t *testing.T, a, b []byte) {
		var x, y [32]byte
		copy(x[:], a)
		copy(y[:], b)
		var want, u, v, w field.Element
		mustSet := func(e *field.Element, b [32]byte) {
			_, err := e.SetBytes(b[:])
			require.NoError(t, err)
		}
		mustSet(&u, x)
		mustSet(&v, y)
		want.Add(&u, &v)   // a + b
		w.Subtract(&u, &v) // a − b
		u.Square(&want)
		v.Subtract(&u, &want) // (a + b)² − (a + b)
		w.Square(&w)
		want.Subtract(&w, &v)
		want.Multiply(&want, &v)
		want.Multiply(&want, &u)
		require.Equal(t, [32]byte(want.Bytes()), formula[Words](x, y))
		require.Equal(t, [32]byte(want.Bytes()), formula[Limbs](x, y))
	})
}

// fieldElement are the operations that Words and Limbs share.
type fieldElement[E any] interface {
	*E
	SetBytes(*[32]byte)
	Bytes() [32]byte
	Add(a, b *E)
	Subtract(a, b *E)
	SubtractSum(a, b *E)
	Multiply(a, b *E)
	Square(a *E)
}

// formula returns (((a − b)² − s)·s)·(a + b)², where s = (a + b)² − (a + b).
func formula[E any, F fieldElement[E]](x, y [32]byte) [32]byte {
	var a, b, sum, square, s, v E
	F(&a).SetBytes(&x)
	F(&b).SetBytes(&y)
	F(&sum).Add(&a, &b)
	F(&v).Subtract(&a, &b)
	F(&square).Square(&sum)
	F(&s).SubtractSum(&square, &sum) // five units
	F(&v).Square(&v)
	F(&b).SetBytes(&[32]byte{1})
	F(&a).Multiply(&s, &b)
	F(&v).Subtract(&v, &a) // three units
	F(&v).Multiply(&v, &s)
	F(&v).Multiply(&v, &square)
	return F(&v).Bytes()
}
