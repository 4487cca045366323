package edwards

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// exchangeKeys returns u-coordinates of points of the prime-order subgroup, and with the others those of points with
// torsion, of the twist and of small order.
func exchangeKeys(t testing.TB, n int) (inside, outside [][32]byte) {
	r := rand.NewChaCha8([32]byte{28})
	base := HashToPoint([32]byte{1})
	for range n {
		s, err := RandomScalar(r)
		require.NoError(t, err)
		p := new(Point).ScalarBaseMult(s)
		inside = append(inside, p.Montgomery())
		outside = append(outside, p.Add(p, ofOrderEight).Montgomery(), p.Add(p, base).Montgomery())
		var any [32]byte
		_, err = r.Read(any[:])
		require.NoError(t, err)
		outside = append(outside, any)
	}
	return append(inside, [32]byte{9}), outside
}

// TestExchanger compares with X25519, for numbers of keys around batches, and Exchangers used again and cloned.
func TestExchanger(t *testing.T) {
	inside, outside := exchangeKeys(t, 520)
	for _, text := range smallOrders {
		outside = append(outside, b32(t, text))
	}
	for i, s := range append(edgeScalars(), HashToScalar([]byte("exchange"))) {
		e := NewExchanger(s)
		for _, n := range []int{0, 1, 7, 8, 9, 255, 256, 257, 521} {
			if i%8 != 0 && n > 9 {
				continue
			}
			out := make([][32]byte, n)
			e.Exchange(out, inside[:n])
			for j := range out {
				require.Equal(t, own{}.ladder(s, &inside[j]), out[j], fmt.Sprint(i, n, j))
			}
			e = e.Clone()
		}
		some := outside
		if i%8 != 0 {
			some = outside[len(outside)-20:]
		}
		requireExchanges(t, s, some)
	}
	require.Panics(t, func() { NewExchanger(NewScalar()).Exchange(make([][32]byte, 1), nil) })
}

// requireExchanges compares an Exchanger with Deriver's definition, for any keys: no result for the twist, and none of
// small order.
func requireExchanges(t *testing.T, s *Scalar, us [][32]byte) {
	t.Helper()
	out := make([][32]byte, len(us))
	NewExchanger(s).Exchange(out, us)
	part := NewScalar().Multiply(s, eighth())
	for i := range us {
		keys, byLibrary := make([][32]byte, 1), make([][32]byte, 1)
		own{}.edwardsKeys(keys, us[i:i+1])
		library{}.edwardsKeys(byLibrary, us[i:i+1])
		require.Equal(t, keys, byLibrary)
		var want [32]byte
		if p, err := DecodePoint(keys[0]); err == nil {
			p.ScalarMult(part, p)
			want = p.MultByCofactor(p).Montgomery()
		}
		require.Equal(t, want, out[i], "%x", us[i])
		high := us[i]
		high[31] ^= 128
		own{}.edwardsKeys(keys, [][32]byte{high})
		require.Equal(t, byLibrary, keys, "the highest bit is ignored")
	}
	derivations := []Derivation{{}, {1}, Derivation(Base().Encode()), Derivation(H().Encode())}
	a, b := make([][32]byte, len(derivations)), make([][32]byte, len(derivations))
	own{}.montgomeryKeys(a, derivations)
	library{}.montgomeryKeys(b, derivations)
	require.Equal(t, a, b)
	require.Equal(t, [][32]byte{{}, {}, {9}, H().Montgomery()}, a)
}

// BenchmarkExchanger reports the time of an exchange with an Exchanger, of one alone, and of a derivation with a
// Deriver: the best of many short runs, because other processes use the processor too.
func BenchmarkExchanger(b *testing.B) {
	keys, _ := exchangeKeys(b, 63)
	secret := HashToScalar([]byte("view"))
	points, derivations := benchKeys(len(keys)), make([]Derivation, len(keys))
	e, d, out := NewExchanger(secret), NewDeriver(secret), make([][32]byte, len(keys))
	together, alone, derivation := math.Inf(1), math.Inf(1), math.Inf(1)
	shorter := func(best *float64, n int, f func()) {
		start := time.Now()
		f()
		*best = min(*best, float64(time.Since(start).Nanoseconds())/float64(n))
	}
	for b.Loop() {
		shorter(&together, len(keys), func() { e.Exchange(out, keys) })
		shorter(&alone, 1, func() { X25519(secret, keys[0]) })
		shorter(&derivation, len(keys), func() { d.Derive(derivations, points) })
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(together, "ns/key")
	b.ReportMetric(alone, "ns/alone")
	b.ReportMetric(derivation, "ns/derivation")
}
