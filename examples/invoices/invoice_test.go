package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/walletrpc"
	"glim/core/xmr"
)

// TestStates: the state of an invoice follows the events of its payments, in every order that the service sends them.
func TestStates(t *testing.T) {
	const price = 2 * xmr.Coin
	deadline := time.Unix(1_000_000, 0)
	event := func(kind, tx string, amount, height uint64, seen int64) walletrpc.Event {
		return walletrpc.Event{Type: kind, Direction: "in", Address: "a", TxID: tx, Amount: amount, Height: height,
			Timestamp: uint64(deadline.Unix() + seen)}
	}
	locked := event(walletrpc.EventPool, "t", price, 0, -1)
	locked.UnlockTime = 500
	top := func(height uint64) walletrpc.Event {
		return walletrpc.Event{Type: walletrpc.EventHeight, Height: height}
	}
	part := []walletrpc.Event{event(walletrpc.EventPool, "t", price-1, 0, -1)}
	pool := event(walletrpc.EventPool, "t", price, 0, -1)
	mined := event(walletrpc.EventConfirmed, "t", price, 100, 50)
	for name, c := range map[string]struct {
		events []walletrpc.Event
		now    int64 // seconds after the deadline
		state  string
		over   uint64
	}{
		"nothing before the deadline": {nil, -1, open, 0},
		"nothing after it":            {nil, 1, expired, 0},
		"a part":                      {part, -1, open, 0},
		"a part after it":             {part, 1, expired, 0},
		"in the pool":                 {[]walletrpc.Event{pool}, 1, confirming, 0},
		"in a block":                  {[]walletrpc.Event{pool, mined, top(101)}, 1, confirming, 0},
		"three blocks":                {[]walletrpc.Event{pool, mined, top(103)}, 1, paid, 0},
		"never seen in the pool":      {[]walletrpc.Event{mined, top(103)}, 1, late, 0},
		"in two parts, one mined": {[]walletrpc.Event{event(walletrpc.EventConfirmed, "t", price/2, 100, -9),
			event(walletrpc.EventPool, "u", price/2+7, 0, -1), top(200)}, 1, confirming, 7},
		"a reorganisation": {[]walletrpc.Event{pool, mined, top(103), event(walletrpc.EventReorganised, "t", price,
			100, 50)}, 1, expired, 0},
		"mined again after one": {[]walletrpc.Event{pool, mined, top(103), event(walletrpc.EventReorganised, "t", price,
			100, 50), event(walletrpc.EventConfirmed, "t", price, 102, 90), top(105)}, 1, paid, 0},
		"locked by the payer": {[]walletrpc.Event{locked, mined, top(200)}, -1, open, 0},
		"unlocked later": {[]walletrpc.Event{locked, mined, top(600),
			event(walletrpc.EventUnlocked, "t", price, 100, 50)}, 1, paid, 0},
		"to another address": {[]walletrpc.Event{{Type: walletrpc.EventPool, Direction: "in", Address: "b", TxID: "t",
			Amount: price}}, -1, open, 0},
	} {
		t.Run(name, func(t *testing.T) {
			b := book{invoices: map[string]*invoice{}}
			i := &invoice{address: "a", price: price, expires: deadline}
			b.add(i)
			for n, e := range c.events {
				e.Cursor = uint64(n) + 1
				b.apply(e)
				b.apply(e) // a delivery may be repeated
			}
			state, over := i.state(b.height, deadline.Add(time.Duration(c.now)*time.Second))
			require.Equal(t, c.state, state)
			require.Equal(t, c.over, over)
		})
	}
}

// TestConfirmations: a larger amount never needs fewer blocks.
func TestConfirmations(t *testing.T) {
	last := uint64(0)
	for amount := uint64(1); amount < 1000*xmr.Coin; amount *= 3 {
		require.GreaterOrEqual(t, confirmations(amount), last)
		last = confirmations(amount)
	}
	require.EqualValues(t, xmr.SpendableAge, last)
}
