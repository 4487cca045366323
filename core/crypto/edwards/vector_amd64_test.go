//go:build !purego

package edwards

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// withUnit returns a Deriver that works with one kind of vector instructions; without any if unit is nil.
func withUnit(view *Scalar, unit *vectorUnit) *Deriver {
	d := NewDeriver(view)
	d.wide = nil
	if unit != nil {
		d.wide = newWideOf(unit)
	}
	return d
}

// TestVectorDerivers compares every kind of vector instructions that this processor has with Derive, and with what has none.
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

// TestVectorLengths covers lanes that stay empty.
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

// big returns a lane.
func (v *vector) big(lane int) *big.Int {
	n := new(big.Int)
	for i := range v {
		n.Add(n, new(big.Int).Lsh(big.NewInt(int64(v[i][lane])), uint(51*i)))
	}
	return n
}

// testVectors returns elements whose limbs are up to a size: all as large as may be, of either sign, and random.
func testVectors(rng *rand.Rand, size float64) (vs []vector) {
	for range 40 {
		var v vector
		for i := range v {
			for lane := range v[i] {
				switch rng.IntN(4) {
				case 0:
					v[i][lane] = size
				case 1:
					v[i][lane] = -size
				case 2:
					v[i][lane] = math.Trunc(size * (2*rng.Float64() - 1))
				}
			}
		}
		vs = append(vs, v)
	}
	var plus, minus vector
	for i := range plus {
		for lane := range plus[i] {
			plus[i][lane], minus[i][lane] = size, -size
		}
	}
	return append(vs, vector{}, plus, minus)
}

// TestVector compares multiplications with math/big, for factors of every size that the formulas have.
func TestVector(t *testing.T) {
	const reduced = 1<<50 + 1<<15
	rng := rand.New(rand.NewPCG(45, 46))
	same := func(want *big.Int, got *vector, lane int) {
		t.Helper()
		n := new(big.Int).Mod(want, fieldPrime)
		require.Zero(t, n.Cmp(new(big.Int).Mod(got.big(lane), fieldPrime)))
		require.Zero(t, n.Cmp(littleEndian(new(element).from(got, lane).bytes())))
		for i := range got {
			require.LessOrEqual(t, math.Abs(got[i][lane]), float64(reduced))
		}
	}
	for i := range vectorUnits {
		u := &vectorUnits[i]
		as, bs := testVectors(rng, reduced), testVectors(rng, 2*reduced)
		for k := range as {
			var product, square, twice vector
			u.multiply(&product, &as[k], &bs[k])
			u.square(&square, &as[k], 1)
			twice = as[k]
			u.square(&twice, &twice, 2)
			for lane := range 8 {
				a, b := as[k].big(lane), bs[k].big(lane)
				same(new(big.Int).Mul(a, b), &product, lane)
				same(new(big.Int).Mul(a, a), &square, lane)
				same(new(big.Int).Exp(a, big.NewInt(4), fieldPrime), &twice, lane)
			}
		}
	}
	// What goes in comes out.
	for _, a := range testWords(rng) {
		if !a.reduced() {
			continue
		}
		var v vector
		v.set(3, &a)
		b := a.bytes()
		require.Equal(t, b, new(element).from(&v, 3).bytes())
	}
}

// from sets v to a lane.
func (v *element) from(a *vector, lane int) *element { *v = a.get(lane); return v }

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

// BenchmarkDerivers reports the time of one key with each kind of instructions.
func BenchmarkDerivers(b *testing.B) {
	view := HashToScalar([]byte("view"))
	keys := benchKeys(1024)
	out := make([]Derivation, len(keys))
	run := func(name string, d *Deriver) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				d.Derive(out, keys)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(keys)), "ns/key")
		})
	}
	run("portable", withUnit(view, nil))
	for i := range vectorUnits {
		run(vectorUnits[i].name, withUnit(view, &vectorUnits[i]))
	}
}
