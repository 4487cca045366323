package p2p

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/p2p/levin"
	"glim/core/p2p/message"
	"glim/core/p2p/netaddr"
	"glim/core/xmr"
)

// maliciousPeer is a peer controlled by a test.
type maliciousPeer struct {
	*host
	victim  *host
	end     *end
	decoder levin.Decoder
	frames  []levin.Frame
	on      func(levin.Frame)
	polite  bool // answers timed syncs
}

// malicious connects a malicious peer to a host.
func (w *world) malicious(victim *host) *maliciousPeer {
	n := len(w.hosts) + 1
	r := &maliciousPeer{
		host:   &host{w: w, addr: netaddr.FromBytes([]byte{66, byte(n), 6, 6}, 18080), ends: map[ConnID]*end{}},
		victim: victim,
	}
	r.decoder.Max = levin.MaxAfter
	r.bytes = func(b []byte) {
		r.decoder.Write(b)
		for {
			f, ok, err := r.decoder.Next()
			require.NoError(w.t, err)
			if !ok {
				return
			}
			r.frames = append(r.frames, f)
			if r.polite && f.Command == message.TimedSync && !f.IsResponse() {
				t := victim.view.Tip()
				r.write(levin.Answer(f.Command, 1, message.Encode(message.TimedSyncResponse{
					Sync: message.SyncData{
						Height:     t.Height,
						Cumulative: t.Cumulative.Lo,
						TopID:      t.ID,
						TopVersion: t.Version,
					}})))
			}
			if r.on != nil {
				r.on(f)
			}
		}
	}
	w.hosts = append(w.hosts, r.host)
	r.call()
	return r
}

func (r *maliciousPeer) call() { r.end, _ = r.connect(r.victim, 0) }

func (r *maliciousPeer) write(b []byte) {
	r.w.after(latency, func() { r.victim.deliver(r.end.other, b, nil, 0) })
}

func (r *maliciousPeer) notify(command uint32, body any) {
	r.write(levin.Notify(command, message.Encode(body)))
}

// shake does a handshake that claims a number of blocks and an amount of work.
func (r *maliciousPeer) shake(height, work uint64) {
	r.write(r.hello(height, work, func(*message.HandshakeRequest) {}))
}

func (r *maliciousPeer) hello(height, work uint64, change func(*message.HandshakeRequest)) []byte {
	h := message.HandshakeRequest{
		Node: message.Node{
			NetworkID:    message.NetworkID(xmr.Regtest),
			PeerID:       uint64(r.addr.Number()) | 1<<40,
			SupportFlags: 1,
		},
		Sync: message.SyncData{Height: height, Cumulative: work, TopID: xmr.Hash{1, byte(height)}, TopVersion: 16}}
	change(&h)
	return levin.Invoke(message.Handshake, message.Encode(h))
}

// level does a handshake with the victim's height and top block.
func (r *maliciousPeer) level() {
	t := r.victim.view.Tip()
	r.write(r.hello(t.Height, t.Cumulative.Lo, func(h *message.HandshakeRequest) { h.Sync.TopID = t.ID }))
	r.w.run(time.Second, nil)
	require.Contains(r.w.t, r.commands(), uint32(message.Handshake))
}

func (r *maliciousPeer) commands() (list []uint32) {
	for _, f := range r.frames {
		list = append(list, f.Command)
	}
	return list
}

func (r *maliciousPeer) connected() bool { return r.victim.ends[r.end.other.id] == r.end.other }

// lastSent decodes the last message of a command that the victim has sent.
func lastSent[T any](t *testing.T, r *maliciousPeer, command uint32) (v T) {
	t.Helper()
	for _, f := range slices.Backward(r.frames) {
		if f.Command == command {
			require.NoError(t, message.Decode(f.Body, &v))
			return v
		}
	}
	require.Fail(t, "never sent", "command %d", command)
	return v
}

// dropped waits until the victim disconnects, and requires a reason and a score.
func (r *maliciousPeer) dropped(within time.Duration, why Reason, fails int) {
	r.w.t.Helper()
	r.w.must(within, func() bool { return !r.connected() })
	require.Equal(r.w.t, why, r.victim.closed[len(r.victim.closed)-1])
	require.Equal(r.w.t, fails, r.victim.m.bans.Fails(r.addr))
	held := 0
	for _, c := range r.victim.m.conns {
		held += c.decoder.Held()
	}
	require.Equal(r.w.t, held, r.victim.m.input)
}

// TestBadFrames checks that a peer that violates the protocol is disconnected, and banned after several times.
func TestBadFrames(t *testing.T) {
	claim := func(n uint64) []byte {
		b := levin.Notify(message.NewTxs, nil)
		binary.LittleEndian.PutUint64(b[8:], n)
		return b
	}
	for name, c := range map[string]struct {
		bytes []byte
		why   Reason
	}{
		"no frame":               {[]byte("GET / HTTP/1.1\r\n\r\n"), BadFrame},
		"huge":                   {claim(1 << 40), BadFrame},
		"large before handshake": {claim(levin.MaxBefore + 1), BadFrame},
		"too early":              {levin.Notify(message.NewTxs, message.Encode(message.TxsNotice{})), Unexpected},
		"response":               {levin.Answer(message.Ping, 1, nil), Unexpected},
		"no storage":             {levin.Invoke(message.Handshake, []byte("abc")), BadMessage},
		"nothing":                {levin.Invoke(message.Handshake, message.Encode(message.Empty{})), WrongNetwork},
		"no response expected":   {levin.Notify(message.Handshake, nil), Unexpected},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			r := w.malicious(w.join())
			r.write(c.bytes)
			r.dropped(time.Second, c.why, 1)
			for range 9 {
				r.call()
				r.write(c.bytes)
				r.w.must(time.Second, func() bool { return !r.connected() })
			}
			require.Zero(t, r.victim.m.Banned(w.now, r.addr))
			r.call()
			r.write(c.bytes)
			r.w.must(time.Second, func() bool { return !r.connected() })
			require.NotZero(t, r.victim.m.Banned(w.now, r.addr))
			r.call()
			require.False(t, r.connected())
			require.Equal(t, Banned, r.victim.closed[len(r.victim.closed)-1])
		})
	}
	w := newWorld(t)
	r := w.malicious(w.join())
	for r.victim.m.Banned(w.now, r.addr) == 0 {
		r.write([]byte("GET / HTTP/1.1\r\n\r\n"))
		w.must(time.Second, func() bool { return !r.connected() })
		r.call()
	}
	w.run(24*time.Hour, nil)
	r.call()
	require.True(t, r.connected(), "bans end")
}

// TestBadHandshakes checks that peers of other networks, and those with invalid claims, are rejected.
func TestBadHandshakes(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*message.HandshakeRequest)
		why    Reason
		fails  int
	}{
		"network":  {func(h *message.HandshakeRequest) { h.Node.NetworkID[15]++ }, WrongNetwork, 1},
		"no ID":    {func(h *message.HandshakeRequest) { h.Node.PeerID = 0 }, Unexpected, 1},
		"port":     {func(h *message.HandshakeRequest) { h.Node.Port = 65536 }, Unexpected, 1},
		"version":  {func(h *message.HandshakeRequest) { h.Sync.TopVersion = 15 }, BadChain, 0},
		"no chain": {func(h *message.HandshakeRequest) { h.Sync.Height = 0 }, BadChain, 0},
		"too high": {func(h *message.HandshakeRequest) { h.Sync.Height = 1 << 60 }, BadChain, 0},
		"seed":     {func(h *message.HandshakeRequest) { h.Sync.PruningSeed = 5 }, BadChain, 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			r := w.malicious(w.join())
			r.write(r.hello(2, 2, c.change))
			r.dropped(time.Second, c.why, c.fails)
			require.Zero(t, r.victim.m.Counts().In)
		})
	}
	w := newWorld(t)
	r := w.malicious(w.join())
	r.dropped(20*time.Second, TimedOut, 0)
	r.call()
	r.level()
	r.shake(1, 1)
	r.dropped(time.Second, Unexpected, 1)
}

// TestBadNotices checks the penalties for invalid announcements and requests.
func TestBadNotices(t *testing.T) {
	w := newWorld(t)
	h := w.join()
	h.mine(80)
	friend := w.malicious(h)
	friend.level() // the victim is synchronised with this peer
	valid := h.pay(1)
	template, err := h.chain.NewTemplate(w.to, nil, nil)
	require.NoError(t, err)
	next := template.Block.Append(nil)
	_, err = check(&message.Block{Blob: next, Txs: []message.Tx{{Blob: valid}}})
	require.ErrorIs(t, err, errUnlistedTx)
	for name, c := range map[string]struct {
		command uint32
		body    any
		why     Reason
		fails   int
	}{
		"garbage block": {
			message.NewFluffyBlock, message.BlockNotice{Block: message.Block{Blob: []byte("block")}}, BadBlock, 1,
		},
		"unlisted transaction": {
			message.NewFluffyBlock,
			message.BlockNotice{Block: message.Block{Blob: next, Txs: []message.Tx{{Blob: valid}}}}, BadBlock, 1,
		},
		"pruned": {
			message.NewBlock, message.BlockNotice{Block: message.Block{Blob: next, Pruned: true}}, BadBlock, 1,
		},
		"garbage": {
			message.NewTxs, message.TxsNotice{Txs: [][]byte{[]byte("transaction")}, Fluff: true}, BadTx, 1,
		},
		"twice": {
			message.NewTxs, message.TxsNotice{Txs: [][]byte{valid, valid}, Fluff: true}, BadMessage, 1,
		},
		"forged": {message.NewTxs, message.TxsNotice{Txs: [][]byte{forge(valid)}, Fluff: true}, BadTx, 0},
		"too many objects": {
			message.GetObjects, message.ObjectsRequest{Blocks: make([]xmr.Hash, maxObjects+1)}, Flooding, 1,
		},
		"another genesis": {message.GetChain, message.ChainRequest{IDs: make([]xmr.Hash, 10)}, BadChain, 0},
		"no history":      {message.GetChain, message.ChainRequest{}, BadChain, 0},
		"unknown block":   {message.GetMissingTxs, message.MissingTxsRequest{ID: xmr.Hash{1}}, Useless, 0},
		"unknown index": {
			message.GetMissingTxs, message.MissingTxsRequest{ID: h.top(), Indices: []uint64{0}}, BadMessage, 1,
		},
		"unrequested chain": {
			message.Chain, message.ChainResponse{IDs: make([]xmr.Hash, 1), Total: 1}, Unexpected, 1,
		},
		"unrequested objects": {message.Objects, message.ObjectsResponse{}, Unexpected, 1},
	} {
		t.Run(name, func(t *testing.T) {
			w.t = t
			r := w.malicious(h)
			r.level()
			r.notify(c.command, c.body)
			r.dropped(5*time.Second, c.why, c.fails)
			require.Empty(t, h.view.Pool())
		})
	}
	w.t = t
	require.True(t, friend.connected())
	require.EqualValues(t, 81, h.view.Tip().Height)
}

// forge changes the last byte of a transaction, which is part of a signature.
func forge(blob []byte) []byte {
	b := slices.Clone(blob)
	b[len(b)-1] ^= 1
	return b
}

// TestFlood checks the limit of frames.
func TestFlood(t *testing.T) {
	w := newWorld(t)
	r := w.malicious(w.join())
	r.level()
	r.write(bytes.Repeat(levin.Invoke(message.Ping, message.Encode(message.Empty{})), framesAtOnce+10))
	r.dropped(5*time.Second, Flooding, 1)
}

// TestSlowReader checks that a peer that does not read is paused and then disconnected, with a bounded queue.
func TestSlowReader(t *testing.T) {
	w := newWorld(t)
	h := w.join()
	h.mine(300)
	r := w.malicious(h)
	r.level()
	r.end.deaf = true
	var ids []xmr.Hash
	h.chain.View(func(v chainView) {
		for i := range uint64(maxObjects) {
			ids = append(ids, v.Block(i+1).ID)
		}
	})
	most := 0
	for range 1500 {
		r.notify(message.GetObjects, message.ObjectsRequest{Blocks: ids})
		w.run(10*time.Millisecond, nil)
		if c := h.m.conns[r.end.other.id]; c != nil {
			most = max(most, c.queued)
		}
	}
	require.Greater(t, most, sendPause)
	require.Less(t, most, sendPause+1<<20)
	r.dropped(3*time.Minute, Slow, 0)
}

// TestMissingTxs checks that a block is fetched by synchronisation if its missing transactions do not arrive.
func TestMissingTxs(t *testing.T) {
	w := newWorld(t)
	from := w.join()
	from.mine(80)
	h := w.join(exclusive(from))
	w.must(time.Minute, func() bool { return level(from, h)() && h.m.Sync(w.now).Synchronized })
	r := w.malicious(h)
	r.level()
	w.split = func(a, b *host) bool { return (a == from) != (b == from) }
	w.cut()
	_, err := from.chain.AddTx(from.pay(1), false)
	require.NoError(t, err)
	from.mine(1)
	d, _ := from.view.Block(from.top(), false)
	r.answerChain(from, func(*message.ObjectsResponse) {})
	r.notify(message.NewFluffyBlock, message.BlockNotice{Block: message.Block{Blob: d.Blob}, Height: d.Height + 1})
	w.run(5*time.Second, nil)
	require.Equal(t, message.MissingTxsRequest{ID: from.top(), Height: 82, Indices: []uint64{0}},
		lastSent[message.MissingTxsRequest](t, r, message.GetMissingTxs))
	require.False(t, level(from, h)())
	w.must(30*time.Second, level(from, h))
	require.True(t, r.connected())

	// A second announcement without transactions is rejected, because they were already requested once.
	_, err = from.chain.AddTx(from.pay(2), false)
	require.NoError(t, err)
	from.mine(1)
	d, _ = from.view.Block(from.top(), false)
	for range 2 {
		r.notify(message.NewFluffyBlock, message.BlockNotice{Block: message.Block{Blob: d.Blob}, Height: d.Height + 1})
		w.run(time.Second, nil)
	}
	r.dropped(time.Second, BadBlock, 1)
}

// TestManyPeersAtOnce checks the limits of connections from one host and of lists of peers.
func TestManyPeersAtOnce(t *testing.T) {
	w := newWorld(t)
	h := w.join(func(c *Config) { c.PerHost = 2 })
	r := w.malicious(h)
	for range 5 {
		r.call()
	}
	require.Len(t, h.ends, 2)
	list := make([]message.Peer, message.MaxPeers+1)
	for i := range list {
		list[i].Address = message.FromAddress(netaddr.FromBytes([]byte{77, byte(i >> 8), byte(i), 1}, 18080))
	}
	other := w.malicious(h)
	n := message.MaxPeers
	other.on = func(f levin.Frame) {
		if f.Command == message.TimedSync && !f.IsResponse() {
			other.write(levin.Answer(f.Command, 1, message.Encode(message.TimedSyncResponse{
				Sync: message.SyncData{Height: 1, Cumulative: 1, TopID: h.top(), TopVersion: 1}, Peers: list[:n]})))
			n++
		}
	}
	other.level()
	w.must(2*time.Minute, func() bool { _, gray := h.m.Peers(w.now, false); return len(gray) == message.MaxPeers })
	other.dropped(2*time.Minute, BadMessage, 1)
	require.Contains(t, fmt.Sprint(h.dials), "77.", "it dials the peers of the list")
}
