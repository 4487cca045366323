// Command create-and-receive creates a wallet in its own process and receives payments.
//
// This is the in-process style, without a service or a port. A Go program imports only package wallet.
package main

import (
	"context"
	"fmt"

	"glim/bindings/wallet"
	"glim/core/xmr"
	"glim/examples/internal/stage"
)

func main() { stage.Run(createAndReceive) }

func createAndReceive(ctx context.Context, s *stage.Stage) error {
	m, err := wallet.NewManager(wallet.Config{
		Network: wallet.Regtest, Folder: s.Dir, Daemon: wallet.Daemon{Address: s.Daemon.URL},
	})
	if err != nil {
		return err
	}
	defer m.Close()
	w, err := m.Create(ctx, "mine", "secret")
	if err != nil {
		return err
	}
	address, err := w.Address(ctx)
	if err != nil {
		return err
	}
	fmt.Println("address:", address)

	// On a private chain coins come from mining. A block reward can be spent 60 blocks later.
	if err := s.Daemon.Mine(ctx, 3, address); err != nil {
		return err
	}
	if err := s.Confirm(ctx, xmr.CoinbaseUnlock); err != nil {
		return err
	}
	err = w.Sync(ctx, func(p wallet.Progress) { fmt.Printf("%d of %d blocks read\n", p.Height, p.Target) })
	if err != nil {
		return err
	}
	history, err := w.History(ctx, wallet.Filter{})
	if err != nil {
		return err
	}
	var sum wallet.Amount
	for _, t := range history {
		fmt.Printf("received %v XMR in block %d, %d confirmations\n", t.Amount, t.Height, t.Confirmations)
		sum += t.Amount
	}
	b, err := w.Balance(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("balance: %v XMR, spendable: %v XMR\n", b.Total, b.Unlocked)
	if len(history) != 3 || b.Total != sum || b.Unlocked != sum {
		return fmt.Errorf("expected three spendable rewards")
	}
	return nil
}
