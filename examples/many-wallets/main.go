// Command many-wallets keeps the wallets of three shops open at once in one wallet service, each on a path of its own, and has
// them pay each other side by side.
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

// shop is a service's way to one of its wallets.
type shop struct {
	service rpc.Transport
	name    string
	address string
}

// Post puts the wallet's name before the path: /wallets/NAME/json_rpc is /json_rpc for that wallet alone.
func (s *shop) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	return s.service.Post(ctx, "/wallets/"+s.name+path, body)
}

func manyWallets(ctx context.Context, s *stage.Stage) error {
	service, err := s.WalletService(ctx)
	if err != nil {
		return err
	}
	shops := []*shop{{service: service, name: "baker"}, {service: service, name: "brewer"}, {service: service, name: "butcher"}}
	all := func(do func(*shop) error) error {
		var group sync.WaitGroup
		errs := make([]error, len(shops))
		for i, w := range shops {
			group.Go(func() { errs[i] = do(w) })
		}
		group.Wait()
		return errors.Join(errs...)
	}
	refresh := func(w *shop) error {
		_, err := rpc.Call(ctx, w, walletrpc.Refresh, walletrpc.RefreshRequest{})
		return err
	}

	// The path names the wallet, so the request needs no filename.
	err = all(func(w *shop) error {
		_, err := rpc.Call(ctx, w, walletrpc.CreateWallet, walletrpc.CreateWalletRequest{Password: w.name, Language: "English"})
		if err != nil {
			return err
		}
		a, err := rpc.Call(ctx, w, walletrpc.GetAddress, walletrpc.GetAddressRequest{})
		w.address = a.Address
		return err
	})
	if err != nil {
		return err
	}
	for _, w := range shops {
		fmt.Printf("%s: %s\n", w.name, w.address)
		// Payments hide among other outputs, so there have to be some.
		if err := s.Daemon.Mine(ctx, 10, w.address); err != nil {
			return err
		}
	}
	if err := s.Confirm(ctx, xmr.CoinbaseUnlock); err != nil {
		return err
	}

	// All three read the chain together, which the daemon is asked for once, and pay at the same time.
	if err := all(refresh); err != nil {
		return err
	}
	err = all(func(w *shop) error {
		var to []walletrpc.Destination
		for i, other := range shops {
			if other != w {
				to = append(to, walletrpc.Destination{Address: other.address, Amount: uint64(i+1) * xmr.Coin})
			}
		}
		_, err := rpc.Call(ctx, w, walletrpc.Transfer, walletrpc.TransferRequest{Destinations: to})
		return err
	})
	if err != nil {
		return err
	}
	if err := s.Confirm(ctx, 1); err != nil {
		return err
	}
	if err := all(refresh); err != nil {
		return err
	}
	for i, w := range shops {
		r, err := rpc.Call(ctx, w, walletrpc.GetTransfers, walletrpc.GetTransfersRequest{In: true, Out: true})
		if err != nil {
			return err
		}
		var received uint64
		for _, t := range r.In {
			if t.Type == "in" {
				received += t.Amount
			}
		}
		fmt.Printf("%s was paid %s by the others\n", w.name, stage.Money(received))
		if len(r.Out) != 1 || received != 2*uint64(i+1)*xmr.Coin {
			return fmt.Errorf("%s: %d payments, %s received", w.name, len(r.Out), stage.Money(received))
		}
	}
	return nil
}
