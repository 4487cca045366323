package service

import (
	"context"
	"io"
	"strings"

	"glim/core/address"
	"glim/core/keys"
	"glim/core/rpc"
	"glim/core/session"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// eventBatch is how many events a follower is handed at once.
const eventBatch = 256

func (s *Service) getEvents(_ context.Context, req walletrpc.GetEventsRequest) (resp walletrpc.GetEventsResponse, err error) {
	o, err := s.current()
	if err != nil {
		return resp, err
	}
	limit := int(min(req.Limit, walletrpc.MaxEvents))
	resp.Cursor = req.Cursor
	seen := look(o, req.Cursor, limit)
	if !seen.kept {
		resp.Cursor, resp.Lost = seen.last, true
		return resp, nil
	}
	resp.Events = seen.events(o, req.Cursor)
	resp.Cursor += uint64(len(resp.Events))
	return resp, nil
}

// sight is what a wallet tells at one moment.
type sight struct {
	list     []wallet.Notice
	kept     bool   // whether list is all that follows the cursor
	last     uint64 // number of the last notice
	progress session.Progress
	network  xmr.Network
}

func look(o *open, cursor uint64, limit int) (s sight) {
	s.progress = o.Progress()
	o.View(func(w *wallet.Wallet) {
		s.list, s.kept = w.Notices(cursor, limit)
		s.last, s.network = w.LastNotice(), w.Origin().Network
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

// events writes the notices after cursor for clients.
func (s *sight) events(o *open, cursor uint64) []walletrpc.Event {
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
		}
		out[i] = e
	}
	return out
}

// address writes an address without holding up the wallet's changes.
func (s *sight) address(k *keys.Keys, i keys.Index) string {
	spend, view := k.Address(i)
	return address.At(s.network, i, spend, view).String()
}

// Follower tells what happens to one open wallet: what it missed first, then everything as it comes, each event once. It
// keeps nothing but its place, so that one who is slow holds up nobody. Its methods are for one goroutine.
type Follower struct {
	o      *open
	s      *Service // whose wallet o must stay; nil for as long as it is open anywhere
	cursor uint64
	height uint64
	behind bool   // the last that was told of synchronisation
	target uint64 // likewise
	warned bool
	ended  bool
}

// FromNow is the cursor of those who want to know only what is to come.
const FromNow = ^uint64(0)

// Follow returns a follower of the open wallet that begins after cursor and ends when another takes its place. CodeNotOpen.
func (s *Service) Follow(cursor uint64) (*Follower, error) {
	o, err := s.current()
	if err != nil {
		return nil, err
	}
	f := o.follow(cursor)
	f.s = s
	return f, nil
}

// Follow returns a follower of the wallet whose path this is: /events, or /wallets/NAME/events. Errors: rpc.ErrNoPath, CodeNotOpen.
func (w *Wallets) Follow(path string, cursor uint64) (*Follower, error) {
	rest, ok := strings.CutPrefix(path, prefix)
	if !ok {
		if path != "/events" {
			return nil, rpc.ErrNoPath
		}
		return w.plain.Follow(cursor)
	}
	name, rest, ok := strings.Cut(rest, "/")
	if !ok || name == "" || rest != "events" {
		return nil, rpc.ErrNoPath
	}
	n, err := w.enter(name)
	if err != nil {
		return nil, err
	}
	defer w.leave(name, n)
	return n.Follow(cursor)
}

func (o *open) follow(cursor uint64) *Follower {
	f := &Follower{o: o, cursor: cursor}
	if cursor == FromNow {
		o.View(func(w *wallet.Wallet) { f.cursor = w.LastNotice() })
	}
	return f
}

// closed reports whether the wallet is closed, and returns what closes when that must be asked again.
func (f *Follower) closed() (bool, <-chan struct{}) {
	if f.s == nil || f.o.ctx.Err() != nil {
		return f.o.ctx.Err() != nil, nil
	}
	f.s.mu.Lock()
	defer f.s.mu.Unlock()
	return f.s.open != f.o, f.s.changed
}

// Cursor returns where the follower stands: the number of the last event it returned.
func (f *Follower) Cursor() uint64 { return f.cursor }

// Next waits for events and returns them. When the wallet closes, the last event says so, and io.EOF follows. The context's
// error when it ends first; the follower can go on then.
func (f *Follower) Next(ctx context.Context) ([]walletrpc.Event, error) {
	for {
		if f.ended {
			return nil, io.EOF
		}
		news := f.o.News()
		closed, changed := f.closed()
		if events := f.look(); len(events) > 0 {
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

// look returns what there is to tell now. How things stand is told when all before it has been.
func (f *Follower) look() []walletrpc.Event {
	s := look(f.o, f.cursor, eventBatch)
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
	if !f.warned && f.o.taken != "" {
		out = append(out, walletrpc.Event{Cursor: f.cursor, Type: walletrpc.EventTakeover, Text: f.o.taken})
	}
	f.warned = true
	p := s.progress
	behind := p.Target > p.Height
	if behind && (!f.behind || p.Target != f.target || p.Height != f.height) || !behind && f.behind {
		out = append(out, walletrpc.Event{Cursor: f.cursor, Type: walletrpc.EventSync, Height: p.Height, TargetHeight: max(p.Target, p.Height)})
	}
	if p.Height != f.height {
		out = append(out, walletrpc.Event{Cursor: f.cursor, Type: walletrpc.EventHeight, Height: p.Height})
	}
	f.behind, f.target, f.height = behind, p.Target, p.Height
	return out
}
