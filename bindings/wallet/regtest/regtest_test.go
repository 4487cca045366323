package regtest_test

import (
	"context"
	"fmt"
	"log"
	"testing"

	"github.com/stretchr/testify/require"

	"glim/bindings/wallet/regtest"
	"glim/core/daemonrpc"
	"glim/core/rpc"
)

func ExampleChain() {
	ctx := context.Background()
	chain, err := regtest.New()
	if err != nil {
		log.Fatal(err)
	}
	defer chain.Close()
	if err := chain.Mine(ctx, 3, ""); err != nil {
		log.Fatal(err)
	}
	fmt.Println(chain.Height(), "blocks")
	if err := chain.Reorganise(ctx, 2); err != nil {
		log.Fatal(err)
	}
	fmt.Println(chain.Height(), "blocks")
	// Output:
	// 4 blocks
	// 5 blocks
}

// TestChain calls the daemon RPC of a chain, and methods with addresses that are wrong.
func TestChain(t *testing.T) {
	chain, err := regtest.New()
	require.NoError(t, err)
	require.Error(t, chain.Mine(t.Context(), 1, "no address"))
	require.Error(t, chain.Fund(t.Context(), 1, "no address"))
	info, err := rpc.Call(t.Context(), chain, daemonrpc.GetInfo, daemonrpc.PayerOnly{})
	require.NoError(t, err)
	require.EqualValues(t, 1, info.Height)
	require.Equal(t, "fakechain", info.NetType)
	require.NoError(t, chain.Close())
}
