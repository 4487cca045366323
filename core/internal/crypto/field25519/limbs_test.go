package field25519

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func (v *Limbs) big() *big.Int {
	n := new(big.Int)
	for i := range v {
		n.Add(n, new(big.Int).Lsh(new(big.Int).SetUint64(v[i]), uint(51*i+1)/2))
	}
	return n
}

// unit returns the size of limb i that is one unit.
func unit(i int) float64 { return float64(uint64(1) << (26 - i%2)) }

// size returns the size of the largest limb in units.
func (v *Limbs) size() (units float64) {
	for i := range v {
		units = max(units, float64(v[i])/unit(i))
	}
	return units
}

// testLimbs returns elements of up to a number of units: with no, one or all limbs at the maximum, and random ones.
func testLimbs(rng *rand.Rand, units float64) []Limbs {
	fill := func(of func(i int) uint64) (v Limbs) {
		for i := range v {
			v[i] = of(i)
		}
		return v
	}
	top := func(i int) uint64 { return uint64(units * unit(i)) }
	es := []Limbs{{}, {1}, {18}, {19}, fill(top), fill(func(i int) uint64 { return uint64(unit(i)) - 1 })}
	for _, low := range []uint64{Low26 - 18, Low26 - 19, Low26 - 17, Low26} { // p, its neighbours, 2^255 − 1
		e := es[5]
		e[0] = low
		es = append(es, e)
	}
	for at := range 10 {
		var one Limbs
		one[at] = top(at)
		rest := es[4]
		rest[at] = 0
		es = append(es, one, rest)
	}
	for range 40 {
		es = append(es, fill(func(i int) uint64 {
			if rng.IntN(8) == 0 {
				return top(i)
			}
			return rng.Uint64N(top(i) + 1)
		}))
	}
	return es
}

// TestLimbs compares every operation with math/big, for all allowed sizes.
func TestLimbs(t *testing.T) {
	const reduced = 1.005
	rng := rand.New(rand.NewPCG(21, 22))
	same := func(want *big.Int, got Limbs, op string, in ...Limbs) {
		t.Helper()
		want.Mod(want, fieldPrime)
		if new(big.Int).Mod(got.big(), fieldPrime).Cmp(want) != 0 {
			t.Fatalf("%s %x = %x, want %x", op, in, got, want)
		}
	}
	for _, s := range [][2]float64{
		{reduced, reduced}, {2 * reduced, 2 * reduced}, {5.005, 6.01}, {6.01, 5.005}, {5.567, 5.567}, {3.005, 6.01},
	} {
		as, bs := testLimbs(rng, s[0]), testLimbs(rng, s[1])
		for _, a := range as {
			var v Limbs
			if a.size() <= 5.567 { // its square is 31
				v.Square(&a)
				same(new(big.Int).Mul(a.big(), a.big()), v, "square", a)
				require.LessOrEqual(t, v.size(), reduced)
				v = a
				v.Square(&v)
				same(new(big.Int).Mul(a.big(), a.big()), v, "square in place", a)
				v = a
				v.Multiply(&v, &v)
				same(new(big.Int).Mul(a.big(), a.big()), v, "multiply in place", a)
			}
			n := new(big.Int).Mod(a.big(), fieldPrime)
			b := a.Bytes()
			var want [32]byte
			n.FillBytes(want[:])
			for i := range b {
				require.Equal(t, want[31-i], b[i])
			}
			v.SetBytes(&b)
			same(n, v, "set bytes", a)
			for _, b := range bs {
				v.Multiply(&a, &b)
				same(new(big.Int).Mul(a.big(), b.big()), v, "multiply", a, b)
				require.LessOrEqual(t, v.size(), reduced)
				v.Add(&a, &b)
				same(new(big.Int).Add(a.big(), b.big()), v, "add", a, b)
				require.LessOrEqual(t, v.size(), a.size()+b.size())
				if b.size() <= reduced {
					v.Subtract(&a, &b)
					same(new(big.Int).Sub(a.big(), b.big()), v, "subtract", a, b)
					require.LessOrEqual(t, v.size(), a.size()+2)
				}
				if a.size() <= reduced && b.size() <= reduced {
					v.Sum(&a, &b)
					same(new(big.Int).Add(a.big(), b.big()), v, "sum", a, b)
					require.LessOrEqual(t, v.size(), reduced)
					v.Difference(&a, &b)
					same(new(big.Int).Sub(a.big(), b.big()), v, "difference", a, b)
					require.LessOrEqual(t, v.size(), reduced)
				}
				if b.size() <= 3.005 {
					v.SubtractSum(&a, &b)
					same(new(big.Int).Sub(a.big(), b.big()), v, "subtract sum", a, b)
					require.LessOrEqual(t, v.size(), a.size()+4)
				}
			}
		}
	}
}
