package p2p

import (
	"time"

	"glim/core/p2p/levin"
	"glim/core/p2p/message"
	"glim/core/p2p/netaddr"
	"glim/core/p2p/peerlist"
)

// Time limits for responses. Source: src/cryptonote_config.h, P2P_DEFAULT_HANDSHAKE_INVOKE_TIMEOUT,
// P2P_DEFAULT_INVOKE_TIMEOUT, P2P_DEFAULT_HANDSHAKE_INTERVAL.
const (
	handshakeTime = 5 * time.Second
	answerTime    = 2 * time.Minute
	syncInterval  = time.Minute
	tellInterval  = 10 * time.Second // between lists of peers sent to one peer
)

func answerTimeout(command uint32) time.Duration {
	switch command {
	case message.Handshake, message.Ping, message.SupportFlags:
		return handshakeTime
	}
	return answerTime
}

// handle processes a frame.
func (m *Machine) handle(now time.Time, c *conn, f levin.Frame) {
	if f.IsResponse() {
		m.answered(now, c, f)
		return
	}
	if !c.handshaken && f.Command != message.Handshake && f.Command != message.Ping &&
		f.Command != message.SupportFlags {
		m.blame(now, c, 1, Unexpected)
		return
	}
	question := f.Command < 2000
	if question != f.Expect {
		m.blame(now, c, 1, Unexpected)
		return
	}
	switch f.Command {
	case message.Handshake:
		read(m, now, c, f, m.onHandshake)
	case message.TimedSync:
		read(m, now, c, f, m.onTimedSync)
	case message.Ping:
		m.answer(now, c, f.Command, message.PingResponse{Status: message.PingOK, PeerID: m.id})
	case message.SupportFlags:
		m.answer(now, c, f.Command, message.SupportFlagsResponse{SupportFlags: message.FluffyBlocks})
	case message.NewBlock, message.NewFluffyBlock:
		read(m, now, c, f, m.onBlock)
	case message.NewTxs:
		read(m, now, c, f, m.onTxs)
	case message.GetObjects:
		read(m, now, c, f, m.onGetObjects)
	case message.Objects:
		read(m, now, c, f, m.onObjects)
	case message.GetChain:
		read(m, now, c, f, m.onGetChain)
	case message.Chain:
		read(m, now, c, f, m.onChain)
	case message.GetMissingTxs:
		read(m, now, c, f, m.onGetMissingTxs)
	case message.PoolComplement:
		read(m, now, c, f, m.onPoolComplement)
	default:
		if f.Expect {
			m.send(now, c, levin.Answer(f.Command, levin.ErrorHandlerMissing, nil))
		}
	}
}

// read decodes a frame's body and passes it to then.
func read[T any](m *Machine, now time.Time, c *conn, f levin.Frame, then func(time.Time, *conn, *T)) {
	v := new(T)
	if err := message.Decode(f.Body, v); err != nil {
		m.blame(now, c, 1, BadMessage)
		return
	}
	then(now, c, v)
}

// answered processes a response.
func (m *Machine) answered(now time.Time, c *conn, f levin.Frame) {
	if len(c.questions) == 0 || c.questions[0].command != f.Command {
		m.blame(now, c, 1, Unexpected)
		return
	}
	c.questions = c.questions[1:]
	if f.Code < 0 {
		if !c.handshaken || f.Command == message.TimedSync {
			m.close(now, c, Unexpected)
		}
		return
	}
	switch f.Command {
	case message.Handshake:
		read(m, now, c, f, m.onHandshakeAnswer)
	case message.TimedSync:
		read(m, now, c, f, m.onTimedSyncAnswer)
	case message.Ping:
		read(m, now, c, f, m.onPingAnswer)
	case message.SupportFlags:
		read(m, now, c, f, func(_ time.Time, c *conn, r *message.SupportFlagsResponse) {
			c.node.SupportFlags = r.SupportFlags
		})
	}
}

func (m *Machine) self() message.Node {
	n := message.Node{NetworkID: message.NetworkID(m.c.Network), PeerID: m.id, SupportFlags: message.FluffyBlocks,
		Port: uint32(m.c.Port)}
	if !m.c.Offline {
		n.RPCPort = m.c.RPCPort
	}
	return n
}

func (m *Machine) syncData() message.SyncData {
	t := m.c.Chain.Tip()
	return message.SyncData{Height: t.Height, Cumulative: t.Cumulative.Lo, CumulativeHi: t.Cumulative.Hi, TopID: t.ID,
		TopVersion: t.Version}
}

// Accepted reports an incoming connection that the host has accepted. The machine may reject it with a Close.
func (m *Machine) Accepted(now time.Time, id ConnID, from netaddr.Address) {
	if m.stopped || m.conns[id] != nil {
		return
	}
	all, same := 0, 0
	for _, c := range m.live() {
		if !c.closed && c.incoming {
			all++
			if c.addr.HostPrefix() == from.HostPrefix() {
				same++
			}
		}
	}
	most := m.in
	if most < 0 {
		most = maxIn
	}
	c := m.open(now, id, from, true)
	switch {
	case m.c.Offline:
		m.close(now, c, Unwanted)
	case m.bans.Left(now, from) > 0:
		m.close(now, c, Banned)
	case same >= m.c.PerHost && !(m.c.AllowLocal && from.Loopback()), all >= most && !m.makeRoom(now, c):
		m.close(now, c, TooMany)
	}
}

// makeRoom closes an incoming connection of the network group with the most of them, to make room for a connection of
// another group, so that an attacker with many addresses of one network cannot occupy all slots. It returns false if no
// group would keep more connections than the new connection's group has.
func (m *Machine) makeRoom(now time.Time, c *conn) bool {
	if m.in == 0 {
		return false
	}
	count := map[[5]byte]int{}
	most := c.addr.NetGroup()
	for _, other := range m.live() {
		if n := other.addr.NetGroup(); !other.closed && other.incoming {
			if count[n]++; count[n] > count[most] {
				most = n
			}
		}
	}
	if count[most] < count[c.addr.NetGroup()]+2 {
		return false
	}
	var last *conn
	for _, other := range m.live() {
		candidate := !other.closed && other.incoming && other.addr.NetGroup() == most
		if candidate && (last == nil || !other.handshaken || last.handshaken) {
			last = other
		}
	}
	m.close(now, last, TooMany)
	return true
}

// onHandshake handles the handshake of an incoming peer. Source: src/p2p/net_node.inl, handle_handshake.
func (m *Machine) onHandshake(now time.Time, c *conn, r *message.HandshakeRequest) {
	switch {
	case r.Node.NetworkID != message.NetworkID(m.c.Network):
		m.blame(now, c, 1, WrongNetwork)
		return
	case !c.incoming, c.handshaken, r.Node.PeerID == 0, r.Node.Port > 65535:
		m.blame(now, c, 1, Unexpected)
		return
	case r.Node.PeerID == m.id:
		m.close(now, c, SelfConnection)
		return
	case !m.plausible(&r.Sync):
		m.close(now, c, BadChain)
		return
	}
	m.answer(now, c, message.Handshake, message.HandshakeResponse{
		Node: m.self(), Sync: m.syncData(), Peers: m.peersFor(now, c),
	})
	m.shake(now, c, r.Node, &r.Sync)
	if c.closed || r.Node.Port == 0 || m.c.Offline || !m.listed(c.addr) {
		return
	}
	if to := c.addr.WithPort(uint16(r.Node.Port)); !m.dialing(to) {
		m.dial(to, DialPing, c.node, now)
	}
}

// shake completes the handshake of a connection.
func (m *Machine) shake(now time.Time, c *conn, n message.Node, s *message.SyncData) {
	c.handshaken, c.node = true, n
	c.decoder.Max = levin.MaxAfter
	c.nextSync = now.Add(syncInterval)
	if n.SupportFlags == 0 {
		m.ask(now, c, message.SupportFlags, message.Empty{})
	}
	m.updateSync(now, c, s, true)
}

// onHandshakeAnswer handles the response to our handshake. Source: src/p2p/net_node.inl, do_handshake_with_peer.
func (m *Machine) onHandshakeAnswer(now time.Time, c *conn, r *message.HandshakeResponse) {
	switch {
	case r.Node.NetworkID != message.NetworkID(m.c.Network):
		m.peers.Forget(c.addr)
		m.close(now, c, WrongNetwork)
		return
	case r.Node.PeerID == m.id:
		m.peers.Forget(c.addr)
		m.close(now, c, SelfConnection)
		return
	case r.Node.PeerID == 0 || !m.receivePeers(now, c, r.Peers):
		m.blame(now, c, 1, BadMessage)
		return
	}
	c.node = r.Node
	if c.purpose != DialPeer {
		if c.purpose == DialGray {
			m.seen(now, c)
		}
		c.handshaken = true
		m.close(now, c, Done)
		return
	}
	if !m.plausible(&r.Sync) {
		m.close(now, c, BadChain)
		return
	}
	for _, other := range m.live() {
		if other != c && !other.closed && !other.incoming && other.handshaken && other.node.PeerID == r.Node.PeerID &&
			other.addr.Host() == c.addr.Host() {
			m.close(now, c, Duplicate)
			return
		}
	}
	c.seed = r.Sync.PruningSeed
	m.seen(now, c)
	m.peers.Anchor(peerlist.Entry{Address: c.addr, ID: c.node.PeerID, LastSeen: now.Unix()})
	m.shake(now, c, r.Node, &r.Sync)
}

// seen adds the peer with the address of the connection to the white list.
func (m *Machine) seen(now time.Time, c *conn) {
	if m.listed(c.addr) {
		m.peers.AddWhite(peerlist.Entry{Address: c.addr, ID: c.node.PeerID, LastSeen: now.Unix(), PruningSeed: c.seed,
			RPCPort: c.node.RPCPort, RPCCredits: c.node.RPCCredits})
	}
}

// onPingAnswer handles the response of a ping to the announced address. Source: src/p2p/net_node.inl, try_ping.
func (m *Machine) onPingAnswer(now time.Time, c *conn, r *message.PingResponse) {
	if r.Status == message.PingOK && r.PeerID == c.node.PeerID {
		m.seen(now, c)
	}
	c.handshaken = true
	m.close(now, c, Done)
}

// onTimedSync handles a timed sync request. Source: src/p2p/net_node.inl, handle_timed_sync.
func (m *Machine) onTimedSync(now time.Time, c *conn, r *message.TimedSyncRequest) {
	if !m.plausible(&r.Sync) {
		m.close(now, c, BadChain)
		return
	}
	m.answer(now, c, message.TimedSync, message.TimedSyncResponse{Sync: m.syncData(), Peers: m.peersFor(now, c)})
	m.updateSync(now, c, &r.Sync, false)
}

func (m *Machine) onTimedSyncAnswer(now time.Time, c *conn, r *message.TimedSyncResponse) {
	if !m.receivePeers(now, c, r.Peers) {
		m.blame(now, c, 1, BadMessage)
		return
	}
	if !m.plausible(&r.Sync) {
		m.close(now, c, BadChain)
		return
	}
	if !c.incoming {
		m.seen(now, c)
	}
	m.updateSync(now, c, &r.Sync, false)
}

// syncAll sends timed sync requests that are due.
func (m *Machine) syncAll(now time.Time) {
	for _, c := range m.live() {
		if !c.closed && c.handshaken && c.purpose == DialPeer && !now.Before(c.nextSync) {
			c.nextSync = now.Add(syncInterval)
			if len(c.questions) == 0 {
				m.ask(now, c, message.TimedSync, message.TimedSyncRequest{Sync: m.syncData()})
			}
		}
	}
}

// peersFor returns random peers that were not sent to a peer before. It hides when they were last seen.
// Source: src/p2p/net_peerlist.h, get_peerlist_head.
func (m *Machine) peersFor(now time.Time, c *conn) (list []message.Peer) {
	if now.Sub(c.listed) < tellInterval {
		return nil // it requests lists too often
	}
	c.listed = now
	white := m.peers.White()
	shuffle(&m.rng, white)
	for _, e := range white[:min(len(white), message.MaxPeers)] {
		if _, sent := c.sentPeers[e.Address]; sent || len(c.sentPeers) >= maxSentPeers {
			continue
		}
		c.sentPeers[e.Address] = struct{}{}
		e.LastSeen = 0
		list = append(list, e.Message())
	}
	return list
}

// receivePeers adds a received list of peers to the gray list. It returns false if the list is too long.
// Source: src/p2p/net_node.inl, handle_remote_peerlist, sanitize_peerlist.
func (m *Machine) receivePeers(now time.Time, c *conn, list []message.Peer) bool {
	if len(list) > message.MaxPeers {
		return false
	}
	good := make([]peerlist.Entry, 0, len(list))
	for _, p := range list {
		e, valid := peerlist.FromMessage(p)
		if !valid || !m.listed(e.Address) || e.Address.Port == e.RPCPort || !goodSeed(e.PruningSeed) ||
			m.bans.Left(now, e.Address) > 0 || m.bans.RecentlyUnreachable(now, e.Address) {
			continue
		}
		e.LastSeen = 0
		good = append(good, e)
	}
	m.peers.AddGray(good...)
	return true
}

// listed reports whether an address may be in lists of peers.
func (m *Machine) listed(a netaddr.Address) bool {
	return a.Valid() && !a.Reserved() && (m.c.AllowLocal || !a.Loopback() && !a.Local())
}
