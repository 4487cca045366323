package p2p

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/block"
	"glim/core/p2p/levin"
	"glim/core/p2p/message"
	"glim/core/p2p/netaddr"
	"glim/core/p2p/peerlist"
	"glim/core/xmr"
)

// v6 is an IPv6 address of a given /64 network.
func v6(network, host byte) netaddr.Address {
	return netaddr.FromBytes([]byte{0x20, 1, 0xd, 0xb8, 7: network, 15: host}, 18080)
}

// TestOneNetworkOneHost checks that a /64 network counts as one host for connections and bans.
func TestOneNetworkOneHost(t *testing.T) {
	w := newWorld(t)
	h := w.join(func(c *Config) { c.PerHost = 2 })
	r := w.malicious(h)
	for i := range byte(5) {
		r.addr = v6(1, i+1)
		r.call()
	}
	require.Len(t, h.ends, 3, "one IPv4 host and two of the /64 network")
	r.addr = v6(2, 1)
	r.call()
	require.Len(t, h.ends, 4)

	for i := range byte(peerlist.MaxFails + 1) {
		r.addr = v6(3, i+1)
		r.call()
		require.True(t, r.connected())
		r.write([]byte("GET / HTTP/1.1\r\n\r\n"))
		w.must(time.Second, func() bool { return !r.connected() })
	}
	r.addr = v6(3, 200)
	r.call()
	require.Equal(t, Banned, h.closed[len(h.closed)-1])
	r.addr = v6(4, 1)
	r.call()
	require.True(t, r.connected())
	bans := h.m.Bans(w.now)
	require.Len(t, bans, 1)
	require.Equal(t, "2001:db8:0:3::/64", bans[0].Subnet.String())
	h.m.SetBan(w.now, bans[0].Subnet, 0)
	require.Zero(t, h.m.Banned(w.now, r.addr))
}

// TestLargestNetworkGroupMakesRoom checks that, if all slots are taken, the network group with most connections makes
// room for others.
func TestLargestNetworkGroupMakesRoom(t *testing.T) {
	w := newWorld(t)
	h := w.join(func(c *Config) { c.In, c.PerHost = 6, 1 })
	r := w.malicious(h)
	crowd := func(i byte) bool {
		r.addr = netaddr.FromBytes([]byte{77, 1, 1, i}, 18080)
		r.call()
		return r.connected()
	}
	for i := range byte(7) {
		require.Equal(t, i < 5, crowd(i), "%d", i)
	}
	for i, in := range []bool{true, true, true, false} {
		r.addr = netaddr.FromBytes([]byte{78, byte(i), 1, 1}, 18080)
		r.call()
		require.Equal(t, in, r.connected(), "%d", i)
		require.Len(t, h.ends, 6)
	}
	require.False(t, crowd(99))
}

// counting is a chain that counts verified transactions.
type counting struct {
	Chain
	txs int
}

func (c *counting) AddTx(blob []byte, hidden bool) (xmr.Hash, error) {
	c.txs++
	return c.Chain.AddTx(blob, hidden)
}

// TestTransactionsAfterInvalidOneAreIgnored checks that transactions after an invalid one in a message are ignored, and
// those before it kept.
func TestTransactionsAfterInvalidOneAreIgnored(t *testing.T) {
	w := newWorld(t)
	var seen counting
	h := w.join(func(c *Config) { seen.Chain, c.Chain = c.Chain, &seen })
	h.mine(80)
	r := w.malicious(h)
	r.level()
	valid := h.pay(1)
	list, other := [][]byte{valid}, h.pay(2)
	for i := range byte(50) {
		bad := forge(other)
		bad[len(bad)-2] ^= i
		list = append(list, bad)
	}
	r.notify(message.NewTxs, message.TxsNotice{Txs: list, Fluff: true})
	r.dropped(5*time.Second, BadTx, 0)
	require.Equal(t, 2, seen.txs)
	require.Len(t, h.view.Pool(), 1)
}

// TestJobsAreBounded checks that waiting jobs have bounded memory, that the largest is dropped, and that blocks do not
// wait for many transactions.
func TestJobsAreBounded(t *testing.T) {
	w := newWorld(t)
	h := w.join()
	m := h.m
	for id := ConnID(101); id < 110; id++ {
		m.Accepted(w.now, id, netaddr.FromBytes([]byte{90, byte(id), 1, 1}, 1))
		m.verify(w.now, &Job{conn: id, txs: [][]byte{nil}, size: 60<<20 + int(id)})
		require.LessOrEqual(t, m.jobs.bytes, maxJobBytes)
	}
	for id := ConnID(101); id < 110; id++ {
		c := m.conns[id]
		require.Equal(t, id < 105, c != nil, "%d", id)
		require.Equal(t, 1, m.bans.Fails(netaddr.FromBytes([]byte{90, 109, 1, 1}, 1)))
	}
	m.verify(w.now, &Job{blocks: make([]message.Block, 1), ids: []xmr.Hash{{1}}})
	var given []*Job
	for _, a := range m.Drain() {
		if j, ok := a.(Verify); ok {
			given = append(given, j.Job)
		}
	}
	require.Len(t, given, 2, "one job of transactions, and the block immediately")
	require.Equal(t, ConnID(101), given[0].conn)
	require.NotEmpty(t, given[1].blocks)
	m.Verified(w.now, given[0])
	require.Equal(t, 3, len(m.jobs.waiting)+m.jobs.txs)
	for m.jobs.txs > 0 {
		for _, a := range m.Drain() {
			if j, ok := a.(Verify); ok {
				m.Verified(w.now, j.Job)
			}
		}
	}
	require.Zero(t, m.jobs.bytes)
}

// TestWithheldBlock checks that a peer that announces a block first and withholds its transactions does not delay it if
// other peers announce it too.
func TestWithheldBlock(t *testing.T) {
	w := newWorld(t)
	from := w.join()
	from.mine(80)
	h := w.join(exclusive(from))
	w.must(time.Minute, func() bool { return level(from, h)() && h.m.Sync(w.now).Synchronized })
	r := w.malicious(h)
	r.level()
	for i, leaves := range []bool{false, true} {
		_, err := from.chain.AddTx(from.pay(uint64(i+1)), false)
		require.NoError(t, err)
		id := from.mineQuietly(nil)
		d, _ := from.view.Block(id, false)
		r.notify(message.NewFluffyBlock, message.BlockNotice{Block: message.Block{Blob: d.Blob}, Height: d.Height + 1})
		w.run(100*time.Millisecond, nil)
		lastSent[message.MissingTxsRequest](t, r, message.GetMissingTxs)
		from.do(func() { from.m.BlockAccepted(w.now, id) })
		if w.run(time.Second, nil); leaves {
			r.end.other.deaf = true
		}
		require.False(t, level(from, h)())
		w.must(2*announceWait, level(from, h))
	}
}

// TestPeersOfOneNetwork checks that many addresses of one network, or reserved ones, get few entries and connections.
func TestPeersOfOneNetwork(t *testing.T) {
	w := newWorld(t)
	h := w.join()
	r := w.malicious(h)
	r.level()
	var list []message.Peer
	for i := range byte(200) {
		list = append(
			list,
			message.Peer{Address: message.FromAddress(netaddr.FromBytes([]byte{77, 7, 7, i + 1}, 18080))},
		)
	}
	for _, ip := range [][]byte{
		{0, 0, 0, 0}, {0, 1, 2, 3}, {224, 0, 0, 1}, {255, 255, 255, 255}, {127, 0, 0, 1}, {10, 1, 1, 1},
		make([]byte, 16), {0: 0xff, 1: 2, 15: 1}, {15: 1}, {0: 0xfe, 1: 0x80, 15: 1}, {0: 0xfd, 15: 1},
		{10: 0xff, 11: 0xff, 12: 127, 15: 1},
	} {
		list = append(list, message.Peer{Address: message.FromAddress(netaddr.FromBytes(ip, 18080))})
	}
	list = append(list, message.Peer{Address: message.FromAddress(netaddr.FromBytes([]byte{88, 0, 1, 1}, 0))})
	for i := range byte(8) {
		list = append(
			list,
			message.Peer{Address: message.FromAddress(netaddr.FromBytes([]byte{88, i + 1, 1, 1}, 18080))},
		)
	}
	r.on = func(f levin.Frame) {
		if f.Command == message.TimedSync && !f.IsResponse() {
			r.write(levin.Answer(f.Command, 1, message.Encode(message.TimedSyncResponse{
				Sync: message.SyncData{Height: 1, Cumulative: 1, TopID: h.top(), TopVersion: 1}, Peers: list})))
		}
	}
	w.must(2*time.Minute, func() bool { _, gray := h.m.Peers(w.now, false); return len(gray) > 0 })
	_, gray := h.m.Peers(w.now, false)
	of := map[[5]byte]int{}
	for _, p := range gray {
		require.False(t, p.Address.Reserved() || p.Address.Local() || p.Address.Loopback() || p.Address.Port == 0,
			p.Address)
		of[p.Address.NetGroup()]++
	}
	crowd := netaddr.FromBytes([]byte{77, 7, 7, 0}, 0).NetGroup()
	require.Len(t, of, 9)
	require.LessOrEqual(t, of[crowd], 32)
	require.Greater(t, of[crowd], 20)

	fresh, err := New(Config{Network: xmr.Regtest, Chain: h.view, Random: stream(5), Out: -1, In: -1})
	require.NoError(t, err)
	for _, p := range gray {
		fresh.peers.AddGray(peerlist.Entry{Address: p.Address})
	}
	called := map[[5]byte]int{}
	for range 180 {
		clear(fresh.lastTried)
		clear(fresh.dials)
		require.True(t, fresh.dialFrom(w.now, fresh.peers.Gray(), false))
		for _, a := range fresh.Drain() {
			called[a.(Dial).Address.NetGroup()]++
		}
	}
	require.Len(t, called, 9)
	require.Less(t, called[crowd], 40, "a ninth of the calls, although it has four fifths of the addresses")

	for i := range byte(100) {
		fresh.peers.AddWhite(peerlist.Entry{Address: v6(0, i), LastSeen: int64(i)})
	}
	require.Len(t, fresh.peers.White(), 32)
	require.EqualValues(t, 99, fresh.peers.White()[0].LastSeen)
}

// TestOutgoingPeersOfDifferentNetworks checks that outgoing connections go to different networks, IPv4 /24 and IPv6
// /32, as long as there are any.
func TestOutgoingPeersOfDifferentNetworks(t *testing.T) {
	w := newWorld(t)
	h := w.join()
	m, err := New(Config{Network: xmr.Regtest, Chain: h.view, Random: stream(6), Out: -1, In: -1})
	require.NoError(t, err)
	for i := range byte(20) {
		m.peers.AddGray(peerlist.Entry{Address: netaddr.FromBytes([]byte{77, 7, 7, i + 1}, 18080)})
		ip := [16]byte{0x20, 1, 0xd, 0xb8, i, i, i, i, 15: 1}
		m.peers.AddGray(peerlist.Entry{Address: netaddr.FromBytes(ip[:], 18080)})
	}
	for i := range byte(4) {
		m.peers.AddGray(peerlist.Entry{Address: netaddr.FromBytes([]byte{88, 1, i, 1}, 18080)})
	}
	dialed := func(times int) (networks map[[5]byte]bool) {
		networks = map[[5]byte]bool{}
		for range times {
			require.True(t, m.dialFrom(w.now, m.peers.Gray(), false))
		}
		for _, d := range m.dials {
			networks[d.addr.NetGroup()] = true
		}
		return networks
	}
	require.Len(t, dialed(6), 6)
	require.Len(t, dialed(3), 6, "there are no others")
	require.Len(t, m.dials, 9)
}

// TestIncomingClaimsDoNotDelaySync checks that an incoming peer that claims a longer chain does not prevent
// synchronisation with outgoing peers or the relay of transactions. Its height counts only if it claims more work than
// our chain.
func TestIncomingClaimsDoNotDelaySync(t *testing.T) {
	w := newWorld(t)
	honest := w.join()
	honest.mine(80)
	h := w.join()
	claimant := w.malicious(h)
	claimant.shake(400_000_000, 1<<40)
	h.m.SetOut(w.now, 1)
	h.m.peers.AddWhite(peerlist.Entry{Address: honest.addr})
	w.must(20*time.Second, func() bool { return level(honest, h)() && h.m.Sync(w.now).Synchronized })
	require.True(t, claimant.connected())
	require.EqualValues(t, 400_000_000, h.m.Sync(w.now).Target)
	id, err := honest.chain.AddTx(honest.pay(1), false)
	require.NoError(t, err)
	honest.do(func() { honest.m.TransactionAccepted(w.now, id) })
	for range 15 { // it sends a message now and then
		claimant.write(levin.Invoke(message.Ping, message.Encode(message.Empty{})))
		if w.run(5*time.Second, func() bool { return h.view.HasTx(id) }) {
			break
		}
	}
	require.True(t, h.view.HasTx(id))
	require.True(t, claimant.connected())

	boaster := w.malicious(h)
	boaster.shake(450_000_000, 1)
	w.must(time.Second, func() bool { return len(boaster.frames) > 0 })
	require.EqualValues(t, 400_000_000, h.m.Sync(w.now).Target)
	claimant.crash()
	w.must(time.Second, func() bool { return len(h.ends) == 2 })
	require.Zero(t, h.m.Sync(w.now).Target)
}

// TestSpansAreBounded checks that invented blocks which wait for verification have bounded memory, and that their
// sender is dropped.
func TestSpansAreBounded(t *testing.T) {
	w := newWorld(t)
	const most = 100_000
	h := w.join(func(c *Config) { c.QueueBytes = most })
	h.mine(1)
	d, _ := h.view.Block(h.top(), false)
	for i := range byte(6) {
		b, err := block.Parse(d.Blob)
		require.NoError(t, err)
		b.Prev, b.TxHashes = xmr.Hash{1, i}, []xmr.Hash{{2, i}}
		id, err := b.Hash()
		require.NoError(t, err)
		r := w.malicious(h)
		r.on = func(f levin.Frame) {
			switch f.Command {
			case message.GetChain:
				r.notify(message.Chain, message.ChainResponse{Total: 2, IDs: []xmr.Hash{xmr.Regtest.GenesisHash(), id}})
			case message.GetObjects:
				r.notify(message.Objects, message.ObjectsResponse{Height: 2, Blocks: []message.Block{
					{Blob: b.Append(nil), Txs: []message.Tx{{Blob: make([]byte, 70_000+int(i))}}}}})
			}
		}
		r.shake(2, 1<<40)
		w.run(time.Second, nil)
		require.LessOrEqual(t, h.m.queue.bytes, 2*most)
		require.Equal(t, i < 2, r.connected(), "%d", i)
	}
	require.Len(t, h.m.queue.spans, 2)
}
