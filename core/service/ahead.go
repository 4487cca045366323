package service

import (
	"context"

	"glim/core/decoy"
	"glim/core/fee"
	"glim/core/syncer"
	"glim/core/wallet"
)

// later calls ask beside the caller; what it returns waits until that is done, and may be called again. A panic becomes an error.
func later(ask func() error) func() error {
	done := make(chan struct{})
	var err error
	go func() {
		defer close(done)
		err = syncer.Contain(ask)
	}()
	return func() error {
		<-done
		return err
	}
}

// ahead is where a daemon's outputs are, asked for before it is known which are to be hidden.
type ahead struct {
	of    *link
	wait  func() error // until it is there
	where *decoy.Distribution
}

// askAhead asks for what every payment has to know, whatever it spends, while the daemon is asked what a byte costs. Nothing is asked before
// somebody pays: it would tell the daemon who is going to. The questions end with ctx.
func (s *Service) askAhead(ctx context.Context, o *open) *ahead {
	a := &ahead{of: s.source()}
	end := a.of.heard()
	o.View(func(w *wallet.Wallet) {
		if end.height < w.Height() {
			end = top{} // it is not so
		}
	})
	a.wait = later(func() (err error) {
		a.where, err = a.of.distribution.ask(ctx, end)
		return err
	})
	return a
}

// demand asks how busy the daemon is, everything at once; once more when its chain ends elsewhere than it did.
func (l *link) demand(ctx context.Context) (d fee.Demand, err error) {
	height := l.heard().height
	if height <= fee.RecentBlocks {
		return l.client.Demand(ctx)
	}
	var waiting []fee.PoolEntry
	var weights []uint64
	pool := later(func() (err error) {
		waiting, err = l.client.Backlog(ctx)
		return err
	})
	recent := later(func() (err error) {
		weights, err = l.client.RecentWeights(ctx, height)
		return err
	})
	info, err := l.client.Info(ctx)
	if err == nil {
		err = pool()
	}
	if err != nil {
		return d, err
	}
	if err = recent(); info.Height != height {
		return l.client.Demand(ctx)
	}
	return fee.Demand{Pool: waiting, WeightLimit: info.WeightLimit, Recent: weights}, err
}
