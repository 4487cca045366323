package node

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chain"
	"glim/core/daemonrpc"
	"glim/core/xmr"
)

// TestPruneBlockchain: a stripe is chosen once, and checking chooses none.
func TestPruneBlockchain(t *testing.T) {
	c := &clock{1_700_000_003}
	n, err := New(Config{Chain: chain.Options{Network: xmr.Regtest, FixedDifficulty: 1, Now: c.read, Random: &zeros{}}})
	require.NoError(t, err)
	prune := func(check bool) daemonrpc.PruneBlockchainResponse {
		return ask(t, n.Registry(), daemonrpc.PruneBlockchain, daemonrpc.PruneBlockchainRequest{Check: check})
	}
	for range 2 {
		r := prune(true)
		require.False(t, r.Pruned)
		require.Zero(t, r.PruningSeed)
	}
	chosen := prune(false)
	require.True(t, chosen.Pruned)
	require.EqualValues(t, 3, chosen.PruningSeed>>7, "log2 of the number of stripes")
	require.Less(t, chosen.PruningSeed&0x7f, uint32(8))
	require.Equal(t, chosen, prune(true))
	c.now += 1
	require.Equal(t, chosen, prune(false))
	f := &full{errors.New("no space")}
	n, err = New(Config{
		Chain: chain.Options{Network: xmr.Regtest, FixedDifficulty: 1, Now: c.read, Random: &zeros{}, Store: new(full)},
	})
	require.NoError(t, err)
	*n.config.Chain.Store.(*full) = *f
	refused(t, n.Registry(), daemonrpc.PruneBlockchain, daemonrpc.PruneBlockchainRequest{})
	require.False(t, prune(true).Pruned, "a seed that cannot be stored is not answered")
}

// TestDatabaseSizeInMemory: the size of a chain in memory is that of its main chain's blocks and transactions.
func TestDatabaseSizeInMemory(t *testing.T) {
	c := &clock{1_700_000_000}
	n, err := New(Config{Chain: chain.Options{Network: xmr.Regtest, FixedDifficulty: 1, Now: c.read, Random: &zeros{}}})
	require.NoError(t, err)
	size := func() uint64 { return ask(t, n.Registry(), daemonrpc.GetInfo, daemonrpc.PayerOnly{}).DatabaseSize }
	blocks := func() (bytes uint64) {
		n.chain.View(func(v chain.View) {
			for h := range v.Height() {
				bytes += uint64(len(v.Block(h).Blob))
			}
		})
		return bytes
	}
	genesis := size()
	require.Equal(t, blocks(), genesis)
	require.NotZero(t, genesis)
	_, err = (&Regtest{n}).Mine(t.Context(), 3, UnspendableAddress())
	require.NoError(t, err)
	require.Equal(t, blocks(), size())
	require.Greater(t, size(), genesis)
	ask(t, n.Registry(), daemonrpc.PopBlocks, daemonrpc.PopBlocksRequest{NBlocks: 3})
	require.Equal(t, genesis, size())
}
