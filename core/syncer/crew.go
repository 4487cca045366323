package syncer

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"glim/core/scan"
)

// Crew is what a host lets scanning have of its processors. The zero Crew is one goroutine.
type Crew struct {
	// Size is how many goroutines work at the same time.
	Size int
	// Behind runs work so that whatever else the process does comes first, and returns when it is done. Nil runs it like anything else.
	Behind func(work func())
	// Scan looks through a run of transactions somewhere else, such as in another worker of a browser; calls come from several
	// goroutines. What it returns is taken as Scanner.Run's would be. Nil scans here.
	Scan func(ctx context.Context, job scan.Job) (scan.Result, error)
	// Between is called after each piece of work, for a host whose goroutines share one thread with what calls them. Nil is nobody.
	Between func()
}

// Split calls work with every number below n, spread over the crew, until one fails or ctx ends. Errors: work's, ErrPanic, the
// context's.
func (c Crew) Split(ctx context.Context, n int, work func(i int) error) error {
	var next atomic.Int64
	errs := make([]error, min(max(c.Size, 1), max(n, 1)))
	var group sync.WaitGroup
	for own := range errs {
		run := func() {
			for errs[own] = ctx.Err(); errs[own] == nil; {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				errs[own] = Contain(func() error { return work(i) })
				if c.Between != nil {
					c.Between()
				}
				if errs[own] != nil {
					next.Store(int64(n)) // the others need not go on
				} else {
					errs[own] = ctx.Err()
				}
			}
		}
		group.Go(func() {
			if c.Behind == nil {
				run()
			} else {
				c.Behind(run)
			}
		})
	}
	group.Wait()
	return errors.Join(errs...)
}
