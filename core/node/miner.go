package node

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

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
	mu      sync.Mutex
	stop    context.CancelFunc // nil while idle
	workers sync.WaitGroup
	address string
	threads uint32
	since   uint64 // POSIX seconds
	hashes  atomic.Uint64
	reward  atomic.Uint64 // of the block being looked for, in atomic units
}

// startMining sets threads to work. In the background, on an idle machine alone, nothing here can mine: that is not
// started. Source: src/rpc/core_rpc_server.cpp, on_start_mining.
func (s service) startMining(_ context.Context, req daemonrpc.StartMiningRequest) (r daemonrpc.Plain, err error) {
	to, err := address.ParseFor(s.config.Chain.Network, req.MinerAddress)
	switch {
	case err != nil:
		return daemonrpc.Plain{Common: status("Failed, wrong address")}, nil
	case to.Kind == address.Subaddress:
		return daemonrpc.Plain{Common: status("Mining to subaddress isn't supported yet")}, nil
	case req.ThreadsCount > uint64(threadsPerCPU*runtime.NumCPU()):
		return daemonrpc.Plain{Common: status("Failed, too many threads relative to CPU cores.")}, nil
	case s.config.Chain.PoW == nil || req.DoBackgroundMining:
		return daemonrpc.Plain{Common: status("Failed, mining not started")}, nil
	}
	m := s.miner
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.stop != nil {
		return daemonrpc.Plain{Common: status("Already mining")}, nil
	}
	// The first template says whether there can be any, and what a block is worth.
	first, err := s.chain.NewTemplate(to, nil, nil)
	if err != nil {
		return daemonrpc.Plain{Common: status("Failed, mining not started")}, nil
	}
	ctx, stop := context.WithCancel(context.Background())
	m.stop, m.address, m.threads, m.since = stop, req.MinerAddress, uint32(max(req.ThreadsCount, 1)), s.config.Chain.Now()
	m.hashes.Store(0)
	m.reward.Store(first.Reward)
	for i := range m.threads {
		m.workers.Add(1)
		go func() {
			defer m.workers.Done()
			s.mine(ctx, to, i)
		}()
	}
	return daemonrpc.Plain{Common: ok}, nil
}

// mine looks for blocks until ctx ends. Threads have templates, and so nonces, of their own.
func (s service) mine(ctx context.Context, to address.Address, thread uint32) {
	for ctx.Err() == nil {
		t, err := s.chain.NewTemplate(to, nil, nil)
		if err != nil {
			return
		}
		s.miner.reward.Store(t.Reward)
		t.Block.Nonce = thread << 24
		if !s.search(ctx, t) {
			continue
		}
		// Somebody else's block may have come first; then this one is on a branch, or refused, and the next is looked for.
		_, _ = s.chain.AddBlock(t.Block.Append(nil))
	}
}

// templateHashes is after how many hashes a thread takes a new template, for what has come into the pool meanwhile.
const templateHashes = 1000

// search tries nonces; false when another template is due. It hashes even where every hash is good: work is what it is for.
func (s service) search(ctx context.Context, t *chain.Template) bool {
	for range templateHashes {
		if ctx.Err() != nil || s.top() != t.Block.Prev {
			return false
		}
		blob, err := t.Block.HashingBlob()
		if err != nil {
			return false
		}
		h, err := s.config.Chain.PoW(t.Block.Major, t.Height, t.Seed, blob)
		if err != nil {
			return false
		}
		s.miner.hashes.Add(1)
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
	}
	return r, nil
}

// setLogHashRate has no screen to print on; it says whether somebody mines.
func (s service) setLogHashRate(context.Context, daemonrpc.SetLogHashRateRequest) (daemonrpc.Plain, error) {
	s.miner.mu.Lock()
	defer s.miner.mu.Unlock()
	if s.miner.stop == nil {
		return daemonrpc.Plain{Common: status(daemonrpc.StatusNotMining)}, nil
	}
	return daemonrpc.Plain{Common: ok}, nil
}

// Close ends what runs in the background: mining. What the store lacks it has then. The node answers on. Errors are the
// store's.
func (n *Node) Close() error {
	n.miner.halt()
	return n.chain.Save()
}
