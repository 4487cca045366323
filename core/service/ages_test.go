package service

import (
	"context"
	"crypto/rand"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/journal"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// TestWalletsOfDifferentAges refreshes wallets with different histories that end with the same block. When that block
// is reorganised away, each wallet must get the blocks after its own history. A wallet whose first block was removed
// must not get another wallet's response.
func TestWalletsOfDifferentAges(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	for depth := 1; depth <= 3; depth++ {
		for _, names := range [][]string{{"old", "young"}, {"young", "old"}} {
			t.Run(fmt.Sprint(depth, names[0]), func(t *testing.T) {
				chain, err := node.NewRegtest(func() uint64 { return uint64(time.Now().Unix()) }, rand.Reader)
				require.NoError(t, err)
				defer chain.Close()
				w, err := NewWallets(Config{
					Network: xmr.Regtest, Files: newFolder(), Random: rand.Reader,
					Now: func() uint64 { return uint64(time.Now().Unix()) },
					KDF: journal.WeakestKDF(), Lookahead: wallet.Lookahead{Major: 1, Minor: 1}, Workers: 1,
					Connect: func(DaemonConfig) (rpc.Transport, error) { return chain.Registry(), nil },
				}, DaemonConfig{Address: "here"})
				require.NoError(t, err)
				defer w.Close()
				transport := func(name string) rpc.Transport { return namedTransport{w, name} }
				create := func(name string) {
					_, err := rpc.Call(ctx, transport(name), walletrpc.CreateWallet,
						walletrpc.CreateWalletRequest{Language: "English"})
					require.NoError(t, err)
				}
				follow := func() {
					for _, name := range names {
						_, err := rpc.Call(ctx, transport(name), walletrpc.Refresh, walletrpc.RefreshRequest{})
						require.NoError(t, err, name)
						got, err := rpc.Call(ctx, transport(name), walletrpc.GetHeight, walletrpc.Empty{})
						require.NoError(t, err)
						require.Equal(t, chain.Height(), got.Height, name)
					}
				}
				create("old")
				_, err = chain.Mine(ctx, 20, node.UnspendableAddress())
				require.NoError(t, err)
				create("young")
				_, err = chain.Mine(ctx, 2, node.UnspendableAddress())
				require.NoError(t, err)
				follow()
				_, err = chain.Reorganise(ctx, depth, node.UnspendableAddress())
				require.NoError(t, err)
				follow()
			})
		}
	}
}

// namedTransport sends requests to one of several wallets, by name.
type namedTransport struct {
	*Wallets
	name string
}

// Post implements rpc.Transport.
func (n namedTransport) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	return n.Serve(ctx, "/wallets/"+n.name+path, body, rpc.Options{})
}
