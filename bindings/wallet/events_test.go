package wallet_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/bindings/wallet"
	"glim/bindings/wallet/regtest"
)

// TestEvents follows a payment until it is unlocked, through a reorganisation. A second reader, after a restart, gets
// the same events.
func TestEvents(t *testing.T) {
	t.Parallel()
	ctx, chain := deadline(t), newChain(t)
	c := config(t, chain)
	c.Refresh = time.Second // wallets refresh by themselves
	m := newManager(t, c)
	payer := funded(t, m, chain, "payer")
	shop, err := m.Create(ctx, "shop", "")
	require.NoError(t, err)
	order, err := shop.NewAddress(ctx, 0, "order 1")
	require.NoError(t, err)
	events := shop.Events(ctx, wallet.FromNow) // starts here, although the loop starts later
	p, err := payer.Send(ctx, wallet.Payment{To: []wallet.Destination{{order.Text, wallet.XMR}}})
	require.NoError(t, err)
	ids, err := p.Confirm(ctx)
	require.NoError(t, err)

	var seen []wallet.Event
	for e, err := range events {
		require.NoError(t, err)
		if e.TxID != ids[0] {
			continue
		}
		seen = append(seen, e)
		require.Equal(t, wallet.XMR, e.Amount)
		require.Equal(t, order.Text, e.Address)
		require.EqualValues(t, 1, e.Index)
		require.False(t, e.Out)
		switch {
		case len(seen) == 1:
			require.Equal(t, wallet.EventPending, e.Type)
			require.NoError(t, chain.Mine(ctx, 1, ""))
		case len(seen) == 2:
			require.Equal(t, wallet.EventConfirmed, e.Type)
			require.NoError(t, chain.Reorganise(ctx, 1))
		case e.Type == wallet.EventReorganised:
			require.NoError(t, chain.Mine(ctx, regtest.Confirmations, ""))
		}
		if e.Type == wallet.EventUnlocked {
			break
		}
	}
	require.GreaterOrEqual(t, len(seen), 5)
	require.NoError(t, m.Close())

	m = newManager(t, c)
	shop, err = m.Open(ctx, "shop", "")
	require.NoError(t, err)
	var again []wallet.Event
	for e, err := range shop.Events(ctx, seen[0].Cursor-1) {
		require.NoError(t, err)
		if e.TxID == ids[0] {
			again = append(again, e)
		}
		if e.Type == wallet.EventUnlocked {
			break
		}
	}
	require.Equal(t, seen, again, "a later reader gets the same")
	// There are no events of the payment after the last one. A context ends the loop.
	following, cancel := context.WithCancel(ctx)
	defer cancel()
	for e, err := range shop.Events(following, seen[len(seen)-1].Cursor) {
		if err != nil {
			require.ErrorIs(t, err, context.Canceled)
			break
		}
		require.Empty(t, e.TxID)
		cancel()
	}
	lost := false
	for e, err := range shop.Events(ctx, 1<<40) {
		require.NoError(t, err)
		lost = e.Type == wallet.EventLost
		break
	}
	require.True(t, lost, "the cursor is not one of this wallet")
}

// TestConcurrentUse uses a wallet from many goroutines, some of which close it in between. It is most useful with the
// race detector.
func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	ctx, chain := deadline(t), newChain(t)
	c := config(t, chain)
	c.Refresh = time.Second
	m := newManager(t, c)
	home := addressOf(t, funded(t, m, chain, "one"))
	expected := []error{wallet.ErrClosed, wallet.ErrInUse, wallet.ErrMoneyLocked, wallet.ErrNotEnoughMoney,
		wallet.ErrSpent, wallet.ErrExists, context.Canceled}
	check := func(err error) {
		for _, e := range expected {
			if err == nil || errors.Is(err, e) {
				return
			}
		}
		t.Error(err)
	}
	done := make(chan struct{})
	const goroutines = 12
	for i := range goroutines {
		go func() {
			defer func() { done <- struct{}{} }()
			for n := range 6 {
				w, err := m.Open(ctx, "one", "secret")
				if errors.Is(err, wallet.ErrInUse) {
					for _, w = range m.Wallets() {
						break
					}
				} else {
					check(err)
				}
				if w == nil {
					continue
				}
				switch (i + n) % 6 {
				case 0:
					check(w.Sync(ctx, func(wallet.Progress) {}))
				case 1:
					p, err := w.Send(ctx, wallet.Payment{To: []wallet.Destination{{home, wallet.XMR / 100}}})
					check(err)
					if err == nil {
						_, err = p.Confirm(ctx)
						check(err)
					}
				case 2:
					for _, err := range w.Events(ctx, wallet.FromStart) {
						check(err)
						break
					}
					check(chain.Mine(ctx, 1, home))
				case 3:
					_, err := w.History(ctx, wallet.Filter{})
					check(err)
				case 4:
					_, err := w.NewAddress(ctx, 0, "")
					check(err)
					w.Progress()
				case 5:
					check(w.Close())
				}
			}
		}()
	}
	for range goroutines {
		select {
		case <-done:
		case <-ctx.Done():
			t.Fatal("a goroutine is blocked")
		}
	}
}
