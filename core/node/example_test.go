package node_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"glim/core/daemon"
	"glim/core/node"
)

// A test of an application may need a chain, some blocks, and a reorganisation.
func ExampleNewRegtest() {
	chain, err := node.NewRegtest(func() uint64 { return uint64(time.Now().Unix()) }, rand.Reader)
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()

	// Pass a wallet's address here. It gets twenty rewards, which can be spent sixty blocks later.
	if err := chain.Fund(ctx, 20, node.UnspendableAddress()); err != nil {
		fmt.Println(err)
	}
	fmt.Println("funded:", chain.Height(), "blocks")

	// The registry is a transport: a wallet, or any client of a daemon, can call it without a network.
	info, err := daemon.New(chain.Registry()).Info(ctx)
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println("a client sees:", info.Height, "blocks")

	// Three blocks are replaced by four others.
	if _, err := chain.Reorganise(ctx, 3, node.UnspendableAddress()); err != nil {
		fmt.Println(err)
	}
	fmt.Println("reorganised:", chain.Height(), "blocks")
	// Output:
	// funded: 81 blocks
	// a client sees: 81 blocks
	// reorganised: 82 blocks
}
