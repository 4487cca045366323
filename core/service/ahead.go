package service

import (
	"context"

	"glim/core/decoy"
	"glim/core/fee"
	"glim/core/syncer"
	"glim/core/wallet"
)

// later calls ask beside the caller; what it returns waits for the answer. A panic becomes an error.
func later[T any](ask func() (T, error)) func() (T, error) {
	done := make(chan struct{})
	var answer T
	var err error
	go func() {
		defer close(done)
		err = syncer.Contain(func() (err error) {
			answer, err = ask()
			return err
		})
	}()
	return func() (T, error) {
		<-done
		return answer, err
	}
}

// ahead is where a daemon's outputs are, asked for before it is known which are to be hidden.
type ahead struct {
	of  *link
	get func() (*decoy.Distribution, error)
}

// askAhead asks for what every payment has to know, whatever it spends, while the daemon is asked what a byte costs. Nothing is asked before
// somebody pays: it would tell the daemon who is going to. The questions end with ctx.
func (s *Service) askAhead(ctx context.Context, o *open) ahead {
	l := s.source()
	end := l.heard()
	o.View(func(w *wallet.Wallet) {
		if end.height < w.Height() {
			end = top{} // it is not so
		}
	})
	return ahead{l, later(func() (*decoy.Distribution, error) { return l.distribution.ask(ctx, end) })}
}

// demand asks how busy the daemon is, everything at once; of blocks that it no longer has, once more.
func (l *link) demand(ctx context.Context) (d fee.Demand, err error) {
	height := l.heard().height
	if height <= fee.RecentBlocks {
		return l.client.Demand(ctx)
	}
	pool := later(func() ([]fee.PoolEntry, error) { return l.client.Backlog(ctx) })
	recent := later(func() ([]uint64, error) { return l.client.RecentWeights(ctx, height) })
	info, err := l.client.Info(ctx)
	if err != nil {
		return d, err
	}
	d.WeightLimit = info.WeightLimit
	if d.Pool, err = pool(); err != nil {
		return d, err
	}
	d.Recent, err = recent()
	switch {
	case info.Height <= fee.RecentBlocks:
		return d, nil
	case info.Height != height:
		d.Recent, err = l.client.RecentWeights(ctx, info.Height)
	}
	return d, err
}
