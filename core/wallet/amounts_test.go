package wallet_test

import (
	"context"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/keys"
	"glim/core/syncer"
	"glim/core/wallet"
	"glim/core/xmr"
)

// TestImpossibleAmounts checks that amounts above the total supply are refused together with everything else in
// their batch, in blocks and in the pool, and that the wallet can then scan the valid chain from another daemon.
func TestImpossibleAmounts(t *testing.T) {
	k := owner(t, "amounts")
	honest := chaintest.New("amounts", xmr.Regtest)
	made := honest.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: 3}}}, chaintest.Spec{
		Pay: []chaintest.Payment{{To: k, Amount: 4}},
	})
	half := uint64(math.MaxUint64/2 + 1)
	at := keys.Index{Minor: 1}
	for name, invalid := range map[string][]chaintest.Spec{
		"to one address": {{Pay: []chaintest.Payment{{To: k, Amount: half}, {To: k, Amount: half}}}},
		"as change": {{Spend: []xmr.KeyImage{made[1].Image}, Additional: true,
			Pay: []chaintest.Payment{{To: k, Amount: half}, {To: k, At: at, Amount: half}}}},
	} {
		r := create(t, k, near)
		r.follow(honest, 100)
		before := r.Dump(true)
		c := honest.Fork("invalid "+name, honest.Height())
		c.Add(invalid...)
		found, err := syncer.Scan(context.Background(), k.ViewSecret(), c.Blocks[honest.Height():], syncer.Workers{})
		require.NoError(t, err)
		_, _, err = r.DecideBlocks(found, c.Height())
		require.ErrorIs(t, err, wallet.ErrAmounts, name)
		_, _, err = r.DecidePool(found[0].Txs[1:], 0)
		require.ErrorIs(t, err, wallet.ErrAmounts, name)
		require.Equal(t, before, r.Dump(true))
		valid := honest.Fork("valid "+name, honest.Height())
		valid.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: 5}}})
		r.follow(valid, 100)
		require.Equal(t, uint64(12), balance(r, true, 0).Total)
	}

	// Spent together; each amount is valid by itself.
	r := create(t, k, near)
	c := chaintest.New("spent", xmr.Regtest)
	made = c.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: half}}}, chaintest.Spec{
		Pay: []chaintest.Payment{{To: k, Amount: half}},
	})
	r.follow(c, 100)
	require.Equal(t, uint64(math.MaxUint64), balance(r, true, 0).Total)
	c.Add(chaintest.Spec{Spend: []xmr.KeyImage{made[1].Image, made[2].Image}, Pay: []chaintest.Payment{{Amount: 1}}})
	found, err := syncer.Scan(context.Background(), k.ViewSecret(), c.Blocks[r.Height():], syncer.Workers{})
	require.NoError(t, err)
	_, _, err = r.DecideBlocks(found, c.Height())
	require.ErrorIs(t, err, wallet.ErrAmounts)
}
