package node_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"time"

	"glim/core/daemon"
	"glim/core/node"
)

// A test of an app needs a chain, some blocks, and perhaps that the chain takes another way.
func ExampleNewRegtest() {
	chain, err := node.NewRegtest(func() uint64 { return uint64(time.Now().Unix()) }, rand.Reader)
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()

	// The address of a wallet goes here. Twenty rewards are its own, and can be spent sixty blocks later.
	if err := chain.Fund(ctx, 20, node.Nobody()); err != nil {
		fmt.Println(err)
	}
	fmt.Println("funded:", chain.Height(), "blocks")

	// Its registry is a transport: a wallet, or any client of a daemon, asks it without a network.
	info, err := daemon.New(chain.Registry()).Info(ctx)
	if err != nil {
		fmt.Println(err)
	}
	fmt.Println("a client sees:", info.Height, "blocks")

	// Three blocks are replaced by four others.
	if _, err := chain.Reorganise(ctx, 3, node.Nobody()); err != nil {
		fmt.Println(err)
	}
	fmt.Println("reorganised:", chain.Height(), "blocks")
	// Output:
	// funded: 81 blocks
	// a client sees: 81 blocks
	// reorganised: 82 blocks
}
