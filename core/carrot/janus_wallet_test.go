package carrot_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"glim/core/carrot"
	"glim/core/chaintest"
	"glim/core/fcmptx"
	"glim/core/keys"
	"glim/core/syncer"
	"glim/core/wallet"
	"glim/core/xmr"
)

// TestJanusThroughWallet pays one subaddress of a wallet with the exchange of another: the wallet does not show the
// payment, so the sender does not learn that both belong to it. The same enote with one subaddress is received. The
// wallets have today's keys, the view key only, and those of Carrot.
func TestJanusThroughWallet(t *testing.T) {
	today, err := keys.FromSeed(chaintest.NewRandom("janus").Bytes32())
	require.NoError(t, err)
	viewOnly, err := keys.ViewOnly(today.ViewSecret(), today.SpendPublic)
	require.NoError(t, err)
	account, err := carrot.NewMasterAccount(carrot.Default, chaintest.NewRandom("janus").Bytes32())
	require.NoError(t, err)
	ofCarrot, err := account.Keys()
	require.NoError(t, err)
	pays := keys.Index{Minor: 1}
	for _, k := range []*keys.Keys{today, viewOnly, ofCarrot} {
		for _, other := range []keys.Index{pays, {Minor: 2}, {}} {
			w := wallet.New(wallet.Identity{Network: xmr.Regtest, Keys: k}, wallet.Lookahead{Major: 1, Minor: 3})
			e, first := carrot.JanusEnote(t, w.Address(pays), w.Address(other))
			events := receive(t, w, e, first)
			if other == pays {
				require.Len(t, w.Outputs(), 1)
				require.Equal(t, uint64(77), w.Outputs()[0].Amount)
				require.Equal(t, pays, w.Outputs()[0].Address)
				require.Len(t, w.Payments(), 1)
				require.NotEmpty(t, events)
				continue
			}
			require.Empty(t, w.Outputs())
			require.Empty(t, w.Payments())
			require.Empty(t, events)
		}
	}
}

// receive has w read a chain that crosses the fork, whose last block has a transaction with e and an output of nobody.
// It returns the wallet's events.
func receive(t *testing.T, w *wallet.Wallet, e carrot.Enote, first xmr.KeyImage) []wallet.HostEvent {
	t.Helper()
	c := chaintest.New("janus", xmr.Regtest)
	c.CarrotFrom = 3
	c.Grow(4)
	nobody, err := keys.FromSeed(chaintest.NewRandom("nobody").Bytes32())
	require.NoError(t, err)
	to := wallet.New(wallet.Identity{Network: xmr.Regtest, Keys: nobody}, wallet.Lookahead{Major: 1, Minor: 1})
	rest, _, err := carrot.Default.NewOutput(&carrot.Payment{
		To: to.Address(keys.Index{}), Amount: 1, Anchor: [16]byte{1},
	}, first)
	require.NoError(t, err)
	x := fcmptx.New([]carrot.Enote{e, rest.Enote}, []xmr.KeyImage{first}, 1, [8]byte{}).ForWallet()
	c.Include(syncer.Tx{ID: xmr.Hash{7}, Tx: x})
	scanned, err := syncer.Scan(t.Context(), w.Keys().ViewSecret(), c.Blocks[1:], syncer.Workers{})
	require.NoError(t, err)
	change, events, err := w.DecideBlocks(scanned, c.Height()-1)
	require.NoError(t, err)
	w.Commit(change)
	return events
}
