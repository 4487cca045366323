package node

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"glim/core/chain"
	"glim/core/daemonrpc"
	"glim/core/rpc"
	"glim/core/xmr"
)

// stage is a simulated machine whose time is controlled by the test.
type stage struct {
	mu      sync.Mutex
	load    Load
	broken  error
	battery bool
	unknown bool

	watched  chan time.Duration // the miner waits for a measurement
	goes     chan struct{}      // the measurement may start
	measured chan struct{}      // a measurement has ended
	pauses   atomic.Int64       // between hashes, so far
	pause    atomic.Int64       // the last
}

func newStage() *stage {
	return &stage{watched: make(chan time.Duration), goes: make(chan struct{}), measured: make(chan struct{})}
}

func (s *stage) wait(ctx context.Context, d time.Duration) error {
	switch {
	case d == measureEvery:
		select {
		case <-s.measured:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	case d >= 10*time.Second:
		select {
		case s.watched <- d:
		case <-ctx.Done():
			return ctx.Err()
		}
		select {
		case <-s.goes:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	s.pauses.Add(1)
	s.pause.Store(int64(d))
	runtime.Gosched()
	return ctx.Err()
}

func (s *stage) machine() *Machine {
	return &Machine{
		Load: func() (Load, error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			return s.load, s.broken
		},
		Battery: func() (bool, bool) {
			s.mu.Lock()
			defer s.mu.Unlock()
			return s.battery, !s.unknown
		},
	}
}

// pass advances the time with these percentages of idle time and mining until the next check, and returns the interval
// until it.
func (s *stage) pass(idle, own uint64) time.Duration {
	s.mu.Lock()
	s.load.Total += 100
	s.load.Idle += idle
	s.load.Own += own
	s.mu.Unlock()
	s.goes <- struct{}{}
	return <-s.watched
}

func (s *stage) set(how func(*stage)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	how(s)
}

// never is a proof of work that never suffices.
func never(uint8, uint64, xmr.Hash, []byte) (h xmr.Hash, err error) {
	for i := range h {
		h[i] = 0xff
	}
	return h, nil
}

// requireUnknownStateRefused checks that mining does not start if the load or the battery state cannot be read.
func requireUnknownStateRefused(t *testing.T, r rpc.Transport, s *stage, begin daemonrpc.StartMiningRequest) {
	t.Helper()
	s.set(func(s *stage) { s.broken = errors.New("no") })
	require.Contains(t, ask(t, r, daemonrpc.StartMining, begin).Status, "idle")
	s.set(func(s *stage) { s.broken, s.unknown = nil, true })
	require.Contains(t, ask(t, r, daemonrpc.StartMining, begin).Status, "battery")
}

// TestBackgroundMining checks that threads mine while the machine is idle and has mains power, and slow down if they
// use too much.
func TestBackgroundMining(t *testing.T) {
	s := newStage()
	c := &clock{1_700_000_000}
	var rates []float64
	var mu sync.Mutex
	n, err := New(Config{
		Chain: chain.Options{Network: xmr.Regtest, FixedDifficulty: 1000, Now: c.read, Random: &locked{}, PoW: never},
		Wait:  s.wait, Machine: s.machine(), Background: Background{Idle: 80, IdleAfter: 300},
		HashRate: func(r float64) { mu.Lock(); rates = append(rates, r); mu.Unlock() },
	})
	require.NoError(t, err)
	defer n.Close()
	r := n.Registry()
	begin := daemonrpc.StartMiningRequest{MinerAddress: UnspendableAddress(), ThreadsCount: 2, DoBackgroundMining: true}
	status := func() daemonrpc.MiningStatusResponse { return ask(t, r, daemonrpc.MiningStatus, daemonrpc.None{}) }

	requireUnknownStateRefused(t, r, s, begin)
	require.Zero(t, status().BgTarget)
	s.set(func(s *stage) { s.unknown = false })

	require.Equal(t, "OK", ask(t, r, daemonrpc.StartMining, begin).Status)
	got := status()
	require.True(t, got.Active && got.IsBackgroundMiningEnabled && !got.BgIgnoreBattery)
	require.Equal(t, []uint8{80, 300 % 256, 40}, []uint8{got.BgIdleThreshold, got.BgMinIdleSeconds, got.BgTarget})
	mines := func(since int64) {
		t.Helper()
		for s.pauses.Load() <= since+10 {
			runtime.Gosched()
		}
	}
	hashes := func() uint64 { return n.miner.hashes.Load() }

	require.Equal(t, 300*time.Second, <-s.watched)
	require.Equal(t, 300*time.Second, s.pass(79, 0), "the machine is busy")
	s.set(func(s *stage) { s.battery = true })
	require.Equal(t, 300*time.Second, s.pass(100, 0), "on its battery")
	s.set(func(s *stage) { s.battery, s.broken = false, errors.New("no") })
	require.Equal(t, 300*time.Second, s.pass(0, 0), "the state cannot be read")
	s.set(func(s *stage) { s.broken = nil })
	require.Zero(t, hashes())
	require.Equal(t, watchEvery, s.pass(180, 0), "idle since the last successful measurement")
	mines(0)
	require.EqualValues(t, firstPause, s.pause.Load())
	require.Equal(t, watchEvery, s.pass(30, 60), "time used by mining does not count as busy")
	mines(s.pauses.Load())
	require.EqualValues(t, firstPause+20*time.Millisecond, s.pause.Load(), "20 percent more than wanted")
	for range 20 {
		s.pass(90, 10)
	}
	mines(s.pauses.Load())
	require.EqualValues(t, leastPause, s.pause.Load())

	// The hash rate is reported only while it is enabled.
	s.measured <- struct{}{}
	require.Equal(t, "OK", ask(t, r, daemonrpc.SetLogHashRate, daemonrpc.SetLogHashRateRequest{Visible: true}).Status)
	mines(s.pauses.Load())
	s.measured <- struct{}{}
	s.measured <- struct{}{} // ensures that the previous measurement was reported
	require.Equal(t, "OK", ask(t, r, daemonrpc.SetLogHashRate, daemonrpc.SetLogHashRateRequest{}).Status)
	mu.Lock()
	require.NotEmpty(t, rates)
	require.Positive(t, rates[0])
	mu.Unlock()

	require.Equal(t, 300*time.Second, s.pass(20, 50), "busy again")
	at := hashes()
	require.Equal(t, 300*time.Second, s.pass(50, 0))
	require.LessOrEqual(t, hashes(), at+4, "a hash or two under way")
	require.Equal(t, "OK", ask(t, r, daemonrpc.StopMining, daemonrpc.None{}).Status)
	require.False(t, status().IsBackgroundMiningEnabled)

	// With ignore_battery, the battery state does not matter.
	s.set(func(s *stage) { s.battery, s.unknown = true, true })
	begin.IgnoreBattery = true
	require.Equal(t, "OK", ask(t, r, daemonrpc.StartMining, begin).Status)
	require.True(t, status().BgIgnoreBattery)
	<-s.watched
	require.Equal(t, watchEvery, s.pass(100, 0))
	mines(s.pauses.Load())
}

// TestCallsCostNothing checks the payment operations, and that calls are counted.
func TestCallsCostNothing(t *testing.T) {
	var micros uint64
	n, err := New(Config{
		Chain: chain.Options{
			Network:         xmr.Regtest,
			FixedDifficulty: 1,
			Now:             (&clock{1_700_000_000}).read,
			Random:          &locked{},
		},
		Micros: func() uint64 { micros += 5; return micros },
	})
	require.NoError(t, err)
	r := n.Registry()
	require.Equal(t, daemonrpc.RPCAccessInfoResponse{Metered: metered},
		ask(t, r, daemonrpc.RPCAccessInfo, daemonrpc.PayerOnly{}))
	require.Equal(t, "OK",
		ask(t, r, daemonrpc.RPCAccessTracking, daemonrpc.RPCAccessTrackingRequest{Clear: true}).Status)
	for range 3 {
		require.Equal(t, "Payment not necessary",
			ask(t, r, daemonrpc.RPCAccessPay, daemonrpc.RPCAccessPayRequest{}).Status)
	}
	require.Equal(t, "Payment not necessary",
		ask(t, n.Restricted(), daemonrpc.RPCAccessSubmitNonce, daemonrpc.RPCAccessSubmitNonceRequest{}).Status)
	require.Equal(t, []daemonrpc.RPCUse{
		{
			RPC:   "rpc_access_pay",
			Count: 3,
			Time:  15,
		}, {RPC: "rpc_access_submit_nonce", Count: 1, Time: 5}, {RPC: "rpc_access_tracking", Count: 1, Time: 5},
	}, ask(t, r, daemonrpc.RPCAccessTracking, daemonrpc.RPCAccessTrackingRequest{}).Data)
}
