package treecache

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/block"
	"glim/core/carrot"
	"glim/core/crypto/helioselene"
)

// TestCacheErrors: blocks out of order, other trees, deep reorganisations, and paths that the cache does not have.
// Nothing of it changes the cache.
func TestCacheErrors(t *testing.T) {
	for _, depth := range []int{-1, 0, MaxDepth + 1} {
		require.Panics(t, func() { New(carrot.Default, depth) })
	}
	c := New(carrot.Default, 10)
	_, ok := c.Reference()
	require.False(t, ok)
	s := &source{Rand: rand.New(rand.NewPCG(11, 12))}
	early, late := someOutput(1<<41), someOutput(1<<42)
	c.Register(early)
	for range 40 {
		b := s.block(c.Height(), 4)
		if c.Height() == 12 {
			b.Txs = append(b.Txs, Tx{Outputs: []Output{early}}, Tx{Outputs: []Output{late}}, Tx{UnlockTime: 1000})
		}
		require.NoError(t, c.Add(b))
	}
	before := c.Append(nil)
	unchanged := func() {
		t.Helper()
		require.Equal(t, before, c.Append(nil))
	}
	for _, height := range []uint64{0, 39, 41} {
		require.ErrorIs(t, c.Add(s.block(height, 1)), ErrHeight)
		unchanged()
	}
	require.ErrorIs(t, c.Detach(41), ErrHeight)
	require.ErrorIs(t, c.Detach(20), ErrDepth)
	require.NoError(t, c.Detach(40))
	unchanged()
	for _, tree := range []block.Tree{
		{}, {Layers: uint8(c.Next().Layers)}, {Layers: uint8(c.Next().Layers) + 1, Root: c.Next().Hash},
	} {
		b := s.block(40, 1)
		b.Tree = &tree
		require.ErrorIs(t, c.Add(b), ErrRoot)
		unchanged()
	}

	for _, reference := range []uint64{0, 7, 28, 40, 1 << 63} {
		_, err := c.Root(reference)
		require.ErrorIs(t, err, ErrReference, reference)
		_, err = c.Path(reference, early)
		require.ErrorIs(t, err, ErrReference, reference)
	}
	_, err := c.Path(39, late)
	require.ErrorIs(t, err, ErrUnknown)
	c.Register(late)
	c.Register(late)
	_, err = c.Path(39, late)
	require.ErrorIs(t, err, ErrLocked, "registered too late")
	path, err := c.Path(39, early)
	require.NoError(t, err)
	c.Unregister(late)
	c.Unregister(early)
	c.Unregister(early)
	_, err = c.Path(39, early)
	require.ErrorIs(t, err, ErrUnknown)
	all, inTree := c.Registered()
	require.Equal(t, []int{0, 0}, []int{all, inTree})

	root, err := path.Root()
	require.NoError(t, err)
	want, err := c.Root(39)
	require.NoError(t, err)
	require.Equal(t, want, root)
	for _, text := range []string{fmt.Sprintf("%v", path), fmt.Sprintf("%+v", *path), fmt.Sprintf("%#v", path)} {
		require.Equal(t, "treecache.Path(redacted)", text)
	}
	for _, text := range []string{fmt.Sprintf("%v", c), fmt.Sprintf("%#v", c)} {
		require.Equal(t, "treecache.Cache(redacted)", text)
	}
	require.Len(t, path.Helios, 1)
	for i, wrong := range []Path{
		{}, {Helios: path.Helios}, {Leaves: path.Leaves[:1], Helios: path.Helios},
		{Leaves: append(path.Leaves, path.Leaves...), Helios: path.Helios},
		{Leaves: path.Leaves, Helios: append(path.Helios, path.Helios...)},
		{Leaves: path.Leaves, Selene: make([][]helioselene.Element25519, 1)},
		{Leaves: path.Leaves, Helios: path.Helios, Selene: make([][]helioselene.Element25519, 1)},
	} {
		_, err := wrong.Root()
		require.ErrorIs(t, err, ErrPath, i)
	}
}

// TestLateRegistration: an output of a coinbase can be registered as long as it is not in the tree.
func TestLateRegistration(t *testing.T) {
	c := New(carrot.Default, 5)
	s := &source{Rand: rand.New(rand.NewPCG(13, 14))}
	var coinbases []Output
	for range 60 {
		b := s.block(c.Height(), 0)
		coinbases = append(coinbases, b.Txs[0].Outputs[0])
		require.NoError(t, c.Add(b))
		if height := c.Height(); height == 50 {
			c.Register(coinbases[0])
		} else if height == 51 { // that of block 0 is in the tree, that of block 1 is not
			c.Register(coinbases[1])
		}
	}
	for i, o := range coinbases[:2] {
		_, err := c.Path(59, o)
		if i == 0 {
			require.NoError(t, err)
		} else {
			require.ErrorIs(t, err, ErrLocked)
		}
	}
	require.NoError(t, c.Add(s.block(60, 0)))
	_, err := c.Path(60, coinbases[1])
	require.NoError(t, err)
}
