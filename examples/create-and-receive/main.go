// Command create-and-receive makes a wallet inside its own process and receives money with it.
//
// This is the in-process style: no service, no port. The engine takes from its host what only a host has.
package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"runtime"
	"time"

	"glim/bindings/engine"
	"glim/bindings/native"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/walletrpc"
	"glim/core/xmr"
	"glim/examples/internal/stage"
)

func main() { stage.Run(createAndReceive) }

func createAndReceive(ctx context.Context, s *stage.Stage) error {
	e, err := engine.New(service.Config{
		Network: xmr.Regtest,
		Files:   native.WalletDir(s.Dir),
		Random:  rand.Reader,
		Now:     func() uint64 { return uint64(time.Now().Unix()) },
		Workers: runtime.GOMAXPROCS(0),
		Wait:    native.Wait,
		Connect: func(d service.DaemonConfig) (rpc.Transport, error) {
			return native.NewTransport(native.TransportOptions{Address: d.Address})
		},
	}, service.DaemonConfig{Address: s.Daemon.URL})
	if err != nil {
		return err
	}
	defer e.Close()

	// Every operation is a typed value; rpc.Call asks for it, here straight from the engine.
	_, err = rpc.Call(ctx, e, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{
		Filename: "mine", Password: "secret", Language: "English"})
	if err != nil {
		return err
	}
	a, err := rpc.Call(ctx, e, walletrpc.GetAddress, walletrpc.GetAddressRequest{})
	if err != nil {
		return err
	}
	fmt.Println("address:", a.Address)

	// On a private chain money comes from mining. A block's reward can be spent 60 blocks later.
	if err := s.Daemon.Mine(ctx, 3, a.Address); err != nil {
		return err
	}
	if err := s.Confirm(ctx, xmr.CoinbaseUnlock); err != nil {
		return err
	}
	r, err := rpc.Call(ctx, e, walletrpc.Refresh, walletrpc.RefreshRequest{})
	if err != nil {
		return err
	}
	fmt.Println("blocks read:", r.BlocksFetched)
	history, err := rpc.Call(ctx, e, walletrpc.GetTransfers, walletrpc.GetTransfersRequest{In: true})
	if err != nil {
		return err
	}
	var sum uint64
	for _, t := range history.In {
		fmt.Printf("received %s in block %d, %d confirmations\n", stage.Money(t.Amount), t.Height, t.Confirmations)
		sum += t.Amount
	}
	b, err := rpc.Call(ctx, e, walletrpc.GetBalance, walletrpc.GetBalanceRequest{})
	if err != nil {
		return err
	}
	fmt.Printf("balance: %s, of it spendable: %s\n", stage.Money(b.Balance), stage.Money(b.UnlockedBalance))
	if len(history.In) != 3 || b.Balance != sum || b.UnlockedBalance != sum {
		return fmt.Errorf("expected three rewards, all of them spendable")
	}
	return nil
}
