package native

import (
	"crypto/tls"
	"errors"
	"net"
	"net/netip"
	"sync"
	"time"

	"glim/bindings/internal/clientaddr"
)

// places tracks and limits the open connections of a server, on all its listeners together. When the limit of the
// server or of one host is reached, a new connection closes an idle one, so that idle connections cannot lock out other
// clients. A connection with a request in progress is never closed.
type places struct {
	limits ServerLimits

	mu      sync.Mutex
	all     map[*limitedConn]struct{}
	from    map[netip.Addr]int
	refused uint64
	gaveWay uint64
}

func newPlaces(limits ServerLimits) *places {
	return &places{limits: limits, all: map[*limitedConn]struct{}{}, from: map[netip.Addr]int{}}
}

// standing is the rank of a connection when one must be closed: lower ones are closed first.
type standing int

const (
	waiting standing = iota // waits for a request, the rest of its header, or a login
	sending                 // is sending a body to a service without a login
	known                   // like waiting, after a successful login
	serving                 // has a request in progress; the connection is never closed
)

// most returns the number of connections that a host may have. It is less than Connections, but at least 1.
func (p *places) most(from netip.Addr) int {
	most := p.limits.ConnectionsPublic
	if from.IsLoopback() || from.IsPrivate() || from.IsLinkLocalUnicast() {
		most = p.limits.ConnectionsLocal
	}
	return max(min(most, p.limits.Connections-1), 1)
}

// enter registers a connection. out is the connection to close in exchange, or nil. ok is false if the connection must
// be refused.
func (p *places) enter(c *limitedConn) (out *limitedConn, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.from[c.from] >= p.most(c.from):
		out = p.first(func(host netip.Addr) bool { return host == c.from })
	case len(p.all) >= p.limits.Connections:
		// Close only a connection of the same host or of one with more connections, so that every host keeps its share.
		out = p.first(func(host netip.Addr) bool { return host == c.from || p.from[host] > p.from[c.from] })
	default:
		ok = true
	}
	if out != nil {
		p.remove(out)
		p.gaveWay++
		ok = true
	}
	if !ok {
		p.refused++
		return nil, false
	}
	c.since = time.Now()
	p.all[c] = struct{}{}
	p.from[c.from]++
	return out, true
}

// first returns the connection to close first among those of the hosts for which of returns true, or nil if all have a
// request in progress. Connections with a successful login are closed last. Among the others, it returns the connection
// that has waited longest of the host with the most connections.
func (p *places) first(of func(host netip.Addr) bool) (out *limitedConn) {
	for c := range p.all {
		if c.standing < serving && of(c.from) && (out == nil || p.before(c, out)) {
			out = c
		}
	}
	return out
}

func (p *places) before(a, b *limitedConn) bool {
	switch {
	case (a.standing == known) != (b.standing == known):
		return b.standing == known
	case p.from[a.from] != p.from[b.from]:
		return p.from[a.from] > p.from[b.from]
	case a.standing != b.standing:
		return a.standing < b.standing
	}
	return a.since.Before(b.since)
}

func (p *places) remove(c *limitedConn) {
	if _, ok := p.all[c]; !ok {
		return
	}
	delete(p.all, c)
	if p.from[c.from]--; p.from[c.from] == 0 {
		delete(p.from, c.from)
	}
}

// count returns the number of open connections, and the numbers of connections that were refused, and closed in favour
// of others, since the start.
func (p *places) count() (open int, refused, gaveWay uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.all), p.refused, p.gaveWay
}

// limitConnections returns a listener that accepts connections for which there is a place and closes the others.
func limitConnections(l net.Listener, p *places) *limitedListener {
	return &limitedListener{Listener: l, places: p}
}

type limitedListener struct {
	net.Listener
	places *places
	failed func(error) // if not nil, called on the first failure of Accept after a success

	mu      sync.Mutex
	failing bool
}

func (l *limitedListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		l.tell(err)
		if err != nil {
			return nil, err
		}
		c := &limitedConn{Conn: conn, places: l.places, from: clientaddr.LimitKey(conn.RemoteAddr())}
		out, ok := l.places.enter(c)
		if out != nil {
			_ = socket(out.Conn).Close() // its own goroutine notices and cleans up
		}
		if ok {
			return c, nil
		}
		_ = socket(conn).Close()
	}
}

// socket returns the connection below TLS. Closing it sends no close_notify, which could block on the client.
func socket(c net.Conn) net.Conn {
	for {
		switch over := c.(type) {
		case *tls.Conn:
			c = over.NetConn()
		case *detected:
			c = over.Conn
		case *replayed:
			c = over.Conn
		default:
			return c
		}
	}
}

// tell calls failed at the first of several consecutive failures of Accept, for example because the process has too
// many open files. Nothing else reports them.
func (l *limitedListener) tell(err error) {
	l.mu.Lock()
	begins := err != nil && !l.failing && !errors.Is(err, net.ErrClosed)
	l.failing = err != nil
	l.mu.Unlock()
	if begins && l.failed != nil {
		l.failed(err)
	}
}

// limitedConn is a connection that counts towards the limits in places.
type limitedConn struct {
	net.Conn
	places *places
	from   netip.Addr

	// guarded by places.mu
	standing standing
	since    time.Time // start of the current standing
	login    bool      // the client has logged in
}

func (c *limitedConn) Close() error {
	c.places.mu.Lock()
	c.places.remove(c)
	c.places.mu.Unlock()
	return c.Conn.Close()
}

// becomes changes the standing of the connection. It returns false if the connection is no longer registered.
func (c *limitedConn) becomes(s standing) bool {
	if c == nil { // in tests
		return true
	}
	c.places.mu.Lock()
	defer c.places.mu.Unlock()
	if _, ok := c.places.all[c]; !ok {
		return false
	}
	if s == waiting && c.login {
		s = known
	}
	// Requests without a successful login do not renew the age of a connection.
	if s != waiting || c.standing == serving {
		c.since = time.Now()
	}
	c.standing = s
	return true
}

// loggedIn records a successful login.
func (c *limitedConn) loggedIn() {
	if c == nil { // in tests
		return
	}
	c.places.mu.Lock()
	defer c.places.mu.Unlock()
	c.login = true
}

// placeOf returns the limitedConn below the wrappers of a connection, or nil.
func placeOf(c net.Conn) *limitedConn {
	for {
		switch over := c.(type) {
		case *framed:
			c = over.Conn
		case *replayed:
			c = over.Conn
		case *limitedConn:
			return over
		default:
			return nil
		}
	}
}
