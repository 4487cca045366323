package service

import (
	"context"
	"errors"

	"glim/core/build"
	"glim/core/fee"
	"glim/core/internal/crypto/uniform"
	"glim/core/keys"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// sweep is a wish to send everything somewhere, checked.
type sweep struct {
	account  uint32
	to       build.Destination
	outputs  uint64
	priority fee.Priority
	nothing  error // when no output is worth its fee
}

func noneUnlocked() error {
	return walletrpc.Fail(walletrpc.CodeGenericTransfer, "No unlocked balance in the specified subaddress(es)")
}

func (s *Service) sweepTo(address, paymentID string, unlockTime, outputs uint64) (build.Destination, error) {
	ds, err := s.destinations([]walletrpc.Destination{{Address: address}}, paymentID, unlockTime)
	if err != nil {
		return build.Destination{}, err
	}
	if outputs < 1 {
		return build.Destination{}, walletrpc.Fail(walletrpc.CodeTxNotPossible, "Amount of outputs should be greater than 0.")
	}
	return ds[0], nil
}

func (s *Service) sweepAll(ctx context.Context, req walletrpc.SweepAllRequest) (resp walletrpc.SplitResponse, err error) {
	w := wish{req.GetTxKeys, req.GetTxHex, req.GetTxMetadata, req.DoNotRelay, req.IdempotencyKey}
	what := purpose{sweep: true, account: req.AccountIndex, to: []walletrpc.Destination{{Address: req.Address}}}
	all, err := s.spend(ctx, w, what, func(o *open, again *retry) ([]made, error) {
		to, err := s.sweepTo(req.Address, req.PaymentID, req.UnlockTime, req.Outputs)
		if err != nil {
			return nil, err
		}
		var inputs []build.Input
		o.View(func(w *wallet.Wallet) {
			if again != nil {
				inputs, err = again.swept(w, s.config.Now())
			} else {
				inputs, err = s.sweepable(w, req)
			}
		})
		if err != nil {
			return nil, err
		}
		return s.sweep(ctx, o, sweep{req.AccountIndex, to, req.Outputs, fee.Priority(req.Priority), noneUnlocked()}, inputs)
	})
	if err != nil {
		return resp, err
	}
	return several(all, w), nil
}

// sweepable lists what sweep_all spends: without addresses named, that of one address with money, the primary one only
// when there is no other, so that addresses are not linked unasked.
// Source: src/wallet/wallet2.cpp, create_transactions_all.
func (s *Service) sweepable(w *wallet.Wallet, req walletrpc.SweepAllRequest) ([]build.Input, error) {
	minors := req.SubaddrIndices
	if req.SubaddrIndicesAll {
		minors = nil
	}
	clock := w.Clock(s.config.Now())
	if len(w.Spendable(req.AccountIndex, nil, clock)) == 0 {
		return nil, walletrpc.Fail(walletrpc.CodeGenericTransfer, "No unlocked balance in the specified account")
	}
	found := w.Spendable(req.AccountIndex, minors, clock)
	if len(found) == 0 {
		return nil, noneUnlocked()
	}
	var inputs []build.Input
	var addresses []uint32
	seen := map[uint32]bool{}
	for _, in := range found {
		if req.BelowAmount != 0 && in.Amount >= req.BelowAmount {
			continue
		}
		inputs = append(inputs, in)
		if minor := in.Address.Minor; !seen[minor] {
			seen[minor] = true
			addresses = append(addresses, minor)
		}
	}
	if len(inputs) == 0 {
		return nil, walletrpc.Fail(walletrpc.CodeGenericTransfer, "The smallest amount found is not below the specified threshold")
	}
	if len(req.SubaddrIndices) > 0 || req.SubaddrIndicesAll {
		return inputs, nil
	}
	chosen, err := s.oneAddress(addresses)
	if err != nil {
		return nil, err
	}
	var one []build.Input
	for _, in := range inputs {
		if in.Address.Minor == chosen {
			one = append(one, in)
		}
	}
	return one, nil
}

// oneAddress draws one of the addresses, the primary one only when it is alone.
func (s *Service) oneAddress(addresses []uint32) (uint32, error) {
	var others []uint32
	for _, a := range addresses {
		if a != 0 || len(addresses) == 1 {
			others = append(others, a)
		}
	}
	n, err := uniform.Below(s.config.Random, len(others))
	if err != nil {
		return 0, err
	}
	return others[n], nil
}

func (s *Service) sweep(ctx context.Context, o *open, w sweep, inputs []build.Input) ([]made, error) {
	if w.outputs > xmr.MaxOutputs {
		return nil, walletrpc.Fail(walletrpc.CodeGenericTransfer, "%s", build.ErrTooManyOutputs)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	spread := s.askAhead(ctx, o)
	rate, err := s.rate(ctx, o, w.priority)
	if err != nil {
		return nil, err
	}
	var change keys.Index
	change.Major = w.account
	req := build.Sweep{To: w.to, Outputs: int(w.outputs), Available: inputs, Rate: rate}
	o.View(func(w *wallet.Wallet) { req.Change = w.Address(change) })
	plans, err := build.ProposeSweep(s.config.Random, req)
	if errors.Is(err, build.ErrNotPossible) {
		err = w.nothing
	}
	if err != nil {
		return nil, err
	}
	return s.construct(ctx, o, w.account, plans, rate, spread)
}

func (s *Service) sweepSingle(ctx context.Context, req walletrpc.SweepSingleRequest) (resp walletrpc.TransferResponse, err error) {
	w := wish{req.GetTxKey, req.GetTxHex, req.GetTxMetadata, req.DoNotRelay, req.IdempotencyKey}
	what := purpose{sweep: true, image: req.KeyImage, to: []walletrpc.Destination{{Address: req.Address}}}
	all, err := s.spend(ctx, w, what, func(o *open, again *retry) ([]made, error) {
		to, err := s.sweepTo(req.Address, req.PaymentID, req.UnlockTime, req.Outputs)
		if err != nil {
			return nil, err
		}
		image, err := xmr.ParseKey(req.KeyImage)
		if err != nil {
			return nil, walletrpc.Fail(walletrpc.CodeWrongKeyImage, "")
		}
		var inputs []build.Input
		var account uint32
		o.View(func(w *wallet.Wallet) {
			if again != nil {
				account = again.attempts[0].Account
				inputs, err = again.swept(w, s.config.Now())
			} else if out, ok := w.OutputByImage(image); ok {
				account = out.Address.Major
				for _, in := range w.Spendable(account, nil, w.Clock(s.config.Now())) {
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
		return s.sweep(ctx, o, sweep{account, to, req.Outputs, fee.Priority(req.Priority), build.ErrNotUnlocked}, inputs)
	})
	if err != nil {
		return resp, err
	}
	return single(all, w), nil
}

// sweepDust has nothing to do on a chain of RingCT outputs: every one of them can be mixed.
func (s *Service) sweepDust(context.Context, walletrpc.SweepDustRequest) (resp walletrpc.SplitResponse, err error) {
	_, err = s.current()
	return resp, err
}

func (s *Service) estimateTxSizeAndWeight(_ context.Context, req walletrpc.EstimateTxSizeAndWeightRequest) (resp walletrpc.EstimateTxSizeAndWeightResponse, err error) {
	if _, err := s.current(); err != nil {
		return resp, err
	}
	resp.Size, resp.Weight, err = fee.RPCEstimate(fee.Shape{
		Inputs: int(req.NInputs), RingSize: int(req.RingSize), Outputs: int(req.NOutputs)}, req.Rct)
	if err != nil {
		return resp, walletrpc.Fail(walletrpc.CodeUnknown, "Failed to determine size and weight")
	}
	return resp, nil
}

func (s *Service) getDefaultFeePriority(ctx context.Context, _ empty) (resp walletrpc.GetDefaultFeePriorityResponse, err error) {
	o, err := s.current()
	if err != nil {
		return resp, err
	}
	rate, err := s.rate(ctx, o, fee.Default)
	resp.Priority = uint32(rate.Priority)
	return resp, err
}
