package wallet

import (
	"context"
	"sync"
	"time"
)

// tasks is what goes on for somebody, until that ends and waits for it.
type tasks struct {
	life  context.Context // ends when no more may begin
	stop  context.CancelFunc
	group sync.WaitGroup

	mu    sync.Mutex
	ended bool
}

func (t *tasks) begin() { t.life, t.stop = context.WithCancel(context.Background()) }

// end ends what goes on and lets nothing begin. It does not wait.
func (t *tasks) end() {
	t.mu.Lock()
	t.ended = true
	t.mu.Unlock()
	t.stop()
}

func (t *tasks) over() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ended
}

// start runs f beside its caller and reports whether it does.
func (t *tasks) start(f func()) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended {
		return false
	}
	t.group.Go(f)
	return true
}

// grace is how long an operation has to end by itself when its context has ended. It nearly always does at once and
// says what became of it; only one that waits for others is left behind.
const grace = 100 * time.Millisecond

// run carries out f with a context that ends with ctx and with t. It returns soon after ctx ends; what f returns then
// is handed to late, unless it is an error or late is nil. Errors: f's, the context's, ErrClosed.
func run[T any](ctx context.Context, op string, t *tasks, f func(context.Context) (T, error), late func(T)) (T, error) {
	v, _, err := try(ctx, op, t, f, late)
	return v, err
}

// try is run, and reports whether f was begun.
func try[T any](ctx context.Context, op string, t *tasks, f func(context.Context) (T, error), late func(T)) (T,
	bool, error) {
	type result struct {
		value T
		err   error
	}
	var none T
	if err := ctx.Err(); err != nil {
		return none, false, failed(op, err, nil)
	}
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(t.life, cancel)()
	got, gone := make(chan result), make(chan struct{})
	started := t.start(func() {
		var r result
		r.value, r.err = f(inner)
		select {
		case got <- r:
		case <-gone:
			if r.err == nil && late != nil {
				late(r.value)
			}
		}
	})
	if !started {
		return none, false, refused(op, ErrClosed, "")
	}
	var r result
	select {
	case r = <-got:
	case <-inner.Done():
		patience := time.NewTimer(grace)
		defer patience.Stop()
		select {
		case r = <-got:
		case <-patience.C:
			close(gone)
			r.err = inner.Err()
		}
	}
	switch {
	case r.err == nil:
		return r.value, true, nil
	case ctx.Err() != nil:
		return r.value, true, failed(op, ctx.Err(), nil)
	case t.life.Err() != nil:
		return r.value, true, refused(op, ErrClosed, "")
	}
	return r.value, true, r.err
}
