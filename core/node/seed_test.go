package node

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chain"
	"glim/core/daemonrpc"
	"glim/core/xmr"
)

// TestSeedEpochs: with shorter epochs the RandomX seed changes at the heights of monerod with the same settings.
// Source: src/crypto/rx-slow-hash.c, rx_seedheights.
func TestSeedEpochs(t *testing.T) {
	c := &clock{1_700_000_000}
	n, err := New(Config{Chain: chain.Options{
		Network: xmr.Regtest, FixedDifficulty: 1, Now: c.read, Random: &zeros{}, SeedEpochBlocks: 8, SeedEpochLag: 4,
	}})
	require.NoError(t, err)
	id := func(height uint64) (id string) {
		n.chain.View(func(v chain.View) { id = v.Block(height).ID.String() })
		return id
	}
	for height := uint64(1); height < 40; height++ {
		seed, next := uint64(0), uint64(0)
		if height > 12 {
			seed = (height - 5) / 8 * 8
		}
		if height > 8 {
			next = (height - 1) / 8 * 8
		}
		template := ask(t, n.Registry(), daemonrpc.GetBlockTemplate,
			daemonrpc.GetBlockTemplateRequest{WalletAddress: UnspendableAddress()})
		require.Equal(t, height, template.Height)
		require.Equal(t, seed, template.SeedHeight, "%d", height)
		require.Equal(t, id(seed), template.SeedHash, "%d", height)
		if next == seed {
			require.Empty(t, template.NextSeedHash, "%d", height)
		} else {
			require.Equal(t, id(next), template.NextSeedHash, "%d", height)
		}
		require.Equal(t, id(seed), ask(t, n.Registry(), daemonrpc.GetMinerData, daemonrpc.None{}).SeedHash)
		_, err := (&Regtest{n}).Mine(t.Context(), 1, UnspendableAddress())
		require.NoError(t, err)
	}
}
