// Command events is a shop that learns of its payments from a webhook, and reads missed events by their numbers.
//
// The wallets of the shop and of a customer are both open in one `glim wallet-rpc`, each at its own path.
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"glim/bindings/native/webhook"
	"glim/core/rpc"
	"glim/core/walletrpc"
	"glim/core/xmr"
	"glim/examples/internal/stage"
)

func main() { stage.Run(events) }

func events(ctx context.Context, s *stage.Stage) error {
	// The shop and the wallet service share a secret, in a file that only they can read.
	secret := []byte(rand.Text())
	file := filepath.Join(s.Dir, "webhook secret")
	if err := os.WriteFile(file, secret, 0o600); err != nil {
		return err
	}
	events, url, end, err := openReceiver(secret)
	if err != nil {
		return err
	}
	defer end()
	wallets, err := s.WalletService(ctx, "--webhook-url", url, "--webhook-secret-file", file)
	if err != nil {
		return err
	}

	// The shop's wallet checks for payments every second. Each order has its own address.
	shop, customer := walletOf(wallets, "shop"), walletOf(wallets, "customer")
	if _, err := stage.CreateWallet(ctx, shop, "shop"); err != nil {
		return err
	}
	if _, err := rpc.Call(ctx, shop, walletrpc.AutoRefresh,
		walletrpc.AutoRefreshRequest{Enable: true, Period: 1}); err != nil {
		return err
	}
	order, err := rpc.Call(ctx, shop, walletrpc.CreateAddress,
		walletrpc.CreateAddressRequest{Count: 1, Label: "order 1"})
	if err != nil {
		return err
	}
	paid, err := pay(ctx, s, customer, order.Address, xmr.Coin/4)
	if err != nil {
		return err
	}
	fmt.Println("a customer pays", stage.Money(xmr.Coin/4), "to", order.Address)

	// The payment is in the pool at once, in a block after some minutes (which takes no time here), and spendable ten
	// blocks later.
	first, err := await(ctx, events, paid, walletrpc.EventPool)
	if err != nil {
		return err
	}
	if err := s.Confirm(ctx, 1); err != nil {
		return err
	}
	if _, err := await(ctx, events, paid, walletrpc.EventConfirmed); err != nil {
		return err
	}
	if err := s.Confirm(ctx, xmr.SpendableAge-1); err != nil {
		return err
	}
	if _, err := await(ctx, events, paid, walletrpc.EventUnlocked); err != nil {
		return err
	}

	// Another program, which has only seen the first event, requests the events after it.
	rest, err := rpc.Call(ctx, shop, walletrpc.GetEvents, walletrpc.GetEventsRequest{Cursor: first.Cursor, Limit: 100})
	if err != nil {
		return err
	}
	for _, e := range rest.Events {
		fmt.Printf("after event %d: event %d, %s\n", first.Cursor, e.Cursor, e.Type)
	}
	if len(rest.Events) != 2 || rest.Lost || rest.Cursor != first.Cursor+2 {
		return fmt.Errorf("expected the payment to be confirmed and unlocked")
	}
	return nil
}

// openReceiver starts the webhook receiver of the shop and returns the events of the shop's wallet.
func openReceiver(secret []byte) (events <-chan walletrpc.Event, url string, end func(), err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, "", nil, err
	}
	// A receiver should answer soon: it records the event and processes it later.
	notes := make(chan walletrpc.Event, 1000)
	server := &http.Server{ReadTimeout: time.Minute,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
			var d webhook.Delivery
			switch {
			case err != nil || json.Unmarshal(body, &d) != nil:
				w.WriteHeader(http.StatusBadRequest)
			case webhook.Verify(secret, r.Header, body, time.Now()) != nil:
				w.WriteHeader(http.StatusForbidden)
			case d.Wallet == "shop":
				notes <- d.Event
			}
		})}
	go func() { _ = server.Serve(l) }() // it ends with Close
	return notes, "http://" + l.Addr().String() + "/paid", func() { _ = server.Close() }, nil
}

// await skips events until one of this type is about this transaction.
func await(ctx context.Context, events <-chan walletrpc.Event, tx, kind string) (walletrpc.Event, error) {
	for {
		select {
		case e := <-events:
			if e.TxID == tx && e.Type == kind {
				fmt.Printf("webhook: event %d, %s, %s\n", e.Cursor, e.Type, stage.Money(e.Amount))
				return e, nil
			}
		case <-ctx.Done():
			return walletrpc.Event{}, errors.Join(errors.New("waiting for "+kind), ctx.Err())
		}
	}
}

// wallet is one of several wallets of a service.
type wallet struct {
	rpc.Transport
	name string
}

func walletOf(t rpc.Transport, name string) wallet { return wallet{t, name} }

// Post implements rpc.Transport.
func (w wallet) Post(ctx context.Context, path string, body []byte) ([]byte, error) {
	return w.Transport.Post(ctx, "/wallets/"+w.name+path, body)
}

// pay pays from another wallet and returns the transaction ID.
func pay(ctx context.Context, s *stage.Stage, from rpc.Transport, to string, amount uint64) (string, error) {
	address, err := stage.CreateWallet(ctx, from, "customer")
	if err != nil {
		return "", err
	}
	if err := s.Fund(ctx, address); err != nil {
		return "", err
	}
	if _, err := rpc.Call(ctx, from, walletrpc.Refresh, walletrpc.RefreshRequest{}); err != nil {
		return "", err
	}
	sent, err := rpc.Call(ctx, from, walletrpc.Transfer, walletrpc.TransferRequest{
		Destinations: []walletrpc.Destination{{Amount: amount, Address: to}}})
	return sent.TxHash, err
}
