// Command watch-incoming is a shop's till: a view-only wallet that sees every payment and can spend none.
//
// The till runs in this process and is told what happens by events; who cannot take events polls get_transfers, as the
// end shows. The customer's wallet lives in a `glim wallet-rpc`.
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"glim/bindings/engine"
	"glim/bindings/native"
	"glim/core/rpc"
	"glim/core/service"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
	"glim/examples/internal/stage"
)

func main() { stage.Run(watchIncoming) }

func watchIncoming(ctx context.Context, s *stage.Stage) error {
	// The owner makes the wallet at home and takes only the view key to the shop.
	wallets, err := s.WalletService(ctx)
	if err != nil {
		return err
	}
	address, err := stage.CreateWallet(ctx, wallets, "owner")
	if err != nil {
		return err
	}
	view, err := rpc.Call(ctx, wallets, walletrpc.QueryKey, walletrpc.QueryKeyRequest{KeyType: "view_key"})
	if err != nil {
		return err
	}
	till, events, end, err := openTill(ctx, s)
	if err != nil {
		return err
	}
	defer end()
	_, err = rpc.Call(ctx, till, walletrpc.GenerateFromKeys, walletrpc.GenerateFromKeysRequest{
		Filename: "till", Password: "secret", Address: address, ViewKey: view.Key})
	if err != nil {
		return err
	}

	// An address for each order tells payments apart.
	order, err := rpc.Call(ctx, till, walletrpc.CreateAddress, walletrpc.CreateAddressRequest{Count: 1, Label: "order 1"})
	if err != nil {
		return err
	}
	fmt.Println("please pay to", order.Address)
	const price = xmr.Coin / 4
	paid, err := customerPays(ctx, s, wallets, order.Address, price)
	if err != nil {
		return err
	}

	// First the payment is in the pool: good to show, not yet to rely on. Then it is in a block.
	if err := await(ctx, events, wallet.MoneyInPool, paid); err != nil {
		return err
	}
	fmt.Println("on its way:", paid)
	if err := s.Confirm(ctx, xmr.SpendableAge); err != nil {
		return err
	}
	if err := await(ctx, events, wallet.MoneyReceived, paid); err != nil {
		return err
	}

	// Polling instead: ask for what came in, and look at the address and the confirmations.
	if _, err := rpc.Call(ctx, till, walletrpc.Refresh, walletrpc.RefreshRequest{}); err != nil {
		return err
	}
	in, err := rpc.Call(ctx, till, walletrpc.GetTransfers, walletrpc.GetTransfersRequest{
		In: true, Pool: true, SubaddrIndices: []uint32{order.AddressIndex}})
	if err != nil {
		return err
	}
	if len(in.In) != 1 || in.In[0].TxID != paid || in.In[0].Amount != price || in.In[0].Confirmations < xmr.SpendableAge {
		return fmt.Errorf("the payment is not as expected: %+v", in)
	}
	fmt.Printf("order 1 is paid: %s, %d confirmations\n", stage.Money(in.In[0].Amount), in.In[0].Confirmations)

	// A thief who takes the till sees the payments and gets none: what the till makes is a draft, for the owner to sign.
	draft, err := rpc.Call(ctx, till, walletrpc.Transfer, walletrpc.TransferRequest{
		Destinations: []walletrpc.Destination{{Amount: price / 2, Address: address}}})
	if err != nil {
		return err
	}
	if draft.UnsignedTxSet == "" || draft.TxHash != "" {
		return fmt.Errorf("the till spends: %s", draft.TxHash)
	}
	_, err = rpc.Call(ctx, till, walletrpc.SignTransfer, walletrpc.SignTransferRequest{UnsignedTxSet: draft.UnsignedTxSet})
	var refusal *rpc.Error
	if !errors.As(err, &refusal) || refusal.Code != walletrpc.CodeWatchOnly {
		return fmt.Errorf("the till signs: %v", err)
	}
	fmt.Println("spending from the till:", refusal.Message)
	return nil
}

// openTill returns an engine that looks at the chain every second and tells events what it finds.
func openTill(ctx context.Context, s *stage.Stage) (e *engine.Engine, events <-chan wallet.Event, end func(), err error) {
	// The engine must not wait for who listens, so there is room for more events than this example has.
	told := make(chan wallet.Event, 1000)
	e, err = engine.New(service.Config{
		Network: xmr.Regtest,
		Files:   native.WalletDir(s.Dir),
		Random:  rand.Reader,
		Now:     func() uint64 { return uint64(time.Now().Unix()) },
		Workers: runtime.GOMAXPROCS(0),
		Wait:    native.Wait,
		Connect: func(d service.DaemonConfig) (rpc.Transport, error) {
			return native.NewTransport(native.TransportOptions{Address: d.Address})
		},
		Event: func(_ string, event wallet.Event) { told <- event },
	}, service.DaemonConfig{Address: s.Daemon.URL})
	if err != nil {
		return nil, nil, nil, err
	}
	if _, err := rpc.Call(ctx, e, walletrpc.AutoRefresh, walletrpc.AutoRefreshRequest{Enable: true, Period: 1}); err != nil {
		return nil, nil, nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	running.Go(func() { e.Run(ctx) })
	return e, told, func() {
		cancel()
		_ = e.Close() // what the till knows is thrown away with its folder
		running.Wait()
	}, nil
}

// await passes over events until one of this kind is about this transaction.
func await(ctx context.Context, events <-chan wallet.Event, kind wallet.EventKind, tx string) error {
	for {
		select {
		case e := <-events:
			if e.Kind == kind && e.TxID.String() == tx {
				return nil
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// customerPays has another wallet pay and returns the transaction's ID.
func customerPays(ctx context.Context, s *stage.Stage, wallets rpc.Transport, to string, amount uint64) (string, error) {
	address, err := stage.CreateWallet(ctx, wallets, "customer")
	if err != nil {
		return "", err
	}
	if err := s.Fund(ctx, address); err != nil {
		return "", err
	}
	if _, err := rpc.Call(ctx, wallets, walletrpc.Refresh, walletrpc.RefreshRequest{}); err != nil {
		return "", err
	}
	sent, err := rpc.Call(ctx, wallets, walletrpc.Transfer, walletrpc.TransferRequest{
		Destinations: []walletrpc.Destination{{Amount: amount, Address: to}}})
	return sent.TxHash, err
}
