package service

import (
	"context"
	"slices"

	"glim/core/rpc"
	"glim/core/smallfmt"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// history implements the operations that list transfers and outputs.
type history struct {
	active  *active
	now     func() uint64
	workers int
}

func (s *history) getTransfers(
	ctx context.Context, req walletrpc.GetTransfersRequest,
) (resp walletrpc.GetTransfersResponse, err error) {
	if req.Pool && !rpc.IsRestricted(ctx) {
		if err := s.active.refreshPool(ctx); err != nil {
			return resp, err
		}
	}
	indices, err := newSelection(req.SubaddrIndices)
	if err != nil {
		return resp, err
	}
	f := filter{max: walletrpc.MaxBlockNumber, all: req.AllAccounts, account: req.AccountIndex, indices: indices}
	if req.FilterByHeight {
		f.min, f.max = req.MinHeight, min(req.MaxHeight, f.max)
	}
	var h *transferList
	var in, out, pending, failed, pool []row
	err = s.active.view(func(w *wallet.Wallet) error {
		h = newTransferList(s.now(), w, f)
		if req.In {
			in = h.incoming()
		}
		if req.Out {
			out = h.outgoing()
		}
		if req.Pending {
			pending = h.unmined(false)
		}
		if req.Failed {
			failed = h.unmined(true)
		}
		if req.Pool {
			pool = h.pool()
		}
		return nil
	})
	if err != nil {
		return resp, err
	}
	for _, kind := range []struct {
		rows []row
		to   *[]walletrpc.TransferEntry
	}{{in, &resp.In}, {out, &resp.Out}, {pending, &resp.Pending}, {failed, &resp.Failed}, {pool, &resp.Pool}} {
		*kind.to = h.write(kind.rows, s.workers)
	}
	return resp, nil
}

func (s *history) getTransferByTxID(
	ctx context.Context, req walletrpc.GetTransferByTxIDRequest,
) (resp walletrpc.GetTransferByTxIDResponse, err error) {
	if _, err := s.active.current(); err != nil {
		return resp, err
	}
	raw, err := smallfmt.Unhex(req.TxID)
	if err != nil {
		return resp, walletrpc.Fail(walletrpc.CodeWrongTxID, "Transaction ID has invalid format")
	}
	if len(raw) != len(xmr.Hash{}) {
		return resp, walletrpc.Fail(walletrpc.CodeWrongTxID, "Transaction ID has invalid size: %s", req.TxID)
	}
	id := xmr.Hash(raw)
	err = s.active.view(func(w *wallet.Wallet) error {
		if req.AccountIndex >= w.Accounts() {
			return walletrpc.Fail(walletrpc.CodeAccountIndexOutOfBounds, "Account index is out of bound")
		}
		return nil
	})
	if err != nil {
		return resp, err
	}
	find := func() error {
		var h *transferList
		var rows []row
		if err := s.active.view(func(w *wallet.Wallet) error {
			h = newTransferList(s.now(), w,
				filter{max: ^uint64(0), account: req.AccountIndex, indices: selection{all: true}, id: &id})
			rows = slices.Concat(h.incoming(), h.outgoing(), h.unmined(false), h.unmined(true), h.pool())
			return nil
		}); err != nil {
			return err
		}
		if resp.Transfers = h.write(rows, 1); len(rows) == 0 {
			return walletrpc.Fail(walletrpc.CodeWrongTxID, "Transaction not found.")
		}
		resp.Transfer = resp.Transfers[0]
		return nil
	}
	if err := find(); err == nil || rpc.IsRestricted(ctx) {
		return resp, err
	}
	if err := s.active.refreshPool(ctx); err != nil {
		return resp, err
	}
	return resp, find()
}

func (s *history) incomingTransfers(
	_ context.Context, req walletrpc.IncomingTransfersRequest,
) (resp walletrpc.IncomingTransfersResponse, err error) {
	indices, err := newSelection(req.SubaddrIndices)
	if err != nil {
		return resp, err
	}
	type found struct {
		*wallet.OwnedOutput
		spent, frozen bool
	}
	var list []found
	var clock wallet.Clock
	err = s.active.view(func(w *wallet.Wallet) error {
		switch req.TransferType {
		case "all", "available", "unavailable":
		default:
			return walletrpc.Fail(walletrpc.CodeTransferType, "")
		}
		f := filter{account: req.AccountIndex, indices: indices}
		clock = w.Clock(s.now())
		outputs := w.Outputs()
		for n := range outputs {
			o := &outputs[n]
			if !f.address(o.Address) {
				continue
			}
			spent := w.IsSpentAt(n)
			if req.TransferType == "all" || spent == (req.TransferType == "unavailable") {
				list = append(list, found{o, spent, w.IsFrozen(o)})
			}
		}
		return nil
	})
	if err != nil || len(list) == 0 {
		return resp, err
	}
	resp.Transfers = make([]walletrpc.IncomingTransfer, len(list))
	for n, o := range list {
		resp.Transfers[n] = walletrpc.IncomingTransfer{
			Amount: o.Amount, Spent: o.spent, GlobalIndex: o.GlobalIndex, TxHash: o.TxID.String(),
			SubaddrIndex: index(o.Address), PubKey: o.Key.String(), BlockHeight: o.Height,
			Frozen: o.frozen, Unlocked: clock.Unlocked(o.UnlockTime, o.Height),
		}
		if o.ImageKnown {
			resp.Transfers[n].KeyImage = o.Image.String()
		}
	}
	return resp, nil
}
