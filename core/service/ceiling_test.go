package service

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/coldset"
	"glim/core/decoy"
	"glim/core/fee"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// TestCeilingOfMainnet checks that only wallets on a private chain may pay its high fees. A wallet recognises such a
// chain by its height; a cold signer, which has no chain, by the indices of the spent outputs.
func TestCeilingOfMainnet(t *testing.T) {
	private, mainnet := fee.CeilingFor(xmr.Regtest), fee.CeilingFor(xmr.Mainnet)
	require.NotEqual(t, private, mainnet)
	require.Equal(t, private, ceilingAt(xmr.Mainnet, ringCTHeight-1))
	require.Equal(t, mainnet, ceilingAt(xmr.Mainnet, ringCTHeight))

	s := onChain(t, newFolder())
	do(t, s, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "w", Language: "English"})
	o, err := s.current()
	require.NoError(t, err)
	reconfigure(s, func(c *Config) { c.Network = xmr.Mainnet })
	set := &coldset.UnsignedSet{Transactions: make([]coldset.Construction, 2)}
	for i := range set.Transactions {
		set.Transactions[i].Sources = make([]coldset.SourceEntry, 1)
		set.Transactions[i].Sources[0].Ring = make([]decoy.Member, 2)
	}
	require.Equal(t, private, s.operations.unsigned.signersCeiling(o, set))
	set.Transactions[1].Sources[0].Ring[0].Index = privateChain
	require.Equal(t, mainnet, s.operations.unsigned.signersCeiling(o, set))
}
