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

// threadsPerCPU bounds how many threads may mine. Source: src/rpc/core_rpc_server.cpp, on_start_mining.
const threadsPerCPU = 4

// miner is the daemon's own, while it works.
type miner struct {
	mu         sync.Mutex
	stop       context.CancelFunc // nil while idle
	workers    sync.WaitGroup
	address    string
	threads    uint32
	since      uint64      // POSIX seconds
	background *background // nil for mining at once
	hashes     atomic.Uint64
	reward     atomic.Uint64 // of the block being looked for, in atomic units
	speed      atomic.Int64  // hashes a second, lately; below 0 when not measured yet
	shown      atomic.Bool   // whether the host is told the speed
}

// notMining is why mining does not begin, as clients read it.
type notMining string

func (e notMining) Error() string { return string(e) }

// Source: src/rpc/core_rpc_server.cpp, on_start_mining; the last two are ours.
const (
	errMinerAddress    notMining = "Failed, wrong address"
	errMinerSubaddress notMining = "Mining to subaddress isn't supported yet"
	errMinerThreads    notMining = "Failed, too many threads relative to CPU cores."
	errMinerRuns       notMining = "Already mining"
	errMinerFails      notMining = "Failed, mining not started"
	errMinerBlind      notMining = "Failed, mining not started: nobody can say here whether the machine is idle"
	errMinerPower      notMining = "Failed, mining not started: nobody can say here whether the machine runs on its battery; ignore_battery mines all the same"
)

func (s service) startMining(_ context.Context, req daemonrpc.StartMiningRequest) (daemonrpc.Plain, error) {
	if err := s.StartMining(req.MinerAddress, req.ThreadsCount, req.DoBackgroundMining, req.IgnoreBattery); err != nil {
		return daemonrpc.Plain{Common: status(err.Error())}, nil
	}
	return daemonrpc.Plain{Common: ok}, nil
}

// StartMining sets threads to work; 0 stands for 1. In the background they work while the machine is idle, and not on its battery unless
// that is to be ignored. Errors say why none do, in the reference's words. Source: src/rpc/core_rpc_server.cpp, on_start_mining.
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
	// The first template says whether there can be any, and what a block is worth.
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

// newBackground returns what lets threads mine in the background, and what the machine has done up to now.
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
		Background: n.config.Background, machine: machine, ignoreBattery: ignoreBattery, wait: n.config.Wait, log: n.config.Log,
		open: make(chan struct{}),
	}
	b.pause.Store(int64(firstPause))
	return b, before, nil
}

// How often the speed is measured, and over how many measurements what the host is told is the mean.
// Source: src/cryptonote_basic/miner.cpp, merge_hr; miner.h, m_update_merge_hr_interval.
const (
	measureEvery = 2 * time.Second
	measurements = 19
)

// measure counts hashes until ctx ends.
func (n *Node) measure(ctx context.Context) {
	var last []uint64 // hashes in one interval each
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

// mine looks for blocks until ctx ends. Threads have templates, and so nonces, of their own.
func (n *Node) mine(ctx context.Context, b *background, to address.Address, thread uint32) {
	for ctx.Err() == nil {
		t, err := n.chain.NewTemplate(to, nil, nil)
		if err != nil {
			n.config.Log.Error("mining: no block can be made", "error", err)
			return
		}
		n.miner.reward.Store(t.Reward)
		t.Block.Nonce = thread << 24
		if !n.search(ctx, b, t) {
			continue
		}
		// Somebody else's block may have come first; then this one is on a branch, or refused, and the next is looked for.
		if added, err := n.chain.AddBlock(t.Block.Append(nil)); err == nil {
			n.config.Log.Info("mined a block", "block", added.ID, "height", added.Height, "difficulty", t.Difficulty)
		}
	}
}

// templateHashes is after how many hashes a thread takes a new template, for what has come into the pool meanwhile.
const templateHashes = 1000

// search tries nonces; false when another template is due. It hashes even where every hash is good: work is what it is for.
func (n *Node) search(ctx context.Context, b *background, t *chain.Template) bool {
	for range templateHashes {
		if b != nil && b.enter(ctx) != nil || ctx.Err() != nil || n.top() != t.Block.Prev {
			return false
		}
		blob, err := t.Block.HashingBlob()
		if err != nil {
			return false
		}
		h, err := n.config.Chain.PoW(t.Block.Major, t.Height, t.Seed, blob)
		if err != nil {
			return false
		}
		n.miner.hashes.Add(1)
		if consensus.CheckWork(h, t.Difficulty) {
			return true
		}
		t.Block.Nonce++
	}
	return false
}

func (n *Node) top() (id xmr.Hash) {
	n.chain.View(func(v chain.View) { id = v.Top().ID })
	return id
}

// halt ends mining and reports whether there was any.
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
			r.BgIdleThreshold, r.BgMinIdleSeconds, r.BgTarget = b.Idle, uint8(b.IdleAfter), b.Target // eight bits of seconds, as in the reference
		}
	}
	return r, nil
}

// setLogHashRate says whether the host is told the speed.
func (s service) setLogHashRate(_ context.Context, req daemonrpc.SetLogHashRateRequest) (daemonrpc.Plain, error) {
	s.miner.mu.Lock()
	defer s.miner.mu.Unlock()
	if s.miner.stop == nil {
		return daemonrpc.Plain{Common: status(daemonrpc.StatusNotMining)}, nil
	}
	s.miner.shown.Store(req.Visible)
	return daemonrpc.Plain{Common: ok}, nil
}

// Close ends what runs in the background: mining. What the store lacks it has then. The node answers on. Errors are the
// store's.
func (n *Node) Close() error {
	n.miner.halt()
	return n.chain.Save()
}
