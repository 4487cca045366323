// Package flight asks a question once for all who have it at the same time.
package flight

import (
	"context"
	"sync"

	"glim/core/syncer"
)

// Flight is a question under way, whose answer goes to all who wait for it. It is given up when nobody does any more.
type Flight[T any] struct {
	Waiting int // how many; guarded by whoever made it

	ask    func(context.Context) (T, error)
	cancel context.CancelFunc
	done   chan struct{}
	value  T // valid when done is closed, as is err
	err    error
}

// New returns a question that is not asked yet.
func New[T any](ask func(context.Context) (T, error)) *Flight[T] {
	return &Flight[T]{ask: ask, done: make(chan struct{})}
}

// Start asks; landed is called when there is an answer, before anybody gets it. A panic becomes an error.
func (f *Flight[T]) Start(landed func()) {
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

// Wait returns the answer. When ctx ends first, left is called and the error is the context's.
func (f *Flight[T]) Wait(ctx context.Context, left func()) (T, error) {
	select {
	case <-f.done:
		return f.value, f.err
	case <-ctx.Done():
		left()
		var none T
		return none, ctx.Err()
	}
}

// Cancel gives a started question up.
func (f *Flight[T]) Cancel() { f.cancel() }

// Landed returns the answer, which is there once landed was called.
func (f *Flight[T]) Landed() (T, error) { return f.value, f.err }

// Latest asks one question for many. Everybody gets an answer to a question that was asked after they came: those who come while
// one is under way wait for the next, together.
type Latest[T any] struct {
	Ask func(context.Context) (T, error)

	mu            sync.Mutex
	running, next *Flight[T]
}

// Get returns the answer. Errors: Ask's; the context's own.
func (l *Latest[T]) Get(ctx context.Context) (T, error) {
	l.mu.Lock()
	f := l.next
	switch {
	case f != nil:
	case l.running != nil:
		f = New(l.Ask)
		l.next = f
	default:
		f = New(l.Ask)
		l.running = f
		f.Start(l.landed)
	}
	f.Waiting++
	l.mu.Unlock()
	return f.Wait(ctx, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if f.Waiting--; f.Waiting > 0 {
			return
		}
		if l.next == f {
			l.next = nil
		} else {
			f.Cancel()
		}
	})
}

func (l *Latest[T]) landed() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running, l.next = l.next, nil
	if l.running != nil {
		l.running.Start(l.landed)
	}
}

// Group is Latest for many questions, known by a text. Its zero value is ready.
type Group struct {
	mu   sync.Mutex
	asks map[string]*member
}

type member struct {
	latest Latest[any]
	users  int // guarded by Group.mu
}

// Get asks the question named key, or waits for who asks it, as Latest does. ask must mean the same for all who use the key.
func Get[T any](ctx context.Context, g *Group, key string, ask func(context.Context) (T, error)) (T, error) {
	g.mu.Lock()
	m := g.asks[key]
	if m == nil {
		m = &member{latest: Latest[any]{Ask: func(ctx context.Context) (any, error) { return ask(ctx) }}}
		if g.asks == nil {
			g.asks = map[string]*member{}
		}
		g.asks[key] = m
	}
	m.users++
	g.mu.Unlock()
	defer func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		if m.users--; m.users == 0 && g.asks[key] == m {
			delete(g.asks, key)
		}
	}()
	v, err := m.latest.Get(ctx)
	if err != nil {
		var none T
		return none, err
	}
	return v.(T), nil
}
