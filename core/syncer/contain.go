package syncer

import (
	"errors"
	"runtime"

	"glim/core/say"
)

// ErrPanic reports work on a daemon's answer that panicked.
var ErrPanic = errors.New("syncer: a fault in the program")

// Contain runs f and makes an error, ErrPanic, of a panic. Goroutines that work on what a daemon sent run in it: there
// a panic could not be caught by whoever waits for them and would end the process, again with every start.
func Contain(f func() error) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case runtime.Error:
			err = say.Errorf("%w: %w", ErrPanic, p)
		default: // its text could say anything
			err = say.Errorf("%w: %T", ErrPanic, p)
		}
	}()
	return f()
}
