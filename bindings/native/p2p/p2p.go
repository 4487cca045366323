// Package p2p has the sockets of a daemon's peers: it dials, listens, limits and counts. What bytes mean, whom to dial and
// whom to drop is decided in core/p2p.
package p2p

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"glim/core/p2p"
	"glim/core/p2p/netaddr"
)

// maxLinks bounds connections, whoever opened them.
const maxLinks = 4096

// proxyTimeout is how long reaching a peer by way of a proxy may take. Source: src/cryptonote_config.h,
// P2P_DEFAULT_SOCKS_CONNECT_TIMEOUT.
const proxyTimeout = 45 * time.Second

// Config is a machine and what its host gives it.
type Config struct {
	Machine *p2p.Machine
	// Listeners let peers in; none for nobody. They are closed with the network.
	Listeners []net.Listener
	// Proxy leads to peers; nothing goes around it. Nil for none.
	Proxy *Proxy
	// IPv6 says whether peers with such addresses are called.
	IPv6 bool
	// Down and Up bound the bytes a second of all connections.
	Down, Up uint64
	// Save keeps what the machine wants to be given when it is made again. May be nil.
	Save func([]byte) error
	// Log receives what happens.
	Log *slog.Logger
}

// Network runs a machine. Methods may be called from several goroutines.
type Network struct {
	c        Config
	with     shared
	down, up atomic.Uint64

	calls  chan func() // to the machine's goroutine
	wake   chan struct{}
	mu     sync.Mutex
	posted []func()

	end    context.Context // ends all that waits
	cancel context.CancelFunc
	over   chan struct{} // closed when the machine has stopped
	all    sync.WaitGroup

	// Of the machine's goroutine.
	links map[p2p.ConnID]*link
	last  p2p.ConnID
	saves chan []byte // holds the last one

	judging chan struct{} // one waits: there are jobs
	waiting []*p2p.Job    // guarded by mu
}

// Start runs a machine until Close.
func Start(c Config) *Network {
	n := &Network{c: c, calls: make(chan func()), wake: make(chan struct{}, 1), over: make(chan struct{}),
		links: map[p2p.ConnID]*link{}, saves: make(chan []byte, 1), judging: make(chan struct{}, 1)}
	n.end, n.cancel = context.WithCancel(context.Background())
	n.down.Store(c.Down)
	n.up.Store(c.Up)
	n.with = shared{
		down: NewThrottle(c.Down), up: NewThrottle(c.Up),
		received: func(l *link, b []byte) {
			n.do(func(m *p2p.Machine, now time.Time) { m.Received(now, l.id, b) })
		},
		sent:   func(l *link, k int) { n.do(func(m *p2p.Machine, now time.Time) { m.Sent(now, l.id, k) }) },
		closed: n.closed,
	}
	n.all.Go(n.judge)
	n.all.Go(n.save)
	for _, l := range c.Listeners {
		n.all.Go(func() { n.accept(l) })
	}
	go n.run()
	return n
}

// run is the machine's goroutine.
func (n *Network) run() {
	defer close(n.over)
	tick := time.NewTicker(time.Second / 4)
	defer tick.Stop()
	n.c.Machine.Tick(time.Now())
	for {
		n.obey()
		select {
		case f := <-n.calls:
			n.catchUp() // what was posted before comes first
			f()
		case <-n.wake:
			n.catchUp()
		case now := <-tick.C:
			n.c.Machine.Tick(now)
		case <-n.end.Done():
			n.c.Machine.Stop(time.Now())
			n.obey()
			close(n.saves)
			for _, l := range n.links {
				l.leave()
			}
			return
		}
	}
}

// catchUp calls what was posted.
func (n *Network) catchUp() {
	n.mu.Lock()
	posted := n.posted
	n.posted = nil
	n.mu.Unlock()
	for _, f := range posted {
		f()
	}
}

// Do calls f on the machine's goroutine and returns when that has returned; false, and f is not called, when the network has ended.
// Neither f nor what it calls may use the network.
func (n *Network) Do(f func(m *p2p.Machine, now time.Time)) bool { return n.do(f) }

func (n *Network) do(f func(*p2p.Machine, time.Time)) bool {
	done := make(chan struct{})
	call := func() {
		f(n.c.Machine, time.Now())
		close(done)
	}
	select {
	case n.calls <- call:
	case <-n.over:
		return false
	}
	<-done
	return true
}

// Post calls f on the machine's goroutine some time, after what was posted before, and does not wait.
func (n *Network) Post(f func(m *p2p.Machine, now time.Time)) {
	n.mu.Lock()
	n.posted = append(n.posted, func() { f(n.c.Machine, time.Now()) })
	n.mu.Unlock()
	nudge(n.wake)
}

// nudge wakes who waits for one of a channel, now or later.
func nudge(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Limits returns how many bytes a second all connections have, down and up.
func (n *Network) Limits() (down, up uint64) { return n.down.Load(), n.up.Load() }

// SetLimits changes them, from now on.
func (n *Network) SetLimits(down, up uint64) {
	n.down.Store(down)
	n.up.Store(up)
	n.with.down.Set(down)
	n.with.up.Set(up)
}

// Close takes leave of all peers, which may take a few seconds, and returns when nothing goes on any more.
func (n *Network) Close() error {
	n.cancel()
	<-n.over
	for _, l := range n.c.Listeners {
		_ = l.Close()
	}
	n.all.Wait()
	return nil
}

// obey carries out what the machine asks for.
func (n *Network) obey() {
	for _, a := range n.c.Machine.Drain() {
		switch a := a.(type) {
		case p2p.Send:
			if l := n.links[a.Conn]; l != nil {
				n.relieve(l, len(a.Bytes))
				l.send(a.Bytes)
			}
		case p2p.Close:
			if l := n.links[a.Conn]; l != nil {
				n.c.Log.Debug("peer left", "address", l.conn.RemoteAddr().String(), "reason", string(a.Reason))
				l.leave()
			}
		case p2p.Pause:
			if l := n.links[a.Conn]; l != nil {
				l.pause(true)
			}
		case p2p.Resume:
			if l := n.links[a.Conn]; l != nil {
				l.pause(false)
			}
		case p2p.Dial:
			n.all.Go(func() { n.dial(a) })
		case p2p.Judge:
			n.mu.Lock()
			n.waiting = append(n.waiting, a.Job)
			n.mu.Unlock()
			nudge(n.judging)
		case p2p.Save:
			select {
			case <-n.saves:
			default:
			}
			n.saves <- a.State
		}
	}
}

// relieve ends the links that most waits for, until there is room for so many bytes to another: who reads is served whoever does not.
func (n *Network) relieve(to *link, size int) {
	for n.with.queued.Load()+int64(size) > maxAllQueue {
		most, bytes := to, to.waits()+size
		for _, l := range n.links {
			if waits := l.waits(); waits > bytes {
				most, bytes = l, waits
			}
		}
		if most.close(errFull); most == to {
			return
		}
	}
}

// join makes a link of a connection. It is for the machine's goroutine.
func (n *Network) join(c net.Conn) *link {
	n.last++
	l := newLink(n.last, c, &n.with)
	n.links[l.id] = l
	n.all.Go(l.run)
	return l
}

func (n *Network) closed(l *link, why error) {
	n.do(func(m *p2p.Machine, now time.Time) {
		n.c.Log.Debug("connection ended", "address", l.conn.RemoteAddr().String(), "reason", why)
		delete(n.links, l.id)
		m.Closed(now, l.id)
	})
}

// accept lets peers in until its listener is closed.
func (n *Network) accept(listener net.Listener) {
	for {
		c, err := listener.Accept()
		if err != nil {
			if n.end.Err() != nil {
				return
			}
			// Most likely there are too many open files. Those who are here go on.
			n.c.Log.Warn("nobody comes in", "error", err)
			select {
			case <-time.After(time.Second):
				continue
			case <-n.end.Done():
				return
			}
		}
		from := addressOf(c.RemoteAddr())
		in := from.Valid() && n.do(func(m *p2p.Machine, now time.Time) {
			if len(n.links) < maxLinks {
				m.Accepted(now, n.join(c).id, from)
				return
			}
			_ = c.Close()
		})
		if !in {
			_ = c.Close()
		}
	}
}

// errNoPing: who has come in is not tried where he says he is reached when everything goes through a proxy.
// Source: src/p2p/net_node.inl, m_can_pingback.
var errNoPing = errors.New("no pings through a proxy")

// dial reaches a peer, or tells that it did not.
func (n *Network) dial(a p2p.Dial) {
	limit := time.Duration(a.Purpose.Seconds()) * time.Second
	if n.c.Proxy != nil {
		limit = proxyTimeout
	}
	ctx, cancel := context.WithTimeout(n.end, limit)
	defer cancel()
	var c net.Conn
	err := errNoPing
	if n.c.Proxy == nil || a.Purpose != p2p.ToPing {
		c, err = n.reach(ctx, a.Address)
	}
	called := n.do(func(m *p2p.Machine, now time.Time) {
		switch {
		case err != nil:
			n.c.Log.Debug("peer not reached", "address", a.Address.String(), "error", err)
			m.DialFailed(now, a.ID)
		case len(n.links) >= maxLinks:
			_ = c.Close()
			m.DialFailed(now, a.ID)
		default:
			m.Dialed(now, a.ID, n.join(c).id)
		}
	})
	if !called && err == nil {
		_ = c.Close()
	}
}

func (n *Network) reach(ctx context.Context, a netaddr.Address) (net.Conn, error) {
	ip, valid := netip.AddrFromSlice(a.Bytes())
	if !valid || a.Kind == netaddr.IPv6 && !n.c.IPv6 {
		return nil, &net.AddrError{Err: "not called", Addr: a.String()}
	}
	to := netip.AddrPortFrom(ip, a.Port)
	var d net.Dialer
	if n.c.Proxy != nil {
		return n.c.Proxy.dial(ctx, &d, to)
	}
	return d.DialContext(ctx, "tcp", to.String())
}

// addressOf returns an address of a socket, no valid one of what has none.
func addressOf(a net.Addr) netaddr.Address {
	p, err := netip.ParseAddrPort(a.String())
	if err != nil {
		return netaddr.Address{}
	}
	return netaddr.From(p.Addr().Unmap().AsSlice(), p.Port())
}

// judge does jobs one after the other.
func (n *Network) judge() {
	for {
		select {
		case <-n.judging:
		case <-n.end.Done():
			return
		}
		n.mu.Lock()
		jobs := n.waiting
		n.waiting = nil
		n.mu.Unlock()
		for _, j := range jobs {
			if n.end.Err() != nil {
				return
			}
			j.Do()
			n.do(func(m *p2p.Machine, now time.Time) { m.Judged(now, j) })
		}
	}
}

// save stores what the machine wants stored, the last of it at the end.
func (n *Network) save() {
	for state := range n.saves {
		if n.c.Save == nil {
			continue
		}
		if err := n.c.Save(state); err != nil {
			n.c.Log.Error("peers not stored", "error", err)
		}
	}
}
