package syncer

import (
	"context"

	"glim/core/internal/parallel"
	"glim/core/scan"
)

// ErrPanic reports that the program panicked while it processed a daemon's answer.
var ErrPanic = parallel.ErrPanic

// Workers are the goroutines that decode and scan. The zero Workers are one goroutine.
type Workers struct {
	Count int // number of goroutines
	// LowPriority, if not nil, runs work at a lower scheduling priority and returns when it is done.
	LowPriority func(work func())
	// Yield, if not nil, is called after each piece of work, for a host whose goroutines share one thread with its
	// callers.
	Yield func()
	// Scan, if not nil, scans transactions elsewhere, such as in another worker of a browser. It is called from
	// several goroutines. Its result is used like one of Scanner.Run.
	Scan func(ctx context.Context, job scan.Job) (scan.Result, error)
}

// For calls work with 0 to n − 1, in any order, until a call fails or ctx ends, and returns when all calls have
// returned. It returns the errors of work, ErrPanic, or the error of ctx.
func (w Workers) For(ctx context.Context, n int, work func(i int) error) error {
	return parallel.Pool{Workers: w.Count, LowPriority: w.LowPriority, Yield: w.Yield}.For(ctx, n, work)
}
