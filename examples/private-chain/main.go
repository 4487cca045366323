// Command private-chain has a chain, its daemon and two wallets in one process: nothing listens, nothing else is
// installed. It is how an app is tried without money: pay, mine, take the blocks away again, and see what the wallet
// makes of it.
package main

import (
	"context"
	"fmt"
	"os"

	"glim/bindings/wallet"
	"glim/bindings/wallet/regtest"
)

func main() {
	if err := privateChain(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func privateChain(ctx context.Context) error {
	chain, err := regtest.New()
	if err != nil {
		return err
	}
	defer chain.Close()
	dir, err := os.MkdirTemp("", "glim-example-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	m, err := wallet.NewManager(wallet.Config{Network: wallet.Regtest, Folder: dir, Transport: chain})
	if err != nil {
		return err
	}
	defer m.Close()
	payer, err := m.Create(ctx, "payer", "")
	if err != nil {
		return err
	}
	shop, err := m.Create(ctx, "shop", "")
	if err != nil {
		return err
	}
	from, err := payer.Address(ctx)
	if err != nil {
		return err
	}
	to, err := shop.Address(ctx)
	if err != nil {
		return err
	}
	// look tells how the payment stands with the shop.
	look := func(when string, expected wallet.State) error {
		if err := shop.Sync(ctx, nil); err != nil {
			return err
		}
		list, err := shop.History(ctx, wallet.Filter{})
		if err != nil {
			return err
		}
		if len(list) != 1 || list[0].State != expected {
			return fmt.Errorf("%s: expected one payment that is %s, not %+v", when, expected, list)
		}
		fmt.Printf("%s: %v XMR, %s, %d blocks\n", when, list[0].Amount, list[0].State, chain.Height())
		return nil
	}

	// The rewards of twenty blocks, and as many more blocks as make them spendable.
	if err := chain.Fund(ctx, 20, from); err != nil {
		return err
	}
	if err := payer.Sync(ctx, nil); err != nil {
		return err
	}
	payment, err := payer.Send(ctx, wallet.Payment{To: []wallet.Destination{{Address: to, Amount: 2 * wallet.XMR}}})
	if err != nil {
		return err
	}
	if _, err := payment.Confirm(ctx); err != nil {
		return err
	}
	if err := look("paid", wallet.Pending); err != nil {
		return err
	}
	if err := chain.Mine(ctx, 1, ""); err != nil {
		return err
	}
	if err := look("mined", wallet.Confirmed); err != nil {
		return err
	}

	// The chain takes another way, without the payment, which waits for another block.
	if err := chain.Reorganise(ctx, 1); err != nil {
		return err
	}
	if err := look("reorganised", wallet.Pending); err != nil {
		return err
	}
	if err := chain.Mine(ctx, 1, ""); err != nil {
		return err
	}
	return look("mined again", wallet.Confirmed)
}
