package p2p

import (
	"encoding/binary"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/chain"
	"glim/core/crypto/keccak"
	"glim/core/p2p/levin"
	"glim/core/p2p/message"
	"glim/core/xmr"
)

// anything is a chain whose pool accepts any bytes as a transaction.
type anything struct {
	Chain
	pool    map[xmr.Hash][]byte
	relayed map[xmr.Hash]bool
}

func loose(h **anything) func(*Config) {
	return func(c *Config) {
		*h = &anything{c.Chain, map[xmr.Hash][]byte{}, map[xmr.Hash]bool{}}
		c.Chain = *h
	}
}

func (a *anything) AddTx(blob []byte, hidden bool) (xmr.Hash, error) {
	id := xmr.Hash(keccak.Sum256(blob))
	if a.pool[id] != nil {
		return id, chain.ErrInPool
	}
	a.pool[id], a.relayed[id] = blob, !hidden
	return id, nil
}

// hole is a chain that silently drops transactions.
type hole struct{ Chain }

func (h hole) AddTx(blob []byte, _ bool) (xmr.Hash, error) {
	return keccak.Sum256(blob), chain.ErrTimedOut
}

func (a *anything) PoolTx(id xmr.Hash) ([]byte, bool) { b, here := a.pool[id]; return b, here }
func (a *anything) HasTx(id xmr.Hash) bool            { return a.pool[id] != nil }
func (a *anything) Hidden(id xmr.Hash) bool           { return a.pool[id] != nil && !a.relayed[id] }
func (a *anything) Unheard(uint64) []xmr.Hash         { return nil }
func (a *anything) SetRelayed(id xmr.Hash) error      { a.relayed[id] = true; return nil }

func number(n int) []byte { return binary.LittleEndian.AppendUint64(make([]byte, 100), uint64(n)) }

// notice decodes a transaction notice, or returns nil for another frame.
func notice(t *testing.T, b []byte) *message.TxsNotice {
	var d levin.Decoder
	d.Max = levin.MaxAfter
	d.Write(b)
	f, ok, err := d.Next()
	require.NoError(t, err)
	if !ok || f.Command != message.NewTxs {
		return nil
	}
	var n message.TxsNotice
	require.NoError(t, message.Decode(f.Body, &n))
	return &n
}

// about requires a number within four standard deviations of a mean.
func about(t *testing.T, mean, deviation float64, got float64) {
	t.Helper()
	require.InDelta(t, mean, got, 4*deviation)
}

// newRing returns count connected daemons, each with four of the others as exclusive peers, and their pools.
func newRing(t *testing.T, count int) (*world, []*anything) {
	t.Helper()
	w := newWorld(t)
	pools := make([]*anything, count)
	for i := range count {
		w.join(loose(&pools[i]))
	}
	for i, h := range w.hosts {
		var others []*host
		for k := range 4 {
			others = append(others, w.hosts[(i+1+2*k)%count])
		}
		h.stop()
		h.start(exclusive(others...), loose(&pools[i]))
	}
	for _, h := range w.hosts {
		h.mineQuietly(nil)
	}
	w.run(2*time.Minute, nil)
	return w, pools
}

// TestStemsAndFluff relays transactions through ten daemons and checks stems, epochs and counts.
func TestStemsAndFluff(t *testing.T) {
	const count, txs = 10, 150
	w, pools := newRing(t, count)
	own := w.hosts[0]
	stems := map[time.Time]map[*host]bool{} // stem peers of own, by epoch
	first := map[xmr.Hash]bool{}
	var relayed, fluffed int // stem transactions relayed by others, and fluff epochs
	for i, h := range w.hosts {
		h.sent = func(to *host, b []byte) {
			n := notice(t, b)
			if n == nil {
				return
			}
			for _, blob := range n.Txs {
				id := xmr.Hash(keccak.Sum256(blob))
				if i == 0 && !first[id] {
					first[id] = true
					require.False(t, n.Fluff, "a daemon's own transactions use the stem first")
					if stems[h.m.relay.epoch] == nil {
						stems[h.m.relay.epoch] = map[*host]bool{}
					}
					stems[h.m.relay.epoch][to] = true
				}
				if !n.Fluff && i != 0 {
					relayed++
				}
			}
		}
	}
	epochs := map[time.Time]bool{}
	for n := range txs {
		id, err := pools[0].AddTx(number(n), false)
		require.NoError(t, err)
		own.do(func() { own.m.TransactionAccepted(w.now, id) })
		w.run(time.Minute, nil)
		for _, h := range w.hosts {
			if !epochs[h.m.relay.epoch] {
				epochs[h.m.relay.epoch] = true
				if h.m.relay.fluffing {
					fluffed++
				}
			}
		}
	}
	w.must(10*time.Minute, func() bool {
		for _, p := range pools {
			if len(p.pool) != txs {
				return false
			}
		}
		return true
	})
	w.run(10*time.Minute, nil)
	for i, p := range pools {
		require.Len(t, p.pool, txs)
		for id, known := range p.relayed {
			require.True(t, known, "daemon %d still hides %s", i, id)
		}
		require.Empty(t, w.hosts[i].m.relay.embargo)
	}
	require.Len(t, first, txs)
	require.Greater(t, len(stems), txs/12)
	for _, to := range stems {
		require.Len(t, to, 1, "a source keeps its stem peer for an epoch")
	}
	n := float64(len(epochs))
	about(t, 0.2, math.Sqrt(0.2*0.8/n), float64(fluffed)/n)
	// After the first hop, each daemon continues the stem in four of five epochs; a loop ends it, too.
	require.Greater(t, relayed, txs)
	require.Less(t, relayed, 5*txs)
}

// TestDelays checks the mean delays of incoming (five seconds) and outgoing peers (half of that), and that no peer gets
// a transaction twice, or one that it has sent.
func TestDelays(t *testing.T) {
	w := newWorld(t)
	var pool *anything
	h := w.join()
	source := w.malicious(h)
	var other *anything
	out := w.join(loose(&other))
	h.stop()
	h.start(loose(&pool), exclusive(out))
	in := w.malicious(h)
	source.call()
	w.must(time.Minute, func() bool { return h.m.Counts().Out == 1 })
	source.polite, in.polite = true, true
	source.level()
	in.level()
	var at time.Time
	waits := map[*host][]float64{}
	h.sent = func(to *host, b []byte) {
		if n := notice(t, b); n != nil {
			require.True(t, n.Fluff)
			waits[to] = append(waits[to], w.now.Sub(at).Seconds())
		}
	}
	const count = 400
	for n := range count {
		at = w.now.Add(latency)
		source.notify(message.NewTxs, message.TxsNotice{Txs: [][]byte{number(n)}, Fluff: true})
		w.run(20*time.Second, nil)
	}
	require.Empty(t, waits[source.host])
	require.Len(t, waits[in.host], count)
	require.Len(t, waits[out], count)
	for to, mean := range map[*host]float64{in.host: 5, out: 2.5} {
		sum := 0.0
		for _, x := range waits[to] {
			sum += x
		}
		// In steps of a quarter of a second, the variance equals the mean. The machine is polled four times a second,
		// which adds an eighth of a second on average.
		about(t, mean+0.125, math.Sqrt(mean/4/count), sum/count)
	}
}

// TestEmbargo checks that a transaction whose stem peer does not relay it is relayed to all after about forty seconds.
func TestEmbargo(t *testing.T) {
	w := newWorld(t)
	var pool *anything
	h := w.join()
	end := w.join(func(c *Config) { c.Chain = hole{c.Chain} })
	listener := w.malicious(h)
	h.stop()
	h.start(loose(&pool), exclusive(end))
	listener.call()
	listener.polite = true
	listener.level()
	w.must(time.Minute, func() bool { return h.m.Counts().Out == 1 && h.m.queue.synced })
	var at time.Time
	var waits []float64
	stems := 0
	h.sent = func(to *host, b []byte) {
		n := notice(t, b)
		if n != nil && to == listener.host {
			require.True(t, n.Fluff)
			waits = append(waits, w.now.Sub(at).Seconds())
		} else if n != nil && !n.Fluff {
			stems++
		}
	}
	const count = 150
	for n := range count {
		at = w.now
		id, err := pool.AddTx(number(n), true)
		require.NoError(t, err)
		h.do(func() { h.m.TransactionAccepted(w.now, id) })
		require.True(t, h.m.relay.hides(id))
		require.False(t, pool.relayed[id])
		w.run(100*time.Second, nil)
		require.True(t, pool.relayed[id])
	}
	require.Equal(t, count, stems)
	require.Len(t, waits, count)
	sum := 0.0
	for _, s := range waits {
		sum += s
	}
	about(t, embargoMean+5+0.25, math.Sqrt((embargoMean+5.0/4)/count), sum/count)
}

// TestStemTransactionAfterRestart checks that a stem transaction from before a restart is relayed once other peers
// relay it to all.
func TestStemTransactionAfterRestart(t *testing.T) {
	w := newWorld(t)
	a := w.join()
	a.mine(80)
	blob := a.pay(1)
	id, err := a.chain.AddTx(blob, true)
	require.NoError(t, err)
	b := w.join(exclusive(a))
	w.must(time.Minute, func() bool { return level(a, b)() && a.m.Sync(w.now).Synchronized })
	r := w.malicious(a)
	r.polite = true
	r.level()
	for range 2 {
		r.notify(message.NewTxs, message.TxsNotice{Txs: [][]byte{blob}})
		w.run(3*time.Minute, nil)
		require.Empty(t, a.view.Pool(), "a stem transaction is not visible in the pool")
	}
	r.notify(message.NewTxs, message.TxsNotice{Txs: [][]byte{blob}, Fluff: true})
	w.must(time.Minute, func() bool { return b.view.HasTx(id) })
	require.Equal(t, []xmr.Hash{id}, a.view.Pool())
	require.True(t, r.connected())
}

// TestPoisson checks the mean and the variance of random delays.
func TestPoisson(t *testing.T) {
	d := rng{r: stream(5)}
	const count = 20_000
	for _, mean := range []float64{flushIn, flushOut, embargoMean} {
		var sum, squares float64
		for range count {
			x := float64(d.poisson(mean))
			sum += x
			squares += x * x
		}
		average := sum / count
		about(t, mean, math.Sqrt(mean/count), average)
		about(t, mean, mean*math.Sqrt(2.1/count), squares/count-average*average)
	}
	seen := map[int]int{}
	for range count {
		seen[d.below(7)]++
	}
	require.Len(t, seen, 7)
	for _, n := range seen {
		about(t, count/7, math.Sqrt(count*6/49.0), float64(n))
	}
	require.Zero(t, d.below(1))
	require.NoError(t, d.fault)
}

// TestPadding checks the lengths of padded transaction messages.
func TestPadding(t *testing.T) {
	w := newWorld(t)
	h := w.join(func(c *Config) { c.PadTransactions = true })
	r := w.malicious(h)
	r.level()
	c := h.m.conns[r.end.other.id]
	for size := range 3000 {
		if size%7 != 0 {
			continue
		}
		r.frames, r.polite = nil, true
		h.do(func() { h.m.sendTxs(w.now, c, [][]byte{make([]byte, size+1)}, true) })
		w.run(time.Second, nil)
		require.Equal(t, uint32(message.NewTxs), r.frames[0].Command)
		require.LessOrEqual(t, len(r.frames[0].Body)%padTo, 1, "%d bytes", size) // the length prefix may change in size
		var n message.TxsNotice
		require.NoError(t, message.Decode(r.frames[0].Body, &n))
		require.Len(t, n.Txs[0], size+1)
	}
}
