package service

import (
	"context"
	"errors"

	"glim/core/build"
	"glim/core/daemon"
	"glim/core/fee"
	"glim/core/say"
	"glim/core/wallet"
	"glim/core/xmr"
)

// witnessLag is how far below the end a block is before another daemon is expected to have it.
const witnessLag = 10

// dearer is how many times the second daemon's fee a payment may cost. Both follow from medians of the last blocks, which honest daemons
// have in common but for a few.
const dearer = 2

// DisagreementError reports that the daemon and Config.Witness do not say the same. Nothing was spent. Which of the two is wrong
// nobody here can know.
type DisagreementError struct {
	About  string
	behind bool // the wallet is
}

// Error says what about, and what to do.
func (e *DisagreementError) Error() string {
	return "the daemon and the second daemon disagree: " + e.About + "; nothing was spent: find out which is right, or choose others"
}

// witness asks the second daemon when there is one: a daemon that does not answer, or answers what cannot be, is no witness.
func (s *Service) witness(ctx context.Context, ask func(*daemon.Client) error) error {
	w := s.source().witness
	if w == nil {
		return nil
	}
	err := ask(w)
	var d *DisagreementError
	switch {
	case err == nil || errors.As(err, &d):
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	}
	s.config.Log.Warn("no second daemon to compare with", "error", err)
	return nil
}

// mayPay is sameChain for who is about to pay: a wallet that is far behind reads on first.
func (s *Service) mayPay(ctx context.Context, o *open) error {
	err := s.sameChain(ctx, o, true)
	if d := (*DisagreementError)(nil); !errors.As(err, &d) || !d.behind {
		return err
	}
	if _, err := s.refresh(ctx, o, 0); err != nil {
		return err
	}
	return s.sameChain(ctx, o, true)
}

// sameChain compares the end of the wallet's chain with the second daemon's: the block ten below the lower of both ends must be the same.
// With it are all before it, for each names the one before. A payment, moreover, wants a wallet that is
// not far behind.
// Errors: *DisagreementError, the context's.
func (s *Service) sameChain(ctx context.Context, o *open, paying bool) error {
	return s.witness(ctx, func(w *daemon.Client) error {
		info, err := w.Info(ctx)
		if err != nil {
			return err
		}
		if !serves(info.Network, s.config.Network) {
			return &NetworkError{Daemon: info.Network, Wallet: s.config.Network}
		}
		var height, at uint64
		var known xmr.Hash
		var ok bool
		o.View(func(w *wallet.Wallet) {
			height = w.Height()
			if low := min(height, info.Height); low > witnessLag {
				at = low - 1 - witnessLag
				known, ok = w.BlockAt(at)
			}
		})
		if info.Height > height+witnessLag {
			behind := &DisagreementError{say.Sprintf("one gave %d blocks, the other knows %d", height, info.Height), true}
			if paying {
				return behind
			}
			s.config.Log.Warn("the daemon may keep blocks back, and payments in them", "error", behind)
		}
		if !ok {
			return nil
		}
		header, err := w.Header(ctx, at)
		if err != nil {
			return err
		}
		if header.Hash != known {
			return &DisagreementError{About: say.Sprintf("they have different blocks %d, and so other payments and confirmations", at)}
		}
		return nil
	})
}

// compareFees returns what to pay a byte when the second daemon, too, was asked: no other level than it would take, when nobody named
// one, and at most twice its fee.
// Errors: *DisagreementError, the context's.
func (s *Service) compareFees(ctx context.Context, ceiling fee.Ceiling, requested fee.Priority, rate build.Rate) (build.Rate, error) {
	err := s.witness(ctx, func(w *daemon.Client) error {
		fees, mask, err := w.FeeEstimate(ctx)
		if err != nil {
			return err
		}
		second, err := fee.NewEstimate(ceiling, fees, mask)
		if err != nil {
			return err
		}
		if requested == fee.Default && rate.Priority > fee.Slow {
			demand, err := w.Demand(ctx)
			if err != nil {
				return err
			}
			rate.Priority = min(rate.Priority, second.Resolve(requested, fee.Default, true, demand))
		}
		asked, usual := rate.Fees.PerByte(rate.Priority), second.PerByte(rate.Priority)
		if asked/dearer > usual {
			return &DisagreementError{About: say.Sprintf("one asks %d atomic units a byte, the other %d", asked, usual)}
		}
		return nil
	})
	return rate, err
}
