package signer

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/decoy"
	"glim/core/fee"
	"glim/core/keys"
	"glim/core/txbuild"
	"glim/core/xmr"
)

// TestForeignChange: a request that claims a foreign change address as the wallet's own is refused, because the owner
// would not be shown it.
func TestForeignChange(t *testing.T) {
	k, err := keys.FromSeed([32]byte{1})
	require.NoError(t, err)
	other, err := keys.FromSeed([32]byte{2})
	require.NoError(t, err)
	at := keys.Index{Major: 1, Minor: 2}
	spend, view := k.Address(at)
	theirs, see := other.Address(at)
	for _, c := range []struct {
		change address.Address
		good   bool
	}{
		{address.Address{Spend: spend, View: view}, true}, {address.Address{Spend: theirs, View: view}, false},
		{address.Address{Spend: spend, View: see}, false}, {address.Address{Spend: theirs, View: see}, false},
	} {
		o := signingRequest{changeIsOwn: true, changeIndex: at, plan: txbuild.Plan{Change: c.change}}
		if _, err := o.consentRequest(&secrets{keys: k}); c.good {
			require.NoError(t, err)
		} else {
			require.ErrorIs(t, err, ErrRequest)
		}
	}
}

// TestCeiling: a transaction with outputs of a public chain pays at most the network's fees.
func TestCeiling(t *testing.T) {
	private, mainnet := fee.CeilingFor(xmr.Regtest), fee.CeilingFor(xmr.Mainnet)
	require.NotEqual(t, private, mainnet)
	o := signingRequest{rings: []decoy.Ring{{Members: []decoy.Member{{Index: privateChain - 1}}}}}
	require.Equal(t, private, o.ceiling(xmr.Mainnet))
	o.rings = append(o.rings, decoy.Ring{Members: []decoy.Member{{Index: 5}, {Index: privateChain}}})
	require.Equal(t, mainnet, o.ceiling(xmr.Mainnet))
}
