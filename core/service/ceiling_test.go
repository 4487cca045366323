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

// TestCeilingOfMainnet: the high fees of a private chain are for wallets that see one: by their height or, for a signer who reads no chain, by the
// numbers of what they spend.
func TestCeilingOfMainnet(t *testing.T) {
	private, mainnet := fee.CeilingFor(xmr.Regtest), fee.CeilingFor(xmr.Mainnet)
	require.NotEqual(t, private, mainnet)
	require.Equal(t, private, ceilingAt(xmr.Mainnet, ringCTHeight-1))
	require.Equal(t, mainnet, ceilingAt(xmr.Mainnet, ringCTHeight))

	s := onChain(t, &folder{files: map[string]*shelf{}})
	do(t, s, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "w", Language: "English"})
	o, err := s.current()
	require.NoError(t, err)
	s.config.Network = xmr.Mainnet
	set := &coldset.UnsignedSet{Transactions: make([]coldset.Construction, 2)}
	for i := range set.Transactions {
		set.Transactions[i].Sources = make([]coldset.Source, 1)
		set.Transactions[i].Sources[0].Ring = make([]decoy.Member, 2)
	}
	require.Equal(t, private, s.signersCeiling(o, set))
	set.Transactions[1].Sources[0].Ring[0].Index = privateChain
	require.Equal(t, mainnet, s.signersCeiling(o, set))
}
