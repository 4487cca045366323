package carrot

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/crypto/edwards"
	"glim/core/keys"
	"glim/core/xmr"
)

// TestAccounts: the accounts of the three tiers have the addresses and secrets of the tiers, are encoded and decoded,
// and print none of their secrets.
func TestAccounts(t *testing.T) {
	master := keys.Secret(newRandom(70).bytes32())
	m, err := NewMaster(Default, master)
	require.NoError(t, err)
	top, err := NewMasterAccount(Default, master)
	require.NoError(t, err)
	all, err := NewViewAllAccount(Default, m.BalanceSecret(), m.PartialSpendKey())
	require.NoError(t, err)
	received, err := NewViewReceivedAccount(Default, m.ViewSecret(), m.AddressSecret(), m.SpendKey(keys.Index{}))
	require.NoError(t, err)
	for tier, a := range map[Tier]*Account{TierMaster: top, TierViewAll: all, TierViewReceived: received} {
		require.Equal(t, tier, a.Tier())
		k, err := a.Keys()
		require.NoError(t, err)
		require.False(t, k.CanSpend())
		require.Same(t, a, AccountOf(k))
		list := []keys.Index{{}, {Minor: 1}, {Major: 3, Minor: 2}}
		spends, views := k.Addresses(list)
		for n, i := range list {
			to := m.Address(xmr.Mainnet, i)
			require.Equal(t, to.Spend, k.SpendKey(i))
			require.Equal(t, []xmr.PublicKey{to.Spend, to.View}, []xmr.PublicKey{spends[n], views[n]})
			spend, view := k.Address(i)
			require.Equal(t, []xmr.PublicKey{to.Spend, to.View}, []xmr.PublicKey{spend, view})
		}
		b := a.Encode()
		again, err := DecodeAccount(Default, b)
		require.NoError(t, err)
		require.Equal(t, b, again.Encode())
		for n := range b {
			_, err := DecodeAccount(Default, b[:n])
			require.ErrorIs(t, err, ErrKey)
		}
		_, err = DecodeAccount(Default, append(b, 0))
		require.ErrorIs(t, err, ErrKey)
		b[0] = 4
		_, err = DecodeAccount(Default, b)
		require.ErrorIs(t, err, ErrKey)
		text := fmt.Sprintf("%v %+v %#v %s %v %+v %#v", a, a, a, k, k, *k, k)
		require.Contains(t, text, tier.String())
		for _, secret := range []keys.Secret{master, m.BalanceSecret(), m.ViewSecret(), m.AddressSecret()} {
			require.NotContains(t, text, fmt.Sprintf("%x", secret[:4]))
			require.NotContains(t, text, strings.Trim(fmt.Sprint(secret[:4]), "[]"))
		}
	}
	today, err := keys.FromSeed(master)
	require.NoError(t, err)
	require.Nil(t, AccountOf(today))
}

// TestAccountsBeforeTheFork computes key images of outputs with rings from their opening: x for G, and y for T.
func TestAccountsBeforeTheFork(t *testing.T) {
	r := newRandom(71)
	m := r.master(t, Default)
	all, err := NewViewAllAccount(Default, m.BalanceSecret(), m.PartialSpendKey())
	require.NoError(t, err)
	k, err := all.Keys()
	require.NoError(t, err)
	for _, i := range []keys.Index{{}, {Minor: 4}, {Major: 1, Minor: 2}} {
		d := edwards.Derivation(r.bytes32())
		own, err := edwards.DecodePoint(m.SpendKey(i))
		require.NoError(t, err)
		output := own.Add(own, new(edwards.Point).ScalarBaseMult(d.Scalar(3))).Encode()

		s := m.addressScalar(i)
		x := edwards.NewScalar().MultiplyAdd(s, m.image, d.Scalar(3))
		y := edwards.NewScalar().Multiply(s, m.prove)
		require.Equal(t, output, Default.outputKey(x, y).Encode())
		image, ok, err := k.KeyImage(d, 3, i, output)
		require.NoError(t, err)
		require.True(t, ok)
		require.Equal(t, xmr.KeyImage(edwards.GenerateKeyImage(output, x)), image)
		_, ok, err = k.KeyImage(d, 2, i, output)
		require.ErrorIs(t, err, keys.ErrMismatch)
		require.False(t, ok)
	}
	received, err := NewViewReceivedAccount(Default, m.ViewSecret(), m.AddressSecret(), m.SpendKey(keys.Index{}))
	require.NoError(t, err)
	_, ok, err := received.KeyImage(edwards.ScalarFromUint64(1), keys.Index{}, m.SpendKey(keys.Index{}))
	require.NoError(t, err)
	require.False(t, ok)
}
