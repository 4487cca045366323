package p2p

import (
	"container/heap"
	"encoding/binary"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/address"
	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/crypto/edwards"
	"glim/core/decoy"
	"glim/core/fee"
	"glim/core/keys"
	"glim/core/nextfork"
	"glim/core/p2p/netaddr"
	"glim/core/tx"
	"glim/core/txbuild"
	"glim/core/xmr"
)

// stream returns a pseudo-random reader with a seed.
func stream(seed uint64) io.Reader {
	var s [32]byte
	binary.LittleEndian.PutUint64(s[:], seed)
	return rand.NewChaCha8(s)
}

// event is scheduled for a time. Events of the same time happen in order of creation.
type event struct {
	at    time.Time
	order int
	do    func()
}

type events []event

func (e events) Len() int { return len(e) }
func (e events) Less(i, j int) bool {
	return e[i].at.Before(e[j].at) || e[i].at.Equal(e[j].at) && e[i].order < e[j].order
}
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)   { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// world is a simulated network with its own clock, in one goroutine.
type world struct {
	t      *testing.T
	now    time.Time
	queue  events
	made   int
	hosts  []*host
	byAddr map[netaddr.Address]*host
	split  func(a, b *host) bool // whether two cannot reach each other
	conns  ConnID
	owner  *keys.Keys
	to     address.Address
	forks  consensus.Schedule // of the chains of new hosts; nil for the network's
	next   chain.Next         // of those chains
}

const latency = 20 * time.Millisecond

func newWorld(t *testing.T) *world {
	t.Helper()
	owner, err := keys.FromSeed([32]byte{7})
	require.NoError(t, err)
	return &world{t: t, now: time.Unix(1_800_000_000, 0), byAddr: map[netaddr.Address]*host{}, owner: owner,
		to:    address.Address{Network: xmr.Mainnet, Spend: owner.SpendPublic, View: owner.ViewPublic},
		split: func(a, b *host) bool { return false }, next: nextfork.Fork{}}
}

func (w *world) after(d time.Duration, do func()) {
	w.made++
	heap.Push(&w.queue, event{w.now.Add(d), w.made, do})
}

// run advances the time until done returns true, at most by d.
func (w *world) run(d time.Duration, done func() bool) bool {
	end := w.now.Add(d)
	for len(w.queue) > 0 && !w.queue[0].at.After(end) {
		e := heap.Pop(&w.queue).(event)
		w.now = e.at
		e.do()
		if done != nil && done() {
			return true
		}
	}
	w.now = end
	return done != nil && done()
}

// must requires that done returns true within d.
func (w *world) must(d time.Duration, done func() bool) {
	w.t.Helper()
	require.True(w.t, w.run(d, done), "not within %s", d)
}

// host carries out the actions of a machine.
type host struct {
	w      *world
	m      *Machine
	chain  *chain.Chain
	view   Chain
	addr   netaddr.Address
	ends   map[ConnID]*end
	state  []byte
	down   bool
	slow   time.Duration // that verification takes; 0 for a millisecond
	closed []Reason      // why connections were closed here
	dials  []Dial
	epoch  int // counts restarts, so that events from before a restart are dropped
	sent   func(to *host, b []byte)
	bytes  func(b []byte) // receives bytes if the host has no machine
}

// end is one end of a connection.
type end struct {
	id     ConnID
	to     *host
	other  *end
	paused bool
	held   [][]byte
	deaf   bool // does not read
}

// join adds a host with its own chain, and an address in its own network group.
func (w *world) join(change ...func(*Config)) *host {
	n := len(w.hosts) + 1
	h := &host{w: w, addr: netaddr.FromBytes([]byte{20, byte(n), byte(n), 1}, 18080), ends: map[ConnID]*end{}}
	c, err := chain.New(chain.Options{
		Network: xmr.Regtest, FixedDifficulty: 1, Random: stream(uint64(1000 + n)), Workers: 1,
		Now: func() uint64 { return uint64(w.now.Unix()) }, Forks: w.forks, Next: w.next,
	})
	require.NoError(w.t, err)
	h.chain, h.view = c, FromChain(c)
	w.hosts = append(w.hosts, h)
	w.byAddr[h.addr] = h
	h.start(change...)
	return h
}

func (h *host) start(change ...func(*Config)) {
	c := Config{
		Network: xmr.Regtest,
		Chain:   h.view,
		Random:  stream(uint64(h.addr.Number()) + uint64(h.epoch)<<40),
		Out:     -1,
		In:      -1,
		PerHost: 4,
		Port:    h.addr.Port,
		State:   h.state,
	}
	for _, f := range change {
		f(&c)
	}
	m, err := New(c)
	require.NoError(h.w.t, err)
	h.m, h.down = m, false
	h.epoch++
	h.tick(h.epoch)
}

// stop stops the daemon but keeps its chain.
func (h *host) stop() {
	h.do(func() { h.m.Stop(h.w.now) })
	h.down = true
}

// crash kills the daemon.
func (h *host) crash() {
	h.down = true
	for id, e := range h.ends {
		h.hangUp(id, e)
	}
}

func (h *host) tick(epoch int) {
	if h.down || h.epoch != epoch {
		return
	}
	h.do(func() { h.m.Tick(h.w.now) })
	h.w.after(250*time.Millisecond, func() { h.tick(epoch) })
}

// do calls the machine and carries out its actions.
func (h *host) do(event func()) {
	if h.down || h.m == nil {
		return
	}
	event()
	for _, a := range h.m.Drain() {
		h.carryOut(a)
	}
}

func (h *host) carryOut(a Action) {
	epoch := h.epoch
	switch a := a.(type) {
	case Send:
		if e := h.ends[a.Conn]; e != nil {
			if h.sent != nil {
				h.sent(e.to, a.Bytes)
			}
			h.w.after(latency, func() { e.to.deliver(e.other, a.Bytes, h, e.id) })
		}
	case Close:
		h.closed = append(h.closed, a.Reason)
		if e := h.ends[a.Conn]; e != nil {
			h.hangUp(a.Conn, e)
		}
	case Pause:
		h.ends[a.Conn].paused = true
	case Resume:
		e := h.ends[a.Conn]
		e.paused = false
		for len(e.held) > 0 && !e.paused {
			b := e.held[0]
			e.held = e.held[1:]
			h.w.after(0, func() { h.deliver(e, b, nil, 0) })
		}
	case Dial:
		h.dials = append(h.dials, a)
		h.w.after(latency, func() { h.reach(a, epoch) })
	case Verify:
		a.Job.Do()
		h.w.after(max(h.slow, time.Millisecond), func() {
			if h.epoch == epoch {
				h.do(func() { h.m.Verified(h.w.now, a.Job) })
			}
		})
	case Save:
		h.state = a.State
	}
}

func (h *host) deliver(e *end, b []byte, from *host, id ConnID) {
	if h.down || h.ends[e.id] != e || e.deaf {
		return
	}
	if h.bytes != nil {
		h.bytes(b)
	} else if e.paused {
		e.held = append(e.held, b)
	} else {
		h.do(func() { h.m.Received(h.w.now, e.id, b) })
	}
	if from != nil {
		from.do(func() { from.m.Sent(h.w.now, id, len(b)) })
	}
}

func (h *host) hangUp(id ConnID, e *end) {
	delete(h.ends, id)
	h.w.after(2*latency, func() {
		if e.to.ends[e.other.id] == e.other {
			delete(e.to.ends, e.other.id)
			e.to.do(func() { e.to.m.Closed(h.w.now, e.other.id) })
		}
	})
}

func (h *host) reach(d Dial, epoch int) {
	if h.down || h.epoch != epoch {
		return
	}
	to := h.w.byAddr[d.Address]
	if to == nil || to.down || h.w.split(h, to) {
		h.do(func() { h.m.DialFailed(h.w.now, d.ID) })
		return
	}
	h.connect(to, d.ID)
}

// connect connects two hosts. The caller's end belongs to a Dial.
func (h *host) connect(to *host, d DialID) (mine, theirs *end) {
	h.w.conns += 2
	mine, theirs = &end{id: h.w.conns - 1, to: to}, &end{id: h.w.conns, to: h}
	mine.other, theirs.other = theirs, mine
	h.ends[mine.id], to.ends[theirs.id] = mine, theirs
	to.do(func() { to.m.Accepted(h.w.now, theirs.id, h.addr.WithPort(uint16(40_000+mine.id))) })
	h.do(func() { h.m.Dialed(h.w.now, d, mine.id) })
	return mine, theirs
}

// cut closes all connections between hosts that cannot reach each other now.
func (w *world) cut() {
	for _, h := range w.hosts {
		for id, e := range h.ends {
			if w.split(h, e.to) {
				delete(h.ends, id)
				delete(e.to.ends, e.other.id)
				h.do(func() { h.m.Closed(w.now, id) })
				e.to.do(func() { e.to.m.Closed(w.now, e.other.id) })
			}
		}
	}
}

// mine adds n blocks and reports them to the machine.
func (h *host) mine(n int) {
	h.w.t.Helper()
	for range n {
		id := h.mineQuietly(nil)
		h.do(func() { h.m.BlockAccepted(h.w.now, id) })
	}
}

// mineQuietly adds a block on prev or the top, without reporting it.
func (h *host) mineQuietly(prev *xmr.Hash) xmr.Hash {
	h.w.t.Helper()
	template, err := h.chain.NewTemplate(h.w.to, nil, prev)
	require.NoError(h.w.t, err)
	added, err := h.chain.AddBlock(template.Block.Append(nil))
	require.NoError(h.w.t, err)
	return added.ID
}

func (h *host) top() xmr.Hash { return h.view.Tip().ID }

// level reports whether all hosts have the same top.
func level(hosts ...*host) func() bool {
	return func() bool {
		for _, h := range hosts[1:] {
			if h.top() != hosts[0].top() {
				return false
			}
		}
		return true
	}
}

// pay returns a transaction that spends a block's reward.
func (h *host) pay(height uint64) []byte {
	t := h.w.t
	t.Helper()
	var in txbuild.Input
	var ring decoy.Ring
	var levels []uint64
	h.chain.View(func(v chain.View) {
		b := v.Block(height)
		coinbase := &b.Block.MinerTx
		extra, _ := tx.ParseExtra(coinbase.Extra)
		derivation, err := edwards.Derive(h.w.owner.ViewScalar(), extra.PublicKeys[0])
		require.NoError(t, err)
		in = txbuild.Input{
			TxID:        b.CoinbaseID,
			GlobalIndex: b.Indices[0][0],
			Amount:      coinbase.Outputs[0].Amount,
			Mask:        [32]byte{1},
			Key:         coinbase.Outputs[0].Key,
			Derivation:  derivation,
			Height:      height,
			RingCT:      true,
		}
		first := max(in.GlobalIndex, 15) - 15
		ring.Real = int(in.GlobalIndex - first)
		for i := range uint64(xmr.RingSize) {
			o, _ := v.Output(0, first+i)
			ring.Members = append(ring.Members, decoy.Member{Index: first + i, Key: o.Key, Commitment: o.Commitment})
		}
		levels, err = v.Fees(10)
		require.NoError(t, err)
	})
	other, err := keys.FromSeed([32]byte{9})
	require.NoError(t, err)
	plan := txbuild.Plan{Inputs: []txbuild.Input{in}, Change: h.w.to, Destinations: []txbuild.Destination{{
		Address: address.Address{
			Network: xmr.Mainnet,
			Spend:   other.SpendPublic,
			View:    other.ViewPublic,
		}, Amount: 1e12}}}
	estimate, err := fee.NewEstimate(fee.CeilingFor(xmr.Regtest), levels, fee.Quantum)
	require.NoError(t, err)
	r, err := txbuild.Construct(
		stream(height),
		h.w.owner,
		plan,
		[]decoy.Ring{ring},
		txbuild.Rate{Fees: estimate, Priority: fee.Normal},
	)
	require.NoError(t, err)
	return r.Blob
}

// submit adds a transaction of the daemon's own user to the pool.
func (h *host) submit(blob []byte) xmr.Hash {
	id, err := h.chain.AddTx(blob, false)
	require.NoError(h.w.t, err)
	h.do(func() { h.m.TransactionAccepted(h.w.now, id) })
	return id
}

func exclusive(peers ...*host) func(*Config) {
	return func(c *Config) {
		for _, p := range peers {
			c.Exclusive = append(c.Exclusive, p.addr)
		}
	}
}

func mustSubnet(t *testing.T, s string) netaddr.Subnet {
	t.Helper()
	n, err := netaddr.ParseSubnet(s)
	require.NoError(t, err)
	return n
}

// quarrels returns the connections that this side closed other than because they were done.
func (h *host) quarrels() (list []Reason) {
	for _, why := range h.closed {
		if why != Done {
			list = append(list, why)
		}
	}
	return list
}

type chainView = chain.View
