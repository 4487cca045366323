package service

import (
	"context"
	"io"

	"glim/core/address"
	"glim/core/keys"
	"glim/core/session"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// events implements get_events.
type events struct{ active *active }

func (s *events) getEvents(
	_ context.Context, req walletrpc.GetEventsRequest,
) (resp walletrpc.GetEventsResponse, err error) {
	o, err := s.active.current()
	if err != nil {
		return resp, err
	}
	limit := int(min(req.Limit, walletrpc.MaxEvents))
	resp.Cursor = req.Cursor
	seen := snapshot(o, req.Cursor, limit)
	if !seen.kept {
		resp.Cursor, resp.Lost = seen.last, true
		return resp, nil
	}
	resp.Events = seen.events(o, req.Cursor)
	resp.Cursor += uint64(len(resp.Events))
	return resp, nil
}

// eventBatch is how many events an EventStream returns at once.
const eventBatch = 256

// eventSnapshot is what a wallet reports at one moment.
type eventSnapshot struct {
	list     []wallet.Notice
	kept     bool   // whether list contains everything after the cursor
	last     uint64 // number of the last notice
	progress session.Progress
	network  xmr.Network
	invoices invoiceStates
}

func snapshot(o *openWallet, cursor uint64, limit int) (s eventSnapshot) {
	s.progress = o.Progress()
	o.View(func(w *wallet.Wallet) {
		s.list, s.kept = w.Notices(cursor, limit)
		for i := range s.list {
			if n := &s.list[i]; n.Out {
				n.Amount = w.AmountPaid(n.TxID, n.Amount)
			}
		}
		s.last, s.network = w.LastNotice(), w.Identity().Network
		s.invoices = statesOf(w, o)
		if _, begun := w.Tip(); begun {
			s.progress.Height = w.Height()
		}
	})
	return s
}

var eventTypes = map[wallet.NoticeKind]string{
	wallet.NoticePool: walletrpc.EventPool, wallet.NoticeConfirmed: walletrpc.EventConfirmed,
	wallet.NoticeUnlocked: walletrpc.EventUnlocked, wallet.NoticeReorganised: walletrpc.EventReorganised,
}

// events converts the notices after cursor for clients.
func (s *eventSnapshot) events(o *openWallet, cursor uint64) []walletrpc.Event {
	out := make([]walletrpc.Event, len(s.list))
	texts := map[keys.Index]string{}
	for i := range s.list {
		n := &s.list[i]
		text, ok := texts[n.Address]
		if !ok {
			text = s.address(o.Keys(), n.Address)
			texts[n.Address] = text
		}
		at := index(n.Address)
		e := walletrpc.Event{
			Cursor: cursor + uint64(i) + 1, Type: eventTypes[n.Kind], Direction: "in", TxID: n.TxID.String(),
			PaymentID: paymentIDText(n.PaymentID), SubaddrIndex: &at, Address: text, Amount: n.Amount, Fee: n.Fee,
			Height: n.Height, Timestamp: n.Timestamp, UnlockTime: n.UnlockTime, Coinbase: n.Coinbase,
		}
		if n.Out {
			e.Direction = "out"
		} else {
			e.InvoiceState = s.invoices.of(n.Address)
		}
		out[i] = e
	}
	return out
}

// address encodes an address without locking the wallet.
func (s *eventSnapshot) address(k *keys.Keys, i keys.Index) string {
	spend, view := k.Address(i)
	return address.At(s.network, i, spend, view).String()
}

// EventStream returns the events of one open wallet: first those after a cursor, then each new one when it happens,
// without repetition. It stores only its position, so a slow reader does not delay others. Its methods must not be
// called concurrently.
type EventStream struct {
	o      *openWallet
	s      *active // the stream ends when its wallet is no longer o; nil to follow while o is open anywhere
	cursor uint64
	height uint64
	behind bool   // as last reported
	target uint64 // as last reported
	proven int    // percent, as last reported
	warned bool
	ended  bool
	told   invoiceStates // as last reported
}

// NewEventsOnly is the cursor of a client that wants only future events.
const NewEventsOnly = ^uint64(0)

func (o *openWallet) follow(cursor uint64) *EventStream {
	f := &EventStream{o: o, cursor: cursor}
	if cursor == NewEventsOnly {
		o.View(func(w *wallet.Wallet) { f.cursor = w.LastNotice() })
	}
	return f
}

// closed reports whether the wallet is closed, and returns a channel that is closed when the answer may have changed.
func (f *EventStream) closed() (bool, <-chan struct{}) {
	if f.s == nil || f.o.ctx.Err() != nil {
		return f.o.ctx.Err() != nil, nil
	}
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	return f.s.wallet != f.o, f.s.changed
}

// Cursor returns the position of the stream: the number of the last event it returned.
func (f *EventStream) Cursor() uint64 { return f.cursor }

// Next waits for events and returns them. When the wallet closes, it returns a last event of type EventClosed, then
// io.EOF. It returns the context's error if the context ends first; the stream remains usable then.
func (f *EventStream) Next(ctx context.Context) ([]walletrpc.Event, error) {
	for {
		if f.ended {
			return nil, io.EOF
		}
		news := f.o.Changed()
		closed, changed := f.closed()
		if events := f.available(); len(events) > 0 {
			return events, nil
		}
		if closed {
			f.ended = true
			return []walletrpc.Event{{Cursor: f.cursor, Type: walletrpc.EventClosed}}, nil
		}
		select {
		case <-news:
		case <-changed:
		case <-f.o.ctx.Done():
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// available returns the events that exist now. Synchronisation events follow once all earlier events were returned.
func (f *EventStream) available() []walletrpc.Event {
	s := snapshot(f.o, f.cursor, eventBatch)
	if !s.kept {
		f.cursor = s.last
		return []walletrpc.Event{{Cursor: f.cursor, Type: walletrpc.EventLost}}
	}
	out := s.events(f.o, f.cursor)
	f.cursor += uint64(len(out))
	if f.cursor < s.last {
		return out
	}
	if !f.warned && f.o.warning != "" {
		out = append(out, walletrpc.Event{Cursor: f.cursor, Type: walletrpc.EventWarning, Text: f.o.warning})
	}
	if !f.warned && f.o.takenOver != "" {
		out = append(out, walletrpc.Event{Cursor: f.cursor, Type: walletrpc.EventTakeover, Text: f.o.takenOver})
	}
	f.warned = true
	p := s.progress
	behind := p.Target > p.Height
	if behind && (!f.behind || p.Target != f.target || p.Height != f.height) || !behind && f.behind {
		out = append(out, walletrpc.Event{Cursor: f.cursor, Type: walletrpc.EventSync, Height: p.Height,
			TargetHeight: max(p.Target, p.Height)})
	}
	for _, i := range s.invoices.since(f.told) {
		at := index(i.at)
		out = append(out, walletrpc.Event{Cursor: f.cursor, Type: walletrpc.EventInvoice, SubaddrIndex: &at,
			Address: s.address(f.o.Keys(), i.at), InvoiceState: i.state})
	}
	f.told = s.invoices
	if p.Height != f.height {
		out = append(out, walletrpc.Event{Cursor: f.cursor, Type: walletrpc.EventHeight, Height: p.Height})
	}
	if keys.HasHierarchies && p.Proving > 0 && p.Proving != f.proven {
		out = append(out, walletrpc.Event{Cursor: f.cursor, Type: walletrpc.EventProving, Percent: uint64(p.Proving)})
	}
	f.behind, f.target, f.height, f.proven = behind, p.Target, p.Height, p.Proving
	return out
}
