package wallet

import (
	"context"

	"glim/core/service"
	"glim/core/walletrpc"
)

// Progress is how far a wallet has come.
type Progress struct {
	Height uint64 // number of blocks it has seen, or need not see, for they are older than it
	Target uint64 // number of blocks the daemon has, as last heard; Height when it has fewer, or nothing was heard yet
}

// Progress returns how far the wallet has come, at any time.
func (w *Wallet) Progress() Progress {
	s, _ := w.m.standing(w.name)
	return Progress{s.Height, max(s.Target, s.Height)}
}

// Sync reads the blocks and the pending payments that the wallet has not seen, up to the daemon's last. It is what
// wallets also do by themselves, see Config.Refresh: then it waits for one under way, and reads what is left. progress,
// when not nil, is told how far the wallet has come, one call at a time, at least once and last with the end. When ctx
// ends, what was read stays, and the next Sync goes on from there. Errors: ErrDaemon, ErrClosed.
func (w *Wallet) Sync(ctx context.Context, progress func(Progress)) error {
	if w.m.config.Offline {
		return refused("sync", ErrDaemon, "Config.Offline is set")
	}
	refresh := func(ctx context.Context) error {
		_, err := ask(ctx, w, "sync", walletrpc.Refresh, walletrpc.RefreshRequest{})
		return err
	}
	if progress == nil {
		return refresh(ctx)
	}
	told, err := w.m.engine.Follow("/wallets/"+w.name+"/events", service.FromNow)
	if err != nil {
		return failed("sync", err, nil)
	}
	// The refresh runs beside, so that progress is called here, and never again when Sync has returned.
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	following, over := context.WithCancel(ctx)
	defer over()
	go func() {
		defer over()
		ended <- refresh(ctx)
	}()
	defer func() {
		cancel() // progress may have panicked
	}()
	for {
		events, err := told.Next(following)
		for _, e := range events {
			if e.Type == walletrpc.EventSync {
				progress(Progress{e.Height, e.TargetHeight})
			}
		}
		if err != nil {
			break
		}
	}
	if err := <-ended; err != nil {
		return err
	}
	progress(w.Progress())
	return nil
}
