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

// TestImpossibleAmounts: what adds up to more than there can be is refused with all that came with it, in blocks and in the pool, and
// leaves the wallet free to read the true chain from somebody else.
func TestImpossibleAmounts(t *testing.T) {
	k := owner(t, "amounts")
	honest := chaintest.New("amounts", xmr.Regtest)
	made := honest.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: 3}}}, chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: 4}}})
	half := uint64(math.MaxUint64/2 + 1)
	at := keys.Index{Minor: 1}
	for name, lie := range map[string][]chaintest.Spec{
		"to one address": {{Pay: []chaintest.Payment{{To: k, Amount: half}, {To: k, Amount: half}}}},
		"as change": {{Spend: []xmr.KeyImage{made[1].Image}, Additional: true,
			Pay: []chaintest.Payment{{To: k, Amount: half}, {To: k, At: at, Amount: half}}}},
	} {
		r := create(t, k, near)
		r.follow(honest, 100)
		before := r.Dump(true)
		c := honest.Fork("lie "+name, honest.Height())
		c.Add(lie...)
		found, err := syncer.Scan(context.Background(), k.ViewSecret(), c.Blocks[honest.Height():], syncer.Crew{})
		require.NoError(t, err)
		_, _, err = r.DecideBlocks(found, c.Height())
		require.ErrorIs(t, err, wallet.ErrAmounts, name)
		_, _, err = r.DecidePool(found[0].Txs[1:], 0)
		require.ErrorIs(t, err, wallet.ErrAmounts, name)
		require.Equal(t, before, r.Dump(true))
		truth := honest.Fork("truth "+name, honest.Height())
		truth.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: 5}}})
		r.follow(truth, 100)
		require.Equal(t, uint64(12), balance(r, true, 0).Total)
	}

	// Spent together: both were there one by one.
	r := create(t, k, near)
	c := chaintest.New("spent", xmr.Regtest)
	made = c.Add(chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: half}}}, chaintest.Spec{Pay: []chaintest.Payment{{To: k, Amount: half}}})
	r.follow(c, 100)
	require.Equal(t, uint64(math.MaxUint64), balance(r, true, 0).Total)
	c.Add(chaintest.Spec{Spend: []xmr.KeyImage{made[1].Image, made[2].Image}, Pay: []chaintest.Payment{{Amount: 1}}})
	found, err := syncer.Scan(context.Background(), k.ViewSecret(), c.Blocks[r.Height():], syncer.Crew{})
	require.NoError(t, err)
	_, _, err = r.DecideBlocks(found, c.Height())
	require.ErrorIs(t, err, wallet.ErrAmounts)
}
