package service

import (
	"context"
	"sync"

	"glim/core/syncer"
)

// flight is a question under way, whose answer goes to all who wait for it. It is given up when nobody does any more.
type flight[T any] struct {
	ask     func(context.Context) (T, error)
	waiting int // guarded by whoever made it
	cancel  context.CancelFunc
	done    chan struct{}
	value   T // valid when done is closed, as is err
	err     error
}

func newFlight[T any](ask func(context.Context) (T, error)) *flight[T] {
	return &flight[T]{ask: ask, done: make(chan struct{})}
}

// start asks; landed is called when there is an answer, before anybody gets it.
func (f *flight[T]) start(landed func()) {
	ctx, cancel := context.WithCancel(context.Background()) // it belongs to all who wait, not to one
	f.cancel = cancel
	go func() {
		defer close(f.done)
		defer landed()
		defer cancel()
		f.err = syncer.Contain(func() (err error) {
			f.value, err = f.ask(ctx)
			return err
		})
	}()
}

// wait returns the answer. When ctx ends first, left is called and the error is the context's.
func (f *flight[T]) wait(ctx context.Context, left func()) (T, error) {
	select {
	case <-f.done:
		return f.value, f.err
	case <-ctx.Done():
		left()
		var none T
		return none, ctx.Err()
	}
}

// latest asks one question for many. Everybody gets an answer to a question that was asked after they came: those who come while
// one is under way wait for the next, together.
type latest[T any] struct {
	ask func(context.Context) (T, error)

	mu            sync.Mutex
	running, next *flight[T]
}

func (l *latest[T]) get(ctx context.Context) (T, error) {
	l.mu.Lock()
	f := l.next
	switch {
	case f != nil:
	case l.running != nil:
		f = newFlight(l.ask)
		l.next = f
	default:
		f = newFlight(l.ask)
		l.running = f
		f.start(l.landed)
	}
	f.waiting++
	l.mu.Unlock()
	return f.wait(ctx, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if f.waiting--; f.waiting > 0 {
			return
		}
		if l.next == f {
			l.next = nil
		} else {
			f.cancel()
		}
	})
}

func (l *latest[T]) landed() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running, l.next = l.next, nil
	if l.running != nil {
		l.running.start(l.landed)
	}
}
