package chain

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/xmr"
)

// TestPruningSeedIsStored: the seed is there after a restart, and a seed that cannot be stored is not set.
func TestPruningSeedIsStored(t *testing.T) {
	m := new(memory)
	l := open(t, m)
	seed := func(c *Chain) (s uint32) {
		c.View(func(v View) { s = v.PruningSeed() })
		return s
	}
	require.Zero(t, seed(l.chain))
	m.fails = errors.New("full")
	require.ErrorIs(t, l.chain.SetPruningSeed(385), ErrNotStored)
	require.Zero(t, seed(l.chain))
	m.fails = nil
	require.NoError(t, l.chain.SetPruningSeed(385))
	l.mine(2)
	again := open(t, m.copy())
	require.EqualValues(t, 385, seed(again.chain))
	require.EqualValues(t, 3, again.chain.height())
	for _, damaged := range []Record{
		seal([]byte{recordPruning, 1}, make([]byte, sumSize+1)),
		seal([]byte{recordPruning}, append(make([]byte, sumSize), 0xff, 0xff, 0xff, 0xff, 0x7f)),
		seal([]byte{recordPruning}, make([]byte, sumSize)),
	} {
		broken := m.copy()
		delete(broken.records, string([]byte{recordPruning}))
		broken.records[string(damaged.Key)] = string(damaged.Value)
		o := Options{Network: xmr.Regtest, FixedDifficulty: 1, Now: func() uint64 { return 1 }, Store: broken}
		_, err := New(o)
		require.ErrorIs(t, err, ErrStored)
	}
}
