//go:build !purego

package edwards

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// withUnit returns a Deriver with one kind of vector instructions, or with none if unit is nil.
func withUnit(view *Scalar, unit *vectorUnit) *Deriver {
	d := NewDeriver(view)
	d.wide = nil
	if unit != nil {
		d.wide = newWideOf(unit)
	}
	return d
}

// TestVectorDerivers compares all vector instructions of the processor with Derive, and with portable code.
func TestVectorDerivers(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	keys := oddKeys(t, rng)
	for _, view := range oddViews(rng) {
		want := deriveSimply(view, keys)
		got := make([]Derivation, len(keys))
		withUnit(view, nil).Derive(got, keys)
		require.Equal(t, want, got)
		for i := range vectorUnits {
			clear(got)
			withUnit(view, &vectorUnits[i]).Derive(got, keys)
			for k := range want {
				require.Equal(t, want[k], got[k], "%s, view %x, key %x", vectorUnits[i].name, view.Bytes(), keys[k])
			}
		}
	}
}

// TestVectorLengths covers empty lanes.
func TestVectorLengths(t *testing.T) {
	view := HashToScalar([]byte("lengths"))
	keys := oddKeys(t, rand.New(rand.NewPCG(43, 44)))[:20]
	want := deriveSimply(view, keys)
	for i := range vectorUnits {
		d := withUnit(view, &vectorUnits[i])
		for n := range len(keys) + 1 {
			got := make([]Derivation, n)
			require.Equal(t, n >= worthVectors, d.deriveWide(got, keys[:n]))
			d.Derive(got, keys[:n])
			require.Equal(t, want[:n], got)
		}
	}
}

// TestVectorWorks: all units of the processor work, and works detects one that does not.
func TestVectorWorks(t *testing.T) {
	for _, u := range append(simulated(t), vectorUnits...) {
		require.True(t, u.works(), u.name)
		multiply := u.multiply
		u.multiply = func(to, a, b *vector) {
			multiply(to, a, b)
			to[2][5] = to[2][4]
		}
		require.False(t, u.works(), u.name)
	}
}

// TestSimulatedDerivers compares all kinds of vector instructions, simulated, with Derive.
func TestSimulatedDerivers(t *testing.T) {
	rng := rand.New(rand.NewPCG(47, 48))
	odd := oddKeys(t, rng)
	units := simulated(t)
	for _, view := range []*Scalar{HashToScalar([]byte("view")), ScalarFromUint64(61)} {
		var keys [][32]byte
		for range 16 {
			keys = append(keys, odd[rng.IntN(len(odd))])
		}
		want := deriveSimply(view, keys)
		for i := range units {
			got := make([]Derivation, len(keys))
			withUnit(view, &units[i]).Derive(got, keys)
			require.Equal(t, want, got, units[i].name)
		}
	}
}

// big returns a lane as a big integer.
func (v *vector) big(u *vectorUnit, lane int) *big.Int {
	n := new(big.Int)
	for i := range v {
		limb := new(big.Int).SetUint64(v[i][lane])
		if !u.integers {
			limb.SetInt64(int64(math.Float64frombits(v[i][lane])))
		}
		n.Add(n, limb.Lsh(limb, uint(51*i)))
	}
	return n
}

// reduced is the maximum size of the limbs of products.
func (u *vectorUnit) reduced() float64 {
	if u.integers {
		return 1<<51 + 1<<17
	}
	return 1<<50 + 1<<15
}

// limb returns a limb in the representation of a unit.
func (u *vectorUnit) limb(x float64) uint64 {
	if u.integers {
		return uint64(math.Abs(x))
	}
	return math.Float64bits(x)
}

// testVectors returns elements with limbs of up to a size: all at the maximum, of either sign, and random.
func testVectors(rng *rand.Rand, u *vectorUnit, size float64) []vector {
	fill := func(limb func() float64) (v vector) {
		for i := range v {
			for lane := range v[i] {
				v[i][lane] = u.limb(math.Trunc(size * limb()))
			}
		}
		return v
	}
	vs := []vector{{}, fill(func() float64 { return 1 }), fill(func() float64 { return -1 })}
	for range 12 {
		vs = append(vs,
			fill(func() float64 { return float64(rng.IntN(3) - 1) }),
			fill(func() float64 { return 2*rng.Float64() - 1 }))
	}
	return vs
}

// TestVector compares multiplications with math/big, for all sizes of factors in the formulas.
func TestVector(t *testing.T) {
	rng := rand.New(rand.NewPCG(45, 46))
	units := append(simulated(t), vectorUnits...)
	for i := range units {
		u := &units[i]
		same := func(want *big.Int, got *vector, lane int) {
			t.Helper()
			n := new(big.Int).Mod(want, fieldPrime)
			require.Zero(t, n.Cmp(new(big.Int).Mod(got.big(u, lane), fieldPrime)), u.name)
			e := u.get(got, lane)
			require.Zero(t, n.Cmp(littleEndian(e.bytes())), u.name)
			for i := range got {
				limb := float64(got[i][lane])
				if !u.integers {
					limb = math.Abs(math.Float64frombits(got[i][lane]))
				}
				require.LessOrEqual(t, limb, u.reduced(), u.name)
			}
		}
		size := u.reduced()
		as := testVectors(rng, u, size)
		if !u.integers {
			size *= 2 // sums are factors as they are
		}
		bs := testVectors(rng, u, size)
		for k := range as {
			var product, square, fourth vector
			u.multiply(&product, &as[k], &bs[k])
			u.square(&square, &as[k], 1)
			fourth = as[k]
			u.square(&fourth, &fourth, 2)
			for lane := range 8 {
				a, b := as[k].big(u, lane), bs[k].big(u, lane)
				same(new(big.Int).Mul(a, b), &product, lane)
				same(new(big.Int).Mul(a, a), &square, lane)
				same(new(big.Int).Exp(a, big.NewInt(4), fieldPrime), &fourth, lane)
			}
		}
		// What goes in comes out.
		for range 200 {
			a := element{rng.Uint64(), rng.Uint64(), rng.Uint64(), rng.Uint64()}
			if rng.IntN(4) == 0 {
				a[rng.IntN(4)] = ^uint64(0)
			}
			var v vector
			u.set(&v, 3, &a)
			b := u.get(&v, 3)
			require.Equal(t, a.bytes(), b.bytes(), u.name)
		}
	}
}

func FuzzVectorDeriver(f *testing.F) {
	g := Base().Encode()
	f.Add([]byte{1}, make([]byte, 96))
	f.Add([]byte("view"), append(append(g[:], g[:]...), 1, 2, 3))
	f.Fuzz(func(t *testing.T, view, data []byte) {
		s := HashToScalar(view)
		keys := make([][32]byte, min(len(data)/32+worthVectors, 12))
		for i := range keys {
			copy(keys[i][:], data[min(32*i, len(data)):])
		}
		want := make([]Derivation, len(keys))
		withUnit(s, nil).Derive(want, keys)
		for i := range vectorUnits {
			got := make([]Derivation, len(keys))
			withUnit(s, &vectorUnits[i]).Derive(got, keys)
			require.Equal(t, want, got, vectorUnits[i].name)
		}
	})
}

// BenchmarkDerivers reports the time of one derivation with each kind of instructions.
func BenchmarkDerivers(b *testing.B) {
	view := HashToScalar([]byte("view"))
	b.Run("portable", func(b *testing.B) {
		square, multiply, many := plain()
		benchDerivations(b, withUnit(view, nil), square, multiply, many)
	})
	for i := range vectorUnits {
		u := &vectorUnits[i]
		v, w := newWideOf(u), newWideOf(u)
		b.Run(u.name, func(b *testing.B) {
			benchDerivations(b, withUnit(view, u), func() {
				u.square(&v.d, &v.d, 1)
				u.square(&w.d, &w.d, 1)
			}, func() {
				u.multiply(&v.i, &v.i, &v.d2)
				u.multiply(&w.i, &w.i, &w.d2)
			}, 16)
		})
	}
}
