package edwards

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// torsion returns the eight points whose order divides eight.
func torsion(t *testing.T) []*Point {
	t.Helper()
	minusEll := NewScalar() // (ℓ−1)·P + P is the torsion part of P, up to a unit
	minusEll.Negate(ScalarFromUint64(1))
	for i := byte(2); ; i++ {
		p, err := DecodePoint([32]byte{i})
		if err != nil {
			continue
		}
		q := new(Point).ScalarMult(minusEll, p)
		q.Add(q, p)
		four := new(Point).Add(q, q)
		four.Add(four, four)
		if four.IsIdentity() {
			continue // the order of q is not eight
		}
		ps := []*Point{Identity()}
		for range 7 {
			ps = append(ps, new(Point).Add(ps[len(ps)-1], q))
		}
		require.True(t, new(Point).Add(ps[7], q).IsIdentity())
		return ps
	}
}

// oddKeys returns points with every torsion, the torsion points, non-canonical encodings, encodings that are not
// points, and random bytes, of which about half are points.
func oddKeys(t *testing.T, rng *rand.Rand) [][32]byte {
	t.Helper()
	var keys [][32]byte
	torsion := torsion(t)
	for _, q := range torsion {
		keys = append(keys, q.Encode())
		for i := range byte(3) {
			keys = append(keys, new(Point).Add(HashToPoint([32]byte{i}), q).Encode())
		}
	}
	for _, sign := range []byte{0, 0x80} {
		for i := range byte(40) {
			low, high := [32]byte{i}, [32]byte{}
			for j := range high {
				high[j] = 0xff
			}
			high[0] -= i
			low[31], high[31] = sign, 0x7f|sign
			keys = append(keys, low, high)
		}
	}
	for range 200 {
		var k [32]byte
		for i := range k {
			k[i] = byte(rng.Uint32())
		}
		keys = append(keys, k)
	}
	return keys
}

func oddViews(rng *rand.Rand) []*Scalar {
	views := []*Scalar{NewScalar(), minusOne, new(Scalar).Add(minusOne, minusOne)}
	for i := range uint64(36) {
		views = append(views, ScalarFromUint64(i))
	}
	for range 8 {
		var b [32]byte
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
		views = append(views, ReduceScalar(b))
	}
	return views
}

// deriveSimply computes what a Deriver must return: Derive for each key, and zeros if it fails.
func deriveSimply(view *Scalar, keys [][32]byte) []Derivation {
	out := make([]Derivation, len(keys))
	for i, k := range keys {
		if d, err := Derive(view, k); err == nil {
			out[i] = d
		}
	}
	return out
}

func TestDeriverIsDerive(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	keys := oddKeys(t, rng)
	valid := 0
	for _, view := range oddViews(rng) {
		want := deriveSimply(view, keys)
		got := make([]Derivation, len(keys))
		NewDeriver(view).Derive(got, keys)
		for i := range want {
			require.Equal(t, want[i], got[i], "view %x, key %x", view.Bytes(), keys[i])
			if want[i] != (Derivation{}) {
				valid++
			}
		}
	}
	require.Greater(t, valid, len(keys)/4)
}

// TestDeriverLengths covers all remainders of a group of lanes, and incomplete batches.
func TestDeriverLengths(t *testing.T) {
	view := HashToScalar([]byte("lengths"))
	d := NewDeriver(view)
	keys := oddKeys(t, rand.New(rand.NewPCG(5, 6)))
	keys = append(keys, keys...)[:2*batch+3]
	want := deriveSimply(view, keys)
	for _, n := range []int{0, 1, 2, lanes - 1, lanes, lanes + 1, batch - 1, batch, batch + 1, 2 * batch, 2*batch + 3} {
		got := make([]Derivation, n)
		d.Derive(got, keys[:n])
		require.Equal(t, want[:n], got, n)
	}
	require.Panics(t, func() { d.Derive(make([]Derivation, 1), keys[:2]) })
}

func TestDeriverClone(t *testing.T) {
	view := HashToScalar([]byte("clone"))
	keys := oddKeys(t, rand.New(rand.NewPCG(7, 8)))
	want := deriveSimply(view, keys)
	d := NewDeriver(view)
	results := make([][]Derivation, 4)
	var wg sync.WaitGroup
	for i := range results {
		results[i] = make([]Derivation, len(keys))
		c := d.Clone()
		wg.Go(func() { c.Derive(results[i], keys) })
	}
	wg.Wait()
	for _, got := range results {
		require.Equal(t, want, got)
	}
}

func TestDeriverAllocatesNothing(t *testing.T) {
	keys := oddKeys(t, rand.New(rand.NewPCG(9, 10)))
	out := make([]Derivation, len(keys))
	d := own{}.newDeriver(HashToScalar([]byte("allocations")))
	require.Zero(t, testing.AllocsPerRun(3, func() { own{}.derive(d, out, keys) }))
	// The library allocates an error for each key that is not a point.
	base := make([][32]byte, len(keys))
	for i := range base {
		base[i] = Base().Encode()
	}
	d = library{}.newDeriver(HashToScalar([]byte("allocations")))
	require.Zero(t, testing.AllocsPerRun(3, func() { library{}.derive(d, out, base) }))
}

// TestSpendKeys compares with Derivation.SpendKey, for outputs of all kinds and for more of them than share an
// inversion.
func TestSpendKeys(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	var payments []Payment
	for _, k := range oddKeys(t, rng) {
		var d Derivation
		for i := range d {
			d[i] = byte(rng.Uint32())
		}
		payments = append(payments, Payment{Derivation: d, Index: rng.Uint64() >> rng.IntN(64), Output: k, Valid: true})
	}
	// One paid to the neutral element, and one to the point whose encoding is zeros.
	d := Derivation{1}
	for _, spend := range [][32]byte{Identity().Encode(), {}} {
		out, err := d.PublicKey(2, spend)
		require.NoError(t, err)
		payments = append(payments, Payment{Derivation: d, Index: 2, Output: out})
	}
	SpendKeys(payments)
	valid := 0
	for _, p := range payments {
		want, err := p.Derivation.SpendKey(p.Index, p.Output)
		require.Equal(t, err == nil, p.Valid)
		require.Equal(t, want, p.SpendKey)
		if p.Valid {
			valid++
		}
	}
	require.Greater(t, valid, 64)
	require.Less(t, valid, len(payments))
	require.True(t, payments[len(payments)-1].Valid)
	require.Zero(t, testing.AllocsPerRun(3, func() { own{}.spendKeys(payments) }))
}

// TestAddBaseMult covers the first and the last digits of the table, and the longest carries.
func TestAddBaseMult(t *testing.T) {
	table := generatorMultiples()
	for _, s := range append(oddViews(rand.New(rand.NewPCG(13, 14))), ScalarFromUint64(127), ScalarFromUint64(128),
		ScalarFromUint64(129), ScalarFromUint64(0x8080808080808080), ScalarFromUint64(0x8180808080808081),
		ScalarFromUint64(1<<64-1)) {
		want := new(Point).ScalarBaseMult(s)
		for _, negative := range []bool{false, true} {
			v := projective{y: elementOne, z: elementOne}
			v.addBaseMult(s, negative, table)
			ends := []end{{valid: true}}
			ends[0].set(&v)
			encodeEnds(ends)
			require.Equal(t, want.Encode(), ends[0].encoded, "%x %v", s.Bytes(), negative)
			want.Negate(want)
		}
	}
}

// TestAddBaseMults compares with ScalarBaseMult, for starting points of all kinds and for more scalars than share an
// inversion.
func TestAddBaseMults(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	views := oddViews(rng)
	var scalars []Scalar
	for len(scalars) <= 2*64 {
		for _, s := range views {
			scalars = append(scalars, *s)
		}
	}
	starts, foreign := 0, 0
	for _, start := range oddKeys(t, rng)[:100] {
		p, err := DecodePoint(start)
		if err != nil {
			require.ErrorIs(t, AddBaseMults(make([][32]byte, 1), start, scalars[:1]), ErrPoint)
			foreign++
			continue
		}
		starts++
		n := rng.IntN(len(scalars) + 1)
		got := make([][32]byte, n)
		require.NoError(t, AddBaseMults(got, start, scalars[:n]))
		for i := range got {
			q := new(Point).ScalarBaseMult(&scalars[i])
			require.Equal(t, q.Add(q, p).Encode(), got[i], "%x + %x·G", start, scalars[i].Bytes())
		}
	}
	require.Positive(t, starts)
	require.Positive(t, foreign)
	require.Panics(t, func() { _ = AddBaseMults(make([][32]byte, 1), Base().Encode(), nil) })
}

func FuzzDeriver(f *testing.F) {
	g := Base().Encode()
	f.Add([]byte{}, g[:])
	f.Add([]byte{1}, make([]byte, 64))
	f.Add(minusOne.Bytes(), append(g[:], 1))
	f.Fuzz(func(t *testing.T, view, data []byte) {
		s := HashToScalar(view)
		if len(view) <= 32 { // small and large ones, as they are
			var b [32]byte
			copy(b[:], view)
			s = ReduceScalar(b)
		}
		keys := make([][32]byte, min(len(data)/32+1, 20))
		for i := range keys {
			if 32*i < len(data) {
				copy(keys[i][:], data[32*i:])
			}
		}
		got := make([]Derivation, len(keys))
		NewDeriver(s).Derive(got, keys)
		require.Equal(t, deriveSimply(s, keys), got)
	})
}

func FuzzSpendKeys(f *testing.F) {
	g := Base().Encode()
	f.Add(make([]byte, 32), uint64(0), g[:])
	f.Add([]byte{1}, uint64(1<<63), make([]byte, 96))
	f.Fuzz(func(t *testing.T, derivation []byte, index uint64, data []byte) {
		payments := make([]Payment, min(len(data)/32+1, 20))
		for i := range payments {
			p := &payments[i]
			p.Index = index + uint64(i)
			copy(p.Derivation[:], derivation)
			copy(p.Output[:], data[min(32*i, len(data)):])
		}
		SpendKeys(payments)
		for _, p := range payments {
			want, err := p.Derivation.SpendKey(p.Index, p.Output)
			require.Equal(t, err == nil, p.Valid)
			require.Equal(t, want, p.SpendKey)
		}
	})
}
