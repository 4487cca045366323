package lws_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/lws"
	"glim/core/xmr"
)

// TestImportsAreLimited: after three scans in a day, the next ones need approval, also after a restart.
func TestImportsAreLimited(t *testing.T) {
	c := chaintest.New("imports", xmr.Regtest)
	c.Grow(40)
	now, store := uint64(1_700_000_000), &lws.Memory{}
	start := func() *lws.Book {
		o := options(store)
		o.Now = func() uint64 { return now }
		b := open(t, o)
		catchUp(t, b, chaintest.NewSource(c))
		return b
	}
	b, u := start(), newUser(t, "u")
	login(t, b, u, lws.Lookahead{})
	height := uint64(30)
	fulfilled := func() bool {
		height--
		a, err := b.Import(u.Address, u.view, height, lws.Lookahead{})
		require.NoError(t, err)
		return a.Fulfilled
	}
	for range 3 {
		require.True(t, fulfilled())
		now += 3600
	}
	require.False(t, fulfilled())
	b = start()
	require.False(t, fulfilled())
	require.Len(t, b.Requests(lws.Import), 1)
	done, err := b.Decide(lws.Import, []lws.Address{u.Address}, true)
	require.NoError(t, err)
	require.Len(t, done, 1)
	require.False(t, fulfilled())
	done, err = b.Decide(lws.Import, []lws.Address{u.Address}, false)
	require.NoError(t, err)
	require.Len(t, done, 1)
	now += 22 * 3600
	require.True(t, fulfilled())
}
