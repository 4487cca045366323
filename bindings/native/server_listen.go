package native

import (
	"errors"
	"net"
	"net/netip"
	"sync"
)

// limitConnections refuses connections over the limits by closing them.
func limitConnections(l net.Listener, limits ServerLimits) *limitedListener {
	return &limitedListener{Listener: l, limits: limits, from: map[netip.Addr]int{}}
}

type limitedListener struct {
	net.Listener
	limits ServerLimits
	failed func(error) // told when nobody can be let in, once until somebody is; unless nil

	mu      sync.Mutex
	failing bool
	all     int
	from    map[netip.Addr]int
	refused uint64
}

func (l *limitedListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		l.tell(err)
		if err != nil {
			return nil, err
		}
		from := holder(addressOf(c.RemoteAddr()))
		if l.enter(from) {
			return &limitedConn{Conn: c, leave: sync.OnceFunc(func() { l.leave(from) })}, nil
		}
		_ = c.Close()
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

func (l *limitedListener) enter(from netip.Addr) bool {
	most := l.limits.ConnectionsPublic
	if from.IsLoopback() || from.IsPrivate() || from.IsLinkLocalUnicast() {
		most = l.limits.ConnectionsLocal
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all >= l.limits.Connections || l.from[from] >= most {
		l.refused++
		return false
	}
	l.all++
	l.from[from]++
	return true
}

func (l *limitedListener) leave(from netip.Addr) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all--
	if l.from[from]--; l.from[from] == 0 {
		delete(l.from, from)
	}
}

type limitedConn struct {
	net.Conn
	leave func()
}

func (c *limitedConn) Close() error {
	err := c.Conn.Close()
	c.leave()
	return err
}

// holder returns what one client has for certain no more than one of: his address, or of IPv6 the network of 2^64 addresses that everybody is given.
func holder(a netip.Addr) netip.Addr {
	if a.Is6() && !a.IsLoopback() && !a.IsLinkLocalUnicast() {
		if p, err := a.Prefix(64); err == nil {
			return p.Addr()
		}
	}
	return a
}

// addressOf returns a's IP address, invalid for what has none.
func addressOf(a net.Addr) netip.Addr {
	p, err := netip.ParseAddrPort(a.String())
	if err != nil {
		return netip.Addr{}
	}
	return p.Addr().WithZone("").Unmap()
}
