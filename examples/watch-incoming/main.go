// Command watch-incoming is a shop's till: a view-only wallet that sees every payment and cannot spend.
//
// The till and a customer's wallet are in this process. The till follows events; a program that starts later requests
// missed events or reads the history, as shown at the end.
package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"glim/bindings/wallet"
	"glim/core/xmr"
	"glim/examples/internal/stage"
)

func main() { stage.Run(watchIncoming) }

func watchIncoming(ctx context.Context, s *stage.Stage) error {
	// Wallets check for blocks and payments every second.
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
	keys.SpendKey = "" // stays with the owner
	till, err := m.Restore(ctx, "till", "secret", keys)
	if err != nil {
		return err
	}

	// Each order has its own address.
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

	first, err := untilUnlocked(ctx, s, events, paid)
	if err != nil {
		return err
	}

	// A program that has only seen the first event requests the events after it.
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

	return cannotSpend(ctx, till, keys.Address, price/2)
}

// untilUnlocked prints the events of a payment until it is unlocked, and returns the first. The payment is first in the
// pool, where it can still disappear, then in a block, and finally ten blocks deep.
func untilUnlocked(
	ctx context.Context, s *stage.Stage, events iter.Seq2[wallet.Event, error], paid string,
) (first wallet.Event, err error) {
	for e, err := range events {
		if err != nil {
			return first, err
		}
		if e.TxID != paid {
			continue
		}
		fmt.Printf("event %d: %s, %v XMR\n", e.Cursor, e.Type, e.Amount)
		if e.Type == wallet.EventPending {
			first = e
			if err := s.Confirm(ctx, xmr.SpendableAge); err != nil {
				return first, err
			}
		}
		if e.Type == wallet.EventUnlocked {
			break
		}
	}
	return first, nil
}

// cannotSpend shows that someone who steals the till can see the payments but not spend them: the till only makes
// unsigned transactions for the owner.
func cannotSpend(ctx context.Context, till *wallet.Wallet, to string, amount wallet.Amount) error {
	draft, err := till.Send(ctx, wallet.Payment{To: []wallet.Destination{{Address: to, Amount: amount}}})
	if err != nil {
		return err
	}
	if _, err := draft.Confirm(ctx); !errors.Is(err, wallet.ErrUnsigned) || draft.Unsigned == "" {
		return fmt.Errorf("the till can spend: %v", err)
	}
	if _, err := till.Seed(ctx, ""); !errors.Is(err, wallet.ErrViewOnly) {
		return fmt.Errorf("the till has the seed: %v", err)
	}
	fmt.Println("the till cannot spend")
	return nil
}

// customerPays pays from another wallet and returns the transaction ID.
func customerPays(
	ctx context.Context, s *stage.Stage, m *wallet.Manager, to string, amount wallet.Amount,
) (string, error) {
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
