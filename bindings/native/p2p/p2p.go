// Package p2p provides the sockets for peers: it dials, listens, limits rates and counts bytes. The protocol, and the
// decisions about connections, are in core/p2p.
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

// maxConnections limits the connections of both directions.
const maxConnections = 4096

// proxyTimeout limits the time to reach a peer through a proxy. Source: src/cryptonote_config.h,
// P2P_DEFAULT_SOCKS_CONNECT_TIMEOUT.
const proxyTimeout = 45 * time.Second

// Config configures a Network.
type Config struct {
	Machine *p2p.Machine
	// Listeners accept peers; may be empty. Close closes them.
	Listeners []net.Listener
	// Proxy is used for all outgoing connections. May be nil.
	Proxy *Proxy
	// IPv6 enables connections to IPv6 addresses.
	IPv6 bool
	// Down and Up limit the rates of all connections together, in bytes a second.
	Down, Up uint64
	// Save stores the state for the next p2p.New. May be nil.
	Save func([]byte) error
	// Log is the log.
	Log *slog.Logger
}

// Network runs a machine. Methods are safe for concurrent use.
type Network struct {
	c        Config
	shared   shared
	down, up atomic.Uint64

	calls  chan func() // to the machine's goroutine
	wake   chan struct{}
	mu     sync.Mutex
	posted []func()

	end    context.Context // cancelled by Close
	cancel context.CancelFunc
	over   chan struct{} // closed after the machine has stopped
	all    sync.WaitGroup

	// Used by the machine's goroutine only.
	connections map[p2p.ConnID]*connection
	last        p2p.ConnID
	saves       chan []byte // has at most the latest state

	verifying chan struct{} // has an element if there may be jobs
	waiting   []*p2p.Job    // guarded by mu
}

// Start runs a machine until Close.
func Start(c Config) *Network {
	n := &Network{c: c, calls: make(chan func()), wake: make(chan struct{}, 1), over: make(chan struct{}),
		connections: map[p2p.ConnID]*connection{}, saves: make(chan []byte, 1), verifying: make(chan struct{}, 1)}
	n.end, n.cancel = context.WithCancel(context.Background())
	n.down.Store(c.Down)
	n.up.Store(c.Up)
	n.shared = shared{
		down: NewThrottle(c.Down), up: NewThrottle(c.Up),
		received: func(l *connection, b []byte) {
			n.do(func(m *p2p.Machine, now time.Time) { m.Received(now, l.id, b) })
		},
		sent:   func(l *connection, k int) { n.do(func(m *p2p.Machine, now time.Time) { m.Sent(now, l.id, k) }) },
		closed: n.closed,
	}
	n.all.Go(n.verify)
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
			n.catchUp() // earlier calls of Post come first
			f()
		case <-n.wake:
			n.catchUp()
		case now := <-tick.C:
			n.c.Machine.Tick(now)
		case <-n.end.Done():
			n.c.Machine.Stop(time.Now())
			n.obey()
			close(n.saves)
			for _, l := range n.connections {
				l.leave()
			}
			return
		}
	}
}

// catchUp runs the functions of Post.
func (n *Network) catchUp() {
	n.mu.Lock()
	posted := n.posted
	n.posted = nil
	n.mu.Unlock()
	for _, f := range posted {
		f()
	}
}

// Do calls f on the machine's goroutine and waits for it. It returns false, without calling f, if the network has
// ended. f must not use the network.
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

// Post calls f on the machine's goroutine later, after the functions posted before, without waiting.
func (n *Network) Post(f func(m *p2p.Machine, now time.Time)) {
	n.mu.Lock()
	n.posted = append(n.posted, func() { f(n.c.Machine, time.Now()) })
	n.mu.Unlock()
	nudge(n.wake)
}

// nudge puts an element into a channel with a buffer of one, unless there is one.
func nudge(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Limits returns the rate limits of all connections together, in bytes a second.
func (n *Network) Limits() (down, up uint64) { return n.down.Load(), n.up.Load() }

// SetLimits changes the rate limits.
func (n *Network) SetLimits(down, up uint64) {
	n.down.Store(down)
	n.up.Store(up)
	n.shared.down.Set(down)
	n.shared.up.Set(up)
}

// Close closes all connections, which may take a few seconds, and waits for all goroutines.
func (n *Network) Close() error {
	n.cancel()
	<-n.over
	for _, l := range n.c.Listeners {
		_ = l.Close()
	}
	n.all.Wait()
	return nil
}

// obey carries out the machine's actions.
func (n *Network) obey() {
	for _, a := range n.c.Machine.Drain() {
		switch a := a.(type) {
		case p2p.Send:
			if l := n.connections[a.Conn]; l != nil {
				n.relieve(l, len(a.Bytes))
				l.send(a.Bytes)
			}
		case p2p.Close:
			if l := n.connections[a.Conn]; l != nil {
				n.c.Log.Debug("closing a peer connection",
					"address", l.conn.RemoteAddr().String(), "reason", string(a.Reason))
				l.leave()
			}
		case p2p.Pause:
			if l := n.connections[a.Conn]; l != nil {
				l.pause(true)
			}
		case p2p.Resume:
			if l := n.connections[a.Conn]; l != nil {
				l.pause(false)
			}
		case p2p.Dial:
			n.all.Go(func() { n.dial(a) })
		case p2p.Verify:
			n.mu.Lock()
			n.waiting = append(n.waiting, a.Job)
			n.mu.Unlock()
			nudge(n.verifying)
		case p2p.Save:
			select {
			case <-n.saves:
			default:
			}
			n.saves <- a.State
		}
	}
}

// relieve closes the connections with the longest queues until size bytes for another fit, so that peers which do not
// read do not affect those which do.
func (n *Network) relieve(to *connection, size int) {
	for n.shared.queued.Load()+int64(size) > maxAllQueue {
		most, bytes := to, to.waits()+size
		for _, l := range n.connections {
			if waits := l.waits(); waits > bytes {
				most, bytes = l, waits
			}
		}
		if most.close(errFull); most == to {
			return
		}
	}
}

// join creates a connection. Only the machine's goroutine may call it.
func (n *Network) join(c net.Conn) *connection {
	n.last++
	l := newConnection(n.last, c, &n.shared)
	n.connections[l.id] = l
	n.all.Go(l.run)
	return l
}

func (n *Network) closed(l *connection, why error) {
	n.do(func(m *p2p.Machine, now time.Time) {
		n.c.Log.Debug("peer connection closed", "address", l.conn.RemoteAddr().String(), "reason", why)
		delete(n.connections, l.id)
		m.Closed(now, l.id)
	})
}

// accept accepts peers until its listener is closed.
func (n *Network) accept(listener net.Listener) {
	for {
		c, err := listener.Accept()
		if err != nil {
			if n.end.Err() != nil {
				return
			}
			// Probably too many open files. Existing connections continue.
			n.c.Log.Warn("accepting a peer failed", "error", err)
			select {
			case <-time.After(time.Second):
				continue
			case <-n.end.Done():
				return
			}
		}
		from := addressOf(c.RemoteAddr())
		in := from.Valid() && n.do(func(m *p2p.Machine, now time.Time) {
			if len(n.connections) < maxConnections {
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

// errNoPing: with a proxy, the announced addresses of incoming peers are not checked.
// Source: src/p2p/net_node.inl, m_can_pingback.
var errNoPing = errors.New("no pings through a proxy")

// dial carries out a Dial action.
func (n *Network) dial(a p2p.Dial) {
	limit := time.Duration(a.Purpose.Seconds()) * time.Second
	if n.c.Proxy != nil {
		limit = proxyTimeout
	}
	ctx, cancel := context.WithTimeout(n.end, limit)
	defer cancel()
	var c net.Conn
	err := errNoPing
	if n.c.Proxy == nil || a.Purpose != p2p.DialPing {
		c, err = n.reach(ctx, a.Address)
	}
	called := n.do(func(m *p2p.Machine, now time.Time) {
		switch {
		case err != nil:
			n.c.Log.Debug("peer is unreachable", "address", a.Address.String(), "error", err)
			m.DialFailed(now, a.ID)
		case len(n.connections) >= maxConnections:
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
		return nil, &net.AddrError{Err: "address type is not enabled", Addr: a.String()}
	}
	to := netip.AddrPortFrom(ip, a.Port)
	var d net.Dialer
	if n.c.Proxy != nil {
		return n.c.Proxy.dial(ctx, &d, to)
	}
	return d.DialContext(ctx, "tcp", to.String())
}

// addressOf returns the address of a socket, or an invalid one if it has none.
func addressOf(a net.Addr) netaddr.Address {
	p, err := netip.ParseAddrPort(a.String())
	if err != nil {
		return netaddr.Address{}
	}
	return netaddr.FromBytes(p.Addr().Unmap().AsSlice(), p.Port())
}

// verify runs jobs one after another.
func (n *Network) verify() {
	for {
		select {
		case <-n.verifying:
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
			n.do(func(m *p2p.Machine, now time.Time) { m.Verified(now, j) })
		}
	}
}

// save stores the states that the machine saves.
func (n *Network) save() {
	for state := range n.saves {
		if n.c.Save == nil {
			continue
		}
		if err := n.c.Save(state); err != nil {
			n.c.Log.Error("storing peers failed", "error", err)
		}
	}
}
