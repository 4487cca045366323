package node

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

// Machine provides the state of the machine that background mining needs.
type Machine struct {
	// Load returns the CPU load.
	Load func() (Load, error)
	// Battery reports whether the machine runs on battery power. known is false if this cannot be determined.
	Battery func() (battery, known bool)
}

// Load counts CPU time of all processors since some moment, in any unit.
type Load struct {
	Total uint64
	Idle  uint64
	Own   uint64 // used by this process
}

// Background configures background mining. Zero values select the defaults.
// Source: src/cryptonote_basic/miner.h, BACKGROUND_MINING_DEFAULT_….
type Background struct {
	Idle      uint8  // idle CPU time above which the machine counts as idle, in percent; default 90
	IdleAfter uint64 // idle time before mining starts, in seconds; default 10
	Target    uint8  // CPU time to use, in percent; default 40
}

func (b *Background) setDefaults() {
	if b.Idle == 0 {
		b.Idle = 90
	}
	if b.IdleAfter == 0 {
		b.IdleAfter = 10
	}
	if b.Target == 0 {
		b.Target = 40
	}
}

// The interval of checks, and the pauses of a thread between two hashes: at first, and at least.
// Source: src/cryptonote_basic/miner.h; miner.cpp, background_worker_thread.
const (
	watchEvery = 10 * time.Second
	firstPause = 400 * time.Millisecond
	leastPause = 5 * time.Millisecond
)

// background controls threads that mine while the machine is idle.
type background struct {
	Background
	machine       *Machine
	ignoreBattery bool
	wait          func(context.Context, time.Duration) error
	log           *slog.Logger

	mu    sync.Mutex
	open  chan struct{} // closed while mining is enabled
	pause atomic.Int64  // time.Duration
}

// enter waits until a hash may be computed. It returns an error if ctx ends first.
func (b *background) enter(ctx context.Context) error {
	b.mu.Lock()
	open := b.open
	b.mu.Unlock()
	select {
	case <-open:
	case <-ctx.Done():
		return ctx.Err()
	}
	return b.wait(ctx, time.Duration(b.pause.Load()))
}

// watch checks the machine until ctx ends. It enables mining when the machine is idle and has mains power, and disables
// it when the machine is busy.
// Source: src/cryptonote_basic/miner.cpp, background_worker_thread.
func (b *background) watch(ctx context.Context, before Load) {
	on := false
	for {
		every := watchEvery
		if !on {
			every = time.Duration(b.IdleAfter) * time.Second
		}
		if b.wait(ctx, every) != nil {
			return
		}
		now, err := b.machine.Load()
		if err != nil {
			b.log.Error("background mining: reading the CPU load failed", "error", err)
			continue
		}
		total := now.Total - before.Total
		idle, own := percent(now.Idle-before.Idle, total), percent(now.Own-before.Own, total)
		before = now
		switch may := b.ignoreBattery || !b.onBattery(); {
		case on && (!may || idle+own < int64(b.Idle)):
			on = false
			b.mu.Lock()
			b.open = make(chan struct{})
			b.mu.Unlock()
			b.log.Info("background mining stops", "idle percent", idle, "mains", may)
		case on:
			// The pause grows by one millisecond for each percent above the target, and shrinks likewise.
			next := time.Duration(b.pause.Load()) + time.Duration(own-int64(b.Target))*time.Millisecond
			b.pause.Store(int64(max(next, leastPause)))
		case may && idle >= int64(b.Idle):
			on = true
			b.mu.Lock()
			close(b.open)
			b.mu.Unlock()
			b.log.Info("background mining starts", "idle percent", idle)
		}
	}
}

// onBattery reports whether the machine runs, or may run, on battery power.
func (b *background) onBattery() bool {
	battery, known := b.machine.Battery()
	return battery || !known
}

// percent returns part of total in percent, rounded up; 100 if total is 0.
func percent(part, total uint64) int64 {
	if total == 0 {
		return 100
	}
	return int64((min(part, total)*100 + total - 1) / total)
}
