package edwards

import (
	"math/big"
	"testing"

	"filippo.io/edwards25519/field"
	"github.com/stretchr/testify/require"
)

// TestElement checks the operations that words and limbs share.
func TestElement(t *testing.T) {
	require.Equal(t, [32]byte{1}, elementOne.bytes())
	var v element
	v.add(&elementHalf, &elementHalf)
	require.True(t, v.equal(&elementOne))
	v.square(&elementI)
	v.add(&v, &elementOne)
	require.True(t, v.isZero())
	require.False(t, elementOne.isZero())
	require.Equal(t, byte(1), elementOne.isNegative())
	v.subtract(&v, &elementOne)
	require.Equal(t, byte(0), v.isNegative())
	require.False(t, v.equal(&elementOne))

	v.invert(&element{})
	require.True(t, v.isZero())
	for i := range byte(40) {
		b := [32]byte{i + 1, 31: i}
		var a, half element
		a.setBytes(&b)
		v.invert(&a)
		n := new(big.Int).ModInverse(littleEndian(b), fieldPrime)
		require.Zero(t, n.Cmp(littleEndian(v.bytes())))
		// The exponent of power252 is a quarter of p − 5, halved.
		half.power252(&a)
		n.Exp(littleEndian(b), new(big.Int).Rsh(fieldPrime, 3), fieldPrime)
		require.Zero(t, n.Cmp(littleEndian(half.bytes())))
	}
}

func littleEndian(b [32]byte) *big.Int {
	n := new(big.Int)
	for i := len(b) - 1; i >= 0; i-- {
		n.Lsh(n, 8).Or(n, big.NewInt(int64(b[i])))
	}
	return n
}

// FuzzElement compares words and limbs with the library's field elements, in all operations and with the sizes of the
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
		require.Equal(t, [32]byte(want.Bytes()), formula[words](x, y))
		require.Equal(t, [32]byte(want.Bytes()), formula[limbs](x, y))
	})
}

// fieldElement are the operations that words and limbs share.
type fieldElement[E any] interface {
	*E
	setBytes(*[32]byte)
	bytes() [32]byte
	add(a, b *E)
	subtract(a, b *E)
	subtractSum(a, b *E)
	multiply(a, b *E)
	square(a *E)
}

// formula returns (((a − b)² − s)·s)·(a + b)², where s = (a + b)² − (a + b).
func formula[E any, F fieldElement[E]](x, y [32]byte) [32]byte {
	var a, b, sum, square, s, v E
	F(&a).setBytes(&x)
	F(&b).setBytes(&y)
	F(&sum).add(&a, &b)
	F(&v).subtract(&a, &b)
	F(&square).square(&sum)
	F(&s).subtractSum(&square, &sum) // five units
	F(&v).square(&v)
	F(&b).setBytes(&[32]byte{1})
	F(&a).multiply(&s, &b)
	F(&v).subtract(&v, &a) // three units
	F(&v).multiply(&v, &s)
	F(&v).multiply(&v, &square)
	return F(&v).bytes()
}
