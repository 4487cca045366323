package service

import (
	"context"
	"time"

	"glim/core/internal/parallel"
	"glim/core/walletrpc"
)

// autoRefresher refreshes the open wallet periodically.
type autoRefresher struct {
	active    *active
	refresher *refresher
	wait      func(ctx context.Context, d time.Duration) error // Config.Wait
	now       func() uint64                                    // Config.Now
	log       Log
}

// DefaultAutoRefresh is the interval between automatic refreshes.
// Source: src/wallet/wallet_rpc_server.cpp, DEFAULT_AUTO_REFRESH_PERIOD.
const DefaultAutoRefresh = 20 * time.Second

func (s *autoRefresher) setAutoRefresh(_ context.Context, req walletrpc.AutoRefreshRequest) (empty, error) {
	s.active.mu.Lock()
	defer s.active.mu.Unlock()
	switch {
	case !req.Enable:
		s.active.autoRefresh = 0
	case req.Period == 0:
		s.active.autoRefresh = DefaultAutoRefresh
	default:
		s.active.autoRefresh = time.Duration(req.Period) * time.Second
	}
	s.active.wake()
	return empty{}, nil
}

// run refreshes the open wallet until ctx ends.
func (s *autoRefresher) run(ctx context.Context) {
	if s.wait == nil {
		<-ctx.Done()
		return
	}
	failing := false
	for ctx.Err() == nil {
		s.active.mu.Lock()
		o, period, changed := s.active.wallet, s.active.autoRefresh, s.active.changed
		s.active.mu.Unlock()
		if o != nil && period > 0 {
			err := parallel.Contain(func() error {
				o.reference.shareAtTimes(o.Session, s.now)
				_, err := s.refresher.refresh(o.ctx, o, 0)
				return err
			})
			if err != nil && o.ctx.Err() == nil {
				s.log.Warn("automatic refresh failed; it will be tried again", "error", err, "in", period)
				failing = true
			} else if failing && err == nil {
				s.log.Warn("automatic refresh works again")
				failing = false
			}
		}
		if period == 0 || o == nil {
			select {
			case <-changed:
			case <-ctx.Done():
			}
			continue
		}
		s.pause(ctx, period, changed)
	}
}

// pause waits for d, or until changed is closed.
func (s *autoRefresher) pause(ctx context.Context, d time.Duration, changed <-chan struct{}) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = s.wait(ctx, d) // an early return is harmless
	}()
	select {
	case <-done:
	case <-changed:
	}
}
