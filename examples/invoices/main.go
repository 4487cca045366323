// Command invoices is a shop that learns of payments from webhooks, with invoices that expire and that need more
// confirmations for larger amounts.
//
// invoice.go has what a shop needs besides its database: the states of an invoice, and how events change them.
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
	"glim/bindings/wallet"
	"glim/core/rpc"
	"glim/core/walletrpc"
	"glim/core/xmr"
	"glim/examples/internal/stage"
)

func main() { stage.Run(invoices) }

// shop is a shop's program.
type shop struct {
	book    book
	events  <-chan walletrpc.Event
	service rpc.Transport
}

func invoices(ctx context.Context, s *stage.Stage) error {
	shop, end, err := openShop(ctx, s)
	if err != nil {
		return err
	}
	defer end()
	hour := time.Now().Add(time.Hour)
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
	umbrella, err := shop.invoice(ctx, "umbrella", xmr.Coin/4, time.Now().Add(-time.Minute)) // an old offer
	if err != nil {
		return err
	}
	if err := customerPays(ctx, s, coffee, novel, bicycle, umbrella); err != nil {
		return err
	}

	// After each step these are the states of coffee, novel, bicycle and umbrella.
	for _, step := range []struct {
		blocks int
		states [4]string
	}{
		{0, [4]string{paid, confirming, confirming, late}},
		{1, [4]string{paid, paid, confirming, late}},
		{2, [4]string{paid, paid, paid, late}},
	} {
		if step.blocks > 0 {
			if err := s.Confirm(ctx, step.blocks); err != nil {
				return err
			}
		}
		if err := shop.until(ctx, step.states, coffee, novel, bicycle, umbrella); err != nil {
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
	return &shop{book{invoices: map[string]*invoice{}}, events, service}, end, nil
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

// invoice makes an invoice with its own address.
func (s *shop) invoice(ctx context.Context, order string, price uint64, expires time.Time) (*invoice, error) {
	a, err := rpc.Call(ctx, s.service, walletrpc.CreateAddress,
		walletrpc.CreateAddressRequest{Count: 1, Label: "order " + order})
	if err != nil {
		return nil, err
	}
	link, err := rpc.Call(ctx, s.service, walletrpc.MakeURI, walletrpc.URISpec{Address: a.Address, Amount: price,
		TxDescription: order})
	if err != nil {
		return nil, err
	}
	fmt.Printf("%s: %s, %d confirmations\n  %s\n", order, stage.Money(price), confirmations(price), link.URI)
	i := &invoice{order: order, address: a.Address, price: price, expires: expires}
	s.book.add(i)
	return i, nil
}

// until records events until the invoices have these states.
func (s *shop) until(ctx context.Context, want [4]string, of ...*invoice) error {
	var last [4]string
	for {
		var now [4]string
		for n, i := range of {
			now[n], _ = i.state(s.book.height, time.Now())
		}
		if now != last {
			for n, i := range of {
				fmt.Printf("%s: %s; ", i.order, now[n])
			}
			fmt.Println(s.book.height, "blocks")
			last = now
		}
		if now == want {
			return nil
		}
		select {
		case e := <-s.events:
			s.book.apply(e)
		case <-time.After(10 * time.Second): // heights are sent once only, unlike the events of payments
			read, err := rpc.Call(ctx, s.service, walletrpc.GetHeight, walletrpc.Empty{})
			if err != nil {
				return err
			}
			s.book.height = read.Height
		case <-ctx.Done():
			return errors.Join(fmt.Errorf("waiting for %v, the states are %v", want, now), ctx.Err())
		}
	}
}

// customerPays pays all invoices in one transaction from another wallet.
func customerPays(ctx context.Context, s *stage.Stage, invoices ...*invoice) error {
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
		to = append(to, wallet.Destination{Address: i.address, Amount: wallet.Amount(i.price)})
	}
	payment, err := customer.Send(ctx, wallet.Payment{To: to})
	if err != nil {
		return err
	}
	_, err = payment.Confirm(ctx)
	return err
}
