package p2p

import (
	"slices"
	"time"

	"glim/core/p2p/levin"
	"glim/core/p2p/message"
	"glim/core/p2p/netaddr"
	"glim/core/p2p/peerlist"
	"glim/core/xmr"
)

// Machine is a daemon's peer-to-peer state machine. Events are the methods with a time, and are cheap. After each, the
// host carries out the actions that Drain returns. Times may go backwards only as much as clocks do.
type Machine struct {
	c       Config
	rng     rng
	id      uint64 // our peer ID
	actions []Action
	stopped bool

	conns map[ConnID]*conn
	order []*conn // in order of arrival; closed ones are removed periodically
	dials map[DialID]*dial
	last  DialID

	peers     *peerlist.List
	bans      *peerlist.Bans
	anchors   []peerlist.Entry // to connect to first
	out, in   int              // limits; negative for none
	lastTried map[netaddr.Address]time.Time
	nextSeed  time.Time

	schedule schedule
	jobs     jobs
	queue    queue
	relay    relay
	stats    NetStats
	input    int // bytes held by decoders
}

// schedule holds the next times of periodic work.
type schedule struct {
	dial, gray, save, kick, search, unheard time.Time
}

// New returns a machine that connects to peers from the first Tick on. It returns an error if the random source fails.
func New(c Config) (*Machine, error) {
	m := &Machine{
		c:         c,
		rng:       rng{r: c.Random},
		conns:     map[ConnID]*conn{},
		dials:     map[DialID]*dial{},
		bans:      peerlist.NewBans(),
		out:       c.Out,
		in:        c.In,
		lastTried: map[netaddr.Address]time.Time{},
	}
	if m.out < 0 {
		m.out = DefaultOut
	}
	m.c.PerHost = max(c.PerHost, 1)
	if c.BlocksAtOnce <= 0 {
		m.c.BlocksAtOnce = DefaultBlocks
	}
	m.c.BlocksAtOnce = min(m.c.BlocksAtOnce, maxObjects)
	if c.QueueBytes <= 0 {
		m.c.QueueBytes = DefaultQueue
	}
	for m.id == 0 && m.rng.fault == nil {
		m.id = m.rng.uint64()
	}
	if m.rng.fault != nil {
		return nil, m.rng.fault
	}
	peers, err := peerlist.Load(c.State)
	if err != nil {
		peers = peerlist.New()
	}
	m.peers, m.anchors = peers, peers.TakeAnchors()
	for _, a := range c.Peers {
		m.peers.AddWhite(peerlist.Entry{Address: a})
	}
	m.queue.init()
	m.relay.init()
	m.queue.synced = c.Offline
	return m, nil
}

// Drain returns the actions for the host since the last call, in order.
func (m *Machine) Drain() []Action {
	list := m.actions
	m.actions = nil
	return list
}

func (m *Machine) do(a Action) { m.actions = append(m.actions, a) }

// Tick reports the passing of time. Call it at least every second, better four times a second.
func (m *Machine) Tick(now time.Time) {
	if m.stopped {
		return
	}
	if m.rng.fault != nil {
		m.Stop(now) // without random numbers there must be no connections
		return
	}
	m.removeClosed()
	m.watch(now)
	m.pushSync(now)
	m.tickRelay(now)
	m.tickPeers(now)
}

// removeClosed removes closed connections from the list.
func (m *Machine) removeClosed() {
	if len(m.order) == len(m.conns) {
		return
	}
	kept := m.order[:0]
	for _, c := range m.order {
		if !c.closed {
			kept = append(kept, c)
		}
	}
	clear(m.order[len(kept):])
	m.order = kept
}

// live returns the connections, oldest first. Some may be closed.
func (m *Machine) live() []*conn { return m.order }

func (m *Machine) open(now time.Time, id ConnID, a netaddr.Address, incoming bool) *conn {
	c := &conn{
		id:           id,
		addr:         a,
		incoming:     incoming,
		opened:       now,
		lastReceived: now,
		lastSent:     now,
		moved:        now,
		counted:      now,
		sentPeers:    map[netaddr.Address]struct{}{},
		fetch:        fetch{state: before},
	}
	m.rng.bytes(c.uuid[:])
	c.decoder.Limit = message.MaxBytes
	m.conns[id] = c
	m.order = append(m.order, c)
	return c
}

// close closes a connection and removes it from all state.
func (m *Machine) close(now time.Time, c *conn, why Reason) {
	if c.closed {
		return
	}
	m.do(Close{c.id, why})
	m.forget(now, c)
}

func (m *Machine) forget(now time.Time, c *conn) {
	c.closed = true
	delete(m.conns, c.id)
	m.input -= c.decoder.Held()
	c.decoder = levin.Decoder{}
	if !c.incoming && c.purpose == DialPeer {
		m.peers.Unanchor(c.addr)
		m.noteTried(now, c.addr)
	}
	if !c.handshaken {
		m.handshakeFailed(now, c)
	}
	m.abandon(c)
	c.fluff = nil
	if c.fetch.state != before && c.fetch.state != normal {
		m.checkSynced(now) // it may have been the last one to fetch from
	}
	if c.handshaken && !slices.ContainsFunc(m.live(), (*conn).peer) {
		m.queue.asked = false // without peers, transactions are missed
	}
}

// blame adds to the misbehaviour score of the peer's host and closes the connection. Above the limit it bans the host.
func (m *Machine) blame(now time.Time, c *conn, score int, why Reason) {
	if m.bans.Fail(now, c.addr, score) {
		m.dropBanned(now)
	}
	m.close(now, c, why)
}

// dropBanned closes the connections of banned hosts, and removes them from the lists of peers.
func (m *Machine) dropBanned(now time.Time) {
	for _, c := range m.live() {
		if !c.closed && m.bans.Left(now, c.addr) > 0 {
			m.close(now, c, Banned)
		}
	}
	m.peers.ForgetIf(func(a netaddr.Address) bool { return m.bans.Left(now, a) > 0 })
}

// Received reports received bytes. They are copied where they are kept.
func (m *Machine) Received(now time.Time, id ConnID, b []byte) {
	c := m.conns[id]
	if c == nil || m.stopped {
		return
	}
	c.lastReceived = now
	c.received += uint64(len(b))
	c.down.add(now, len(b))
	m.stats.BytesIn += uint64(len(b))
	m.stats.PacketsIn++
	m.input -= c.decoder.Held()
	c.decoder.Write(b)
	m.input += c.decoder.Held()
	if c.decoder.Held() > 2*inputMax {
		m.blame(now, c, 1, Flooding)
		return
	}
	m.pump(now, c)
	for m.input > allInputMax {
		most := c
		for _, other := range m.live() {
			if !other.closed && (most.closed || other.decoder.Held() > most.decoder.Held()) {
				most = other
			}
		}
		m.blame(now, most, 1, Flooding)
	}
}

// pump processes received frames while no message of the connection is being verified.
func (m *Machine) pump(now time.Time, c *conn) {
	for !c.closed && !c.busy && c.queued < sendPause {
		m.input -= c.decoder.Held()
		f, ok, err := c.decoder.Next()
		m.input += c.decoder.Held()
		if err != nil {
			m.blame(now, c, 1, BadFrame)
			return
		}
		if !ok {
			break
		}
		if !c.tick(now) {
			m.blame(now, c, 1, Flooding)
			return
		}
		m.handle(now, c, f)
	}
	if c.closed {
		return
	}
	if stop := c.busy || c.queued >= sendPause; stop != c.paused {
		c.paused = stop
		if stop {
			m.do(Pause{c.id})
		} else {
			m.do(Resume{c.id})
		}
	}
}

// send queues a frame for a connection.
func (m *Machine) send(now time.Time, c *conn, frame []byte) {
	if c.closed {
		return
	}
	if c.queued == 0 {
		c.moved = now
	}
	c.queued += len(frame)
	m.stats.PacketsOut++
	m.do(Send{c.id, frame})
	if c.queued > sendMax {
		m.close(now, c, Slow)
	}
}

func (m *Machine) notify(now time.Time, c *conn, command uint32, body any) {
	m.send(now, c, levin.Notify(command, message.Encode(body)))
}

// ask sends a request. Peers answer requests in order.
func (m *Machine) ask(now time.Time, c *conn, command uint32, body any) {
	c.questions = append(c.questions, question{command, now})
	m.send(now, c, levin.Invoke(command, message.Encode(body)))
}

func (m *Machine) answer(now time.Time, c *conn, command uint32, body any) {
	m.send(now, c, levin.Answer(command, levin.OK, message.Encode(body)))
}

// Sent reports that n of the bytes to send have been written to the network, which shows whether the peer reads.
func (m *Machine) Sent(now time.Time, id ConnID, n int) {
	c := m.conns[id]
	if c == nil || m.stopped {
		return
	}
	c.queued = max(0, c.queued-n)
	c.moved, c.lastSent = now, now
	c.sent += uint64(n)
	c.up.add(now, n)
	m.stats.BytesOut += uint64(n)
	m.pump(now, c)
}

// Closed reports that a connection was closed by the peer or by an error.
func (m *Machine) Closed(now time.Time, id ConnID) {
	if c := m.conns[id]; c != nil && !m.stopped {
		m.forget(now, c)
	}
}

// watch closes connections that time out or whose peers do not read.
func (m *Machine) watch(now time.Time) {
	for _, c := range m.live() {
		switch {
		case c.closed:
		case c.queued > 0 && now.Sub(c.moved) > stallTime:
			m.close(now, c, Slow)
		case !c.handshaken && now.Sub(c.opened) > handshakeTime+time.Duration(c.purpose.Seconds())*time.Second:
			m.close(now, c, TimedOut)
		case len(c.questions) > 0 && now.Sub(c.questions[0].asked) > answerTimeout(c.questions[0].command) && !c.paused:
			m.close(now, c, TimedOut)
		}
	}
}

// SetBan bans a host or a subnet for d and closes its connections; 0 lifts the ban.
func (m *Machine) SetBan(now time.Time, subnet netaddr.Subnet, d time.Duration) {
	m.bans.Ban(now, subnet, d)
	if d > 0 {
		m.dropBanned(now)
	}
}

// Stop closes all connections and saves. Later events are ignored.
func (m *Machine) Stop(now time.Time) {
	if m.stopped {
		return
	}
	m.do(Save{m.peers.Store()}) // before closing, so that it includes the anchors
	for _, c := range m.live() {
		m.close(now, c, Stopping)
	}
	m.stopped = true
}

// BlockAccepted reports a new top block that was mined or submitted here. It may also be called for blocks from the
// machine's own jobs, which it ignores.
func (m *Machine) BlockAccepted(now time.Time, id xmr.Hash) {
	if !m.stopped {
		m.announceOwn(now, id)
	}
}
