package service

import (
	"context"

	"glim/core/wallet"
)

// Opened is a wallet that has just been opened, for a host that hands its events on. Its methods may be called from any
// goroutine, for as long as it is open.
type Opened struct{ o *open }

// Name returns the name of the wallet's file; empty for one in memory.
func (w Opened) Name() string { return w.o.name }

// Context returns a context that ends when the wallet closes.
func (w Opened) Context() context.Context { return w.o.ctx }

// Follow returns a follower that begins after cursor and ends when the wallet closes.
func (w Opened) Follow(cursor uint64) *Follower { return w.o.follow(cursor) }

// Position returns the cursor of the last event that a receiver has, by a name of the host's choice. One that is new begins
// with what comes from now on, and that is remembered before Position returns. Errors: the log's.
func (w Opened) Position(receiver string) (uint64, error) {
	var at uint64
	err := w.o.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
		var known bool
		if at, known = w.DeliveredTo(receiver); known {
			return wallet.ChangeSet{}, nil, nil
		}
		at = w.LastNotice()
		return w.DecideDelivered(receiver, at), nil, nil
	})
	return at, err
}

// Delivered remembers that a receiver has the events up to cursor. It is durable when it returns. Errors: session.ErrClosed,
// the log's.
func (w Opened) Delivered(receiver string, cursor uint64) error {
	return w.o.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
		return w.DecideDelivered(receiver, cursor), nil, nil
	})
}
