package edwards

import (
	"math/big"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestViewGroup: the digits are in range and odd, and add up to the view key, or to the view key and ℓ.
func TestViewGroup(t *testing.T) {
	order := new(big.Int).Add(littleEndian(EncodeScalar(minusOne)), big.NewInt(1))
	for i, view := range append(oddViews(rand.New(rand.NewPCG(51, 52))), edgeScalars()...) {
		var g viewGroup
		lane := i % 8
		g.set(lane, view)
		sum := new(big.Int)
		for j := len(g) - 1; j >= 0; j-- {
			require.Less(t, g[j][lane], uint8(32))
			sum.Add(sum.Lsh(sum, 5), big.NewInt(2*int64(g[j][lane])-31))
		}
		want := littleEndian(EncodeScalar(view))
		if want.Bit(0) == 0 {
			want.Add(want, order)
		}
		require.Zero(t, sum.Cmp(want), "%x", view.Bytes())
	}
}

// TestKeyTable compares tables of every size with Derive: odd keys and odd view keys, from any view key on.
func TestKeyTable(t *testing.T) {
	rng := rand.New(rand.NewPCG(53, 54))
	list := append(oddViews(rng), edgeScalars()...)
	views := NewViewKeys(list)
	require.Equal(t, len(list), views.Len())
	keys := oddKeys(t, rng)
	var table KeyTable
	got := make([]Derivation, len(list))
	for i, key := range keys {
		uses := []int{0, 20, 300}[i%3]
		_, err := DecodePoint(key)
		require.Equal(t, err == nil, table.Set(key, uses), "%x", key)
		if err != nil {
			continue
		}
		from := rng.IntN(len(list))
		n := rng.IntN(len(list) - from + 1)
		table.Derive(got[:n], views, from)
		for j := range n {
			want, err := Derive(list[from+j], key)
			require.NoError(t, err)
			require.Equal(t, want, got[j], "view %x, key %x", list[from+j].Bytes(), key)
		}
	}
	require.Panics(t, func() { table.Derive(got, views, 1) })
	require.Panics(t, func() { table.Derive(got[:1], views, -1) })
}

// TestKeyTableOfMany covers more view keys than are computed together, and several goroutines.
func TestKeyTableOfMany(t *testing.T) {
	list := make([]*Scalar, 2*keysAtOnce+13)
	for i := range list {
		list[i] = HashToScalar([]byte{byte(i), byte(i >> 8)})
	}
	views := NewViewKeys(list)
	key := HashToPoint([32]byte{1}).Encode()
	var table KeyTable
	require.True(t, table.Set(key, len(list)))
	want := make([]Derivation, len(list))
	for i := range list {
		d, err := Derive(list[i], key)
		require.NoError(t, err)
		want[i] = d
	}
	var group sync.WaitGroup
	results := make([][]Derivation, 3)
	for i := range results {
		results[i] = make([]Derivation, len(list)-i)
		group.Go(func() { table.Derive(results[i], views, i) })
	}
	group.Wait()
	for i := range results {
		require.Equal(t, want[i:], results[i])
	}
}

// TestViewKeysAreSecret: they do not print, and Wipe overwrites them.
func TestViewKeysAreSecret(t *testing.T) {
	for _, v := range []*ViewKeys{
		own{}.newViewKeys([]*Scalar{minusOne}), library{}.newViewKeys([]*Scalar{minusOne}),
	} {
		require.Equal(t, "[secret]", v.String())
		require.Equal(t, "[secret]", v.GoString())
		v.Wipe()
		for i := range v.groups {
			require.Equal(t, viewGroup{}, v.groups[i])
		}
		for i := range v.scalars {
			require.Equal(t, [32]byte{}, EncodeScalar(&v.scalars[i]))
		}
	}
}

// BenchmarkKeyTable reports the time of one derivation of a key with 2,560 view keys, and of preparing the key.
func BenchmarkKeyTable(b *testing.B) {
	list := make([]*Scalar, 2560)
	for i := range list {
		list[i] = HashToScalar([]byte{byte(i), byte(i >> 8)})
	}
	views := NewViewKeys(list)
	out := make([]Derivation, len(list))
	key := HashToPoint([32]byte{1}).Encode()
	var table KeyTable
	b.Run("set", func(b *testing.B) {
		for b.Loop() {
			table.Set(key, len(list))
		}
	})
	b.Run("derive", func(b *testing.B) {
		table.Set(key, len(list))
		b.ReportAllocs()
		for b.Loop() {
			table.Derive(out, views, 0)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(out)), "ns/key")
	})
}

// TestKeyTableExchange compares with Exchanger, for keys of every kind.
func TestKeyTableExchange(t *testing.T) {
	inside, outside := exchangeKeys(t, 5)
	for _, text := range smallOrders {
		outside = append(outside, b32(t, text))
	}
	list := append(edgeScalars(), HashToScalar([]byte("exchange")))
	for len(list) < keysAtOnce+9 {
		list = append(list, HashToScalar([]byte{byte(len(list))}))
	}
	views := NewViewKeys(list)
	var table KeyTable
	got := make([][32]byte, len(list))
	for i, u := range append(inside, outside...) {
		valid := table.SetExchange(u, 1000)
		clear(got)
		n := 20
		if i == 0 {
			n = len(list)
		}
		if valid {
			table.Exchange(got[:n-3], views, 3)
		}
		for j := range n - 3 {
			want := make([][32]byte, 1)
			NewExchanger(list[3+j]).Exchange(want, [][32]byte{u})
			require.Equal(t, want[0], got[j], "%x", u)
		}
	}
}
