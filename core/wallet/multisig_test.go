package wallet_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/chaintest"
	"glim/core/keys"
	"glim/core/multisig"
	"glim/core/wallet"
	"glim/core/xmr"
)

// signers returns the accounts of a multisig group after a number of key exchange rounds.
func signers(t testing.TB, threshold, total, rounds int) []*multisig.Account {
	t.Helper()
	random := chaintest.NewRandom("signers")
	own, texts := make([]*keys.Keys, total), make([]string, total)
	for i := range own {
		own[i] = owner(t, fmt.Sprint("signer ", i))
		var err error
		texts[i], err = multisig.Prepare(random, own[i])
		require.NoError(t, err)
	}
	group := make([]*multisig.Account, total)
	for round := range rounds {
		next := make([]string, total)
		for i := range group {
			others := slices.Delete(slices.Clone(texts), i, i+1)
			var err error
			if round == 0 {
				group[i], next[i], err = multisig.Make(random, own[i], uint32(threshold), others)
			} else {
				group[i], next[i], err = group[i].Exchange(random, others, false)
			}
			require.NoError(t, err)
		}
		texts = next
	}
	return group
}

// TestInGroup takes a wallet through the key exchange: each round makes a new wallet, which its log restores, and
// user data stays.
func TestInGroup(t *testing.T) {
	r := create(t, owner(t, "signer 0"), near)
	r.change(wallet.ChangeSet{User: wallet.UserChange{
		Notes: []wallet.Note{{TxID: xmr.Hash{1}, Text: "a note"}},
		Attrs: []wallet.Attribute{{Key: "k", Value: "v"}},
		Book:  []wallet.BookChange{{Entry: wallet.BookEntry{Address: "other", Description: "x"}}},
	}})
	require.Nil(t, r.Multisig())
	require.True(t, r.HasAddress())
	require.False(t, r.MultisigEnabled())
	r.change(r.DecideEnableMultisig())
	require.True(t, r.MultisigEnabled())
	same(t, r.Wallet, r.reloaded(), "enabled")
	again := r.DecideEnableMultisig()
	require.True(t, again.Empty())

	w := r.Wallet
	for round := 1; round <= 3; round++ {
		a := signers(t, 2, 3, round)[0]
		next, err := w.InGroup(a)
		require.NoError(t, err)
		records, err := next.Snapshot()
		require.NoError(t, err)
		back, err := wallet.Replay(records)
		require.NoError(t, err)
		same(t, next, back, "round ", round)

		require.Equal(t, a.Encode(), back.Multisig().Encode())
		if round == 2 {
			// What it scans from now on stays.
			back.Commit(wallet.ChangeSet{
				Chain: wallet.ChainChange{Blocks: []wallet.BlockID{{Height: 1, Hash: xmr.Hash{7}}}},
			})
		}
		if round == 3 {
			id, ok := back.BlockAt(1)
			require.True(t, ok)
			require.Equal(t, xmr.Hash{7}, id)
		}
		require.Equal(t, round >= 2, back.HasAddress())
		require.True(t, back.MultisigEnabled())
		require.False(t, back.Keys().CanSpend())
		require.Equal(t, a.Spend(), back.Keys().SpendPublic)
		require.Equal(t, a.View(), back.Keys().ViewPublic)
		require.Equal(t, w.Identity().RestoreHeight, back.Identity().RestoreHeight)
		require.Equal(t, "a note", back.Note(xmr.Hash{1}))
		require.Equal(t, w.Book(), back.Book())
		value, _ := back.Attribute("k")
		require.Equal(t, "v", value)
		w = back
	}
	require.NotEqual(t, r.Address(keys.Index{}), w.Address(keys.Index{}))
}

// TestMixedGroupIdentity checks that an identity with parts of different wallets is refused.
func TestMixedGroupIdentity(t *testing.T) {
	group := signers(t, 2, 2, 2)
	o, err := wallet.GroupIdentity(group[0])
	require.NoError(t, err)
	good, err := wallet.EncodeIdentity(o, near)
	require.NoError(t, err)
	_, _, err = wallet.DecodeIdentity(good)
	require.NoError(t, err)

	foreign := owner(t, "foreign")
	for name, k := range map[string]*keys.Keys{"of one person": foreign, "view-only": viewOnly(t, foreign)} {
		o.Keys = k
		bad, err := wallet.EncodeIdentity(o, near)
		require.NoError(t, err)
		_, _, err = wallet.DecodeIdentity(bad)
		require.ErrorIs(t, err, wallet.ErrRecord, name)
	}
}
