// Command watch-incoming is a shop's till: a view-only wallet that sees every payment and can spend none.
//
// The till and a customer's wallet are in this process. The till is told what happens by events; a program that comes
// later asks for what it missed, or reads the history, as the end shows.
package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"glim/bindings/wallet"
	"glim/core/xmr"
	"glim/examples/internal/stage"
)

func main() { stage.Run(watchIncoming) }

func watchIncoming(ctx context.Context, s *stage.Stage) error {
	// Wallets look for blocks and payments every second, by themselves.
	m, err := wallet.NewManager(wallet.Config{
		Network: wallet.Regtest, Folder: s.Dir, Daemon: wallet.Daemon{Address: s.Daemon.URL}, Refresh: time.Second,
	})
	if err != nil {
		return err
	}
	defer m.Close()
	owner, err := m.Create(ctx, "owner", "secret")
	if err != nil {
		return err
	}
	keys, err := owner.Keys(ctx)
	if err != nil {
		return err
	}
	keys.SpendKey = "" // it stays with the owner
	till, err := m.Restore(ctx, "till", "secret", keys)
	if err != nil {
		return err
	}

	// An address for each order tells payments apart.
	order, err := till.NewAddress(ctx, 0, "order 1")
	if err != nil {
		return err
	}
	fmt.Println("please pay to", order)
	const price = wallet.XMR / 4
	events := till.Events(ctx, wallet.FromNow)
	paid, err := customerPays(ctx, s, m, order.Text, price)
	if err != nil {
		return err
	}

	// First the payment is in the pool: good to show, not yet to rely on. Then it is in a block, and ten blocks deep.
	var first wallet.Event
	for e, err := range events {
		if err != nil {
			return err
		}
		if e.TxID != paid {
			continue
		}
		fmt.Printf("event %d: %s, %v XMR\n", e.Cursor, e.Type, e.Amount)
		if e.Type == wallet.EventPending {
			first = e
			if err := s.Confirm(ctx, xmr.SpendableAge); err != nil {
				return err
			}
		}
		if e.Type == wallet.EventUnlocked {
			break
		}
	}

	// A program that has booked the first event alone asks for what came after it.
	for e, err := range till.Events(ctx, first.Cursor) {
		if err != nil {
			return err
		}
		if e.Type == wallet.EventConfirmed && e.TxID == paid {
			fmt.Println("after event", first.Cursor, "came event", e.Cursor)
			break
		}
	}
	list, err := till.Transfers(ctx, paid)
	if err != nil {
		return err
	}
	if len(list) != 1 || list[0].Amount != price || list[0].Index != order.Index {
		return fmt.Errorf("the payment is not as expected: %+v", list)
	}
	fmt.Printf("order 1 is paid: %v XMR, %d confirmations\n", list[0].Amount, list[0].Confirmations)

	// A thief who takes the till sees the payments and gets none: what the till makes is a draft, for the owner to
	// sign.
	draft, err := till.Send(ctx, wallet.Payment{To: []wallet.Destination{{Address: keys.Address, Amount: price / 2}}})
	if err != nil {
		return err
	}
	if _, err := draft.Confirm(ctx); !errors.Is(err, wallet.ErrUnsigned) || draft.Unsigned == "" {
		return fmt.Errorf("the till spends: %v", err)
	}
	if _, err := till.Seed(ctx, ""); !errors.Is(err, wallet.ErrViewOnly) {
		return fmt.Errorf("the till has the seed: %v", err)
	}
	fmt.Println("the till cannot spend")
	return nil
}

// customerPays has another wallet pay and returns the transaction's ID.
func customerPays(ctx context.Context, s *stage.Stage, m *wallet.Manager, to string, amount wallet.Amount) (string, error) {
	customer, err := m.Create(ctx, "customer", "")
	if err != nil {
		return "", err
	}
	address, err := customer.Address(ctx)
	if err != nil {
		return "", err
	}
	if err := s.Fund(ctx, address); err != nil {
		return "", err
	}
	if err := customer.Sync(ctx, nil); err != nil {
		return "", err
	}
	p, err := customer.Send(ctx, wallet.Payment{To: []wallet.Destination{{Address: to, Amount: amount}}})
	if err != nil {
		return "", err
	}
	fmt.Printf("the customer pays %v XMR and a fee of %v XMR\n", p.Amount, p.Fee)
	ids, err := p.Confirm(ctx)
	if err != nil {
		return "", err
	}
	return ids[0], nil
}
