package field25519

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

var fieldPrime = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 255), big.NewInt(19))

func (v *Words) big() *big.Int {
	n := new(big.Int)
	for i := len(v) - 1; i >= 0; i-- {
		n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(v[i]))
	}
	return n
}

// testWords returns numbers with the longest carries, and random ones.
func testWords(rng *rand.Rand) []Words {
	const all = ^uint64(0)
	es := []Words{
		{}, {1}, {18}, {19}, {37}, {38}, {39},
		{all, all, all, all}, {all - 37, all, all, all}, {all - 38, all, all, all}, // 2^256 − 1, 2p + 1, 2p … as 38 off
		{all - 18, all, all, Low63}, {all - 19, all, all, Low63}, {all - 17, all, all, Low63}, // p and its neighbours
		{all, all, all, Low63}, {0, 0, 0, 1 << 63}, {2047, 0, 0, 1 << 63}, // 2^255 − 1 … 2^255 + 2^11 − 1
		{0, 0, 0, all}, {all}, {0, all}, {0, 0, all}, {all, 0, all}, {0, all, 0, all},
	}
	for range 200 {
		e := Words{rng.Uint64(), rng.Uint64(), rng.Uint64(), rng.Uint64()}
		if rng.IntN(4) == 0 {
			e[rng.IntN(4)] = all
		}
		es = append(es, e)
	}
	return es
}

func (v *Words) reduced() bool {
	limit := new(big.Int).Lsh(big.NewInt(1), 255)
	return v.big().Cmp(limit.Add(limit, big.NewInt(1<<11))) < 0
}

// TestWords compares every operation with math/big, also near 2^256.
func TestWords(t *testing.T) {
	es := testWords(rand.New(rand.NewPCG(1, 2)))
	same := func(want *big.Int, got Words, op string, in ...Words) {
		t.Helper()
		want.Mod(want, fieldPrime)
		if new(big.Int).Mod(got.big(), fieldPrime).Cmp(want) != 0 {
			t.Fatalf("%s %x = %x, want %x", op, in, got, want)
		}
	}
	for _, a := range es {
		var v Words
		v.Square(&a)
		same(new(big.Int).Mul(a.big(), a.big()), v, "square", a)
		require.True(t, v.reduced())
		b := a.Bytes()
		n := new(big.Int).Mod(a.big(), fieldPrime)
		var want [32]byte
		n.FillBytes(want[:])
		for i := range b {
			require.Equal(t, want[31-i], b[i])
		}
		for _, c := range es {
			v.Multiply(&a, &c)
			same(new(big.Int).Mul(a.big(), c.big()), v, "multiply", a, c)
			require.True(t, v.reduced())
			v.Subtract(&a, &c)
			same(new(big.Int).Sub(a.big(), c.big()), v, "subtract", a, c)
			v.Sum(&a, &c)
			same(new(big.Int).Add(a.big(), c.big()), v, "sum", a, c)
			v.Difference(&a, &c)
			same(new(big.Int).Sub(a.big(), c.big()), v, "difference", a, c)
			v.SubtractSum(&a, &c)
			same(new(big.Int).Sub(a.big(), c.big()), v, "subtract sum", a, c)
			if a.reduced() && c.reduced() {
				v.Add(&a, &c)
				same(new(big.Int).Add(a.big(), c.big()), v, "add", a, c)
			}
		}
	}
	for _, a := range es[:40] {
		v := a
		v.Multiply(&v, &v)
		same(new(big.Int).Mul(a.big(), a.big()), v, "multiply in place", a)
	}
}
