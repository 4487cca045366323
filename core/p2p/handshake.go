package p2p

import (
	"time"

	"glim/core/p2p/levin"
	"glim/core/p2p/message"
	"glim/core/p2p/netaddr"
	"glim/core/p2p/peerlist"
)

// How long answers may take. Source: src/cryptonote_config.h, P2P_DEFAULT_HANDSHAKE_INVOKE_TIMEOUT, P2P_DEFAULT_INVOKE_TIMEOUT,
// P2P_DEFAULT_HANDSHAKE_INTERVAL.
const (
	handshakeTime = 5 * time.Second
	answerTime    = 2 * time.Minute
	syncInterval  = time.Minute
	tellInterval  = 10 * time.Second // between lists of peers that one peer is told
)

func patience(command uint32) time.Duration {
	switch command {
	case message.Handshake, message.Ping, message.SupportFlags:
		return handshakeTime
	}
	return answerTime
}

// handle deals with a frame.
func (m *Machine) handle(now time.Time, c *conn, f levin.Frame) {
	if f.IsResponse() {
		m.answered(now, c, f)
		return
	}
	if !c.shaken && f.Command != message.Handshake && f.Command != message.Ping && f.Command != message.SupportFlags {
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

// read reads a frame's body and goes on with it.
func read[T any](m *Machine, now time.Time, c *conn, f levin.Frame, then func(time.Time, *conn, *T)) {
	v := new(T)
	if err := message.Decode(f.Body, v); err != nil {
		m.blame(now, c, 1, BadMessage)
		return
	}
	then(now, c, v)
}

// answered deals with the answer to a question of ours.
func (m *Machine) answered(now time.Time, c *conn, f levin.Frame) {
	if len(c.questions) == 0 || c.questions[0].command != f.Command {
		m.blame(now, c, 1, Unexpected)
		return
	}
	c.questions = c.questions[1:]
	if f.Code < 0 {
		if !c.shaken || f.Command == message.TimedSync {
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
		read(m, now, c, f, func(_ time.Time, c *conn, r *message.SupportFlagsResponse) { c.node.SupportFlags = r.SupportFlags })
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

// Accepted tells that somebody has come in. The host has accepted; whether the machine wants him is told by a Close or none.
func (m *Machine) Accepted(now time.Time, id ConnID, from netaddr.Address) {
	if m.stopped || m.conns[id] != nil {
		return
	}
	all, same := 0, 0
	for _, c := range m.live() {
		if !c.gone && c.incoming {
			all++
			if c.addr.Holder() == from.Holder() {
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

// makeRoom closes a connection of the neighbourhood that most have come from, for one of elsewhere: who has many addresses of one network
// does not fill all places. False when nobody has two more than would be the newcomer's.
func (m *Machine) makeRoom(now time.Time, c *conn) bool {
	if m.in == 0 {
		return false
	}
	count := map[[5]byte]int{}
	most := c.addr.Neighbourhood()
	for _, other := range m.live() {
		if n := other.addr.Neighbourhood(); !other.gone && other.incoming {
			if count[n]++; count[n] > count[most] {
				most = n
			}
		}
	}
	if count[most] < count[c.addr.Neighbourhood()]+2 {
		return false
	}
	var last *conn
	for _, other := range m.live() {
		if !other.gone && other.incoming && other.addr.Neighbourhood() == most && (last == nil || !other.shaken || last.shaken) {
			last = other
		}
	}
	m.close(now, last, TooMany)
	return true
}

// onHandshake is what somebody says who has come in. Source: src/p2p/net_node.inl, handle_handshake.
func (m *Machine) onHandshake(now time.Time, c *conn, r *message.HandshakeRequest) {
	switch {
	case r.Node.NetworkID != message.NetworkID(m.c.Network):
		m.blame(now, c, 1, WrongNetwork)
		return
	case !c.incoming, c.shaken, r.Node.PeerID == 0, r.Node.Port > 65535:
		m.blame(now, c, 1, Unexpected)
		return
	case r.Node.PeerID == m.id:
		m.close(now, c, Itself)
		return
	case !m.plausible(&r.Sync):
		m.close(now, c, BadChain)
		return
	}
	m.answer(now, c, message.Handshake, message.HandshakeResponse{Node: m.self(), Sync: m.syncData(), Peers: m.tell(now, c)})
	m.shake(now, c, r.Node, &r.Sync)
	if c.gone || r.Node.Port == 0 || m.c.Offline || !m.listed(c.addr) {
		return
	}
	if to := c.addr.WithPort(uint16(r.Node.Port)); !m.dialing(to) {
		m.dial(to, ToPing, c.node, now)
	}
}

// shake makes a connection one of a peer.
func (m *Machine) shake(now time.Time, c *conn, n message.Node, s *message.SyncData) {
	c.shaken, c.node = true, n
	c.decoder.Max = levin.MaxAfter
	c.nextSync = now.Add(syncInterval)
	if n.SupportFlags == 0 {
		m.ask(now, c, message.SupportFlags, message.Empty{})
	}
	m.heardSync(now, c, s, true)
}

// onHandshakeAnswer is what somebody says who was called. Source: src/p2p/net_node.inl, do_handshake_with_peer.
func (m *Machine) onHandshakeAnswer(now time.Time, c *conn, r *message.HandshakeResponse) {
	switch {
	case r.Node.NetworkID != message.NetworkID(m.c.Network):
		m.peers.Forget(c.addr)
		m.close(now, c, WrongNetwork)
		return
	case r.Node.PeerID == m.id:
		m.peers.Forget(c.addr)
		m.close(now, c, Itself)
		return
	case r.Node.PeerID == 0 || !m.heardPeers(now, c, r.Peers):
		m.blame(now, c, 1, BadMessage)
		return
	}
	c.node = r.Node
	if c.purpose != ToStay {
		if c.purpose == ToConfirm {
			m.seen(now, c)
		}
		c.shaken = true
		m.close(now, c, Done)
		return
	}
	if !m.plausible(&r.Sync) {
		m.close(now, c, BadChain)
		return
	}
	for _, other := range m.live() {
		if other != c && !other.gone && !other.incoming && other.shaken && other.node.PeerID == r.Node.PeerID &&
			other.addr.Host() == c.addr.Host() {
			m.close(now, c, Twice)
			return
		}
	}
	c.seed = r.Sync.PruningSeed
	m.seen(now, c)
	m.peers.Anchor(peerlist.Entry{Address: c.addr, ID: c.node.PeerID, LastSeen: now.Unix()})
	m.shake(now, c, r.Node, &r.Sync)
}

// seen notes that the peer has been reached at the address of the connection.
func (m *Machine) seen(now time.Time, c *conn) {
	if m.listed(c.addr) {
		m.peers.Seen(peerlist.Entry{Address: c.addr, ID: c.node.PeerID, LastSeen: now.Unix(), PruningSeed: c.seed,
			RPCPort: c.node.RPCPort, RPCCredits: c.node.RPCCredits})
	}
}

// onPingAnswer ends the question whether a peer is reached where it says. Source: src/p2p/net_node.inl, try_ping.
func (m *Machine) onPingAnswer(now time.Time, c *conn, r *message.PingResponse) {
	if r.Status == message.PingOK && r.PeerID == c.node.PeerID {
		m.seen(now, c)
	}
	c.shaken = true
	m.close(now, c, Done)
}

// onTimedSync: source: src/p2p/net_node.inl, handle_timed_sync.
func (m *Machine) onTimedSync(now time.Time, c *conn, r *message.TimedSyncRequest) {
	if !m.plausible(&r.Sync) {
		m.close(now, c, BadChain)
		return
	}
	m.answer(now, c, message.TimedSync, message.TimedSyncResponse{Sync: m.syncData(), Peers: m.tell(now, c)})
	m.heardSync(now, c, &r.Sync, false)
}

func (m *Machine) onTimedSyncAnswer(now time.Time, c *conn, r *message.TimedSyncResponse) {
	if !m.heardPeers(now, c, r.Peers) {
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
	m.heardSync(now, c, &r.Sync, false)
}

// syncAll asks those whose time has come how their chains stand.
func (m *Machine) syncAll(now time.Time) {
	for _, c := range m.live() {
		if !c.gone && c.shaken && c.purpose == ToStay && !now.Before(c.nextSync) {
			c.nextSync = now.Add(syncInterval)
			if len(c.questions) == 0 {
				m.ask(now, c, message.TimedSync, message.TimedSyncRequest{Sync: m.syncData()})
			}
		}
	}
}

// tell returns peers by chance that a peer has not been told of. When they were seen is nobody's business.
// Source: src/p2p/net_peerlist.h, get_peerlist_head.
func (m *Machine) tell(now time.Time, c *conn) (list []message.Peer) {
	if now.Sub(c.listed) < tellInterval {
		return nil // it asks more often than there is news
	}
	c.listed = now
	white := m.peers.White()
	shuffle(&m.dice, white)
	for _, e := range white[:min(len(white), message.MaxPeers)] {
		if _, told := c.told[e.Address]; told || len(c.told) >= maxSentPeers {
			continue
		}
		c.told[e.Address] = struct{}{}
		e.LastSeen = 0
		list = append(list, e.Message())
	}
	return list
}

// heardPeers takes a list of peers in; false when it is too long.
// Source: src/p2p/net_node.inl, handle_remote_peerlist, sanitize_peerlist.
func (m *Machine) heardPeers(now time.Time, c *conn, list []message.Peer) bool {
	if len(list) > message.MaxPeers {
		return false
	}
	good := make([]peerlist.Entry, 0, len(list))
	for _, p := range list {
		e, valid := peerlist.FromMessage(p)
		if !valid || !m.listed(e.Address) || e.Address.Port == e.RPCPort || !goodSeed(e.PruningSeed) ||
			m.bans.Left(now, e.Address) > 0 || m.bans.MissedLately(now, e.Address) {
			continue
		}
		e.LastSeen = 0
		good = append(good, e)
	}
	m.peers.Heard(good...)
	return true
}

// listed reports whether an address may be in lists of peers.
func (m *Machine) listed(a netaddr.Address) bool {
	return a.Valid() && !a.Nobody() && (m.c.AllowLocal || !a.Loopback() && !a.Local())
}
