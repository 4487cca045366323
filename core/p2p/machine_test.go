package p2p

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/xmr"
)

// TestSync: one who has nothing takes the chain of several who have it, from all of them at once.
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

// TestBlocksReachAll: a block mined anywhere in a line of peers reaches both ends, and in seconds.
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

// TestSplitHeals: two halves that mine apart go on with the chain of more work when they are together again.
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

// TestRace: two blocks of one height stay where they were mined until the next one decides.
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

// TestReturns: a daemon that was killed calls whom it knew and catches up.
func TestReturns(t *testing.T) {
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

// TestPayment: a transaction of one daemon's users reaches all, and the block that holds it needs no second copy of it.
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

	// One who has not heard of a transaction asks for it when a block holds it.
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

// TestPoolComplement: who comes late is told of what waits.
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

	// So it is with one who was alone for a while.
	w.split = func(x, y *host) bool { return true }
	w.cut()
	missed, err := a.chain.AddTx(a.pay(3), false)
	require.NoError(t, err)
	w.run(time.Minute, nil)
	w.split = func(x, y *host) bool { return false }
	w.must(time.Minute, func() bool { return b.view.HasTx(missed) })
}

// TestGossip: daemons that know one seed come to know and call one another, and take the limits they are given.
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

// TestHidden: a daemon that hides its port is in nobody's list of peers.
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

// TestItself: a daemon that calls itself notices.
func TestItself(t *testing.T) {
	w := newWorld(t)
	h := w.join()
	h.stop()
	h.start(exclusive(h))
	w.run(10*time.Second, nil)
	require.Contains(t, h.gone, Itself)
	require.Empty(t, h.ends)
}

// TestOffline: nobody is called or let in, and all is well without peers.
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

// TestBans: who is banned is sent away, not called and not listed, until the ban ends.
func TestBans(t *testing.T) {
	w := newWorld(t)
	a := w.join()
	b := w.join(exclusive(a))
	w.must(time.Minute, func() bool { return a.m.Counts().In == 1 })
	who := mustSubnet(t, "20.2.0.0/16")
	a.do(func() { a.m.SetBan(w.now, who, time.Hour) })
	require.Zero(t, a.m.Counts())
	w.run(30*time.Minute, nil)
	require.Zero(t, a.m.Counts().In)
	require.Equal(t, 30*time.Minute, a.m.Banned(w.now, b.addr))
	require.Equal(t, []Ban{{who, 30 * time.Minute}}, a.m.Bans(w.now))
	w.must(31*time.Minute, func() bool { return a.m.Counts().In == 1 })
	require.Empty(t, a.m.Bans(w.now))
	a.do(func() { a.m.SetBan(w.now, who, time.Hour); a.m.SetBan(w.now, who, 0) })
	require.Zero(t, a.m.Banned(w.now, b.addr))
}

// TestUnsent: nothing of a transaction a daemon's users sent while there was no peer is lost.
func TestUnsent(t *testing.T) {
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

// TestTimedSync: a block nobody announces is heard of all the same, within the minute between questions how chains stand.
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
