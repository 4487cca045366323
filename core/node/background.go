package node

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

// Machine is what mining in the background must know of the machine it runs on.
type Machine struct {
	// Load returns how busy the machine has been.
	Load func() (Load, error)
	// Battery reports whether the machine runs on its battery; known is false where nobody can say.
	Battery func() (battery, known bool)
}

// Load counts time since some moment, in a unit of its own, all processors together.
type Load struct {
	Total uint64 // that passed
	Idle  uint64 // of it, with nothing to do
	Own   uint64 // of it, taken by this process
}

// Background says when to mine in the background. A zero takes the default.
// Source: src/cryptonote_basic/miner.h, BACKGROUND_MINING_DEFAULT_….
type Background struct {
	Idle      uint8  // percent of the machine that must have nothing else to do; 90
	IdleAfter uint64 // seconds it must have had nothing to do before mining begins; 10
	Target    uint8  // percent of the machine to take; 40
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

// How often a machine that mines in the background is looked at, and how long a thread waits between two hashes: at first, and at least.
// Source: src/cryptonote_basic/miner.h; miner.cpp, background_worker_thread.
const (
	watchEvery = 10 * time.Second
	firstPause = 400 * time.Millisecond
	leastPause = 5 * time.Millisecond
)

// background lets threads mine while the machine has nothing better to do.
type background struct {
	Background
	machine       *Machine
	ignoreBattery bool
	wait          func(context.Context, time.Duration) error
	log           *slog.Logger

	mu    sync.Mutex
	open  chan struct{} // closed while mining is on
	pause atomic.Int64  // time.Duration
}

// enter returns when one hash may be made; an error when ctx has ended first.
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

// watch looks at the machine until ctx ends, lets threads begin when it is idle and not on its battery, and stops them when it is busy.
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
			b.log.Error("mining in the background: the machine's load cannot be read", "error", err)
			continue
		}
		idle, own := percent(now.Idle-before.Idle, now.Total-before.Total), percent(now.Own-before.Own, now.Total-before.Total)
		before = now
		switch may := b.ignoreBattery || !b.onBattery(); {
		case on && (!may || idle+own < int64(b.Idle)):
			on = false
			b.mu.Lock()
			b.open = make(chan struct{})
			b.mu.Unlock()
			b.log.Info("mining in the background stops", "idle percent", idle, "mains", may)
		case on:
			// Taking more than the target makes pauses longer by that many milliseconds, taking less shortens them.
			next := time.Duration(b.pause.Load()) + time.Duration(own-int64(b.Target))*time.Millisecond
			b.pause.Store(int64(max(next, leastPause)))
		case may && idle >= int64(b.Idle):
			on = true
			b.mu.Lock()
			close(b.open)
			b.mu.Unlock()
			b.log.Info("mining in the background begins", "idle percent", idle)
		}
	}
}

// onBattery reports whether the machine runs on its battery. Where that is not known it is better not to mine.
func (b *background) onBattery() bool {
	battery, known := b.machine.Battery()
	return battery || !known
}

// percent returns part of total in percent, rounded up; 100 when no time has passed.
func percent(part, total uint64) int64 {
	if total == 0 {
		return 100
	}
	return int64((min(part, total)*100 + total - 1) / total)
}
