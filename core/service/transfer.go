package service

import (
	"context"

	"glim/core/coldset"
	"glim/core/fee"
	"glim/core/keys"
	"glim/core/smallfmt"
	"glim/core/wallet"
	"glim/core/walletrpc"
)

// transfers implements payments to destinations.
type transfers struct {
	active  *active
	aliases *aliases
	builder *builder
	payer   *payer
	relayer *relayer
	log     Log
}

func (s *transfers) transfer(
	ctx context.Context, req walletrpc.TransferRequest,
) (resp walletrpc.TransferResponse, err error) {
	w := sendOptions{req.GetTxKey, req.GetTxHex, req.GetTxMetadata, req.DoNotRelay, req.IdempotencyKey}
	chosen, err := keyImages(req.KeyImages)
	if err != nil {
		return resp, err
	}
	if req.Destinations, err = s.aliases.destinations(ctx, req.Destinations); err != nil {
		return resp, err
	}
	what := paymentTerms{account: req.AccountIndex, to: req.Destinations,
		subtract: len(req.SubtractFeeFromOutputs) > 0, chosen: chosen, links: req.AllowLinks}
	all, err := s.payer.spend(ctx, w, what, func(o *openWallet, again *retry) ([]builtTx, error) {
		ds, err := s.builder.destinations(req.Destinations, req.PaymentID, req.UnlockTime, req.Priority)
		if err != nil {
			return nil, err
		}
		p := paymentOrder{account: req.AccountIndex, indices: req.SubaddrIndices, destinations: ds,
			priority: fee.Priority(req.Priority), again: again, chosen: chosen}
		if p.subtract, err = feePayers(req.SubtractFeeFromOutputs, len(ds)); err != nil {
			return nil, err
		}
		if p.change, err = changeOutputs(req.ChangeOutputs); err != nil {
			return nil, err
		}
		return s.builder.pay(ctx, o, p)
	})
	if err != nil {
		return resp, err
	}
	return transferResponse(all, w), nil
}

func (s *transfers) transferSplit(
	ctx context.Context, req walletrpc.TransferSplitRequest,
) (resp walletrpc.SplitResponse, err error) {
	w := sendOptions{req.GetTxKeys, req.GetTxHex, req.GetTxMetadata, req.DoNotRelay, req.IdempotencyKey}
	chosen, err := keyImages(req.KeyImages)
	if err != nil {
		return resp, err
	}
	if req.Destinations, err = s.aliases.destinations(ctx, req.Destinations); err != nil {
		return resp, err
	}
	what := paymentTerms{account: req.AccountIndex, to: req.Destinations, chosen: chosen, links: req.AllowLinks}
	all, err := s.payer.spend(ctx, w, what, func(o *openWallet, again *retry) ([]builtTx, error) {
		list := req.Destinations
		if again != nil && !again.whole {
			list = again.destinations()
		}
		ds, err := s.builder.destinations(list, req.PaymentID, req.UnlockTime, req.Priority)
		if err != nil {
			return nil, err
		}
		change, err := changeOutputs(req.ChangeOutputs)
		if err != nil {
			return nil, err
		}
		return s.builder.pay(ctx, o,
			paymentOrder{account: req.AccountIndex, indices: req.SubaddrIndices, destinations: ds,
				priority: fee.Priority(req.Priority), split: again == nil, again: again, chosen: chosen,
				change: change})
	})
	if err != nil {
		return resp, err
	}
	return splitResponse(all, w), nil
}

func (s *transfers) relayTx(
	ctx context.Context, req walletrpc.RelayTxRequest,
) (resp walletrpc.RelayTxResponse, err error) {
	o, err := s.active.current()
	if err != nil {
		return resp, err
	}
	o.sending.Lock()
	defer o.sending.Unlock()
	b, err := smallfmt.Unhex(req.Hex)
	if err != nil {
		return resp, walletrpc.Fail(walletrpc.CodeBadHex, "")
	}
	var sent wallet.Sent
	described := true
	if keys.HasHierarchies && isNext(b) {
		sent, described, err = nextSent(o, b, s.relayer.now())
	} else if p, failed := coldset.ParsePendingTx(b); failed != nil {
		described = false
	} else {
		sent, err = s.relayer.sentOf(o, p)
	}
	if !described {
		return resp, walletrpc.Fail(walletrpc.CodeBadTxMetadata, "")
	}
	if err == nil {
		err = s.relayer.send(ctx, o, sent)
	}
	if err != nil {
		s.log.Info("a transaction was not relayed", "error", err)
		return resp, &codedError{walletrpc.Fail(walletrpc.CodeGenericTransfer, "Failed to commit tx."), err}
	}
	resp.TxHash = sent.TxID.String()
	return resp, nil
}
