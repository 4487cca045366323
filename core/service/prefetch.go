package service

import (
	"glim/core/decoy"
	"glim/core/internal/parallel"
	"glim/core/session"
)

// inBackground calls ask in another goroutine. The returned function waits for the result and may be called repeatedly.
// A panic of ask becomes an error.
func inBackground(ask func() error) func() error {
	done := make(chan struct{})
	var err error
	go func() {
		defer close(done)
		err = parallel.Contain(ask)
	}()
	return func() error {
		<-done
		return err
	}
}

// prefetchedOutputs is a daemon's output distribution, requested before it is known which outputs are spent.
type prefetchedOutputs struct {
	of    *connection
	wait  func() error // waits for the response
	where *decoy.Distribution
	next  session.Paths // after the next hard fork, instead of the others
}
