package native

import (
	"crypto/tls"
	"errors"
	"net"
	"net/netip"
	"sync"
	"time"

	"glim/bindings/internal/holder"
)

// places are the connections that a server may have at once, on all its listeners together. When they are taken, or those of one host, a connection
// that nothing is being done for gives way to a new one: whoever comes is served, however many connections others hold and say nothing on. A request
// that is being carried out is never cut.
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

// standing is what a connection is worth when one has to give way: lower ones go first.
type standing int

const (
	waiting standing = iota // for a request, its head, or a login
	sending                 // a body to a service without a login
	known                   // as waiting, and has shown the login
	serving                 // a request is carried out and answered; it never gives way
)

// most returns how many connections a host may have: never all.
func (p *places) most(from netip.Addr) int {
	most := p.limits.ConnectionsPublic
	if from.IsLoopback() || from.IsPrivate() || from.IsLinkLocalUnicast() {
		most = p.limits.ConnectionsLocal
	}
	return max(min(most, p.limits.Connections-1), 1)
}

// enter gives a connection a place. It returns the connection that has to make room, if one must; ok is false when no place can be had.
func (p *places) enter(c *limitedConn) (out *limitedConn, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.from[c.from] >= p.most(c.from):
		out = p.first(func(host netip.Addr) bool { return host == c.from })
	case len(p.all) >= p.limits.Connections:
		// Of the hosts with more than the newcomer's, or the newcomer's own: so each host comes to its share, and none takes another's.
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

// first returns who gives way first among the connections of some hosts, nil when all are being served. Those who have shown the login go last; of the
// others the host with most connections loses one, and of its connections the one that has waited longest.
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

// count returns how many connections there are, how many found no place, and how many gave way, since the beginning.
func (p *places) count() (open int, refused, gaveWay uint64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.all), p.refused, p.gaveWay
}

// limitConnections lets connections in that find a place, and closes the others.
func limitConnections(l net.Listener, p *places) *limitedListener {
	return &limitedListener{Listener: l, places: p}
}

type limitedListener struct {
	net.Listener
	places *places
	failed func(error) // told when nobody can be let in, once until somebody is; unless nil

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
		c := &limitedConn{Conn: conn, places: l.places, from: holder.Of(conn.RemoteAddr())}
		out, ok := l.places.enter(c)
		if out != nil {
			_ = socket(out.Conn).Close() // its own goroutine finds out, and closes the rest
		}
		if ok {
			return c, nil
		}
		_ = socket(conn).Close()
	}
}

// socket returns what is below TLS: closing that says no goodbye, for which a client might let us wait.
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

// tell tells that the system lets nobody in, as when a process has all the files it may have: nothing else says so.
func (l *limitedListener) tell(err error) {
	l.mu.Lock()
	begins := err != nil && !l.failing && !errors.Is(err, net.ErrClosed)
	l.failing = err != nil
	l.mu.Unlock()
	if begins && l.failed != nil {
		l.failed(err)
	}
}

// limitedConn is a connection that has a place.
type limitedConn struct {
	net.Conn
	places *places
	from   netip.Addr

	// guarded by places.mu
	standing standing
	since    time.Time // it waits like this
	login    bool      // it has shown the login
}

func (c *limitedConn) Close() error {
	c.places.mu.Lock()
	c.places.remove(c)
	c.places.mu.Unlock()
	return c.Conn.Close()
}

// becomes changes what the connection is worth; false when it has lost its place.
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
	// Whoever has not shown the login is as old as his connection, however busily he asks for one.
	if s != waiting || c.standing == serving {
		c.since = time.Now()
	}
	c.standing = s
	return true
}

// loggedIn notes that the client has shown the login.
func (c *limitedConn) loggedIn() {
	c.places.mu.Lock()
	defer c.places.mu.Unlock()
	c.login = true
}

// placeOf returns the connection that has the place, from what is read through.
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
