package chainfile_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"time"

	"glim/bindings/internal/chainfile"
	"glim/core/chain"
	"glim/core/node"
	"glim/core/xmr"
)

// A private chain is mined, closed, and continued.
func Example() {
	folder, err := os.MkdirTemp("", "glim-example-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	for range 2 {
		if err := mine(folder, 10); err != nil {
			panic(err)
		}
	}
	// Output:
	// 11 blocks
	// 21 blocks
}

func mine(folder string, blocks int) error {
	file, err := chainfile.Open(folder, false)
	if err != nil {
		return err
	}
	defer file.Close()
	n, err := node.New(node.Config{Chain: chain.Options{
		Network: xmr.Regtest, FixedDifficulty: 1, Store: file,
		Now: func() uint64 { return uint64(time.Now().Unix()) }, Random: rand.Reader,
	}})
	if err != nil {
		return err
	}
	regtest := node.Regtest{Node: n}
	if _, err := regtest.Mine(context.Background(), blocks, node.UnspendableAddress()); err != nil {
		return err
	}
	fmt.Println(regtest.Height(), "blocks")
	return n.Close()
}
