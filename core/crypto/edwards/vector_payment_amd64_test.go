//go:build !purego

package edwards

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// oddPayments returns payments with outputs of all kinds, of which about half are points.
func oddPayments(t *testing.T, rng *rand.Rand) (payments []Payment) {
	for _, k := range oddKeys(t, rng) {
		p := Payment{Index: rng.Uint64() >> rng.IntN(64), Output: k, Valid: true}
		for i := range p.Derivation {
			p.Derivation[i] = byte(rng.Uint32())
		}
		payments = append(payments, p)
	}
	rng.Shuffle(len(payments), func(i, j int) { payments[i], payments[j] = payments[j], payments[i] })
	return payments
}

// TestVectorSpendKeys compares all kinds of vector instructions with portable code. The simulated ones get fewer
// payments, because they are slow.
func TestVectorSpendKeys(t *testing.T) {
	payments := oddPayments(t, rand.New(rand.NewPCG(51, 52)))
	ends := make([]end, len(payments))
	want := append([]Payment(nil), payments...)
	spendKeys(want, ends)
	encodeEnds(ends)
	encoded := make([][32]byte, len(ends))
	for i := range ends {
		encoded[i] = ends[i].encoded
	}
	check := func(u *vectorUnit, n int) {
		got, ends := append([]Payment(nil), payments[:n]...), make([]end, n)
		newWideOf(u).spendKeys(got, ends)
		require.Equal(t, want[:n], got, u.name)
		encodeEnds(ends)
		for i := range ends {
			require.Equal(t, encoded[i], ends[i].encoded, u.name)
		}
	}
	for _, u := range simulated(t) {
		check(&u, 19)
	}
	for i := range vectorUnits {
		for n := 1; n < 20; n++ {
			check(&vectorUnits[i], n)
		}
		check(&vectorUnits[i], len(payments))
	}
}

// TestVectorSubtractBase covers the first and the last digits of the table, and the longest carries.
func TestVectorSubtractBase(t *testing.T) {
	scalars := append(oddViews(rand.New(rand.NewPCG(53, 54))),
		ScalarFromUint64(127), ScalarFromUint64(128), ScalarFromUint64(129),
		ScalarFromUint64(0x8080808080808080), ScalarFromUint64(0x8180808080808081), ScalarFromUint64(1<<64-1))
	for i := range vectorUnits {
		w := newWideOf(&vectorUnits[i])
		for from := 0; from < len(scalars); from += 8 {
			some := scalars[from:min(from+8, len(scalars))]
			var digits [8][32]int
			for lane, s := range some {
				signedDigits(&digits[lane], s)
			}
			w.point = vectorPoint{y: w.one, z: w.one}
			w.subtractBase(&digits, w.unit.base())
			for lane, s := range some {
				x, y, z := w.unit.get(&w.point.x, lane), w.unit.get(&w.point.y, lane), w.unit.get(&w.point.z, lane)
				ends := []end{{valid: true, x: x, y: y, z: z}}
				encodeEnds(ends)
				want := new(Point).ScalarBaseMult(s)
				require.Equal(t, want.Negate(want).Encode(), ends[0].encoded, "%x", s.Bytes())
			}
		}
	}
}

// BenchmarkSpendKeysOf reports the time of one output with each kind of instructions.
func BenchmarkSpendKeysOf(b *testing.B) {
	payments := make([]Payment, 1024)
	for i, k := range benchKeys(len(payments)) {
		payments[i] = Payment{Derivation: Derivation{1}, Index: uint64(i), Output: k}
	}
	ends := make([]end, len(payments))
	run := func(name string, do func([]Payment, []end)) {
		b.Run(name, func(b *testing.B) {
			do(payments, ends)
			for b.Loop() {
				do(payments, ends)
				encodeEnds(ends)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(payments)), "ns/output")
		})
	}
	run("portable", spendKeys)
	for i := range vectorUnits {
		run(vectorUnits[i].name, newWideOf(&vectorUnits[i]).spendKeys)
	}
}
