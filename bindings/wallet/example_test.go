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

// stage is a private chain and a manager of wallets on it.
func stage() (*regtest.Chain, *wallet.Manager, func()) {
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

// A wallet is made, receives money, shows what a payment costs, and pays.
func Example() {
	ctx := context.Background()
	// Elsewhere: wallet.NewManager(wallet.Config{Folder: …, Daemon: wallet.Daemon{Address: …}}).
	chain, m, end := stage()
	defer end()

	w, err := m.Create(ctx, "mine", "password")
	if err != nil {
		log.Fatal(err)
	}
	address, err := w.Address(ctx)
	if err != nil {
		log.Fatal(err)
	}
	if err := chain.Fund(ctx, 20, address); err != nil { // money worth nothing
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
	present := wallet.Destination{Address: to.Text, Amount: 3 * wallet.XMR / 2}
	preview, err := w.Send(ctx, wallet.Payment{To: []wallet.Destination{present}})
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

// A program that waits for payments. It keeps the cursor where it books them and begins after it when it is started
// again.
func ExampleWallet_Events() {
	ctx := context.Background()
	chain, m, end := stage()
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
			log.Fatal(err) // the context's, or wallet.ErrClosed
		}
		if e.Type == wallet.EventPending && e.Address == order.Text {
			fmt.Println("order 1: on its way,", e.Amount)
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
	// order 1: on its way, 0.250000000000
	// order 1: paid
}

func pay(ctx context.Context, chain *regtest.Chain, m *wallet.Manager, to string, amount wallet.Amount) error {
	customer, err := m.Create(ctx, "customer", "")
	if err != nil {
		return err
	}
	address, err := customer.Address(ctx)
	if err != nil {
		return err
	}
	if err := chain.Fund(ctx, 20, address); err != nil {
		return err
	}
	if err := customer.Sync(ctx, nil); err != nil {
		return err
	}
	p, err := customer.Send(ctx, wallet.Payment{To: []wallet.Destination{{Address: to, Amount: amount}}})
	if err != nil {
		return err
	}
	_, err = p.Confirm(ctx)
	return err
}

// A wallet comes back from its seed.
func ExampleManager_Restore() {
	ctx := context.Background()
	chain, m, end := stage()
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
	fmt.Println("seed:", seed) // string(seed) are the words
	// Output:
	// has its money: true
	// seed: (secret)
}

// A payment under a key is made once, however often a program tries.
func ExamplePayment_key() {
	ctx := context.Background()
	chain, m, end := stage()
	defer end()
	w, err := m.Create(ctx, "mine", "password")
	if err != nil {
		log.Fatal(err)
	}
	address, err := w.Address(ctx)
	if err != nil {
		log.Fatal(err)
	}
	if err := chain.Fund(ctx, 20, address); err != nil {
		log.Fatal(err)
	}
	if err := w.Sync(ctx, nil); err != nil {
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
