package service

import (
	"crypto/rand"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/nextfork"
	"glim/core/node"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// TestFollowAcrossTheFork reads a chain that crosses the next hard fork from a daemon, with rewards on both sides.
func TestFollowAcrossTheFork(t *testing.T) {
	n, err := node.New(node.Config{Chain: chain.Options{
		Network: xmr.Regtest, FixedDifficulty: 1, Now: func() uint64 { return uint64(time.Now().Unix()) },
		Random: rand.Reader, Forks: consensus.RegtestForks(20, 30), Next: nextfork.Fork{},
	}})
	require.NoError(t, err)
	p := testChain{t: t, chain: &node.Regtest{Node: n}, transport: n.Registry()}
	s := p.serve(newFolder(), nil)
	do(t, s, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Filename: "w", Language: "English"})
	at := do(t, s, walletrpc.GetAddress, walletrpc.GetAddressRequest{}).Address
	_, err = p.chain.Mine(t.Context(), 35, at)
	require.NoError(t, err)
	do(t, s, walletrpc.Refresh, walletrpc.RefreshRequest{})
	require.Equal(t, uint64(36), do(t, s, walletrpc.GetHeight, walletrpc.Empty{}).Height)
	o, err := s.current()
	require.NoError(t, err)
	o.View(func(w *wallet.Wallet) {
		require.Len(t, w.Outputs(), 35)
		for _, out := range w.Outputs() {
			require.Equal(t, out.Height >= 20, out.Carrot)
		}
	})
	text := wallet.ErrForked.Error()
	to := []walletrpc.Destination{{Address: node.UnspendableAddress(), Amount: 5}}
	require.Contains(t, refused(t, s, walletrpc.Transfer, walletrpc.TransferRequest{Destinations: to}).Message, text)
}
