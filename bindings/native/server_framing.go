package native

import (
	"bytes"
	"net"
	"net/http"
	"sync/atomic"
)

// Where a body ends can be said in two ways: by its length, or by chunks. A request that does both, or says it in chunks before there were
// any, is read by net/http, which does not tell. Whoever stands before the service may have read it in the other way, and would take what
// follows for another client's: nothing behind such a request is believed. So what comes is watched for the names of the two fields.
// Source: RFC 9112, section 6.1.

// framing is a listener whose connections are watched.
type framing struct{ net.Listener }

func (f framing) Accept() (net.Conn, error) {
	c, err := f.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &framed{Conn: c}, nil
}

// framed is a connection that knows which of the two fields it may have carried, in whatever place.
type framed struct {
	net.Conn
	length, chunks atomic.Bool
	tail           []byte // the last bytes read, which may begin a name
}

const longestName = len("transfer-encoding")

func (c *framed) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 && !(c.length.Load() && c.chunks.Load()) {
		c.watch(b[:n])
	}
	return n, err
}

func (c *framed) watch(b []byte) {
	c.look(append(c.tail, b[:min(len(b), longestName)]...))
	c.look(b)
	c.tail = append(c.tail, b[max(len(b)-longestName, 0):]...)
	c.tail = c.tail[:copy(c.tail, c.tail[max(len(c.tail)-longestName, 0):])]
}

// look notes the names in b. Both have a hyphen, which is rare elsewhere.
func (c *framed) look(b []byte) {
	for at := 0; ; at++ {
		i := bytes.IndexByte(b[at:], '-')
		if i < 0 {
			return
		}
		at += i
		if around(b, at, "content", "length") {
			c.length.Store(true)
		} else if around(b, at, "transfer", "encoding") {
			c.chunks.Store(true)
		}
	}
}

// around reports whether two words stand around b[at].
func around(b []byte, at int, before, after string) bool {
	from, to := at-len(before), at+1+len(after)
	return from >= 0 && to <= len(b) && bytes.EqualFold(b[from:at], []byte(before)) && bytes.EqualFold(b[at+1:to], []byte(after))
}

// twoWays reports whether a request's body may end elsewhere for others. With a login a body in chunks alone is none such, for its
// connection has to stay for the challenge.
func (c *framed) twoWays(r *http.Request, login bool) bool {
	if !r.ProtoAtLeast(1, 1) {
		return c.chunks.Load()
	}
	return len(r.TransferEncoding) > 0 && (!login || c.length.Load())
}
