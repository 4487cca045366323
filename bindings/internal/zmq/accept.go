package zmq

import (
	"errors"
	"iter"
	"net"
	"time"
)

// accepted returns the connections of a listener until it is closed. After a failure, such as too many open files, it
// calls failed and tries again after a while.
func accepted(l net.Listener, failed func(error)) iter.Seq[net.Conn] {
	return func(yield func(net.Conn) bool) {
		for wait := time.Duration(0); ; {
			conn, err := l.Accept()
			switch {
			case errors.Is(err, net.ErrClosed):
				return
			case err != nil:
				wait = min(2*wait+10*time.Millisecond, time.Second)
				failed(err)
				time.Sleep(wait)
				continue
			}
			wait = 0
			if !yield(conn) {
				return
			}
		}
	}
}
