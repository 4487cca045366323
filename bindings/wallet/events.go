package wallet

import (
	"context"
	"io"
	"iter"
	"time"

	"glim/core/walletrpc"
)

// EventType is what an event tells.
type EventType string

// Types of events. The first four are about transfers: each has its own number, is kept with the wallet, and reaches
// programs that missed it. The others report a state.
const (
	EventPending     EventType = walletrpc.EventPool        // a transfer was seen on its way
	EventConfirmed   EventType = walletrpc.EventConfirmed   // a block holds it
	EventUnlocked    EventType = walletrpc.EventUnlocked    // what it brought can be spent
	EventReorganised EventType = walletrpc.EventReorganised // its block is not on the chain any more
	EventHeight      EventType = walletrpc.EventHeight      // the wallet has seen Height blocks
	EventSync        EventType = walletrpc.EventSync        // the wallet has seen Height blocks of Target
	EventLost        EventType = walletrpc.EventLost        // events after the cursor are no longer kept: read History
	EventWarning     EventType = walletrpc.EventWarning     // Text is what the wallet's file told when it was opened
)

// Event is something that happened to a wallet.
type Event struct {
	Cursor  uint64 // of this event, or of the last one before an event without a number: Events goes on after it
	Type    EventType
	TxID    string
	Out     bool   // sent by this wallet
	Amount  Amount // without fee and change
	Fee     Amount
	Account uint32
	Index   uint32 // of the address that received; of what was sent, the account's first
	Address string
	// Height is the index of the transfer's block; of EventHeight and EventSync a number of blocks.
	Height    uint64
	Target    uint64
	Time      time.Time // of the block, or when it was first seen
	PaymentID string
	Coinbase  bool
	Text      string
}

// Cursors to begin with, beside that of any event.
const (
	FromStart uint64 = 0         // everything the wallet still has: the last 65,536
	FromNow   uint64 = 1<<64 - 1 // what happens after the call of Events
)

// Events returns what happened after a cursor, and then what happens, as it happens: wallets notice it in Sync and when
// they refresh by themselves, see Config.Refresh. An event that was told once is not told again by an iterator that
// begins after its cursor, whatever happened to the program in between: keep the cursor where you book the event. The
// iterator is for one loop. It ends when the loop does, or with an error: the context's, or ErrClosed.
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

// eventsEnd is why events end: nil for the wallet's end.
func eventsEnd(err error) error {
	if err == nil {
		return refused("events", ErrClosed, "")
	}
	return failed("events", err, nil)
}

func event(e *walletrpc.Event) Event {
	out := Event{
		Cursor: e.Cursor, Type: EventType(e.Type), TxID: e.TxID, Out: e.Direction == "out", Amount: Amount(e.Amount),
		Fee: Amount(e.Fee), Address: e.Address, Height: e.Height, Target: e.TargetHeight,
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
