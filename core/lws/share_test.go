package lws

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/keys"
	"glim/core/xmr"
)

func sharedAccount(t testing.TB) Account {
	t.Helper()
	k, err := keys.FromSeed([32]byte{3})
	require.NoError(t, err)
	return Account{ID: 7, Address: Address{k.SpendPublic, k.ViewPublic}, View: k.ViewSecret(), Start: 5, Next: 9}
}

// TestLocate: each record of a Book has a place.
func TestLocate(t *testing.T) {
	a := sharedAccount(t)
	for _, c := range []struct {
		key  []byte
		want Place
	}{
		{MetaRecord(xmr.Regtest, 1).Key, Place{}},
		{accountKey(7), Place{Scope: OfAccount, Account: 7}},
		{outputKey(7, &Output{Height: 3}), Place{Scope: OfHolding, Account: 7}},
		{spendKey(7, &Spend{Height: 3}), Place{Scope: OfHolding, Account: 7}},
		{BlockRecord(11, xmr.Hash{1}).Key, Place{Scope: OfChain, Height: 11}},
		{hookKey(HookID{2}), Place{Scope: OfHook}},
		{(&ongoing{hook: HookID{2}, height: 3}).key(7), Place{Scope: OfReport, Account: 7}},
		{callKey(4), Place{Scope: OfCall}},
		{requestKey(Import, a.Address), Place{Scope: OfRequests, Address: a.Address}},
	} {
		got, err := Locate(c.key)
		require.NoError(t, err)
		require.Equal(t, c.want, got)
		_, err = Locate(append(slices.Clone(c.key), 0))
		require.ErrorIs(t, err, ErrRecord)
	}
}

// TestParked: an account at the top continues after the last block that its Book has read.
func TestParked(t *testing.T) {
	a := sharedAccount(t)
	same := encode(&a)
	value, changed, err := Parked(same, 20, xmr.Hash{1})
	require.NoError(t, err)
	require.False(t, changed)
	require.Equal(t, same, value)
	a.Live = true
	value, changed, err = Parked(encode(&a), 20, xmr.Hash{1})
	require.NoError(t, err)
	require.True(t, changed)
	a.Live, a.Next, a.Prev = false, 20, xmr.Hash{1}
	require.Equal(t, string(encode(&a)), string(value))
	at, err := AddressOf(value)
	require.NoError(t, err)
	require.Equal(t, a.Address, at)
}

func second[T any](_ T, err error) error { return err }

// FuzzShared reads records of a store that several Books share.
func FuzzShared(f *testing.F) {
	a := sharedAccount(f)
	a.Live = true
	f.Add(accountKey(7), encode(&a))
	f.Add(requestKey(Create, a.Address), []byte("{}"))
	f.Add([]byte{}, []byte("null"))
	f.Fuzz(func(t *testing.T, key, value []byte) {
		if _, err := Locate(key); err != nil {
			require.ErrorIs(t, err, ErrRecord)
		}
		for _, err := range []error{second(HookAccount(value)), second(CallAddress(value))} {
			if err != nil {
				require.ErrorIs(t, err, ErrRecord)
			}
		}
		at, err := AddressOf(value)
		parked, changed, again := Parked(value, 1, xmr.Hash{2})
		if err != nil {
			require.ErrorIs(t, err, ErrRecord)
			require.ErrorIs(t, again, ErrRecord)
			return
		}
		require.NoError(t, again)
		same, err := AddressOf(parked)
		require.NoError(t, err)
		require.Equal(t, at, same)
		_, twice, err := Parked(parked, 1, xmr.Hash{2})
		require.NoError(t, err)
		require.False(t, changed && twice)
	})
}
