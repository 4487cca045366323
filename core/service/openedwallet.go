package service

import (
	"context"

	"glim/core/wallet"
)

// OpenedWallet is a wallet that was just opened, for a host that forwards its events. Its methods may be called from
// any goroutine while the wallet is open.
type OpenedWallet struct{ o *openWallet }

// Name returns the name of the wallet's file; it is empty for a wallet in memory.
func (w OpenedWallet) Name() string { return w.o.name }

// Context returns a context that ends when the wallet closes.
func (w OpenedWallet) Context() context.Context { return w.o.ctx }

// Follow returns a stream of the events after cursor. It ends when the wallet closes.
func (w OpenedWallet) Follow(cursor uint64) *EventStream { return w.o.follow(cursor) }

// Position returns the cursor of the last event that a receiver has, by a name of the host's choice. A new receiver
// begins with future events, and its position is durable when Position returns. It returns the log's errors.
func (w OpenedWallet) Position(receiver string) (uint64, error) {
	var at uint64
	err := w.o.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
		var known bool
		if at, known = w.DeliveredTo(receiver); known {
			return wallet.ChangeSet{}, nil, nil
		}
		at = w.LastNotice()
		return w.DecideDelivered(receiver, at), nil, nil
	})
	return at, err
}

// Delivered records that a receiver has the events up to cursor. The record is durable when it returns. It returns
// session.ErrClosed or the log's error.
func (w OpenedWallet) Delivered(receiver string, cursor uint64) error {
	return w.o.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
		return w.DecideDelivered(receiver, cursor), nil, nil
	})
}
