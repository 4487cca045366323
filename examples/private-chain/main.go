// Command private-chain has a chain, its daemon and a wallet in one process: nothing listens, nothing else is installed. It is how
// an app is tried without money: pay, mine, take the blocks away again, and see what the wallet makes of it.
package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"runtime"
	"time"

	"glim/bindings/engine"
	"glim/bindings/native"
	"glim/core/node"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

func main() {
	if err := privateChain(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func privateChain(ctx context.Context) error {
	now := func() uint64 { return uint64(time.Now().Unix()) }
	chain, err := node.NewRegtest(now, rand.Reader)
	if err != nil {
		return err
	}
	defer chain.Close()
	dir, err := os.MkdirTemp("", "glim-example-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	e, err := engine.New(service.Config{
		Network: xmr.Regtest,
		Files:   native.WalletDir(dir),
		Random:  rand.Reader,
		Now:     now,
		Workers: runtime.GOMAXPROCS(0),
		Wait:    native.Wait,
		// The daemon's operations are the way to it. Elsewhere this is an HTTP client.
		Connect: func(service.DaemonConfig) (rpc.Transport, error) { return chain.Registry(), nil },
	}, service.DaemonConfig{Address: "in this process"})
	if err != nil {
		return err
	}
	defer e.Close()

	payer, shop := e.Wallet("payer"), e.Wallet("shop")
	addresses := map[engine.Wallet]string{}
	for _, w := range []engine.Wallet{payer, shop} {
		if _, err := rpc.Call(ctx, w, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Language: "English"}); err != nil {
			return err
		}
		a, err := rpc.Call(ctx, w, walletrpc.GetAddress, walletrpc.GetAddressRequest{})
		if err != nil {
			return err
		}
		addresses[w] = a.Address
	}
	// look tells how many payments the shop sees on their way and in blocks.
	look := func(when string, onTheirWay, inBlocks int) error {
		if _, err := rpc.Call(ctx, shop, walletrpc.Refresh, walletrpc.RefreshRequest{}); err != nil {
			return err
		}
		t, err := rpc.Call(ctx, shop, walletrpc.GetTransfers, walletrpc.GetTransfersRequest{In: true, Pool: true})
		if err != nil {
			return err
		}
		fmt.Printf("%s: %d on their way, %d in blocks, of %d\n", when, len(t.Pool), len(t.In), chain.Height())
		if len(t.Pool) != onTheirWay || len(t.In) != inBlocks {
			return fmt.Errorf("expected %d and %d", onTheirWay, inBlocks)
		}
		return nil
	}

	// The rewards of twenty blocks, and as many more blocks as make them spendable.
	if err := chain.Fund(ctx, 20, addresses[payer]); err != nil {
		return err
	}
	if _, err := rpc.Call(ctx, payer, walletrpc.Refresh, walletrpc.RefreshRequest{}); err != nil {
		return err
	}
	_, err = rpc.Call(ctx, payer, walletrpc.Transfer, walletrpc.TransferRequest{
		Destinations: []walletrpc.Destination{{Amount: 2 * xmr.Coin, Address: addresses[shop]}}})
	if err != nil {
		return err
	}
	if err := look("paid", 1, 0); err != nil {
		return err
	}
	if _, err := chain.Mine(ctx, 1, addresses[payer]); err != nil {
		return err
	}
	if err := look("mined", 0, 1); err != nil {
		return err
	}

	// The chain takes another way, without the payment, which goes back to the pool and waits for another block.
	if _, err := chain.Reorganise(ctx, 1, addresses[payer]); err != nil {
		return err
	}
	if err := look("reorganised", 1, 0); err != nil {
		return err
	}
	if _, err := chain.Mine(ctx, 1, addresses[payer]); err != nil {
		return err
	}
	return look("mined again", 0, 1)
}
