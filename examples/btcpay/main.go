// Command btcpay is a shop that polls glim's wallet service as BTCPay Server's Monero plugin polls monero-wallet-rpc
// and monerod: the same operations with the same parameters, in the same order.
//
// Each store has an account of one view-only wallet, and each invoice an address of it. A callback reports transactions
// and a change of the daemon's height reports blocks; after either, the shop reads its payments.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"time"

	"glim/bindings/native"
	"glim/bindings/wallet"
	"glim/core/rpc"
	"glim/core/walletrpc"
	"glim/core/xmr"
	"glim/examples/internal/stage"
)

func main() { stage.Run(btcpay) }

// callback is the path that BTCPay Server serves. The service replaces {txid}; monero-wallet-rpc with --tx-notify
// starts a program for it.
const callback = "/monerolikedaemoncallback/tx?cryptoCode=xmr&hash="

func btcpay(ctx context.Context, s *stage.Stage) error {
	hashes := make(chan string, 1000)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		hashes <- r.URL.Query().Get("hash")
	}))
	defer server.Close()
	wallets, err := s.WalletService(ctx, "--webhook-url", server.URL+callback+"{txid}")
	if err != nil {
		return err
	}
	daemon, err := native.NewTransport(native.TransportOptions{Address: s.Daemon.URL})
	if err != nil {
		return err
	}
	// The owner's wallet, with the spend key, and a customer's are elsewhere.
	others, err := wallet.NewManager(wallet.Config{Network: wallet.Regtest, Folder: filepath.Join(s.Dir, "others"),
		Daemon: wallet.Daemon{Address: s.Daemon.URL}})
	if err != nil {
		return err
	}
	defer others.Close()
	p := &plugin{wallet: wallets, daemon: daemon, hashes: hashes}
	if err := p.connect(ctx, others); err != nil {
		return err
	}
	customer, err := fund(ctx, s, others)
	if err != nil {
		return err
	}

	// A store accepts payments in the pool for small amounts, another waits for six blocks.
	socks, err := p.addStore(ctx, "socks", highSpeed)
	if err != nil {
		return err
	}
	rings, err := p.addStore(ctx, "rings", lowSpeed)
	if err != nil {
		return err
	}
	return p.sell(ctx, s, customer, socks, rings)
}

// sell makes an invoice of each store and one in parts, pays all of them, and waits until they are settled.
func (p *plugin) sell(ctx context.Context, s *stage.Stage, customer *wallet.Wallet, socks, rings *store) error {
	pair, err := p.addInvoice(ctx, socks, xmr.Coin/10)
	if err != nil {
		return err
	}
	ring, err := p.addInvoice(ctx, rings, 3*xmr.Coin)
	if err != nil {
		return err
	}
	half, err := p.addInvoice(ctx, rings, xmr.Coin)
	if err != nil {
		return err
	}
	// One transaction pays three invoices; the third in part.
	if err := pay(ctx, customer, wallet.Destination{Address: pair.address, Amount: wallet.XMR / 10},
		wallet.Destination{Address: ring.address, Amount: 3 * wallet.XMR},
		wallet.Destination{Address: half.address, Amount: wallet.XMR / 2}); err != nil {
		return err
	}
	if err := p.until(ctx, "the callback", func() bool {
		return pair.state() == settled && ring.state() == processing && half.state() == partlyPaid
	}); err != nil {
		return err
	}
	if err := s.Confirm(ctx, 1); err != nil {
		return err
	}
	if err := p.until(ctx, "the first block", func() bool { return ring.confirmations() == 1 }); err != nil {
		return err
	}
	if err := pay(ctx, customer, wallet.Destination{Address: half.address, Amount: wallet.XMR / 2}); err != nil {
		return err
	}
	if err := p.until(ctx, "the other part", func() bool { return half.state() == processing }); err != nil {
		return err
	}
	if err := s.Confirm(ctx, 5); err != nil {
		return err
	}
	if err := p.until(ctx, "six blocks", func() bool { return ring.state() == settled }); err != nil {
		return err
	}
	if half.state() != processing {
		return fmt.Errorf("invoice %s is %s after five blocks", half.id, half.state())
	}
	if err := s.Confirm(ctx, 1); err != nil {
		return err
	}
	return p.until(ctx, "the last block", func() bool { return half.state() == settled })
}

// connect creates the view-only wallet from the address and view key of the owner, as the plugin's settings do.
func (p *plugin) connect(ctx context.Context, others *wallet.Manager) error {
	owner, err := others.Create(ctx, "owner", "secret")
	if err != nil {
		return err
	}
	keys, err := owner.Keys(ctx)
	if err != nil {
		return err
	}
	if _, err := rpc.Call(ctx, p.wallet, walletrpc.GenerateFromKeys, walletrpc.GenerateFromKeysRequest{
		Filename: "wallet", Address: keys.Address, ViewKey: string(keys.ViewKey)}); err != nil {
		return err
	}
	// The service looks for payments every 20 seconds unless it is told otherwise.
	_, err = rpc.Call(ctx, p.wallet, walletrpc.AutoRefresh, walletrpc.AutoRefreshRequest{Enable: true, Period: 1})
	return err
}

// fund creates the customer's wallet, with money.
func fund(ctx context.Context, s *stage.Stage, others *wallet.Manager) (*wallet.Wallet, error) {
	customer, err := others.Create(ctx, "customer", "secret")
	if err != nil {
		return nil, err
	}
	address, err := customer.Address(ctx)
	if err != nil {
		return nil, err
	}
	return customer, errors.Join(s.Fund(ctx, address), customer.Sync(ctx, nil))
}

// pay pays from the customer's wallet.
func pay(ctx context.Context, customer *wallet.Wallet, to ...wallet.Destination) error {
	if err := customer.Sync(ctx, nil); err != nil {
		return err
	}
	payment, err := customer.Send(ctx, wallet.Payment{To: to})
	if err != nil {
		return err
	}
	_, err = payment.Confirm(ctx)
	return err
}

// until polls until done, and prints the invoices when one of them changes.
func (p *plugin) until(ctx context.Context, what string, done func() bool) error {
	for {
		if err := p.poll(ctx); err != nil {
			return err
		}
		if done() {
			fmt.Println("after", what+":")
			for _, i := range p.invoices {
				fmt.Printf("  invoice %s of %s: %s of %s, %s\n", i.id, i.store.name, stage.Money(i.received()),
					stage.Money(i.price), i.state())
			}
			return nil
		}
		select {
		case <-time.After(200 * time.Millisecond): // the plugin looks at the daemon once a minute
		case <-ctx.Done():
			return errors.Join(errors.New("waiting for "+what), ctx.Err())
		}
	}
}
