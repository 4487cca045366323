package wallet_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	"glim/bindings/wallet"
	"glim/bindings/wallet/regtest"
)

// newExample returns a private chain, a manager of wallets on it, and a function that releases both.
func newExample() (*regtest.Chain, *wallet.Manager, func()) {
	chain, err := regtest.New()
	if err != nil {
		log.Fatal(err)
	}
	folder, err := os.MkdirTemp("", "glim-example-")
	if err != nil {
		log.Fatal(err)
	}
	m, err := wallet.NewManager(wallet.Config{
		Network: wallet.Regtest, Folder: folder, Transport: chain, Refresh: time.Second,
	})
	if err != nil {
		log.Fatal(err)
	}
	return chain, m, func() { _, _, _ = m.Close(), chain.Close(), os.RemoveAll(folder) }
}

// Create a wallet, receive money, preview a payment and confirm it.
func Example() {
	ctx := context.Background()
	// With a daemon: wallet.NewManager(wallet.Config{Folder: …, Daemon: wallet.Daemon{Address: …}}).
	chain, m, end := newExample()
	defer end()

	w, err := m.Create(ctx, "mine", "password")
	if err != nil {
		log.Fatal(err)
	}
	address, err := w.Address(ctx)
	if err != nil {
		log.Fatal(err)
	}
	if err := chain.Fund(ctx, 20, address); err != nil { // worthless test money
		log.Fatal(err)
	}
	if err := w.Sync(ctx, nil); err != nil {
		log.Fatal(err)
	}
	friend, err := m.Create(ctx, "friend", "")
	if err != nil {
		log.Fatal(err)
	}
	to, err := friend.NewAddress(ctx, 0, "from me")
	if err != nil {
		log.Fatal(err)
	}
	gift := wallet.Destination{Address: to.Text, Amount: 3 * wallet.XMR / 2}
	// Change in three outputs: the next payments need not wait until all of it is unlocked.
	preview, err := w.Send(ctx, wallet.Payment{To: []wallet.Destination{gift}, ChangeOutputs: 3})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("amount:", preview.Amount, "fee below 0.01:", preview.Fee < wallet.XMR/100)
	if _, err := preview.Confirm(ctx); err != nil {
		log.Fatal(err)
	}
	if err := chain.Mine(ctx, regtest.Confirmations, ""); err != nil {
		log.Fatal(err)
	}
	if err := friend.Sync(ctx, nil); err != nil {
		log.Fatal(err)
	}
	b, err := friend.Balance(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("my friend has", b.Unlocked)
	// Output:
	// amount: 1.500000000000 fee below 0.01: true
	// my friend has 1.500000000000
}

// Wait for the payment of an order. A real program stores each event's cursor together with its own records, and
// passes the stored cursor to Events when it starts again.
func ExampleWallet_Events() {
	ctx := context.Background()
	chain, m, end := newExample()
	defer end()
	shop, err := m.Create(ctx, "shop", "password")
	if err != nil {
		log.Fatal(err)
	}
	order, err := shop.NewAddress(ctx, 0, "order 1")
	if err != nil {
		log.Fatal(err)
	}
	go func() {
		if err := pay(ctx, chain, m, order.Text, wallet.XMR/4); err != nil {
			log.Fatal(err)
		}
	}()
	for e, err := range shop.Events(ctx, wallet.FromStart) {
		if err != nil {
			log.Fatal(err) // the context's error, or wallet.ErrClosed
		}
		if e.Type == wallet.EventPending && e.Address == order.Text {
			fmt.Println("order 1: pending,", e.Amount)
			if err := chain.Mine(ctx, regtest.Confirmations, ""); err != nil {
				log.Fatal(err)
			}
		}
		if e.Type == wallet.EventUnlocked && e.Address == order.Text {
			fmt.Println("order 1: paid")
			break
		}
	}
	// Output:
	// order 1: pending, 0.250000000000
	// order 1: paid
}

// pay pays from the wallet of a new customer.
func pay(ctx context.Context, chain *regtest.Chain, m *wallet.Manager, to string, amount wallet.Amount) error {
	customer, err := createFunded(ctx, m, chain, "customer")
	if err != nil {
		return err
	}
	p, err := customer.Send(ctx, wallet.Payment{To: []wallet.Destination{{Address: to, Amount: amount}}})
	if err != nil {
		return err
	}
	_, err = p.Confirm(ctx)
	return err
}

// Restore a wallet from its seed.
func ExampleManager_Restore() {
	ctx := context.Background()
	chain, m, end := newExample()
	defer end()
	old, err := m.CreatePolyseed(ctx, "old", "password")
	if err != nil {
		log.Fatal(err)
	}
	seed, err := old.Seed(ctx, "")
	if err != nil {
		log.Fatal(err)
	}
	address, err := old.Address(ctx)
	if err != nil {
		log.Fatal(err)
	}
	if err := chain.Fund(ctx, 1, address); err != nil {
		log.Fatal(err)
	}
	restored, err := m.Restore(ctx, "new", "password", wallet.Seed{Words: seed})
	if err != nil {
		log.Fatal(err)
	}
	if err := restored.Sync(ctx, nil); err != nil {
		log.Fatal(err)
	}
	b, err := restored.Balance(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("has its money:", b.Total > 30*wallet.XMR)
	fmt.Println("seed:", seed) // string(seed) returns the words
	// Output:
	// has its money: true
	// seed: (secret)
}

// Make a payment only once, however often the program repeats it.
func ExamplePayment_key() {
	ctx := context.Background()
	chain, m, end := newExample()
	defer end()
	w, err := createFunded(ctx, m, chain, "mine")
	if err != nil {
		log.Fatal(err)
	}
	address, err := w.Address(ctx)
	if err != nil {
		log.Fatal(err)
	}
	payout := wallet.Payment{Key: "payout 17", To: []wallet.Destination{{Address: address, Amount: wallet.XMR}}}
	sent := map[string]bool{}
	for range 3 {
		p, err := w.Send(ctx, payout)
		if err != nil {
			log.Fatal(err)
		}
		ids, err := p.Confirm(ctx)
		if err != nil {
			log.Fatal(err)
		}
		sent[ids[0]] = true
	}
	fmt.Println("transactions:", len(sent))
	payout.To[0].Amount = 2 * wallet.XMR
	_, err = w.Send(ctx, payout)
	fmt.Println("another payment:", errors.Is(err, wallet.ErrKeyUsed))
	// Output:
	// transactions: 1
	// another payment: true
}

func ExampleParseAmount() {
	a, err := wallet.ParseAmount("0.25")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(a, uint64(a))
	_, err = wallet.ParseAmount("1,5")
	fmt.Println(errors.Is(err, wallet.ErrAmount))
	// Output:
	// 0.250000000000 250000000000
	// true
}
