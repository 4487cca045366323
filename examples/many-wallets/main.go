// Command many-wallets keeps the wallets of three shops open at once in one wallet service, each at its own path, and
// has them pay each other at the same time.
package main

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"glim/core/rpc"
	"glim/core/walletrpc"
	"glim/core/xmr"
	"glim/examples/internal/stage"
)

func main() { stage.Run(manyWallets) }

// shop is one of the wallets of a service.
type shop struct {
	service rpc.Transport
	name    string
	address string
}

// Post prefixes the path with the wallet's name: /wallets/NAME/json_rpc is /json_rpc for that wallet.
func (s *shop) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	return s.service.Post(ctx, "/wallets/"+s.name+path, body)
}

// shops are the wallets of the service.
type shops []*shop

// all calls do for every shop concurrently.
func (list shops) all(do func(*shop) error) error {
	var group sync.WaitGroup
	errs := make([]error, len(list))
	for i, w := range list {
		group.Go(func() { errs[i] = do(w) })
	}
	group.Wait()
	return errors.Join(errs...)
}

func manyWallets(ctx context.Context, s *stage.Stage) error {
	service, err := s.WalletService(ctx)
	if err != nil {
		return err
	}
	list := shops{
		{service: service, name: "baker"},
		{service: service, name: "brewer"},
		{service: service, name: "butcher"},
	}
	refresh := func(w *shop) error {
		_, err := rpc.Call(ctx, w, walletrpc.Refresh, walletrpc.RefreshRequest{})
		return err
	}
	if err := list.all(func(w *shop) error { return w.create(ctx) }); err != nil {
		return err
	}
	for _, w := range list {
		fmt.Printf("%s: %s\n", w.name, w.address)
		// Payments need other outputs as decoys.
		if err := s.Daemon.Mine(ctx, 10, w.address); err != nil {
			return err
		}
	}
	if err := s.Confirm(ctx, xmr.CoinbaseUnlock); err != nil {
		return err
	}

	// All three read the chain together, for which the service requests it once, and pay at the same time.
	if err := list.all(refresh); err != nil {
		return err
	}
	if err := list.all(func(w *shop) error { return w.pay(ctx, list) }); err != nil {
		return err
	}
	if err := s.Confirm(ctx, 1); err != nil {
		return err
	}
	if err := list.all(refresh); err != nil {
		return err
	}
	for i, w := range list {
		if err := w.check(ctx, 2*uint64(i+1)*xmr.Coin); err != nil {
			return err
		}
	}
	return nil
}

// create creates the wallet. The path names it, so the request needs no filename.
func (s *shop) create(ctx context.Context) error {
	_, err := rpc.Call(ctx, s, walletrpc.CreateWallet,
		walletrpc.CreateWalletRequest{Password: s.name, Language: "English"})
	if err != nil {
		return err
	}
	a, err := rpc.Call(ctx, s, walletrpc.GetAddress, walletrpc.GetAddressRequest{})
	s.address = a.Address
	return err
}

// pay pays all other shops.
func (s *shop) pay(ctx context.Context, list shops) error {
	var to []walletrpc.Destination
	for i, other := range list {
		if other != s {
			to = append(to, walletrpc.Destination{Address: other.address, Amount: uint64(i+1) * xmr.Coin})
		}
	}
	_, err := rpc.Call(ctx, s, walletrpc.Transfer, walletrpc.TransferRequest{Destinations: to})
	return err
}

// check prints the amount received from the other shops, and compares it.
func (s *shop) check(ctx context.Context, expected uint64) error {
	r, err := rpc.Call(ctx, s, walletrpc.GetTransfers, walletrpc.GetTransfersRequest{In: true, Out: true})
	if err != nil {
		return err
	}
	var received uint64
	for _, t := range r.In {
		if t.Type == "in" {
			received += t.Amount
		}
	}
	fmt.Printf("%s received %s from the others\n", s.name, stage.Money(received))
	if len(r.Out) != 1 || received != expected {
		return fmt.Errorf("%s: %d payments, %s received", s.name, len(r.Out), stage.Money(received))
	}
	return nil
}
