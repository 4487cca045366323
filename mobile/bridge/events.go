package bridge

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"glim/core/rpc"
	"glim/core/service"
)

// Listener hears what happens to a wallet, on a thread of the engine, one call at a time. Who is slow holds up nobody but himself.
type Listener interface {
	// Events is handed what happened, in its order: a JSON list of the objects that get_events has, and of those of progress,
	// "height" and "sync". What it throws ends the subscription.
	Events(json string) error
	// End is the last call: code 0 when the subscription was cancelled, or the wallet was closed.
	End(code int32, message string) error
}

// Subscription is a listener's place.
type Subscription struct {
	cancel context.CancelFunc
	done   chan struct{}
}

// Cancel ends the subscription; the listener's End is its last call.
func (s *Subscription) Cancel() {
	if s.cancel != nil {
		s.cancel()
	}
}

// Join returns when the listener has had its last call.
func (s *Subscription) Join() {
	if s.done != nil {
		<-s.done
	}
}

// Follow tells a listener what happens to the open wallet of a name, or to the one open without a name when that is empty. cursor is
// the number of the last event known, "0" for none, and empty for only what is to come. Each event is told once; after a kill the
// cursor of the last event leads on.
func (e *Engine) Follow(wallet, cursor string, to Listener) (s *Subscription, err error) {
	defer contain(&err)
	if e.engine == nil {
		return nil, errClosed
	}
	if to == nil {
		return nil, errors.New("there is no listener")
	}
	from := service.FromNow
	if cursor != "" {
		if from, err = strconv.ParseUint(cursor, 10, 64); err != nil {
			return nil, fmt.Errorf("a cursor is a decimal number")
		}
	}
	path := "/events"
	if wallet != "" {
		path = "/wallets/" + wallet + "/events"
	}
	f, err := e.engine.Follow(path, from)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(e.ctx)
	s = &Subscription{cancel, make(chan struct{})}
	err = e.work(func() {
		defer close(s.done)
		defer cancel()
		code, message := int32(0), ""
		if err := e.tell(ctx, f, to); err != nil {
			code, message = CodeBroken, err.Error()
		}
		if err := to.End(code, message); err != nil {
			e.log.Warn("a listener failed", "error", err)
		}
	})
	return s, err
}

// tell hands events on until there are no more, or nobody wants them.
func (e *Engine) tell(ctx context.Context, f *service.Follower, to Listener) (err error) {
	defer contain(&err)
	for {
		events, err := f.Next(ctx)
		if errors.Is(err, io.EOF) || ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		text, err := rpc.EncodeBigStrings(events)
		if err != nil {
			return err
		}
		if err := to.Events(string(text)); err != nil {
			return fmt.Errorf("the listener failed: %w", err)
		}
	}
}
