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

// TestEvents: a payment is told from its first sighting until it can be spent, while it happens and to one who comes
// later, once each, through a reorganisation and a restart.
func TestEvents(t *testing.T) {
	t.Parallel()
	ctx, chain := deadline(t), newChain(t)
	c := config(t, chain)
	c.Refresh = time.Second // wallets look by themselves
	m := newManager(t, c)
	payer := rich(t, m, chain, "payer")
	shop, err := m.Create(ctx, "shop", "")
	require.NoError(t, err)
	order, err := shop.NewAddress(ctx, 0, "order 1")
	require.NoError(t, err)
	events := shop.Events(ctx, wallet.FromNow) // from here on, though the loop begins later
	p, err := payer.Send(ctx, wallet.Payment{To: []wallet.Destination{{order.Text, wallet.XMR}}})
	require.NoError(t, err)
	ids, err := p.Confirm(ctx)
	require.NoError(t, err)

	var told []wallet.Event
	for e, err := range events {
		require.NoError(t, err)
		if e.TxID != ids[0] {
			continue
		}
		told = append(told, e)
		require.Equal(t, wallet.XMR, e.Amount)
		require.Equal(t, order.Text, e.Address)
		require.EqualValues(t, 1, e.Index)
		require.False(t, e.Out)
		switch {
		case len(told) == 1:
			require.Equal(t, wallet.EventPending, e.Type)
			require.NoError(t, chain.Mine(ctx, 1, ""))
		case len(told) == 2:
			require.Equal(t, wallet.EventConfirmed, e.Type)
			require.NoError(t, chain.Reorganise(ctx, 1))
		case e.Type == wallet.EventReorganised:
			require.NoError(t, chain.Mine(ctx, regtest.Confirmations, ""))
		}
		if e.Type == wallet.EventUnlocked {
			break
		}
	}
	require.GreaterOrEqual(t, len(told), 5)
	require.NoError(t, m.Close())

	m = newManager(t, c)
	shop, err = m.Open(ctx, "shop", "")
	require.NoError(t, err)
	var again []wallet.Event
	for e, err := range shop.Events(ctx, told[0].Cursor-1) {
		require.NoError(t, err)
		if e.TxID == ids[0] {
			again = append(again, e)
		}
		if e.Type == wallet.EventUnlocked {
			break
		}
	}
	require.Equal(t, told, again, "a later reader gets the same")
	// After the last one there is nothing more of it, and a loop can be ended from outside.
	following, cancel := context.WithCancel(ctx)
	defer cancel()
	for e, err := range shop.Events(following, told[len(told)-1].Cursor) {
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
	require.True(t, lost, "a cursor of another wallet")
}

// TestEveryoneAtOnce uses wallets from many goroutines, some of which close them in the middle. The race detector looks
// on.
func TestEveryoneAtOnce(t *testing.T) {
	t.Parallel()
	ctx, chain := deadline(t), newChain(t)
	c := config(t, chain)
	c.Refresh = time.Second
	m := newManager(t, c)
	home := addressOf(t, rich(t, m, chain, "one"))
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
	const crowd = 12
	for i := range crowd {
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
	for range crowd {
		select {
		case <-done:
		case <-ctx.Done():
			t.Fatal("somebody waits for ever")
		}
	}
}
