package wallet

import (
	"context"

	"glim/core/service"
	"glim/core/walletrpc"
)

// Progress is how far a wallet is synchronized.
type Progress struct {
	Height uint64 // number of blocks that are scanned, or older than the wallet
	Target uint64 // number of blocks of the daemon as last reported, and at least Height
}

// Progress returns how far the wallet is synchronized. It does not contact the daemon.
func (w *Wallet) Progress() Progress {
	s, _ := w.m.standing(w.name)
	return Progress{s.Height, max(s.Target, s.Height)}
}

// Sync refreshes the wallet: it reads all new blocks and pending payments from the daemon. Open wallets also refresh by
// themselves, see Config.Refresh; Sync waits for a refresh in progress and then reads what is left.
//
// progress may be nil. Otherwise Sync calls it from time to time, at least once, and at the end with the final state.
// Calls do not overlap. If ctx ends, the blocks that were read are kept, and the next Sync continues after them.
//
// Kinds of failure: ErrDaemon, ErrClosed.
func (w *Wallet) Sync(ctx context.Context, progress func(Progress)) error {
	if w.m.config.Offline {
		return refused("sync", ErrDaemon, "Config.Offline is set")
	}
	refresh := func(ctx context.Context) error {
		_, err := callOpen(ctx, w, "sync", walletrpc.Refresh, walletrpc.RefreshRequest{})
		return err
	}
	if progress == nil {
		return refresh(ctx)
	}
	feed, err := w.m.engine.Follow("/wallets/"+w.name+"/events", service.NewEventsOnly)
	if err != nil {
		return failed("sync", err, nil)
	}
	// The refresh runs in another goroutine. progress is called in this one, so never after Sync has returned.
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan error, 1)
	following, over := context.WithCancel(ctx)
	defer over()
	go func() {
		defer over()
		ended <- refresh(ctx)
	}()
	defer cancel() // also ends the refresh if progress panics
	for {
		events, err := feed.Next(following)
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
