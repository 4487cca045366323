package service

import (
	"context"

	"glim/core/fee"
	"glim/core/txbuild"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// sweeps implements sending all outputs of an account, address or key image to one destination.
type sweeps struct {
	active  *active
	aliases *aliases
	builder *builder
	payer   *payer
	now     func() uint64
}

func (s *sweeps) sweepAll(
	ctx context.Context, req walletrpc.SweepAllRequest,
) (resp walletrpc.SplitResponse, err error) {
	w := sendOptions{req.GetTxKeys, req.GetTxHex, req.GetTxMetadata, req.DoNotRelay, req.IdempotencyKey}
	chosen, err := keyImages(req.KeyImages)
	if err != nil {
		return resp, err
	}
	if req.Address, err = s.aliases.address(ctx, req.Address); err != nil {
		return resp, err
	}
	what := paymentTerms{sweep: true, account: req.AccountIndex, to: []walletrpc.Destination{{Address: req.Address}},
		chosen: chosen, links: req.AllowLinks}
	all, err := s.payer.spend(ctx, w, what, func(o *openWallet, again *retry) ([]builtTx, error) {
		to, err := s.builder.sweepTo(req.Address, req.PaymentID, req.UnlockTime, req.Outputs, req.Priority)
		if err != nil {
			return nil, err
		}
		var inputs []txbuild.Input
		o.View(func(w *wallet.Wallet) {
			if again != nil {
				inputs, err = again.swept(w, s.now())
			} else {
				inputs, err = s.builder.sweepable(w, req, chosen)
			}
		})
		if err != nil {
			return nil, err
		}
		nothing := noneUnlocked()
		if len(chosen) > 0 {
			nothing = chosenTooSmall(inputs, nil)
		}
		return s.builder.sweep(ctx, o,
			sweepOrder{req.AccountIndex, to, req.Outputs, fee.Priority(req.Priority), nothing}, inputs)
	})
	if err != nil {
		return resp, err
	}
	return splitResponse(all, w), nil
}

func (s *sweeps) sweepSingle(
	ctx context.Context, req walletrpc.SweepSingleRequest,
) (resp walletrpc.TransferResponse, err error) {
	w := sendOptions{req.GetTxKey, req.GetTxHex, req.GetTxMetadata, req.DoNotRelay, req.IdempotencyKey}
	if req.Address, err = s.aliases.address(ctx, req.Address); err != nil {
		return resp, err
	}
	what := paymentTerms{sweep: true, image: req.KeyImage, to: []walletrpc.Destination{{Address: req.Address}},
		links: req.AllowLinks}
	all, err := s.payer.spend(ctx, w, what, func(o *openWallet, again *retry) ([]builtTx, error) {
		to, err := s.builder.sweepTo(req.Address, req.PaymentID, req.UnlockTime, req.Outputs, req.Priority)
		if err != nil {
			return nil, err
		}
		image, err := xmr.ParseKey(req.KeyImage)
		if err != nil {
			return nil, walletrpc.Fail(walletrpc.CodeWrongKeyImage, "")
		}
		var inputs []txbuild.Input
		var account uint32
		o.View(func(w *wallet.Wallet) {
			if again != nil {
				account = again.attempts[0].Account
				inputs, err = again.swept(w, s.now())
			} else if out, ok := w.OutputByImage(image); ok {
				account = out.Address.Major
				for _, in := range w.Spendable(account, nil, w.Clock(s.now())) {
					if in.Key == out.Key {
						inputs = append(inputs, in)
					}
				}
			}
		})
		if err != nil {
			return nil, err
		}
		if len(inputs) == 0 {
			return nil, walletrpc.Fail(walletrpc.CodeUnknown, "No outputs found")
		}
		return s.builder.sweep(ctx, o,
			sweepOrder{account, to, req.Outputs, fee.Priority(req.Priority), txbuild.ErrNotUnlocked}, inputs)
	})
	if err != nil {
		return resp, err
	}
	return transferResponse(all, w), nil
}

// sweepDust sends nothing: all RingCT outputs can be mixed.
func (s *sweeps) sweepDust(context.Context, walletrpc.SweepDustRequest) (resp walletrpc.SplitResponse, err error) {
	_, err = s.active.current()
	return resp, err
}
