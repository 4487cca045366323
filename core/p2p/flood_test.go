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

// v6 is an address of a network of 2^64 addresses.
func v6(network, host byte) netaddr.Address {
	return netaddr.From([]byte{0x20, 1, 0xd, 0xb8, 7: network, 15: host}, 18080)
}

// TestOneNetworkOneHost: who has a network of IPv6 has as many connections as one host, and is kept away as one.
func TestOneNetworkOneHost(t *testing.T) {
	w := newWorld(t)
	h := w.join(func(c *Config) { c.PerHost = 2 })
	r := w.rogue(h)
	for i := range byte(5) {
		r.addr = v6(1, i+1)
		r.call()
	}
	require.Len(t, h.ends, 3, "one of IPv4 and two of the network")
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
	require.Equal(t, Banned, h.gone[len(h.gone)-1])
	r.addr = v6(4, 1)
	r.call()
	require.True(t, r.connected())
	bans := h.m.Bans(w.now)
	require.Len(t, bans, 1)
	require.Equal(t, "2001:db8:0:3::/64", bans[0].Subnet.String())
	h.m.SetBan(w.now, bans[0].Subnet, 0)
	require.Zero(t, h.m.Banned(w.now, r.addr))
}

// TestPlacesOfOneNetwork: when all places are taken those of whom most have come from one network make room, and only for others.
func TestPlacesOfOneNetwork(t *testing.T) {
	w := newWorld(t)
	h := w.join(func(c *Config) { c.In, c.PerHost = 6, 1 })
	r := w.rogue(h)
	crowd := func(i byte) bool {
		r.addr = netaddr.From([]byte{77, 1, 1, i}, 18080)
		r.call()
		return r.connected()
	}
	for i := range byte(7) {
		require.Equal(t, i < 5, crowd(i), "%d", i)
	}
	for i, in := range []bool{true, true, true, false} {
		r.addr = netaddr.From([]byte{78, byte(i), 1, 1}, 18080)
		r.call()
		require.Equal(t, in, r.connected(), "%d", i)
		require.Len(t, h.ends, 6)
	}
	require.False(t, crowd(99))
}

// counting counts the transactions that are judged.
type counting struct {
	Chain
	txs int
}

func (c *counting) AddTx(blob []byte, hidden bool) (xmr.Hash, error) {
	c.txs++
	return c.Chain.AddTx(blob, hidden)
}

// TestBadTransactionIsTheLast: after a transaction that is not valid nothing else of its message is looked at; those before it stay.
func TestBadTransactionIsTheLast(t *testing.T) {
	w := newWorld(t)
	var seen counting
	h := w.join(func(c *Config) { seen.Chain, c.Chain = c.Chain, &seen })
	h.mine(80)
	r := w.rogue(h)
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

// TestJobsAreBounded: what waits to be judged takes bounded memory, who sent most of it loses it, and blocks do not wait for many
// transactions.
func TestJobsAreBounded(t *testing.T) {
	w := newWorld(t)
	h := w.join()
	m := h.m
	for id := ConnID(101); id < 110; id++ {
		m.Accepted(w.now, id, netaddr.From([]byte{90, byte(id), 1, 1}, 1))
		m.judge(w.now, &Job{conn: id, txs: [][]byte{nil}, size: 60<<20 + int(id)})
		require.LessOrEqual(t, m.jobs.bytes, maxJobBytes)
	}
	for id := ConnID(101); id < 110; id++ {
		c := m.conns[id]
		require.Equal(t, id < 105, c != nil, "%d", id)
		require.Equal(t, 1, m.bans.Fails(netaddr.From([]byte{90, 109, 1, 1}, 1)))
	}
	m.judge(w.now, &Job{blocks: make([]message.Block, 1), ids: []xmr.Hash{{1}}})
	var given []*Job
	for _, a := range m.Drain() {
		if j, ok := a.(Judge); ok {
			given = append(given, j.Job)
		}
	}
	require.Len(t, given, 2, "one of transactions, and the block at once")
	require.Equal(t, ConnID(101), given[0].conn)
	require.NotEmpty(t, given[1].blocks)
	m.Judged(w.now, given[0])
	require.Equal(t, 3, len(m.jobs.waiting)+m.jobs.txs)
	for m.jobs.txs > 0 {
		for _, a := range m.Drain() {
			if j, ok := a.(Judge); ok {
				m.Judged(w.now, j.Job)
			}
		}
	}
	require.Zero(t, m.jobs.bytes)
}

// TestWithheldBlock: who announces a block first and keeps its transactions back does not keep it from those who hear it from others.
func TestWithheldBlock(t *testing.T) {
	w := newWorld(t)
	from := w.join()
	from.mine(80)
	h := w.join(exclusive(from))
	w.must(time.Minute, func() bool { return level(from, h)() && h.m.Sync(w.now).Synchronized })
	r := w.rogue(h)
	r.level()
	for i, leaves := range []bool{false, true} {
		_, err := from.chain.AddTx(from.pay(uint64(i+1)), false)
		require.NoError(t, err)
		id := from.mineQuietly(nil)
		d, _ := from.view.Block(id, false)
		r.notify(message.NewFluffyBlock, message.BlockNotice{Block: message.Block{Blob: d.Blob}, Height: d.Height + 1})
		w.run(100*time.Millisecond, nil)
		told[message.MissingTxsRequest](t, r, message.GetMissingTxs)
		from.do(func() { from.m.BlockAccepted(w.now, id) })
		if w.run(time.Second, nil); leaves {
			r.end.other.deaf = true
		}
		require.False(t, level(from, h)())
		w.must(2*asideTime, level(from, h))
	}
}

// TestPeersOfOneNetwork: many names of one network, and names of nobody, take few places in the list of peers and few calls.
func TestPeersOfOneNetwork(t *testing.T) {
	w := newWorld(t)
	h := w.join()
	r := w.rogue(h)
	r.level()
	var list []message.Peer
	for i := range byte(200) {
		list = append(list, message.Peer{Address: message.FromAddress(netaddr.From([]byte{77, 7, 7, i + 1}, 18080))})
	}
	for _, ip := range [][]byte{{0, 0, 0, 0}, {0, 1, 2, 3}, {224, 0, 0, 1}, {255, 255, 255, 255}, {127, 0, 0, 1}, {10, 1, 1, 1}, make([]byte, 16),
		{0: 0xff, 1: 2, 15: 1}, {15: 1}, {0: 0xfe, 1: 0x80, 15: 1}, {0: 0xfd, 15: 1}, {10: 0xff, 11: 0xff, 12: 127, 15: 1}} {
		list = append(list, message.Peer{Address: message.FromAddress(netaddr.From(ip, 18080))})
	}
	list = append(list, message.Peer{Address: message.FromAddress(netaddr.From([]byte{88, 0, 1, 1}, 0))})
	for i := range byte(8) {
		list = append(list, message.Peer{Address: message.FromAddress(netaddr.From([]byte{88, i + 1, 1, 1}, 18080))})
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
		require.False(t, p.Address.Nobody() || p.Address.Local() || p.Address.Loopback() || p.Address.Port == 0, p.Address)
		of[p.Address.Neighbourhood()]++
	}
	crowd := netaddr.From([]byte{77, 7, 7, 0}, 0).Neighbourhood()
	require.Len(t, of, 9)
	require.LessOrEqual(t, of[crowd], 32)
	require.Greater(t, of[crowd], 20)

	fresh, err := New(Config{Network: xmr.Regtest, Chain: h.view, Random: stream(5), Out: -1, In: -1})
	require.NoError(t, err)
	for _, p := range gray {
		fresh.peers.Heard(peerlist.Entry{Address: p.Address})
	}
	called := map[[5]byte]int{}
	for range 180 {
		clear(fresh.lastTried)
		clear(fresh.dials)
		require.True(t, fresh.callFrom(w.now, fresh.peers.Gray(), false))
		for _, a := range fresh.Drain() {
			called[a.(Dial).Address.Neighbourhood()]++
		}
	}
	require.Len(t, called, 9)
	require.Less(t, called[crowd], 40, "its share is a ninth, and not four fifths")

	for i := range byte(100) {
		fresh.peers.Seen(peerlist.Entry{Address: v6(0, i), LastSeen: int64(i)})
	}
	require.Len(t, fresh.peers.White(), 32)
	require.EqualValues(t, 99, fresh.peers.White()[0].LastSeen)
}

// TestLiarsHoldUpNobody: who comes in and says that his chain is longer, and then keeps us waiting, keeps nobody from being level with those
// whom we called, nor from transactions. What he says of heights counts when he says it took more work than ours.
func TestLiarsHoldUpNobody(t *testing.T) {
	w := newWorld(t)
	honest := w.join()
	honest.mine(80)
	h := w.join()
	liar := w.rogue(h)
	liar.shake(400_000_000, 1<<40)
	h.m.SetOut(w.now, 1)
	h.m.peers.Seen(peerlist.Entry{Address: honest.addr})
	w.must(20*time.Second, func() bool { return level(honest, h)() && h.m.Sync(w.now).Synchronized })
	require.True(t, liar.connected())
	require.EqualValues(t, 400_000_000, h.m.Sync(w.now).Target)
	id, err := honest.chain.AddTx(honest.pay(1), false)
	require.NoError(t, err)
	honest.do(func() { honest.m.TransactionAccepted(w.now, id) })
	for range 15 { // he says something now and then
		liar.write(levin.Invoke(message.Ping, message.Encode(message.Empty{})))
		if w.run(5*time.Second, func() bool { return h.view.HasTx(id) }) {
			break
		}
	}
	require.True(t, h.view.HasTx(id))
	require.True(t, liar.connected())

	boaster := w.rogue(h)
	boaster.shake(450_000_000, 1)
	w.must(time.Second, func() bool { return len(boaster.frames) > 0 })
	require.EqualValues(t, 400_000_000, h.m.Sync(w.now).Target)
	liar.crash()
	w.must(time.Second, func() bool { return len(h.ends) == 2 })
	require.Zero(t, h.m.Sync(w.now).Target)
}

// TestSpansAreBounded: blocks of chains that somebody makes up take bounded memory while they wait, and who brought most of it is left.
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
		r := w.rogue(h)
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
