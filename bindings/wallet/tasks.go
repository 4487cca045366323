package wallet

import (
	"context"
	"sync"
	"time"
)

// tasks are the goroutines of a wallet or a manager.
type tasks struct {
	life  context.Context // ends when the owner is closed; no task starts afterwards
	stop  context.CancelFunc
	group sync.WaitGroup

	mu    sync.Mutex
	ended bool
}

func (t *tasks) begin() { t.life, t.stop = context.WithCancel(context.Background()) }

// end cancels the running tasks and prevents new ones. It does not wait for them.
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

// start runs f in a goroutine, unless the tasks have ended, and reports whether it has done so.
func (t *tasks) start(f func()) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended {
		return false
	}
	t.group.Go(f)
	return true
}

// grace is how long a call waits for its operation after its context has ended. Most operations end at once and report
// their result; the call abandons only those that are blocked.
const grace = 100 * time.Millisecond

// run calls f with a context that ends with ctx and with t, and returns soon after either has ended. If f returns a
// value after that, run passes it to late, which may be nil. It returns f's error, the context's error or ErrClosed.
func run[T any](ctx context.Context, op string, t *tasks, f func(context.Context) (T, error), late func(T)) (T, error) {
	v, _, err := try(ctx, op, t, f, late)
	return v, err
}

// try is run; begun reports whether f was called.
func try[T any](
	ctx context.Context, op string, t *tasks, f func(context.Context) (T, error), late func(T),
) (value T, begun bool, err error) {
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
	results, abandoned := make(chan result), make(chan struct{})
	started := t.start(func() {
		var r result
		r.value, r.err = f(inner)
		select {
		case results <- r:
		case <-abandoned:
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
	case r = <-results:
	case <-inner.Done():
		timer := time.NewTimer(grace)
		defer timer.Stop()
		select {
		case r = <-results:
		case <-timer.C:
			close(abandoned)
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
