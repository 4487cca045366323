package wallet

import (
	"context"
	"io"
	"iter"
	"time"

	"glim/core/walletrpc"
)

// EventType is the type of an event.
type EventType string

// Types of events. The first four concern transfers. Each of these events has its own cursor and is stored in the
// wallet, so that a program can still read it later. The other types report a state and are not stored.
const (
	EventPending     EventType = walletrpc.EventPool        // the wallet has seen a transfer that is not in a block yet
	EventConfirmed   EventType = walletrpc.EventConfirmed   // the transfer is in a block
	EventUnlocked    EventType = walletrpc.EventUnlocked    // the received money can be spent
	EventReorganised EventType = walletrpc.EventReorganised // the block of the transfer is no longer in the chain
	EventHeight      EventType = walletrpc.EventHeight      // the wallet has scanned Height blocks
	EventSync        EventType = walletrpc.EventSync        // the wallet has scanned Height of Target blocks
	// Percent of the work for a transaction with membership proofs is done
	EventProving EventType = walletrpc.EventProving
	// events after the cursor are no longer stored: read History
	EventLost EventType = walletrpc.EventLost
	// Text is a warning about the wallet's file, see Wallet.Warning
	EventWarning EventType = walletrpc.EventWarning
)

// Event is something that happened to a wallet.
type Event struct {
	// of this event; if it is not stored, of the last stored event before it. Pass it to Events to continue
	Cursor  uint64
	Type    EventType
	TxID    string
	Out     bool   // sent by this wallet
	Amount  Amount // without fee and change
	Fee     Amount
	Account uint32
	Index   uint32 // address index: if received, of the receiving address; if sent, 0
	Address string
	// Height is the index of the transfer's block. For EventHeight and EventSync it is a number of blocks.
	Height    uint64
	Target    uint64
	Percent   int
	Time      time.Time // of the block, or when the wallet first saw the transfer
	PaymentID string
	Coinbase  bool
	Text      string
}

// Cursors to start with, in addition to the cursors of events.
const (
	FromStart uint64 = 0         // all events that are still stored: the last 65,536
	FromNow   uint64 = 1<<64 - 1 // only events after the call of Events
)

// Events returns an iterator over the events after a cursor: first the stored events, then new ones as they happen.
// Wallets detect them in Sync and when they refresh by themselves, see Config.Refresh.
//
// To handle each event exactly once, store its cursor together with your own record of it, and pass the stored cursor
// when the program starts again. The iterator is for one loop. It ends when the loop ends, or with the context's error
// or ErrClosed.
func (w *Wallet) Events(ctx context.Context, after uint64) iter.Seq2[Event, error] {
	f, err := w.m.engine.Follow("/wallets/"+w.name+"/events", after)
	return func(yield func(Event, error) bool) {
		if err != nil {
			if w.tasks.over() {
				err = nil
			}
			yield(Event{}, eventsEnd(err))
			return
		}
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(w.tasks.life, cancel)()
		for {
			list, err := f.Next(ctx)
			for i := range list {
				if list[i].Type == walletrpc.EventClosed {
					err = io.EOF
					break
				}
				if !yield(event(&list[i]), nil) {
					return
				}
			}
			if err != nil {
				if w.tasks.over() || err == io.EOF {
					err = nil
				}
				yield(Event{}, eventsEnd(err))
				return
			}
		}
	}
}

// eventsEnd returns the error that ends an iterator; a nil err means that the wallet was closed.
func eventsEnd(err error) error {
	if err == nil {
		return refused("events", ErrClosed, "")
	}
	return failed("events", err, nil)
}

func event(e *walletrpc.Event) Event {
	out := Event{
		Cursor: e.Cursor, Type: EventType(e.Type), TxID: e.TxID, Out: e.Direction == "out", Amount: Amount(e.Amount),
		Fee: Amount(e.Fee), Address: e.Address, Height: e.Height, Target: e.TargetHeight, Percent: int(e.Percent),
		PaymentID: paymentID(e.PaymentID), Coinbase: e.Coinbase, Text: e.Text,
	}
	if e.SubaddrIndex != nil {
		out.Account, out.Index = e.SubaddrIndex.Major, e.SubaddrIndex.Minor
	}
	if e.Timestamp > 0 {
		out.Time = time.Unix(int64(e.Timestamp), 0)
	}
	return out
}
