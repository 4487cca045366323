package node

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"glim/core/address"
	"glim/core/chain"
	"glim/core/consensus"
	"glim/core/daemonrpc"
	"glim/core/xmr"
)

// threadsPerCPU limits the number of mining threads. Source: src/rpc/core_rpc_server.cpp, on_start_mining.
const threadsPerCPU = 4

// miner is the state of the daemon's own miner.
type miner struct {
	mu         sync.Mutex
	stop       context.CancelFunc // nil while idle
	workers    sync.WaitGroup
	address    string
	threads    uint32
	since      uint64      // POSIX seconds
	background *background // nil unless mining in the background
	hashes     atomic.Uint64
	reward     atomic.Uint64 // of the current template, in atomic units
	speed      atomic.Int64  // recent hashes a second; negative before the first measurement
	shown      atomic.Bool   // the hash rate is reported to the host
}

// notMining is the reason why mining does not start, as a status of an operation.
type notMining string

func (e notMining) Error() string { return string(e) }

// Source: src/rpc/core_rpc_server.cpp, on_start_mining; the last two are specific to glim.
const (
	errMinerAddress    notMining = "Failed, wrong address"
	errMinerSubaddress notMining = "Mining to subaddress isn't supported yet"
	errMinerThreads    notMining = "Failed, too many threads relative to CPU cores."
	errMinerRuns       notMining = "Already mining"
	errMinerFails      notMining = "Failed, mining not started"
	errMinerBlind      notMining = "Failed, mining not started: the CPU load cannot be read to see idle time"
	errMinerPower      notMining = "Failed, mining not started: the battery state cannot be read; use ignore_battery"
)

func (s service) startMining(_ context.Context, req daemonrpc.StartMiningRequest) (daemonrpc.Plain, error) {
	if err := s.StartMining(req.MinerAddress, req.ThreadsCount, req.DoBackgroundMining, req.IgnoreBattery); err != nil {
		return daemonrpc.Plain{Common: status(err.Error())}, nil
	}
	return daemonrpc.Plain{Common: ok}, nil
}

// StartMining starts mining threads; 0 means 1. Background threads mine while the machine is idle and, unless
// ignoreBattery is set, on mains power. Errors have the texts of the reference. Source: src/rpc/core_rpc_server.cpp,
// on_start_mining.
func (n *Node) StartMining(miner string, threads uint64, inBackground, ignoreBattery bool) error {
	to, err := address.ParseFor(n.config.Chain.Network, miner)
	switch {
	case err != nil:
		return errMinerAddress
	case to.Kind == address.Subaddress:
		return errMinerSubaddress
	case threads > uint64(threadsPerCPU*runtime.NumCPU()):
		return errMinerThreads
	case n.config.Chain.PoW == nil:
		return errMinerFails
	}
	m := n.miner
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.stop != nil {
		return errMinerRuns
	}
	// The first template shows whether blocks can be made, and the reward.
	first, err := n.chain.NewTemplate(to, nil, nil)
	if err != nil {
		return errMinerFails
	}
	m.background = nil
	var before Load
	if inBackground {
		if m.background, before, err = n.newBackground(ignoreBattery); err != nil {
			return err
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	m.stop, m.address, m.threads, m.since = stop, miner, uint32(max(threads, 1)), n.config.Chain.Now()
	m.hashes.Store(0)
	m.speed.Store(-1)
	m.reward.Store(first.Reward)
	b := m.background
	for i := range m.threads {
		m.workers.Go(func() { n.mine(ctx, b, to, i) })
	}
	if b != nil {
		m.workers.Go(func() { b.watch(ctx, before) })
	}
	if n.config.Wait != nil {
		m.workers.Go(func() { n.measure(ctx) })
	}
	return nil
}

// newBackground returns the control of background mining, and the CPU load so far.
func (n *Node) newBackground(ignoreBattery bool) (*background, Load, error) {
	machine := n.config.Machine
	if machine == nil || n.config.Wait == nil {
		return nil, Load{}, errMinerBlind
	}
	before, err := machine.Load()
	if err != nil {
		return nil, Load{}, errMinerBlind
	}
	if _, known := machine.Battery(); !known && !ignoreBattery {
		return nil, Load{}, errMinerPower
	}
	b := &background{
		Background: n.config.Background, machine: machine, ignoreBattery: ignoreBattery,
		wait: n.config.Wait, log: n.config.Log,
		open: make(chan struct{}),
	}
	b.pause.Store(int64(firstPause))
	return b, before, nil
}

// The interval of measurements, and the number of them over which the reported hash rate is averaged.
// Source: src/cryptonote_basic/miner.cpp, merge_hr; miner.h, m_update_merge_hr_interval.
const (
	measureEvery = 2 * time.Second
	measurements = 19
)

// measure measures the hash rate until ctx ends.
func (n *Node) measure(ctx context.Context) {
	var last []uint64 // hashes of recent intervals
	for before := uint64(0); n.config.Wait(ctx, measureEvery) == nil; {
		now := n.miner.hashes.Load()
		last = append(last, now-before)
		before = now
		n.miner.speed.Store(int64(float64(last[len(last)-1]) / measureEvery.Seconds()))
		last = last[max(len(last)-measurements, 0):]
		if n.config.HashRate != nil && n.miner.shown.Load() {
			var sum uint64
			for _, h := range last {
				sum += h
			}
			n.config.HashRate(float64(sum) / measureEvery.Seconds() / float64(len(last)))
		}
	}
}

// mine mines until ctx ends. Each thread has its own templates and nonces.
func (n *Node) mine(ctx context.Context, b *background, to address.Address, thread uint32) {
	for ctx.Err() == nil {
		t, err := n.chain.NewTemplate(to, nil, nil)
		if err != nil {
			n.config.Log.Error("mining stops: no block template", "error", err)
			return
		}
		n.miner.reward.Store(t.Reward)
		t.Block.Nonce = thread << 24
		if !n.search(ctx, b, t) {
			continue
		}
		// If another block was found first, this one is on a branch or rejected, and mining continues.
		if added, err := n.chain.AddBlock(t.Block.Append(nil)); err == nil {
			n.config.Log.Info("mined a block", "block", added.ID, "height", added.Height, "difficulty", t.Difficulty)
		}
	}
}

// templateHashes is the number of hashes after which a thread takes a new template, to include new transactions.
const templateHashes = 1000

// search tries nonces. It returns false if a new template is needed. Even with difficulty 1 it computes a hash. In the
// background it pauses after each hash.
func (n *Node) search(ctx context.Context, b *background, t *chain.Template) bool {
	together := few(t, consensus.Together)
	if b != nil {
		together = 1
	}
	for tried := 0; tried < templateHashes; tried += together {
		if b != nil && b.enter(ctx) != nil || ctx.Err() != nil || n.top() != t.Block.Prev {
			return false
		}
		found, err := n.try(t, together)
		n.miner.hashes.Add(uint64(together))
		if found || err != nil {
			return found
		}
	}
	return false
}

func (n *Node) top() (id xmr.Hash) {
	n.chain.View(func(v chain.View) { id = v.Top().ID })
	return id
}

// halt stops mining and reports whether it was running.
func (m *miner) halt() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.stop == nil {
		return false
	}
	m.stop()
	m.workers.Wait()
	m.stop = nil
	return true
}

func (s service) stopMining(context.Context, daemonrpc.None) (daemonrpc.Plain, error) {
	if !s.miner.halt() {
		return daemonrpc.Plain{Common: status("Mining never started")}, nil
	}
	return daemonrpc.Plain{Common: ok}, nil
}

func (s service) miningStatus(context.Context, daemonrpc.None) (r daemonrpc.MiningStatusResponse, err error) {
	r = daemonrpc.MiningStatusResponse{Common: ok, PowAlgorithm: "RandomX", BlockTarget: xmr.TargetSeconds}
	s.view(func(v chain.View) { r.Difficulty, r.WideDifficulty, r.DifficultyTop64 = wide(v.NextDifficulty()) })
	m := s.miner
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.stop != nil {
		now := s.config.Chain.Now()
		r.Active, r.Address, r.ThreadsCount, r.BlockReward = true, m.address, m.threads, m.reward.Load()
		r.Speed = m.hashes.Load() / max(now-min(m.since, now), 1)
		if lately := m.speed.Load(); lately >= 0 {
			r.Speed = uint64(lately)
		}
		if b := m.background; b != nil {
			r.IsBackgroundMiningEnabled, r.BgIgnoreBattery = true, b.ignoreBattery
			r.BgIdleThreshold, r.BgTarget = b.Idle, b.Target
			r.BgMinIdleSeconds = uint8(b.IdleAfter) // only eight bits, as in the reference
		}
	}
	return r, nil
}

// setLogHashRate sets whether the hash rate is reported to the host.
func (s service) setLogHashRate(_ context.Context, req daemonrpc.SetLogHashRateRequest) (daemonrpc.Plain, error) {
	s.miner.mu.Lock()
	defer s.miner.mu.Unlock()
	if s.miner.stop == nil {
		return daemonrpc.Plain{Common: status(daemonrpc.StatusNotMining)}, nil
	}
	s.miner.shown.Store(req.Visible)
	return daemonrpc.Plain{Common: ok}, nil
}

// Close stops mining and stores what is not stored yet. The node still answers requests. It returns an error of the
// store.
func (n *Node) Close() error {
	n.miner.halt()
	return n.chain.Save()
}
