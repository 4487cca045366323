// Command invoices is a shop whose wallet service keeps its invoices: they expire, and need more confirmations for
// larger amounts. Webhooks say when to look at them.
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
	"slices"
	"time"

	"glim/bindings/native/webhook"
	"glim/bindings/wallet"
	"glim/core/rpc"
	"glim/core/walletrpc"
	"glim/core/xmr"
	"glim/examples/internal/stage"
)

func main() { stage.Run(invoices) }

// confirmations returns how many blocks a payment of this amount needs. A payment in the pool can still be replaced by
// another that spends the same outputs, and blocks at the top can be replaced; both cost an attacker more than a small
// amount is worth. Ten blocks later the amount can be spent.
func confirmations(amount uint64) uint64 {
	switch {
	case amount <= xmr.Coin/10:
		return 0
	case amount <= xmr.Coin:
		return 1
	case amount <= 20*xmr.Coin:
		return 3
	default:
		return xmr.SpendableAge
	}
}

// shop is a shop's program. The service stores the invoices.
type shop struct {
	events  <-chan walletrpc.Event
	service rpc.Transport
}

func invoices(ctx context.Context, s *stage.Stage) error {
	shop, end, err := openShop(ctx, s)
	if err != nil {
		return err
	}
	defer end()
	const hour = 3600
	coffee, err := shop.invoice(ctx, "coffee", xmr.Coin/20, hour)
	if err != nil {
		return err
	}
	novel, err := shop.invoice(ctx, "novel", xmr.Coin/2, hour)
	if err != nil {
		return err
	}
	bicycle, err := shop.invoice(ctx, "bicycle", 5*xmr.Coin, hour)
	if err != nil {
		return err
	}
	umbrella, err := shop.invoice(ctx, "umbrella", xmr.Coin/4, 1) // an offer that is soon over
	if err != nil {
		return err
	}
	if err := shop.until(ctx, []string{"pending", "pending", "pending", "expired"}); err != nil {
		return err
	}
	if err := customerPays(ctx, s, coffee, novel, bicycle, umbrella); err != nil {
		return err
	}

	// After each step these are the states of coffee, novel, bicycle and umbrella.
	for _, step := range []struct {
		blocks int
		states []string
	}{
		{0, []string{"confirmed", "seen", "seen", "late"}},
		{1, []string{"confirmed", "confirmed", "seen", "late"}},
		{2, []string{"confirmed", "confirmed", "confirmed", "late"}},
	} {
		if step.blocks > 0 {
			if err := s.Confirm(ctx, step.blocks); err != nil {
				return err
			}
		}
		if err := shop.until(ctx, step.states); err != nil {
			return err
		}
	}
	return nil
}

// openShop starts the receiver of webhooks and the wallet service, with the shop's wallet.
func openShop(ctx context.Context, s *stage.Stage) (*shop, func(), error) {
	secret := []byte(rand.Text())
	file := filepath.Join(s.Dir, "webhook secret")
	if err := os.WriteFile(file, secret, 0o600); err != nil {
		return nil, nil, err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	events := make(chan walletrpc.Event, 1000)
	server := &http.Server{ReadTimeout: time.Minute, Handler: receiver(secret, events)}
	go func() { _ = server.Serve(l) }() // it ends with Close
	end := func() { _ = server.Close() }
	service, err := s.WalletService(ctx, "--webhook-url", "http://"+l.Addr().String(), "--webhook-secret-file", file)
	if err == nil {
		_, err = stage.CreateWallet(ctx, service, "shop")
	}
	if err == nil {
		_, err = rpc.Call(ctx, service, walletrpc.AutoRefresh, walletrpc.AutoRefreshRequest{Enable: true, Period: 1})
	}
	if err != nil {
		end()
		return nil, nil, err
	}
	return &shop{events, service}, end, nil
}

// receiver accepts events that are signed with the secret. A shop answers after it has stored the event: one that is
// not accepted is sent again.
func receiver(secret []byte, events chan<- walletrpc.Event) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		var d webhook.Delivery
		switch {
		case err != nil || json.Unmarshal(body, &d) != nil:
			w.WriteHeader(http.StatusBadRequest)
		case webhook.Verify(secret, r.Header, body, time.Now()) != nil:
			w.WriteHeader(http.StatusForbidden)
		default:
			events <- d.Event
		}
	}
}

// invoice makes an invoice with its own address, which is over after some seconds.
func (s *shop) invoice(ctx context.Context, order string, price, seconds uint64) (i walletrpc.Invoice, err error) {
	i, err = rpc.Call(ctx, s.service, walletrpc.CreateInvoice, walletrpc.CreateInvoiceRequest{
		Amount: price, Label: "order " + order, ExpiresIn: seconds, Required: confirmations(price)})
	if err != nil {
		return i, err
	}
	link, err := rpc.Call(ctx, s.service, walletrpc.MakeURI, walletrpc.URISpec{Address: i.Address, Amount: price,
		TxDescription: order})
	fmt.Printf("%s: %s, %d confirmations\n  %s\n", order, stage.Money(price), i.Required, link.URI)
	return i, err
}

// until looks at the invoices, whenever an event may have changed them, until they have these states.
func (s *shop) until(ctx context.Context, want []string) error {
	var last []string
	for {
		all, err := rpc.Call(ctx, s.service, walletrpc.GetInvoices, walletrpc.GetInvoicesRequest{Limit: 100})
		if err != nil {
			return err
		}
		var now []string
		for _, i := range all.Invoices {
			now = append(now, i.State)
		}
		if !slices.Equal(now, last) {
			for _, i := range all.Invoices {
				fmt.Printf("%s: %s; ", i.Label, i.State)
			}
			fmt.Println()
			last = now
		}
		if slices.Equal(now, want) {
			return nil
		}
		select {
		case <-s.events:
		case <-time.After(time.Second): // deadlines pass without an event
		case <-ctx.Done():
			return errors.Join(fmt.Errorf("waiting for %v, the states are %v", want, now), ctx.Err())
		}
	}
}

// customerPays pays all invoices in one transaction from another wallet.
func customerPays(ctx context.Context, s *stage.Stage, invoices ...walletrpc.Invoice) error {
	m, err := wallet.NewManager(wallet.Config{Network: wallet.Regtest, Folder: filepath.Join(s.Dir, "customer"),
		Daemon: wallet.Daemon{Address: s.Daemon.URL}})
	if err != nil {
		return err
	}
	defer m.Close()
	customer, err := m.Create(ctx, "customer", "")
	if err != nil {
		return err
	}
	address, err := customer.Address(ctx)
	if err != nil {
		return err
	}
	if err := s.Fund(ctx, address); err != nil {
		return err
	}
	if err := customer.Sync(ctx, nil); err != nil {
		return err
	}
	var to []wallet.Destination
	for _, i := range invoices {
		to = append(to, wallet.Destination{Address: i.Address, Amount: wallet.Amount(i.Amount)})
	}
	payment, err := customer.Send(ctx, wallet.Payment{To: to})
	if err != nil {
		return err
	}
	_, err = payment.Confirm(ctx)
	return err
}
