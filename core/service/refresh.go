package service

import (
	"context"
	"errors"

	"glim/core/session"
	"glim/core/walletrpc"
)

// refresher synchronises the open wallet.
type refresher struct {
	active  *active
	witness *witness
}

// refresh synchronises o with the daemon's chain; it ends when o closes.
func (s *refresher) refresh(ctx context.Context, o *openWallet, start uint64) (session.Refreshed, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(o.ctx, cancel)()
	from := s.active.connection()
	r, err := o.Refresh(ctx, from, start)
	if errors.Is(err, errCompact) {
		read := r
		r, err = o.Refresh(ctx, from, start)
		r.Blocks, r.Received = r.Blocks+read.Blocks, r.Received || read.Received
	}
	if r.Blocks >= longRun {
		s.active.releaseMemory()
	}
	if err != nil && ctx.Err() == nil {
		from.pool.restart()
	}
	if err == nil && (r.Blocks > 0 || !o.witnessed.Load()) {
		err = s.witness.sameChain(ctx, o, false)
		o.witnessed.Store(err == nil)
	}
	return r, err
}

// mayPay calls sameChain before a payment. If the wallet is far behind, it synchronises the wallet and calls sameChain
// again.
func (s *refresher) mayPay(ctx context.Context, o *openWallet) error {
	err := s.witness.sameChain(ctx, o, true)
	if d := (*DisagreementError)(nil); !errors.As(err, &d) || !d.behind {
		return err
	}
	if _, err := s.refresh(ctx, o, 0); err != nil {
		return err
	}
	return s.witness.sameChain(ctx, o, true)
}

func (s *refresher) refreshNow(
	ctx context.Context, req walletrpc.RefreshRequest,
) (resp walletrpc.RefreshResponse, err error) {
	o, err := s.active.current()
	if err != nil {
		return resp, err
	}
	if s.active.connection().config.Address == "" {
		// Without a daemon, a refresh succeeds and reads nothing. Source: src/wallet/wallet2.cpp, refresh (0.18.5.1).
		return resp, nil
	}
	r, err := s.refresh(ctx, o, req.StartHeight)
	return walletrpc.RefreshResponse{BlocksFetched: r.Blocks, ReceivedMoney: r.Received}, err
}

func (s *refresher) getHeight(context.Context, empty) (resp walletrpc.GetHeightResponse, err error) {
	o, err := s.active.current()
	if err == nil {
		err = o.Err()
	}
	if err == nil {
		resp.Height = o.Progress().Height
	}
	return resp, err
}

// longRun is how many blocks a refresh reads before memory is released; following the top takes far fewer.
const longRun = 500
