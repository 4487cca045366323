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

// rogue is a peer that does what a test tells it.
type rogue struct {
	*host
	victim  *host
	end     *end
	decoder levin.Decoder
	frames  []levin.Frame
	on      func(levin.Frame)
	polite  bool // answers who asks how its chain stands
}

// rogue lets one call a host.
func (w *world) rogue(victim *host) *rogue {
	n := len(w.hosts) + 1
	r := &rogue{host: &host{w: w, addr: netaddr.From([]byte{66, byte(n), 6, 6}, 18080), ends: map[ConnID]*end{}}, victim: victim}
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
					Sync: message.SyncData{Height: t.Height, Cumulative: t.Cumulative.Lo, TopID: t.ID, TopVersion: t.Version}})))
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

func (r *rogue) call() { r.end, _ = r.connect(r.victim, 0) }

func (r *rogue) write(b []byte) {
	r.w.after(latency, func() { r.victim.deliver(r.end.other, b, nil, 0) })
}

func (r *rogue) notify(command uint32, body any) {
	r.write(levin.Notify(command, message.Encode(body)))
}

// shake says hello as somebody who has so many blocks, which took so much work.
func (r *rogue) shake(height, work uint64) {
	r.write(r.hello(height, work, func(*message.HandshakeRequest) {}))
}

func (r *rogue) hello(height, work uint64, change func(*message.HandshakeRequest)) []byte {
	h := message.HandshakeRequest{
		Node: message.Node{NetworkID: message.NetworkID(xmr.Regtest), PeerID: uint64(r.addr.Number()) | 1<<40, SupportFlags: 1},
		Sync: message.SyncData{Height: height, Cumulative: work, TopID: xmr.Hash{1, byte(height)}, TopVersion: 16}}
	change(&h)
	return levin.Invoke(message.Handshake, message.Encode(h))
}

// level says hello as somebody who has what the victim has.
func (r *rogue) level() {
	t := r.victim.view.Tip()
	r.write(r.hello(t.Height, t.Cumulative.Lo, func(h *message.HandshakeRequest) { h.Sync.TopID = t.ID }))
	r.w.run(time.Second, nil)
	require.Contains(r.w.t, r.commands(), uint32(message.Handshake))
}

func (r *rogue) commands() (list []uint32) {
	for _, f := range r.frames {
		list = append(list, f.Command)
	}
	return list
}

func (r *rogue) connected() bool { return r.victim.ends[r.end.other.id] == r.end.other }

// told reads the last message of a command that the victim has sent.
func told[T any](t *testing.T, r *rogue, command uint32) (v T) {
	t.Helper()
	for _, f := range slices.Backward(r.frames) {
		if f.Command == command {
			require.NoError(t, message.Decode(f.Body, &v))
			return v
		}
	}
	require.Fail(t, "never told", "command %d", command)
	return v
}

// dropped waits until the victim ends the connection, and wants that for a reason and at a price.
func (r *rogue) dropped(within time.Duration, why Reason, fails int) {
	r.w.t.Helper()
	r.w.must(within, func() bool { return !r.connected() })
	require.Equal(r.w.t, why, r.victim.gone[len(r.victim.gone)-1])
	require.Equal(r.w.t, fails, r.victim.m.bans.Fails(r.addr))
	held := 0
	for _, c := range r.victim.m.conns {
		held += c.decoder.Held()
	}
	require.Equal(r.w.t, held, r.victim.m.input)
}

// TestBadFrames: who does not speak the protocol is sent away, and kept away when he comes again and again.
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
		"no frame":           {[]byte("GET / HTTP/1.1\r\n\r\n"), BadFrame},
		"huge":               {claim(1 << 40), BadFrame},
		"large for a start":  {claim(levin.MaxBefore + 1), BadFrame},
		"too early":          {levin.Notify(message.NewTxs, message.Encode(message.TxsNotice{})), Unexpected},
		"answer":             {levin.Answer(message.Ping, 1, nil), Unexpected},
		"no storage":         {levin.Invoke(message.Handshake, []byte("abc")), BadMessage},
		"nothing":            {levin.Invoke(message.Handshake, message.Encode(message.Empty{})), WrongNetwork},
		"no answer expected": {levin.Notify(message.Handshake, nil), Unexpected},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			r := w.rogue(w.join())
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
			require.Equal(t, Banned, r.victim.gone[len(r.victim.gone)-1])
		})
	}
	w := newWorld(t)
	r := w.rogue(w.join())
	for r.victim.m.Banned(w.now, r.addr) == 0 {
		r.write([]byte("GET / HTTP/1.1\r\n\r\n"))
		w.must(time.Second, func() bool { return !r.connected() })
		r.call()
	}
	w.run(24*time.Hour, nil)
	r.call()
	require.True(t, r.connected(), "bans end")
}

// TestBadHandshakes: who is not of this network, or says what cannot be, is no peer.
func TestBadHandshakes(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*message.HandshakeRequest)
		why    Reason
		fails  int
	}{
		"network":  {func(h *message.HandshakeRequest) { h.Node.NetworkID[15]++ }, WrongNetwork, 1},
		"nobody":   {func(h *message.HandshakeRequest) { h.Node.PeerID = 0 }, Unexpected, 1},
		"port":     {func(h *message.HandshakeRequest) { h.Node.Port = 65536 }, Unexpected, 1},
		"version":  {func(h *message.HandshakeRequest) { h.Sync.TopVersion = 15 }, BadChain, 0},
		"no chain": {func(h *message.HandshakeRequest) { h.Sync.Height = 0 }, BadChain, 0},
		"endless":  {func(h *message.HandshakeRequest) { h.Sync.Height = 1 << 60 }, BadChain, 0},
		"seed":     {func(h *message.HandshakeRequest) { h.Sync.PruningSeed = 5 }, BadChain, 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			r := w.rogue(w.join())
			r.write(r.hello(2, 2, c.change))
			r.dropped(time.Second, c.why, c.fails)
			require.Zero(t, r.victim.m.Counts().In)
		})
	}
	w := newWorld(t)
	r := w.rogue(w.join())
	r.dropped(20*time.Second, Silent, 0)
	r.call()
	r.level()
	r.shake(1, 1)
	r.dropped(time.Second, Unexpected, 1)
}

// TestBadNotices: what is announced must be what it says.
func TestBadNotices(t *testing.T) {
	w := newWorld(t)
	h := w.join()
	h.mine(80)
	friend := w.rogue(h)
	friend.level() // the victim is level with somebody
	valid := h.pay(1)
	template, err := h.chain.NewTemplate(w.to, nil, nil)
	require.NoError(t, err)
	next := template.Block.Append(nil)
	_, err = check(&message.Block{Blob: next, Txs: []message.Tx{{Blob: valid}}})
	require.ErrorIs(t, err, errStranger)
	for name, c := range map[string]struct {
		command uint32
		body    any
		why     Reason
		fails   int
	}{
		"garbage block":     {message.NewFluffyBlock, message.BlockNotice{Block: message.Block{Blob: []byte("block")}}, BadBlock, 1},
		"stranger":          {message.NewFluffyBlock, message.BlockNotice{Block: message.Block{Blob: next, Txs: []message.Tx{{Blob: valid}}}}, BadBlock, 1},
		"pruned":            {message.NewBlock, message.BlockNotice{Block: message.Block{Blob: next, Pruned: true}}, BadBlock, 1},
		"garbage":           {message.NewTxs, message.TxsNotice{Txs: [][]byte{[]byte("transaction")}, Fluff: true}, BadTx, 1},
		"twice":             {message.NewTxs, message.TxsNotice{Txs: [][]byte{valid, valid}, Fluff: true}, BadMessage, 1},
		"forged":            {message.NewTxs, message.TxsNotice{Txs: [][]byte{forge(valid)}, Fluff: true}, BadTx, 0},
		"too many objects":  {message.GetObjects, message.ObjectsRequest{Blocks: make([]xmr.Hash, maxObjects+1)}, Flood, 1},
		"another beginning": {message.GetChain, message.ChainRequest{IDs: make([]xmr.Hash, 10)}, BadChain, 0},
		"no history":        {message.GetChain, message.ChainRequest{}, BadChain, 0},
		"unknown block":     {message.GetMissingTxs, message.MissingTxsRequest{ID: xmr.Hash{1}}, Useless, 0},
		"unknown place":     {message.GetMissingTxs, message.MissingTxsRequest{ID: h.top(), Indices: []uint64{0}}, BadMessage, 1},
		"unasked chain":     {message.Chain, message.ChainResponse{IDs: make([]xmr.Hash, 1), Total: 1}, Unexpected, 1},
		"unasked objects":   {message.Objects, message.ObjectsResponse{}, Unexpected, 1},
	} {
		t.Run(name, func(t *testing.T) {
			w.t = t
			r := w.rogue(h)
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

// forge changes a transaction's last byte, which is of a signature.
func forge(blob []byte) []byte {
	b := slices.Clone(blob)
	b[len(b)-1] ^= 1
	return b
}

// TestFlood: so much at once is no peer's.
func TestFlood(t *testing.T) {
	w := newWorld(t)
	r := w.rogue(w.join())
	r.level()
	r.write(bytes.Repeat(levin.Invoke(message.Ping, message.Encode(message.Empty{})), framesAtOnce+10))
	r.dropped(5*time.Second, Flood, 1)
}

// TestSlowReader: who asks and does not read is asked to wait, and at last sent away; what waits for him is bounded.
func TestSlowReader(t *testing.T) {
	w := newWorld(t)
	h := w.join()
	h.mine(300)
	r := w.rogue(h)
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

// TestMissingTxs: when the transactions of an announced block do not come, the block is fetched as any other.
func TestMissingTxs(t *testing.T) {
	w := newWorld(t)
	from := w.join()
	from.mine(80)
	h := w.join(exclusive(from))
	w.must(time.Minute, func() bool { return level(from, h)() && h.m.Sync(w.now).Synchronized })
	r := w.rogue(h)
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
		told[message.MissingTxsRequest](t, r, message.GetMissingTxs))
	require.False(t, level(from, h)())
	w.must(30*time.Second, level(from, h))
	require.True(t, r.connected())

	// Announced again without its transactions it is refused: they were asked for once.
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

// TestManyPeersAtOnce: one host has only so many connections, and lists of peers only so many names.
func TestManyPeersAtOnce(t *testing.T) {
	w := newWorld(t)
	h := w.join(func(c *Config) { c.PerHost = 2 })
	r := w.rogue(h)
	for range 5 {
		r.call()
	}
	require.Len(t, h.ends, 2)
	list := make([]message.Peer, message.MaxPeers+1)
	for i := range list {
		list[i].Address = message.FromAddress(netaddr.From([]byte{77, byte(i >> 8), byte(i), 1}, 18080))
	}
	other := w.rogue(h)
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
	require.Contains(t, fmt.Sprint(h.dials), "77.", "those who were heard of are called")
}
