package signer

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/decoy"
	"glim/core/fee"
	"glim/core/xmr"
)

// TestCeiling: what spends outputs of a chain that is no private one pays the network's fees at most.
func TestCeiling(t *testing.T) {
	private, mainnet := fee.CeilingFor(xmr.Regtest), fee.CeilingFor(xmr.Mainnet)
	require.NotEqual(t, private, mainnet)
	o := order{rings: []decoy.Ring{{Members: []decoy.Member{{Index: privateChain - 1}}}}}
	require.Equal(t, private, o.ceiling(xmr.Mainnet))
	o.rings = append(o.rings, decoy.Ring{Members: []decoy.Member{{Index: 5}, {Index: privateChain}}})
	require.Equal(t, mainnet, o.ceiling(xmr.Mainnet))
}
