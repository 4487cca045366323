package p2p

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/xmr"
)

// TestSync checks that a new daemon fetches the chain from several peers at once.
func TestSync(t *testing.T) {
	w := newWorld(t)
	a := w.join()
	a.mine(450)
	b, c := w.join(exclusive(a)), w.join(exclusive(a))
	w.must(time.Minute, level(a, b, c))
	late := w.join(exclusive(a, b, c))
	servers := map[*host]bool{}
	late.sent = func(to *host, _ []byte) { servers[to] = len(late.m.queue.spans) > 0 || servers[to] }
	w.must(time.Minute, level(a, late))
	require.Len(t, servers, 3)
	w.run(time.Second, nil)
	require.Empty(t, late.m.queue.spans)
	require.Zero(t, late.m.queue.bytes)
	require.Empty(t, late.m.queue.wanted)
	for _, h := range w.hosts {
		w.must(time.Minute, func() bool { return h.m.Sync(w.now).Synchronized })
		require.Empty(t, h.quarrels())
		for _, conn := range h.m.Connections(w.now) {
			require.Equal(t, "normal", conn.State)
		}
	}
}

// TestBlocksReachAll checks that a mined block reaches all daemons of a line within seconds.
func TestBlocksReachAll(t *testing.T) {
	w := newWorld(t)
	var line []*host
	for range 5 {
		if len(line) == 0 {
			line = append(line, w.join())
		} else {
			line = append(line, w.join(exclusive(line[len(line)-1])))
		}
	}
	w.must(time.Minute, func() bool { return line[4].m.Sync(w.now).Synchronized && line[2].m.Counts().In == 1 })
	for i := range line {
		line[i].mine(3)
		w.must(2*time.Second, level(line...))
	}
	require.EqualValues(t, 16, line[0].view.Tip().Height)
}

// TestSplitHeals checks that two separated halves adopt the chain with more work after they reconnect.
func TestSplitHeals(t *testing.T) {
	w := newWorld(t)
	a := w.join()
	b := w.join(exclusive(a))
	c := w.join(exclusive(a, b))
	d := w.join(exclusive(c, b))
	a.mine(30)
	w.must(time.Minute, level(a, b, c, d))
	half := map[*host]int{a: 0, b: 0, c: 1, d: 1}
	w.split = func(x, y *host) bool { return half[x] != half[y] }
	w.cut()
	a.mine(5)
	d.mine(45)
	w.run(time.Minute, nil)
	require.True(t, level(a, b)())
	require.True(t, level(c, d)())
	require.False(t, level(a, c)())
	top := d.top()
	w.split = func(x, y *host) bool { return false }
	w.must(3*time.Minute, level(a, b, c, d))
	require.Equal(t, top, a.top())
}

// TestRace checks that of two blocks of the same height each stays where it was mined until the next block.
func TestRace(t *testing.T) {
	w := newWorld(t)
	a := w.join()
	b := w.join(exclusive(a))
	a.mine(3)
	w.must(time.Minute, func() bool { return level(a, b)() && b.m.Sync(w.now).Synchronized })
	a.mine(1)
	id := b.mineQuietly(nil)
	b.do(func() { b.m.BlockAccepted(w.now, id) })
	w.run(10*time.Second, nil)
	require.False(t, level(a, b)())
	b.mine(1)
	w.must(5*time.Second, level(a, b))
	require.EqualValues(t, 6, a.view.Tip().Height)
}

// TestReconnectsAfterRestart checks that a killed daemon reconnects to its former peers and catches up.
func TestReconnectsAfterRestart(t *testing.T) {
	w := newWorld(t)
	a := w.join()
	a.mine(5)
	b := w.join(func(c *Config) { c.Peers = append(c.Peers, a.addr) })
	w.must(time.Minute, level(a, b))
	w.must(time.Minute, func() bool { white, _ := a.m.Peers(w.now, false); return len(white) == 1 }) // b was pinged
	b.stop()
	require.NotEmpty(t, b.state)
	w.run(time.Second, nil)
	a.mine(50)
	b.start()
	w.must(time.Minute, level(a, b))
	require.True(t, b.m.live()[0].anchor)

	a.crash()
	w.run(10*time.Second, nil)
	require.Zero(t, b.m.Counts().Out)
}

// TestPayment checks that a transaction reaches all daemons, and is not sent again with its block.
func TestPayment(t *testing.T) {
	w := newWorld(t)
	a := w.join()
	a.mine(80)
	var all []*host
	all = append(all, a)
	for range 3 {
		all = append(all, w.join(exclusive(all...)))
	}
	w.must(time.Minute, level(all...))
	w.must(time.Minute, func() bool { return a.m.Counts().In == 3 && all[3].m.Sync(w.now).Synchronized })
	id := a.submit(a.pay(1))
	w.must(5*time.Minute, func() bool {
		for _, h := range all {
			if !h.view.HasTx(id) || len(h.view.Pool()) != 1 || h.m.relay.hides(id) {
				return false
			}
		}
		return true
	})
	a.mine(1)
	w.must(5*time.Second, level(all...))
	require.Empty(t, all[3].view.Pool())

	// A daemon that lacks a transaction requests it when a block contains it.
	blob := a.pay(2)
	secret, err := a.chain.AddTx(blob, false)
	require.NoError(t, err)
	a.mine(1)
	w.must(5*time.Second, level(all...))
	require.True(t, all[3].view.HasTx(secret))
	for _, h := range all {
		require.Empty(t, h.quarrels())
	}
}

// TestPoolComplement checks that a new daemon gets the pool's transactions.
func TestPoolComplement(t *testing.T) {
	w := newWorld(t)
	a := w.join()
	a.mine(80)
	id, err := a.chain.AddTx(a.pay(1), false)
	require.NoError(t, err)
	hidden, err := a.chain.AddTx(a.pay(2), true)
	require.NoError(t, err)
	b := w.join(exclusive(a))
	w.must(time.Minute, func() bool { return b.view.HasTx(id) })
	w.run(time.Minute, nil)
	require.False(t, b.view.HasTx(hidden))

	// The same for a daemon that had no peers for a while.
	w.split = func(x, y *host) bool { return true }
	w.cut()
	missed, err := a.chain.AddTx(a.pay(3), false)
	require.NoError(t, err)
	w.run(time.Minute, nil)
	w.split = func(x, y *host) bool { return false }
	w.must(time.Minute, func() bool { return b.view.HasTx(missed) })
}

// TestGossip checks that daemons that know one seed node find and connect to each other within their limits.
func TestGossip(t *testing.T) {
	w := newWorld(t)
	seed := w.join()
	for range 7 {
		w.join(func(c *Config) { c.Seeds, c.Out = append(c.Seeds, seed.addr), 3 })
	}
	seed.mine(2)
	w.must(15*time.Minute, func() bool {
		for _, h := range w.hosts[1:] {
			if h.m.Counts().Out != 3 {
				return false
			}
		}
		return true
	})
	w.must(time.Minute, level(w.hosts...))
	h := w.hosts[1]
	h.do(func() { h.m.SetOut(w.now, 1) })
	require.Equal(t, 1, h.m.Counts().Out)
	h.do(func() { h.m.SetOut(w.now, 0) })
	w.run(time.Minute, nil)
	require.Zero(t, h.m.Counts().Out)
	h.do(func() { h.m.SetOut(w.now, 2) })
	w.must(5*time.Minute, func() bool { return h.m.Counts().Out == 2 })
	h.do(func() { h.m.SetIn(w.now, 0) })
	require.Zero(t, h.m.Counts().In)
	w.run(time.Minute, nil)
	require.Zero(t, h.m.Counts().In)
	white, _ := h.m.Peers(w.now, false)
	require.NotEmpty(t, white)
	for _, p := range white {
		require.NotZero(t, p.LastSeen)
	}
}

// TestHidden checks that a daemon that hides its port is in no list of peers.
func TestHidden(t *testing.T) {
	w := newWorld(t)
	a := w.join()
	w.join(exclusive(a), func(c *Config) { c.Port = 0 })
	b := w.join(exclusive(a))
	w.must(time.Minute, func() bool { white, _ := a.m.Peers(w.now, false); return len(white) == 1 })
	w.run(time.Minute, nil)
	white, gray := a.m.Peers(w.now, false)
	require.Len(t, white, 1)
	require.Empty(t, gray)
	require.Equal(t, b.addr, white[0].Address)
}

// TestSelfConnection checks that a daemon detects a connection to itself.
func TestSelfConnection(t *testing.T) {
	w := newWorld(t)
	h := w.join()
	h.stop()
	h.start(exclusive(h))
	w.run(10*time.Second, nil)
	require.Contains(t, h.closed, SelfConnection)
	require.Empty(t, h.ends)
}

// TestOffline checks that an offline daemon has no connections and counts as synchronised.
func TestOffline(t *testing.T) {
	w := newWorld(t)
	a := w.join(func(c *Config) { c.Offline = true })
	b := w.join(exclusive(a))
	a.mine(1)
	w.run(time.Minute, nil)
	require.Zero(t, a.m.Counts())
	require.Zero(t, b.m.Counts().Out)
	require.True(t, a.m.Sync(w.now).Synchronized)
	require.False(t, b.m.Sync(w.now).Synchronized)
}

// TestBans checks that banned peers are disconnected, not dialed and not listed, until the ban ends.
func TestBans(t *testing.T) {
	w := newWorld(t)
	a := w.join()
	b := w.join(exclusive(a))
	w.must(time.Minute, func() bool { return a.m.Counts().In == 1 })
	subnet := mustSubnet(t, "20.2.0.0/16")
	a.do(func() { a.m.SetBan(w.now, subnet, time.Hour) })
	require.Zero(t, a.m.Counts())
	w.run(30*time.Minute, nil)
	require.Zero(t, a.m.Counts().In)
	require.Equal(t, 30*time.Minute, a.m.Banned(w.now, b.addr))
	require.Equal(t, []Ban{{subnet, 30 * time.Minute}}, a.m.Bans(w.now))
	w.must(31*time.Minute, func() bool { return a.m.Counts().In == 1 })
	require.Empty(t, a.m.Bans(w.now))
	a.do(func() { a.m.SetBan(w.now, subnet, time.Hour); a.m.SetBan(w.now, subnet, 0) })
	require.Zero(t, a.m.Banned(w.now, b.addr))
}

// TestRelayedOnceThereArePeers checks that transactions accepted without peers are relayed later.
func TestRelayedOnceThereArePeers(t *testing.T) {
	w := newWorld(t)
	a := w.join()
	a.mine(80)
	id := a.submit(a.pay(3))
	w.run(time.Minute, nil)
	b := w.join(exclusive(a))
	w.must(2*time.Minute, level(a, b))
	require.False(t, a.m.relay.hides(xmr.Hash{}))
	w.must(10*time.Minute, func() bool { return b.view.HasTx(id) })
}

// TestTimedSync checks that an unannounced block is found by the next timed sync.
func TestTimedSync(t *testing.T) {
	w := newWorld(t)
	a := w.join()
	b := w.join(exclusive(a))
	a.mine(10)
	w.must(time.Minute, func() bool { return level(a, b)() && b.m.Sync(w.now).Synchronized })
	for range 3 {
		a.mineQuietly(nil)
		b.mineQuietly(nil)
		a.mineQuietly(nil)
		w.must(2*syncInterval, level(a, b))
		b.mineQuietly(nil)
		w.must(2*syncInterval, level(a, b))
	}
	require.Empty(t, a.quarrels())
	require.Empty(t, b.quarrels())
}
