package treecache

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/carrot"
)

// someCache returns a cache with own outputs in and outside of the tree, after a reorganisation.
func someCache(t testing.TB) *Cache {
	c := newEdge(t, 38*18-20, 500, 12)
	s := &source{Rand: rand.New(rand.NewPCG(7, 8))}
	add := func(blocks int) {
		for range blocks {
			b := s.block(c.Height(), 8)
			for _, tx := range b.Txs {
				if o := tx.Outputs[0]; s.IntN(4) == 0 {
					c.Register(o)
				}
			}
			require.NoError(t, c.Add(b))
		}
	}
	add(20)
	require.NoError(t, c.Detach(513))
	add(4)
	c.Register(someOutput(1 << 40))
	all, inTree := c.Registered()
	require.Greater(t, inTree, 3)
	require.Greater(t, all, inTree+3)
	return c
}

// use calls everything that a decoded cache offers.
func use(t *testing.T, c *Cache, check bool) {
	newest, _ := c.Reference()
	paths := 0
	for o := range c.own {
		if paths > 4 {
			break
		}
		for _, reference := range []uint64{c.oldest() + 8, newest} {
			if path, err := c.Path(reference, o); err == nil {
				_, _ = path.Root()
				paths++
			}
		}
	}
	if check {
		_ = c.Check()
	}
	s := &source{Rand: rand.New(rand.NewPCG(1, 2)), outputs: 5000}
	require.NoError(t, c.Add(s.block(c.Height(), 3)))
	require.NoError(t, c.Detach(c.oldest()))
	require.NoError(t, c.Add(s.block(c.Height(), 3)))
	for _, o := range []Output{someOutput(1 << 40), someOutput(1)} {
		c.Unregister(o)
	}
	again, err := Decode(carrot.Default, c.Append(nil))
	require.NoError(t, err)
	require.Equal(t, c.Append(nil), again.Append(nil))
}

// TestDamagedEncoding: bytes that are cut off or altered are refused, or are a cache that can be used.
func TestDamagedEncoding(t *testing.T) {
	b := someCache(t).Append(nil)
	good, err := Decode(carrot.Default, b)
	require.NoError(t, err)
	require.NoError(t, good.Check())
	use(t, good, true)
	for i := range b {
		if i%41 != 0 && i > 50 {
			continue
		}
		_, err := Decode(carrot.Default, b[:i])
		require.ErrorIs(t, err, ErrEncoding)
		altered := bytes.Clone(b)
		altered[i] ^= 1 << (i % 8)
		if c, err := Decode(carrot.Default, altered); err != nil {
			require.ErrorIs(t, err, ErrEncoding)
		} else {
			require.Equal(t, altered, c.Append(nil))
			if i%(41*20) == 0 {
				use(t, c, false)
			}
		}
	}
	_, err = Decode(carrot.Default, append(b, 0))
	require.ErrorIs(t, err, ErrEncoding)
}

// TestFalseState: Check refuses a state to begin with that is not a tree, which Decode does not compute.
func TestFalseState(t *testing.T) {
	c := newEdge(t, 27_479, 1000, 20)
	require.NoError(t, c.Check())
	for _, lie := range []func(c *Cache){
		func(c *Cache) { c.leaves.recent[0].children[0] = someOutput(4) },
		func(c *Cache) { c.leaves.recent[0].children[0].Key = [32]byte{1} },
		func(c *Cache) { c.hashes[0].recent[0].children[0] = [32]byte{5} },
		func(c *Cache) { c.hashes[1].recent[0].children[0] = [32]byte{5} },
		func(c *Cache) { c.hashes[2].recent[0].children[0] = [32]byte{5} },
	} {
		lying := newEdge(t, 27_479, 1000, 20)
		lie(lying)
		decoded, err := Decode(carrot.Default, lying.Append(nil))
		require.NoError(t, err)
		require.ErrorIs(t, decoded.Check(), ErrPath)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(New(carrot.Default, 1).Append(nil))
	f.Add(newEdge(f, 40, 1000, 3).Append(nil))
	f.Add(someCache(f).Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := Decode(carrot.Default, b)
		if err != nil {
			require.ErrorIs(t, err, ErrEncoding)
			return
		}
		require.Equal(t, b, c.Append(nil))
		use(t, c, true)
	})
}
