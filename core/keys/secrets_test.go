package keys

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/crypto/edwards"
)

// TestAddressSecrets checks that the secrets belong to the public keys of the address.
func TestAddressSecrets(t *testing.T) {
	k, err := FromSeed([32]byte{7})
	require.NoError(t, err)
	for _, i := range []Index{{}, {0, 1}, {1, 0}, {3, 200}} {
		spend, view, ok := k.AddressSecrets(i)
		require.True(t, ok)
		spendPublic, viewPublic := k.Address(i)
		require.EqualValues(t, spendPublic, new(edwards.Point).ScalarBaseMult(spend).Encode())
		require.EqualValues(t, viewPublic, new(edwards.Point).ScalarBaseMult(view).Encode())
		spend.Set(edwards.NewScalar()) // the caller's own
	}
	_, _, ok := k.AddressSecrets(Index{})
	require.True(t, ok)
	require.True(t, k.Deterministic())
	only, err := ViewOnly(k.ViewSecret(), k.SpendPublic)
	require.NoError(t, err)
	_, _, ok = only.AddressSecrets(Index{})
	require.False(t, ok)
}
