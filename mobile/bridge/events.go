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

// Listener receives the events of a wallet on a thread of the engine, one call at a time. A slow listener delays only
// its own events.
type Listener interface {
	// Events receives events in their order: a JSON list of the objects that get_events returns, and of the progress
	// events "height" and "sync". An error ends the subscription.
	Events(json string) error
	// End is the last call; its code is 0 if the subscription was cancelled or the wallet was closed.
	End(code int32, message string) error
}

// Subscription is a listener's subscription.
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

// Join returns when the listener's last call has returned.
func (s *Subscription) Join() {
	if s.done != nil {
		<-s.done
	}
}

// Follow subscribes a listener to the events of the open wallet with a name, or of the one opened without a name if
// wallet is empty. cursor is the number of the last known event, "0" for none, or empty to get only new events. Each
// event is delivered once; after a crash, continue with the cursor of the last event received.
func (e *Engine) Follow(wallet, cursor string, to Listener) (s *Subscription, err error) {
	defer contain(&err)
	if e.engine == nil {
		return nil, errClosed
	}
	if to == nil {
		return nil, errors.New("the listener is missing")
	}
	from := service.NewEventsOnly
	if cursor != "" {
		if from, err = strconv.ParseUint(cursor, 10, 64); err != nil {
			return nil, fmt.Errorf("the cursor must be a decimal number")
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

// tell delivers events until the stream or the subscription ends.
func (e *Engine) tell(ctx context.Context, f *service.EventStream, to Listener) (err error) {
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
