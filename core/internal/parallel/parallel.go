// Package parallel runs independent pieces of work on several goroutines.
//
// A panic in a piece of work never ends the process: a goroutine of this package recovers it and hands it to the
// caller. Where work returns an error, the caller gets an error that wraps ErrPanic; where it does not (For, ForN),
// the caller panics with the same value.
package parallel

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"

	"glim/core/smallfmt"
)

// ErrPanic reports that a piece of work panicked.
var ErrPanic = errors.New("internal error")

// Contain calls f and turns a panic into an error that wraps ErrPanic. A goroutine that handles untrusted data runs
// in it, because nothing else can recover its panic. The text of a panic is kept for a runtime.Error only: any other
// value might contain a secret.
func Contain(f func() error) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case runtime.Error:
			err = smallfmt.Errorf("%w: %w", ErrPanic, p)
		default:
			err = smallfmt.Errorf("%w: %T", ErrPanic, p)
		}
	}()
	return f()
}

// For calls work with 0 to n − 1, in any order, on as many goroutines as Go uses processors, and returns when all
// calls have returned. After a panic, no further call starts and For panics with the same value.
func For(n int, work func(i int)) { ForN(runtime.GOMAXPROCS(0), n, work) }

// ForN is For with at most the given number of goroutines.
func ForN(workers, n int, work func(i int)) {
	if min(workers, n) < 2 {
		for i := range n {
			work(i)
		}
		return
	}
	var once sync.Once
	var cause any
	each(workers, n, func(run func()) { run() }, func(i int) (ok bool) {
		defer func() {
			if p := recover(); p != nil {
				once.Do(func() { cause = p })
			}
		}()
		work(i)
		return true
	})
	if cause != nil {
		panic(cause)
	}
}

// Pool is a set of goroutines for work that can fail. The zero Pool is one goroutine.
type Pool struct {
	Workers int // number of goroutines
	// LowPriority, if not nil, runs work at a lower scheduling priority and returns when it is done.
	LowPriority func(work func())
	// Yield, if not nil, is called after each piece of work.
	Yield func()
}

// For calls work with 0 to n − 1, in any order, until a call fails or ctx ends, and returns when all calls have
// returned. It returns the errors of work, ErrPanic, or the error of ctx.
func (p Pool) For(ctx context.Context, n int, work func(i int) error) error {
	var mu sync.Mutex
	var errs []error
	around := p.LowPriority
	if around == nil {
		around = func(run func()) { run() }
	}
	each(p.Workers, n, around, func(i int) bool {
		err := ctx.Err()
		if err == nil {
			err = Contain(func() error { return work(i) })
			if p.Yield != nil {
				p.Yield()
			}
		}
		if err != nil {
			mu.Lock()
			errs = append(errs, err)
			mu.Unlock()
		}
		return err == nil
	})
	if len(errs) == 0 {
		return ctx.Err()
	}
	return errors.Join(errs...)
}

// each calls work with 0 to n − 1 on at least one and at most min(workers, n) goroutines, one of them the caller's,
// each inside around, until a call returns false.
func each(workers, n int, around func(run func()), work func(i int) bool) {
	var next atomic.Int64
	run := func() {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			if !work(i) {
				next.Store(int64(n)) // the other goroutines stop as well
			}
		}
	}
	var group sync.WaitGroup
	for range min(workers, n) - 1 {
		group.Go(func() { around(run) })
	}
	around(run)
	group.Wait()
}
