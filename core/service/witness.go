package service

import (
	"context"
	"errors"

	"glim/core/daemon"
	"glim/core/fee"
	"glim/core/smallfmt"
	"glim/core/txbuild"
	"glim/core/wallet"
	"glim/core/xmr"
)

// witness compares the responses of the daemon with those of a second daemon, if Config.Witness names one.
type witness struct {
	active  *active
	network xmr.Network
	log     Log
}

// witnessLag is how many blocks the tops of two honest daemons may differ.
const witnessLag = 10

// maxFeeRatio limits the fee of a payment to a multiple of the second daemon's. Both fees follow from medians of
// recent blocks, most of which honest daemons have in common.
const maxFeeRatio = 2

// DisagreementError reports that the daemon and Config.Witness contradict each other. Nothing was spent. The wallet
// cannot tell which of them is right.
type DisagreementError struct {
	About  string
	behind bool // the wallet is behind
}

// Error states what the daemons disagree about, and what to do.
func (e *DisagreementError) Error() string {
	return "the daemon and the second daemon disagree: " + e.About + "; nothing was spent: find out which one is " +
		"right, or choose other daemons"
}

// ask queries the second daemon if there is one. If it does not respond, or responds with invalid data, the
// comparison is skipped.
func (s *witness) ask(ctx context.Context, query func(*daemon.Client) error) error {
	w := s.active.connection().witness
	if w == nil {
		return nil
	}
	err := query(w)
	var d *DisagreementError
	switch {
	case err == nil || errors.As(err, &d):
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	}
	s.log.Warn("the second daemon does not answer, so nothing was compared", "error", err)
	return nil
}

// sameChain compares the end of the wallet's chain with the second daemon's: the block ten below the lower of both
// tops must be the same. Then so are all earlier blocks, because each contains the hash of its predecessor. For a
// payment the wallet must also not be far behind. It returns a *DisagreementError or the context's error.
func (s *witness) sameChain(ctx context.Context, o *openWallet, paying bool) error {
	return s.ask(ctx, func(w *daemon.Client) error {
		info, err := w.Info(ctx)
		if err != nil {
			return err
		}
		if !serves(info.Network, s.network) {
			return &NetworkError{Daemon: info.Network, Wallet: s.network}
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
			behind := &DisagreementError{smallfmt.Sprintf("one has %d blocks, the other %d", height,
				info.Height), true}
			if paying {
				return behind
			}
			s.log.Warn("the daemon may withhold blocks, and payments in them", "error", behind)
		}
		if !ok {
			return nil
		}
		header, err := w.BlockHeader(ctx, at)
		if err != nil {
			return err
		}
		if header.Hash != known {
			return &DisagreementError{About: smallfmt.Sprintf("their blocks %d differ, and so do payments "+
				"and confirmations", at)}
		}
		return nil
	})
}

// compareFees adjusts the rate after asking the second daemon: the default priority is at most the one the second
// daemon suggests, and the fee must be at most twice its fee. It returns a *DisagreementError or the context's error.
func (s *witness) compareFees(
	ctx context.Context, ceiling fee.Ceiling, requested fee.Priority, rate txbuild.Rate,
) (txbuild.Rate, error) {
	err := s.ask(ctx, func(w *daemon.Client) error {
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
		if asked/maxFeeRatio > usual {
			return &DisagreementError{About: smallfmt.Sprintf("one asks for %d atomic units per byte, the other for %d",
				asked, usual)}
		}
		return nil
	})
	return rate, err
}
