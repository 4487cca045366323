package p2p

import (
	"time"

	"glim/core/p2p/message"
	"glim/core/p2p/netaddr"
	"glim/core/p2p/peerlist"
)

// How calling peers is paced. Source: src/p2p/net_node.h, the intervals; src/cryptonote_config.h,
// P2P_DEFAULT_WHITELIST_CONNECTIONS_PERCENT, P2P_DEFAULT_ANCHOR_CONNECTIONS_COUNT.
const (
	dialInterval  = time.Second
	againTime     = 5 * time.Second // before a peer that is named is called again
	seedInterval  = 10 * time.Second
	grayInterval  = time.Minute
	saveInterval  = 5 * time.Minute
	atOnce        = 4  // calls under way
	whiteShare    = 70 // percent
	anchorsAtOnce = 2
	whiteChoice   = 20 // of the newest
	maxPings      = 32 // under way
	dialTime      = 90 * time.Second
)

// dial is a call under way.
type dial struct {
	id      DialID
	addr    netaddr.Address
	purpose Purpose
	began   time.Time
	node    message.Node // of whom a ping is for
	anchor  bool
	fixed   bool
}

func (m *Machine) dial(to netaddr.Address, why Purpose, n message.Node, now time.Time) *dial {
	if why == ToPing {
		pings := 0
		for _, d := range m.dials {
			if d.purpose == ToPing {
				pings++
			}
		}
		if pings >= maxPings {
			return nil
		}
	}
	m.last++
	d := &dial{id: m.last, addr: to, purpose: why, began: now, node: n}
	m.dials[d.id] = d
	m.do(Dial{d.id, to, why})
	return d
}

func (m *Machine) dialing(a netaddr.Address) bool {
	for _, d := range m.dials {
		if d.addr == a {
			return true
		}
	}
	return false
}

// Dialed tells that a Dial has reached its address.
func (m *Machine) Dialed(now time.Time, id DialID, conn ConnID) {
	d := m.dials[id]
	if m.stopped || m.conns[conn] != nil {
		return
	}
	if d == nil { // given up on, or never asked for
		m.do(Close{conn, Unwanted})
		return
	}
	delete(m.dials, id)
	c := m.open(now, conn, d.addr, false)
	c.purpose, c.node, c.anchor, c.fixed = d.purpose, d.node, d.anchor, d.fixed
	switch {
	case m.bans.Left(now, c.addr) > 0:
		m.close(now, c, Banned)
	case c.purpose == ToPing:
		m.ask(now, c, message.Ping, message.Empty{})
	case c.purpose == ToStay && !c.fixed && m.countOut() > m.out:
		m.close(now, c, TooMany)
	default:
		m.ask(now, c, message.Handshake, message.HandshakeRequest{Node: m.self(), Sync: m.syncData()})
	}
}

// DialFailed tells that a Dial has reached nobody.
func (m *Machine) DialFailed(now time.Time, id DialID) {
	if d := m.dials[id]; d != nil && !m.stopped {
		delete(m.dials, id)
		m.missed(now, d.addr, d.purpose)
	}
}

// missed notes that an address was not reached, or by nobody of use.
func (m *Machine) missed(now time.Time, a netaddr.Address, why Purpose) {
	if why == ToPing {
		return
	}
	m.noteTried(now, a)
	if a.Loopback() {
		return // several peers are at this host, and each is missed alone
	}
	m.bans.Missed(now, a)
	if why == ToConfirm {
		m.peers.ForgetHeard(a)
	}
}

// unshaken is called when a connection ends before hands were shaken.
func (m *Machine) unshaken(now time.Time, c *conn) {
	if !c.incoming {
		m.missed(now, c.addr, c.purpose)
	}
}

func (m *Machine) noteTried(now time.Time, a netaddr.Address) {
	if len(m.lastTried) > maxSentPeers {
		clear(m.lastTried)
	}
	m.lastTried[a] = now
}

// countOut returns how many outgoing connections there are to stay, hands shaken or not.
func (m *Machine) countOut() (n int) {
	for _, c := range m.live() {
		if !c.gone && !c.incoming && c.purpose == ToStay {
			n++
		}
	}
	return n
}

func (m *Machine) connected(a netaddr.Address) bool {
	for _, c := range m.live() {
		if !c.gone && !c.incoming && c.addr == a {
			return true
		}
	}
	return false
}

// tickPeers does what is due about peers.
func (m *Machine) tickPeers(now time.Time) {
	for id, d := range m.dials {
		if now.Sub(d.began) > dialTime {
			delete(m.dials, id)
		}
	}
	m.syncAll(now)
	if !now.Before(m.every.save) {
		if !m.every.save.IsZero() && m.peers.Changed() {
			m.do(Save{m.peers.Store()})
		}
		m.every.save = now.Add(saveInterval)
	}
	if m.c.Offline || now.Before(m.every.dial) {
		return
	}
	m.every.dial = now.Add(dialInterval)
	m.call(now)
	if !now.Before(m.every.gray) {
		if !m.every.gray.IsZero() {
			m.confirm(now)
		}
		m.every.gray = now.Add(grayInterval)
	}
}

// call calls whom it should. Source: src/p2p/net_node.inl, connections_maker.
func (m *Machine) call(now time.Time) {
	m.callNamed(now, m.c.Exclusive)
	if len(m.c.Exclusive) > 0 {
		return
	}
	m.callNamed(now, m.c.Priority)
	for under := m.underWay(); under < atOnce && m.countOut()+under < m.out; under++ {
		if !m.callSomebody(now) {
			m.callSeed(now)
			return
		}
	}
}

// underWay returns how many calls there are that are to stay.
func (m *Machine) underWay() (n int) {
	for _, d := range m.dials {
		if d.purpose == ToStay {
			n++
		}
	}
	return n
}

// callNamed calls peers whom the user has named, unless there is no place for them.
func (m *Machine) callNamed(now time.Time, list []netaddr.Address) {
	for _, a := range list {
		tried, ever := m.lastTried[a]
		if m.connected(a) || m.dialing(a) || ever && now.Sub(tried) < againTime || m.countOut()+m.underWay() >= m.out {
			continue
		}
		m.noteTried(now, a)
		if d := m.dial(a, ToStay, message.Node{}, now); d != nil {
			d.fixed = true
		}
	}
}

// callSeed asks a seed for peers. Source: src/p2p/net_node.inl, connect_to_seed.
func (m *Machine) callSeed(now time.Time) {
	if len(m.c.Seeds) == 0 || now.Before(m.nextSeed) || m.countOut() >= m.out {
		return
	}
	m.nextSeed = now.Add(seedInterval)
	at := m.dice.below(len(m.c.Seeds))
	for i := range m.c.Seeds {
		a := m.c.Seeds[(at+i)%len(m.c.Seeds)]
		if !m.connected(a) && !m.dialing(a) && m.bans.Left(now, a) == 0 {
			m.dial(a, ToAsk, message.Node{}, now)
			return
		}
	}
}

// callSomebody calls one more peer; false when it knows nobody. First come those of the last time, then mostly peers that have
// been reached before.
func (m *Machine) callSomebody(now time.Time) bool {
	busy := m.countOut() + m.underWay()
	for busy < anchorsAtOnce && len(m.anchors) > 0 {
		a := m.anchors[0]
		m.anchors = m.anchors[1:]
		if m.callable(now, a, m.around(), nil) {
			m.dial(a.Address, ToStay, message.Node{}, now).anchor = true
			return true
		}
	}
	if busy*100 < m.out*whiteShare {
		return m.callFrom(now, m.peers.White(), true) || m.callFrom(now, m.peers.Gray(), false)
	}
	return m.callFrom(now, m.peers.Gray(), false) || m.callFrom(now, m.peers.White(), true)
}

// around is who is connected or being called.
type around struct {
	addresses map[netaddr.Address]bool
	peers     map[peer]bool
	near      map[[5]byte]bool // neighbourhoods
}

// peer is an identity at a host.
type peer struct {
	id   uint64
	host netaddr.Address
}

func (m *Machine) around() around {
	a := around{map[netaddr.Address]bool{}, map[peer]bool{}, map[[5]byte]bool{}}
	for _, d := range m.dials {
		a.addresses[d.addr] = true
	}
	for _, c := range m.live() {
		if c.gone {
			continue
		}
		if !c.incoming {
			a.addresses[c.addr] = true
		}
		a.peers[peer{c.node.PeerID, c.addr.Host()}] = true
		a.near[c.addr.Neighbourhood()] = true
	}
	return a
}

// callable reports whether a peer may be called. near are neighbourhoods it must not be of.
func (m *Machine) callable(now time.Time, e peerlist.Entry, a around, near map[[5]byte]bool) bool {
	tried, ever := m.lastTried[e.Address]
	return (e.ID == 0 || e.ID != m.id && !a.peers[peer{e.ID, e.Address.Host()}]) && !near[e.Address.Neighbourhood()] &&
		(!ever || now.Sub(tried) >= time.Minute) && !a.addresses[e.Address] && m.bans.Left(now, e.Address) == 0 &&
		!m.bans.MissedLately(now, e.Address)
}

// callFrom calls one peer of a list, the last seen first. Peers of neighbourhoods that are connected are called only when there are
// no others, of a neighbourhood one is taken into account and of a host one port, so that nobody is most of our peers, or likelier to be
// called than others, by having many addresses.
// Source: src/p2p/net_node.inl, make_new_connection_from_peerlist.
func (m *Machine) callFrom(now time.Time, list []peerlist.Entry, newest bool) bool {
	who := m.around()
	for _, avoid := range []map[[5]byte]bool{who.near, nil} {
		var choice []peerlist.Entry
		hosts := map[netaddr.Address]bool{}
		places := map[[5]byte]int{} // of a neighbourhood in choice, and how many of it there are
		many := map[[5]byte]int{}
		for _, e := range list {
			if newest && len(choice) >= whiteChoice {
				break
			}
			if hosts[e.Address.Host()] && !e.Address.Loopback() || !m.callable(now, e, who, avoid) {
				continue
			}
			hosts[e.Address.Host()] = true
			n := e.Address.Neighbourhood()
			if many[n]++; avoid == nil || many[n] == 1 {
				places[n] = len(choice)
				choice = append(choice, e)
			} else if !newest && m.dice.below(many[n]) == 0 {
				choice[places[n]] = e
			}
		}
		if len(choice) == 0 {
			continue
		}
		at := m.dice.below(len(choice))
		if newest {
			at = m.favourFirst(len(choice))
		}
		m.noteTried(now, choice[at].Address)
		return m.dial(choice[at].Address, ToStay, message.Node{}, now) != nil
	}
	return false
}

// favourFirst returns an index below n, the first ones more often: the third power of a number of chance.
// Source: src/p2p/net_node.inl, get_random_index_with_fixed_probability.
func (m *Machine) favourFirst(n int) int {
	if n <= 1 {
		return 0
	}
	x := m.dice.below(16*(n-1) + 1)
	return x * x * x / ((n - 1) * (n - 1) * 16 * 16 * 16)
}

// confirm calls somebody only heard of, to see whether there is such a peer.
// Source: src/p2p/net_node.inl, gray_peerlist_housekeeping.
func (m *Machine) confirm(now time.Time) {
	gray := m.peers.Gray()
	if len(m.c.Exclusive) > 0 || len(gray) == 0 || !m.queue.synced && m.countOut() < m.out {
		return
	}
	if e := gray[m.dice.below(len(gray))]; m.callable(now, e, m.around(), nil) {
		m.noteTried(now, e.Address)
		m.dial(e.Address, ToConfirm, message.Node{}, now)
	}
}

// SetOut and SetIn bound the connections of each kind from now on, as Config.Out and Config.In; what is too much is closed.
func (m *Machine) SetOut(now time.Time, n int) {
	if n < 0 {
		n = DefaultOut
	}
	m.out = n
	m.shed(now, n, false)
}

// SetIn: see SetOut.
func (m *Machine) SetIn(now time.Time, n int) {
	m.in = n
	if n >= 0 {
		m.shed(now, n, true)
	}
}

// shed closes the newest connections of a kind until n are left.
func (m *Machine) shed(now time.Time, n int, incoming bool) {
	for _, c := range append([]*conn(nil), m.live()...) {
		if c.gone || c.incoming != incoming || c.purpose != ToStay {
			continue
		}
		if n--; n < 0 {
			m.close(now, c, TooMany)
		}
	}
}
