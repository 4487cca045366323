package p2p

import (
	"time"

	"glim/core/p2p/message"
	"glim/core/p2p/netaddr"
	"glim/core/p2p/peerlist"
)

// Limits and intervals of outgoing connections. Source: src/p2p/net_node.h, the intervals; src/cryptonote_config.h,
// P2P_DEFAULT_WHITELIST_CONNECTIONS_PERCENT, P2P_DEFAULT_ANCHOR_CONNECTIONS_COUNT.
const (
	dialInterval  = time.Second
	againTime     = 5 * time.Second // between attempts to reach a peer of the user
	seedInterval  = 10 * time.Second
	grayInterval  = time.Minute
	saveInterval  = 5 * time.Minute
	atOnce        = 4  // pending attempts
	whiteShare    = 70 // percent
	anchorsAtOnce = 2
	whiteChoice   = 20 // the number of most recent peers to choose from
	maxPings      = 32 // pending pings
	dialTime      = 90 * time.Second
)

// dial is a pending attempt to connect.
type dial struct {
	id      DialID
	addr    netaddr.Address
	purpose Purpose
	began   time.Time
	node    message.Node // the peer to which a ping belongs
	anchor  bool
	fixed   bool
}

func (m *Machine) dial(to netaddr.Address, why Purpose, n message.Node, now time.Time) *dial {
	if why == DialPing {
		pings := 0
		for _, d := range m.dials {
			if d.purpose == DialPing {
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

// Dialed reports that a Dial has succeeded.
func (m *Machine) Dialed(now time.Time, id DialID, conn ConnID) {
	d := m.dials[id]
	if m.stopped || m.conns[conn] != nil {
		return
	}
	if d == nil { // given up, or never requested
		m.do(Close{conn, Unwanted})
		return
	}
	delete(m.dials, id)
	c := m.open(now, conn, d.addr, false)
	c.purpose, c.node, c.anchor, c.fixed = d.purpose, d.node, d.anchor, d.fixed
	switch {
	case m.bans.Left(now, c.addr) > 0:
		m.close(now, c, Banned)
	case c.purpose == DialPing:
		m.ask(now, c, message.Ping, message.Empty{})
	case c.purpose == DialPeer && !c.fixed && m.countOut() > m.out:
		m.close(now, c, TooMany)
	default:
		m.ask(now, c, message.Handshake, message.HandshakeRequest{Node: m.self(), Sync: m.syncData()})
	}
}

// DialFailed reports that a Dial has failed.
func (m *Machine) DialFailed(now time.Time, id DialID) {
	if d := m.dials[id]; d != nil && !m.stopped {
		delete(m.dials, id)
		m.noteUnreachable(now, d.addr, d.purpose)
	}
}

// noteUnreachable records that an address was not reached, or did not answer as a peer.
func (m *Machine) noteUnreachable(now time.Time, a netaddr.Address, why Purpose) {
	if why == DialPing {
		return
	}
	m.noteTried(now, a)
	if a.Loopback() {
		return // several peers may run on this host, and each fails on its own
	}
	m.bans.NoteUnreachable(now, a)
	if why == DialGray {
		m.peers.ForgetGray(a)
	}
}

// handshakeFailed is called when a connection closes before the handshake.
func (m *Machine) handshakeFailed(now time.Time, c *conn) {
	if !c.incoming {
		m.noteUnreachable(now, c.addr, c.purpose)
	}
}

func (m *Machine) noteTried(now time.Time, a netaddr.Address) {
	if len(m.lastTried) > maxSentPeers {
		clear(m.lastTried)
	}
	m.lastTried[a] = now
}

// countOut returns the number of outgoing peer connections, before or after the handshake.
func (m *Machine) countOut() (n int) {
	for _, c := range m.live() {
		if !c.closed && !c.incoming && c.purpose == DialPeer {
			n++
		}
	}
	return n
}

func (m *Machine) connected(a netaddr.Address) bool {
	for _, c := range m.live() {
		if !c.closed && !c.incoming && c.addr == a {
			return true
		}
	}
	return false
}

// tickPeers does the periodic work on peers.
func (m *Machine) tickPeers(now time.Time) {
	for id, d := range m.dials {
		if now.Sub(d.began) > dialTime {
			delete(m.dials, id)
		}
	}
	m.syncAll(now)
	if !now.Before(m.schedule.save) {
		if !m.schedule.save.IsZero() && m.peers.Changed() {
			m.do(Save{m.peers.Store()})
		}
		m.schedule.save = now.Add(saveInterval)
	}
	if m.c.Offline || now.Before(m.schedule.dial) {
		return
	}
	m.schedule.dial = now.Add(dialInterval)
	m.dialPeers(now)
	if !now.Before(m.schedule.gray) {
		if !m.schedule.gray.IsZero() {
			m.confirm(now)
		}
		m.schedule.gray = now.Add(grayInterval)
	}
}

// dialPeers makes connections if needed. Source: src/p2p/net_node.inl, connections_maker.
func (m *Machine) dialPeers(now time.Time) {
	m.dialNamed(now, m.c.Exclusive)
	if len(m.c.Exclusive) > 0 {
		return
	}
	m.dialNamed(now, m.c.Priority)
	for under := m.pendingDials(); under < atOnce && m.countOut()+under < m.out; under++ {
		if !m.dialNext(now) {
			m.dialSeed(now)
			return
		}
	}
}

// pendingDials returns the number of pending peer connections.
func (m *Machine) pendingDials() (n int) {
	for _, d := range m.dials {
		if d.purpose == DialPeer {
			n++
		}
	}
	return n
}

// dialNamed connects to peers that the user has named, within the limit.
func (m *Machine) dialNamed(now time.Time, list []netaddr.Address) {
	for _, a := range list {
		tried, ever := m.lastTried[a]
		busy := m.connected(a) || m.dialing(a) || ever && now.Sub(tried) < againTime
		if busy || m.countOut()+m.pendingDials() >= m.out {
			continue
		}
		m.noteTried(now, a)
		if d := m.dial(a, DialPeer, message.Node{}, now); d != nil {
			d.fixed = true
		}
	}
}

// dialSeed requests peers from a seed node. Source: src/p2p/net_node.inl, connect_to_seed.
func (m *Machine) dialSeed(now time.Time) {
	if len(m.c.Seeds) == 0 || now.Before(m.nextSeed) || m.countOut() >= m.out {
		return
	}
	m.nextSeed = now.Add(seedInterval)
	at := m.rng.below(len(m.c.Seeds))
	for i := range m.c.Seeds {
		a := m.c.Seeds[(at+i)%len(m.c.Seeds)]
		if !m.connected(a) && !m.dialing(a) && m.bans.Left(now, a) == 0 {
			m.dial(a, DialSeed, message.Node{}, now)
			return
		}
	}
}

// dialNext connects to one more peer. It returns false if it knows no peer to connect to. It tries the peers of the
// last run first, then mostly peers of the white list.
func (m *Machine) dialNext(now time.Time) bool {
	busy := m.countOut() + m.pendingDials()
	for busy < anchorsAtOnce && len(m.anchors) > 0 {
		a := m.anchors[0]
		m.anchors = m.anchors[1:]
		if m.canDial(now, a, m.contacts(), nil) {
			m.dial(a.Address, DialPeer, message.Node{}, now).anchor = true
			return true
		}
	}
	if busy*100 < m.out*whiteShare {
		return m.dialFrom(now, m.peers.White(), true) || m.dialFrom(now, m.peers.Gray(), false)
	}
	return m.dialFrom(now, m.peers.Gray(), false) || m.dialFrom(now, m.peers.White(), true)
}

// contacts are the peers that are connected or being connected.
type contacts struct {
	addresses map[netaddr.Address]bool
	peers     map[peer]bool
	near      map[[5]byte]bool // network groups
}

// peer identifies a peer by its ID and host.
type peer struct {
	id   uint64
	host netaddr.Address
}

func (m *Machine) contacts() contacts {
	a := contacts{map[netaddr.Address]bool{}, map[peer]bool{}, map[[5]byte]bool{}}
	for _, d := range m.dials {
		a.addresses[d.addr] = true
		if d.purpose == DialPeer {
			a.near[d.addr.NetGroup()] = true
		}
	}
	for _, c := range m.live() {
		if c.closed {
			continue
		}
		if !c.incoming {
			a.addresses[c.addr] = true
		}
		a.peers[peer{c.node.PeerID, c.addr.Host()}] = true
		a.near[c.addr.NetGroup()] = true
	}
	return a
}

// canDial reports whether a peer may be dialed. Peers of the network groups in near may not.
func (m *Machine) canDial(now time.Time, e peerlist.Entry, a contacts, near map[[5]byte]bool) bool {
	tried, ever := m.lastTried[e.Address]
	if e.ID != 0 && (e.ID == m.id || a.peers[peer{e.ID, e.Address.Host()}]) {
		return false
	}
	return !near[e.Address.NetGroup()] && (!ever || now.Sub(tried) >= time.Minute) && !a.addresses[e.Address] &&
		m.bans.Left(now, e.Address) == 0 && !m.bans.RecentlyUnreachable(now, e.Address)
}

// dialFrom connects to one peer of a list, preferring those seen last. Peers of network groups with a connection, or a
// pending one, are used only if there are no others. Of each group one peer is considered, and of each host one port,
// so that an attacker with many addresses gets neither a majority of connections nor a higher chance to be chosen.
// Source: src/p2p/net_node.inl, make_new_connection_from_peerlist.
func (m *Machine) dialFrom(now time.Time, list []peerlist.Entry, newest bool) bool {
	contacts := m.contacts()
	for _, avoid := range []map[[5]byte]bool{contacts.near, nil} {
		var choice []peerlist.Entry
		hosts := map[netaddr.Address]bool{}
		places := map[[5]byte]int{} // index in choice, by network group
		many := map[[5]byte]int{}
		for _, e := range list {
			if newest && len(choice) >= whiteChoice {
				break
			}
			if hosts[e.Address.Host()] && !e.Address.Loopback() || !m.canDial(now, e, contacts, avoid) {
				continue
			}
			hosts[e.Address.Host()] = true
			n := e.Address.NetGroup()
			if many[n]++; avoid == nil || many[n] == 1 {
				places[n] = len(choice)
				choice = append(choice, e)
			} else if !newest && m.rng.below(many[n]) == 0 {
				choice[places[n]] = e
			}
		}
		if len(choice) == 0 {
			continue
		}
		at := m.rng.below(len(choice))
		if newest {
			at = m.favourFirst(len(choice))
		}
		m.noteTried(now, choice[at].Address)
		return m.dial(choice[at].Address, DialPeer, message.Node{}, now) != nil
	}
	return false
}

// favourFirst returns an index below n that is skewed towards 0 by the third power of a random number.
// Source: src/p2p/net_node.inl, get_random_index_with_fixed_probability.
func (m *Machine) favourFirst(n int) int {
	if n <= 1 {
		return 0
	}
	x := m.rng.below(16*(n-1) + 1)
	return x * x * x / ((n - 1) * (n - 1) * 16 * 16 * 16)
}

// confirm dials a random peer of the gray list, to check that it exists.
// Source: src/p2p/net_node.inl, gray_peerlist_housekeeping.
func (m *Machine) confirm(now time.Time) {
	gray := m.peers.Gray()
	if len(m.c.Exclusive) > 0 || len(gray) == 0 || !m.queue.synced && m.countOut() < m.out {
		return
	}
	if e := gray[m.rng.below(len(gray))]; m.canDial(now, e, m.contacts(), nil) {
		m.noteTried(now, e.Address)
		m.dial(e.Address, DialGray, message.Node{}, now)
	}
}

// SetOut changes the limit of outgoing connections, as Config.Out, and closes those in excess.
func (m *Machine) SetOut(now time.Time, n int) {
	if n < 0 {
		n = DefaultOut
	}
	m.out = n
	m.closeExcess(now, n, false)
}

// SetIn changes the limit of incoming connections, as Config.In, and closes those in excess.
func (m *Machine) SetIn(now time.Time, n int) {
	m.in = n
	if n >= 0 {
		m.closeExcess(now, n, true)
	}
}

// closeExcess closes the newest connections of a direction until n are left.
func (m *Machine) closeExcess(now time.Time, n int, incoming bool) {
	for _, c := range append([]*conn(nil), m.live()...) {
		if c.closed || c.incoming != incoming || c.purpose != DialPeer {
			continue
		}
		if n--; n < 0 {
			m.close(now, c, TooMany)
		}
	}
}
