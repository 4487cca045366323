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

// Machine is a daemon's part in the network. Events come by the methods that take the time, and cost little; after each
// the host carries out what Drain returns. Times must not run backwards by more than clocks do.
type Machine struct {
	c       Config
	dice    dice
	id      uint64 // our peer ID
	actions []Action
	stopped bool

	conns map[ConnID]*conn
	order []*conn // as they came, those gone left out now and then
	dials map[DialID]*dial
	last  DialID

	peers     *peerlist.List
	bans      *peerlist.Bans
	anchors   []peerlist.Entry // to be called first
	out, in   int              // limits; negative for none
	lastTried map[netaddr.Address]time.Time
	nextSeed  time.Time

	every every
	jobs  jobs
	queue queue
	relay relay
	stats NetStats
	input int // bytes that decoders hold
}

// every is when things are due that happen now and then.
type every struct {
	dial, gray, save, kick, search, unheard time.Time
}

// New returns a machine that has called nobody yet: the first Tick does. Errors are the random source's.
func New(c Config) (*Machine, error) {
	m := &Machine{c: c, dice: dice{r: c.Random}, conns: map[ConnID]*conn{}, dials: map[DialID]*dial{}, bans: peerlist.NewBans(),
		out: c.Out, in: c.In, lastTried: map[netaddr.Address]time.Time{}}
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
	for m.id == 0 && m.dice.fault == nil {
		m.id = m.dice.uint64()
	}
	if m.dice.fault != nil {
		return nil, m.dice.fault
	}
	peers, err := peerlist.Load(c.State)
	if err != nil {
		peers = peerlist.New()
	}
	m.peers, m.anchors = peers, peers.TakeAnchors()
	for _, a := range c.Peers {
		m.peers.Seen(peerlist.Entry{Address: a})
	}
	m.queue.init()
	m.relay.init()
	m.queue.synced = c.Offline
	return m, nil
}

// Drain returns what the host is to do now, in order, and forgets it.
func (m *Machine) Drain() []Action {
	list := m.actions
	m.actions = nil
	return list
}

func (m *Machine) do(a Action) { m.actions = append(m.actions, a) }

// Tick tells that time has gone by: about once a second, better four times.
func (m *Machine) Tick(now time.Time) {
	if m.stopped {
		return
	}
	if m.dice.fault != nil {
		m.Stop(now) // no random bytes, no network
		return
	}
	m.tidy()
	m.watch(now)
	m.pushSync(now)
	m.tickRelay(now)
	m.tickPeers(now)
}

// tidy forgets connections that are gone.
func (m *Machine) tidy() {
	if len(m.order) == len(m.conns) {
		return
	}
	kept := m.order[:0]
	for _, c := range m.order {
		if !c.gone {
			kept = append(kept, c)
		}
	}
	clear(m.order[len(kept):])
	m.order = kept
}

// live returns the connections, oldest first; gone ones among them while it is walked are told by gone.
func (m *Machine) live() []*conn { return m.order }

func (m *Machine) open(now time.Time, id ConnID, a netaddr.Address, incoming bool) *conn {
	c := &conn{id: id, addr: a, incoming: incoming, opened: now, lastReceived: now, lastSent: now, moved: now, counted: now,
		told: map[netaddr.Address]struct{}{}, fetch: fetch{state: before}}
	m.dice.bytes(c.uuid[:])
	c.decoder.Limit = message.MaxBytes
	m.conns[id] = c
	m.order = append(m.order, c)
	return c
}

// close ends a connection and takes its part in everything away.
func (m *Machine) close(now time.Time, c *conn, why Reason) {
	if c.gone {
		return
	}
	m.do(Close{c.id, why})
	m.forget(now, c)
}

func (m *Machine) forget(now time.Time, c *conn) {
	c.gone = true
	delete(m.conns, c.id)
	m.input -= c.decoder.Held()
	c.decoder = levin.Decoder{}
	if !c.incoming && c.purpose == ToStay {
		m.peers.Unanchor(c.addr)
		m.noteTried(now, c.addr)
	}
	if !c.shaken {
		m.unshaken(now, c)
	}
	m.abandon(c)
	c.fluff = nil
	if c.fetch.state != before && c.fetch.state != normal {
		m.settle(now) // perhaps it was the last to fetch from
	}
	if c.shaken && !slices.ContainsFunc(m.live(), (*conn).peer) {
		m.queue.asked = false // who is alone misses transactions
	}
}

// blame counts misbehaviour of the peer's host and ends the connection; when there was too much of it, all of the host's.
func (m *Machine) blame(now time.Time, c *conn, score int, why Reason) {
	if m.bans.Fail(now, c.addr, score) {
		m.dropBanned(now)
	}
	m.close(now, c, why)
}

// dropBanned closes the connections of those who are banned, and forgets them as peers.
func (m *Machine) dropBanned(now time.Time) {
	for _, c := range m.live() {
		if !c.gone && m.bans.Left(now, c.addr) > 0 {
			m.close(now, c, Banned)
		}
	}
	m.peers.ForgetIf(func(a netaddr.Address) bool { return m.bans.Left(now, a) > 0 })
}

// Received tells what has come from a connection, in pieces of any length. The bytes are copied where they are kept.
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
		m.blame(now, c, 1, Flood)
		return
	}
	m.pump(now, c)
	for m.input > allInputMax {
		most := c
		for _, other := range m.live() {
			if !other.gone && (most.gone || other.decoder.Held() > most.decoder.Held()) {
				most = other
			}
		}
		m.blame(now, most, 1, Flood)
	}
}

// pump deals with the frames that have come from a connection, as long as nothing of it is pending.
func (m *Machine) pump(now time.Time, c *conn) {
	for !c.gone && !c.busy && c.queued < sendPause {
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
			m.blame(now, c, 1, Flood)
			return
		}
		m.handle(now, c, f)
	}
	if c.gone {
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

// send puts a frame, as bytes, into a connection's queue.
func (m *Machine) send(now time.Time, c *conn, frame []byte) {
	if c.gone {
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

// ask sends a question; the peer's answers come in the order of the questions.
func (m *Machine) ask(now time.Time, c *conn, command uint32, body any) {
	c.questions = append(c.questions, question{command, now})
	m.send(now, c, levin.Invoke(command, message.Encode(body)))
}

func (m *Machine) answer(now time.Time, c *conn, command uint32, body any) {
	m.send(now, c, levin.Answer(command, levin.OK, message.Encode(body)))
}

// Sent tells that n bytes of what was to be sent have been taken by the network. The machine knows by it who is too slow to read.
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

// Closed tells that a connection has ended by itself or the peer's will.
func (m *Machine) Closed(now time.Time, id ConnID) {
	if c := m.conns[id]; c != nil && !m.stopped {
		m.forget(now, c)
	}
}

// watch closes connections that do not keep up: silent ones, and those who do not read.
func (m *Machine) watch(now time.Time) {
	for _, c := range m.live() {
		switch {
		case c.gone:
		case c.queued > 0 && now.Sub(c.moved) > stallTime:
			m.close(now, c, Slow)
		case !c.shaken && now.Sub(c.opened) > handshakeTime+time.Duration(c.purpose.Seconds())*time.Second:
			m.close(now, c, Silent)
		case len(c.questions) > 0 && now.Sub(c.questions[0].asked) > patience(c.questions[0].command) && !c.paused:
			m.close(now, c, Silent)
		}
	}
}

// SetBan keeps a host or a subnet away, and closes its connections, for so long; 0 lifts the ban.
func (m *Machine) SetBan(now time.Time, who netaddr.Subnet, d time.Duration) {
	m.bans.Ban(now, who, d)
	if d > 0 {
		m.dropBanned(now)
	}
}

// Stop closes every connection and saves. No event counts after it.
func (m *Machine) Stop(now time.Time) {
	if m.stopped {
		return
	}
	m.do(Save{m.peers.Store()}) // with the anchors of now
	for _, c := range m.live() {
		m.close(now, c, Stopping)
	}
	m.stopped = true
}

// BlockAccepted tells that a block is the top of the main chain that did not come by the machine's own jobs: mined or submitted
// here. It may be told of all that joined: what jobs bring is known.
func (m *Machine) BlockAccepted(now time.Time, id xmr.Hash) {
	if !m.stopped {
		m.announceOwn(now, id)
	}
}
