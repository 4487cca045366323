// Command private-chain runs a chain, its daemon and two wallets in one process, without ports or other programs. An
// app can be tested this way: pay, mine, remove the blocks again, and observe the wallet.
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
	return pays(ctx, chain, payer, shop, from, to)
}

// pays pays the shop, and follows the payment through a reorganisation.
func pays(ctx context.Context, chain *regtest.Chain, payer, shop *wallet.Wallet, from, to string) error {
	// look compares and prints the state of the payment in the shop's wallet.
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

	// Twenty block rewards, and more blocks until these are unlocked.
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

	// A branch without the payment becomes the main chain; the payment waits for another block.
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
