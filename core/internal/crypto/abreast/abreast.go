// Package abreast does on every processor what does not depend on one another.
package abreast

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Do calls f with 0 to n − 1, in any order and several at a time where there are several processors, and returns when all have returned.
// A panic of one of them is a panic of Do.
func Do(n int, f func(i int)) {
	workers := min(n, runtime.GOMAXPROCS(0))
	if workers < 2 {
		for i := range n {
			f(i)
		}
		return
	}
	var (
		next  atomic.Int64
		group sync.WaitGroup
		once  sync.Once
		cause any
	)
	work := func() {
		defer func() {
			if p := recover(); p != nil {
				once.Do(func() { cause = p })
			}
		}()
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			f(i)
		}
	}
	for range workers - 1 {
		group.Go(work)
	}
	work()
	group.Wait()
	if cause != nil {
		panic(cause)
	}
}
