package helioselene

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// elementOps are the methods that both kinds of elements share.
type elementOps[E any] interface {
	*E
	SetBytes([size]byte) error
	SetWide(*[wide]byte) *E
	SetUint64(uint64) *E
	Bytes() [size]byte
	Add(a, b *E) *E
	Subtract(a, b *E) *E
	Negate(a *E) *E
	Multiply(a, b *E) *E
	Square(a *E) *E
	Invert(a *E) *E
	Sqrt(a *E) bool
	Select(a, b *E, condition int) *E
	Equal(a *E) bool
	IsZero() bool
	IsOdd() byte
}

func bigOf(hexadecimal string) *big.Int {
	n, ok := new(big.Int).SetString(hexadecimal, 16)
	if !ok {
		panic(hexadecimal)
	}
	return n
}

var (
	modulusP = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 255), big.NewInt(19))
	modulusQ = bigOf("7ffffffffffffffffffffffffffffffff735481d1969f317f9850b68df11df53")
)

// littleEndian returns the number with the bytes b.
func littleEndian(b []byte) *big.Int {
	reversed := make([]byte, len(b))
	for i := range b {
		reversed[len(b)-1-i] = b[i]
	}
	return new(big.Int).SetBytes(reversed)
}

// encoded returns the bytes of a number below 2^256.
func encoded(n *big.Int) (b [size]byte) {
	n.FillBytes(b[:])
	for i := range size / 2 {
		b[i], b[size-1-i] = b[size-1-i], b[i]
	}
	return b
}

func TestElement(t *testing.T)      { checkElements[Element](t, modulusQ) }
func TestElement25519(t *testing.T) { checkElements[Element25519](t, modulusP) }

// checkElements compares every operation with math/big, for edge cases and random elements.
func checkElements[E any, P elementOps[E]](t *testing.T, modulus *big.Int) {
	require.True(t, modulus.ProbablyPrime(20))
	rng := rand.New(rand.NewPCG(1, 2))
	for d := int64(-3); d < 4; d++ {
		n := new(big.Int).Add(modulus, big.NewInt(d))
		v := P(new(E)).SetUint64(5)
		err := P(v).SetBytes(encoded(n))
		require.Equal(t, d < 0, err == nil, d)
		if err != nil {
			require.Equal(t, [size]byte{5}, P(v).Bytes(), "unchanged after an error")
		}
	}
	require.Error(t, P(new(E)).SetBytes([size]byte{31: 0x80}))

	var list []E
	for _, n := range numbers(rng, modulus) {
		e := P(new(E))
		require.NoError(t, e.SetBytes(encoded(n)))
		list = append(list, *e)
	}
	same := func(want *big.Int, got *E, operation string, operands ...*big.Int) {
		t.Helper()
		b := P(got).Bytes()
		if want.Mod(want, modulus); littleEndian(b[:]).Cmp(want) != 0 {
			t.Fatalf("%s %x = %x, want %x", operation, operands, b, want)
		}
	}
	number := func(e *E) *big.Int {
		b := P(e).Bytes()
		return littleEndian(b[:])
	}
	for i := range list {
		a := &list[i]
		n := number(a)
		v := new(E)
		same(new(big.Int).Neg(n), P(v).Negate(a), "−", n)
		same(new(big.Int).Mul(n, n), P(v).Square(a), "square", n)
		require.Equal(t, n.Sign() == 0, P(a).IsZero())
		require.Equal(t, byte(n.Bit(0)), P(a).IsOdd())
		inverse := new(big.Int)
		if n.Sign() != 0 {
			inverse.ModInverse(n, modulus)
		}
		same(inverse, P(v).Invert(a), "1/", n)
		root := new(big.Int).ModSqrt(n, modulus)
		require.Equal(t, root != nil, P(v).Sqrt(a))
		if root == nil {
			require.True(t, P(v).IsZero())
		} else {
			if root.Bit(0) == 1 {
				root.Sub(modulus, root)
			}
			same(root, v, "square root", n)
		}
		for j := range list {
			b := &list[j]
			m := number(b)
			same(new(big.Int).Add(n, m), P(v).Add(a, b), "+", n, m)
			same(new(big.Int).Sub(n, m), P(v).Subtract(a, b), "−", n, m)
			same(new(big.Int).Mul(n, m), P(v).Multiply(a, b), "·", n, m)
			require.Equal(t, n.Cmp(m) == 0, P(a).Equal(b))
			same(new(big.Int).Set(n), P(v).Select(a, b, 1), "select", n, m)
			same(new(big.Int).Set(m), P(v).Select(a, b, 0), "select", n, m)
			// Representations above the modulus, into an operand.
			*v = *a
			P(v).Add(v, b)
			P(v).Subtract(v, a)
			P(v).Multiply(v, v)
			same(new(big.Int).Mul(m, m), v, "(a + b − a)²", n, m)
		}
	}
	for range 200 {
		var b [wide]byte
		for i := range b {
			b[i] = byte(rng.Uint32() | -(rng.Uint32() >> 31 & rng.Uint32() >> 30 & 1))
		}
		same(littleEndian(b[:]), P(new(E)).SetWide(&b), "wide")
	}
}

// numbers returns numbers below modulus: small ones, those near the modulus and near powers of two, and random ones.
func numbers(rng *rand.Rand, modulus *big.Int) (list []*big.Int) {
	add := func(n *big.Int) { list = append(list, n.Mod(n, modulus)) }
	for _, d := range []int64{0, 1, 2, 3, 18, 19, 20, 37, 38, 39} {
		add(big.NewInt(d))
		add(big.NewInt(-d - 1))
	}
	for _, bit := range []uint{63, 64, 124, 125, 126, 127, 128, 191, 192, 254} {
		n := new(big.Int).Lsh(big.NewInt(1), bit)
		add(new(big.Int).Sub(n, big.NewInt(1)))
		add(n)
	}
	add(new(big.Int).Rsh(modulus, 1))
	add(new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 255), modulus))
	for range 20 {
		var b [size]byte
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
		add(littleEndian(b[:]))
	}
	return list
}

// TestWords compares the arithmetic with math/big near 2^256, where carries and borrows occur twice.
func TestWords(t *testing.T) {
	const all = 1<<64 - 1
	rng := rand.New(rand.NewPCG(3, 4))
	list := []words{
		{}, {1}, {all, all, all, all}, {all - 1, all, all, all}, {q0, q1, q2, q3}, {q0 - 1, q1, q2, q3},
		{q0 + 1, q1, q2, q3}, {d0, d1}, {d0 - 1, d1}, {d0 + 1, d1}, {half0, half1}, {0, 0, 0, 1 << 63},
		{all - d0 + 1, all - d1, all, all}, {all - d0, all - d1, all, all}, {all - d0 + 2, all - d1, all, all},
		{2 * q0 & all, 2*q1&all + 1, all, all}, {0, 0, 0, all}, {all}, {0, all},
		{0, 0, all}, {all, 0, all}, {0, all, 0, all},
	}
	for range 150 {
		w := words{rng.Uint64(), rng.Uint64(), rng.Uint64(), rng.Uint64()}
		if rng.IntN(3) == 0 {
			w[rng.IntN(4)] = all
		}
		list = append(list, w)
	}
	number := func(w *words) *big.Int {
		n := new(big.Int)
		for i := 3; i >= 0; i-- {
			n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(w[i]))
		}
		return n
	}
	same := func(want *big.Int, got words, operation string, operands ...words) {
		t.Helper()
		want.Mod(want, modulusQ)
		if new(big.Int).Mod(number(&got), modulusQ).Cmp(want) != 0 {
			t.Fatalf("%s %x = %x, want %x", operation, operands, got, want)
		}
		require.Equal(t, encoded(want), got.Bytes(), operation)
	}
	for _, a := range list {
		var v words
		v.Square(&a)
		same(new(big.Int).Mul(number(&a), number(&a)), v, "square", a)
		for _, b := range list {
			v.Sum(&a, &b)
			same(new(big.Int).Add(number(&a), number(&b)), v, "sum", a, b)
			v.Difference(&a, &b)
			same(new(big.Int).Sub(number(&a), number(&b)), v, "difference", a, b)
			v.Multiply(&a, &b)
			same(new(big.Int).Mul(number(&a), number(&b)), v, "product", a, b)
		}
	}
}

func TestInvertElements(t *testing.T) {
	list := make([]Element, 20)
	want := make([]Element, len(list))
	for i := range list {
		list[i].SetUint64(uint64(i % 7))
		want[i].Invert(&list[i])
	}
	InvertElements(list)
	for i := range list {
		require.True(t, list[i].Equal(&want[i]), i)
	}
	other := make([]Element25519, 3)
	other[1].SetUint64(9)
	InvertElements25519(other)
	require.True(t, other[0].IsZero())
	require.True(t, other[1].Equal(new(Element25519).Invert(new(Element25519).SetUint64(9))))
	InvertElements(nil)
}

// FuzzElements compares formulas with math/big, for both fields.
func FuzzElements(f *testing.F) {
	f.Add(make([]byte, 64), make([]byte, 64))
	ones := make([]byte, 64)
	for i := range ones {
		ones[i] = 0xff
	}
	f.Add(ones, append(append([]byte{}, ones[:31]...), 0x7f))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		fuzzElements[Element](t, modulusQ, a, b)
		fuzzElements[Element25519](t, modulusP, a, b)
	})
}

func fuzzElements[E any, P elementOps[E]](t *testing.T, modulus *big.Int, a, b []byte) {
	var x, y [wide]byte
	copy(x[:], a)
	copy(y[:], b)
	u, v := P(new(E)).SetWide(&x), P(new(E)).SetWide(&y)
	n, m := littleEndian(x[:]), littleEndian(y[:])
	// ((a − b)² − (a + b)·a)/(a·b + 1)
	var difference, sum, one E
	P(&one).SetUint64(1)
	P(&difference).Subtract(u, v)
	P(&sum).Add(u, v)
	P(&sum).Multiply(&sum, u)
	P(&difference).Square(&difference)
	P(&difference).Subtract(&difference, &sum)
	P(&sum).Multiply(u, v)
	P(&sum).Add(&sum, &one)
	P(&sum).Invert(&sum)
	P(&difference).Multiply(&difference, &sum)

	want := new(big.Int).Sub(n, m)
	want.Mul(want, want)
	want.Sub(want, new(big.Int).Mul(new(big.Int).Add(n, m), n))
	below := new(big.Int).Mul(n, m)
	below.Add(below, big.NewInt(1)).Mod(below, modulus)
	if below.Sign() == 0 {
		want.SetInt64(0)
	} else {
		want.Mul(want, below.ModInverse(below, modulus))
	}
	require.Equal(t, encoded(want.Mod(want, modulus)), P(&difference).Bytes())

	// Encodings: exactly the numbers below the modulus.
	e := [size]byte(x[:])
	decoded := P(new(E))
	if err := decoded.SetBytes(e); littleEndian(e[:]).Cmp(modulus) >= 0 {
		require.Error(t, err)
	} else {
		require.NoError(t, err)
		require.Equal(t, e, decoded.Bytes())
	}
}
