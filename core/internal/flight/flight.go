// Package flight merges identical concurrent requests into one.
package flight

import (
	"context"
	"sync"

	"glim/core/internal/parallel"
)

// Call is one request whose result goes to all its waiters. It is cancelled when the last waiter leaves.
type Call[T any] struct {
	Waiting int // number of waiters; guarded by a mutex of the user of Call

	do     func(context.Context) (T, error)
	cancel context.CancelFunc
	done   chan struct{}
	value  T // value and err are valid when done is closed
	err    error
}

// New returns a call of do that has not started.
func New[T any](do func(context.Context) (T, error)) *Call[T] {
	return &Call[T]{do: do, done: make(chan struct{})}
}

// Start runs the call in its own goroutine. It calls finished once there is a result, before any waiter receives it.
// A panic becomes an error that wraps parallel.ErrPanic.
func (f *Call[T]) Start(finished func()) {
	ctx, cancel := context.WithCancel(context.Background()) // independent of any one waiter
	f.cancel = cancel
	go func() {
		defer close(f.done)
		defer finished()
		defer cancel()
		f.err = parallel.Contain(func() (err error) {
			f.value, err = f.do(ctx)
			return err
		})
	}()
}

// Wait returns the result. If ctx ends first, it calls left and returns the error of ctx.
func (f *Call[T]) Wait(ctx context.Context, left func()) (T, error) {
	select {
	case <-f.done:
		return f.value, f.err
	case <-ctx.Done():
		left()
		var zero T
		return zero, ctx.Err()
	}
}

// Cancel cancels a started call.
func (f *Call[T]) Cancel() { f.cancel() }

// Result returns the result, which is available once finished was called.
func (f *Call[T]) Result() (T, error) { return f.value, f.err }

// Latest merges calls of Do such that every caller gets a result that was requested after its own call: callers that
// arrive during a call share the next one.
type Latest[T any] struct {
	Do func(context.Context) (T, error)

	mu            sync.Mutex
	running, next *Call[T]
}

// Get returns the result. Errors: those of Do, the error of ctx.
func (l *Latest[T]) Get(ctx context.Context) (T, error) {
	l.mu.Lock()
	f := l.next
	switch {
	case f != nil:
	case l.running != nil:
		f = New(l.Do)
		l.next = f
	default:
		f = New(l.Do)
		l.running = f
		f.Start(l.finished)
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

func (l *Latest[T]) finished() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running, l.next = l.next, nil
	if l.running != nil {
		l.running.Start(l.finished)
	}
}

// Group is a set of Latest, each identified by a key. Its zero value is ready to use.
type Group struct {
	mu    sync.Mutex
	calls map[string]*member
}

type member struct {
	latest Latest[any]
	users  int // guarded by Group.mu
}

// Get returns the result of do, shared among concurrent callers with the same key as in Latest. do must mean the same
// for all callers that use the key.
func Get[T any](ctx context.Context, g *Group, key string, do func(context.Context) (T, error)) (T, error) {
	g.mu.Lock()
	m := g.calls[key]
	if m == nil {
		m = &member{latest: Latest[any]{Do: func(ctx context.Context) (any, error) { return do(ctx) }}}
		if g.calls == nil {
			g.calls = map[string]*member{}
		}
		g.calls[key] = m
	}
	m.users++
	g.mu.Unlock()
	defer func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		if m.users--; m.users == 0 && g.calls[key] == m {
			delete(g.calls, key)
		}
	}()
	v, err := m.latest.Get(ctx)
	if err != nil {
		var zero T
		return zero, err
	}
	return v.(T), nil
}
