package service

import (
	"context"
	"encoding/hex"
	"slices"

	"glim/core/keys"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// filter chooses transfers by height, account and address.
type filter struct {
	min, max uint64 // block indices above min, up to max
	all      bool   // every account
	account  uint32
	minors   []uint32 // none for all
}

func (f *filter) height(h uint64) bool { return f.min < h && h <= f.max }

func (f *filter) address(i keys.Index) bool {
	return f.all || i.Major == f.account && (len(f.minors) == 0 || slices.Contains(f.minors, i.Minor))
}

func (f *filter) anyAddress(account uint32, minors []uint32) bool {
	return f.all || account == f.account && (len(f.minors) == 0 ||
		slices.ContainsFunc(minors, func(m uint32) bool { return slices.Contains(f.minors, m) }))
}

// history lists transfers as the owner sees them.
type history struct {
	w     *wallet.Wallet
	clock wallet.Clock
	filter
}

func (s *Service) history(w *wallet.Wallet, f filter) *history {
	return &history{w, w.Clock(s.config.Now()), f}
}

// Source of the entries: src/wallet/wallet_rpc_server.cpp, fill_transfer_entry.

func (h *history) incoming() (out []walletrpc.TransferEntry) {
	for i := range h.w.Payments() {
		p := &h.w.Payments()[i]
		if h.height(p.Height) && h.address(p.Address) {
			e := h.payment(p, "in")
			if p.Coinbase {
				e.Type = "block"
			}
			e.Locked = !h.clock.Unlocked(p.UnlockTime, p.Height)
			out = append(out, h.confirmed(e))
		}
	}
	return out
}

func (h *history) pool() (out []walletrpc.TransferEntry) {
	for _, t := range h.w.Pool() {
		for i := range t.Payments {
			if p := &t.Payments[i]; h.address(p.Address) {
				e := h.payment(p, "pool")
				e.Locked, e.DoubleSpendSeen = true, p.DoubleSpendSeen
				out = append(out, h.confirmed(e))
			}
		}
	}
	return out
}

func (h *history) payment(p *wallet.Payment, kind string) walletrpc.TransferEntry {
	return walletrpc.TransferEntry{
		TxID: p.TxID.String(), PaymentID: paymentIDText(p.PaymentID), Note: h.w.Note(p.TxID), Height: p.Height, Timestamp: p.Timestamp,
		Amount: p.Amount, Amounts: p.Amounts, Fee: p.Fee, Type: kind, UnlockTime: p.UnlockTime,
		SubaddrIndex: index(p.Address), SubaddrIndices: []walletrpc.SubaddressIndex{index(p.Address)},
		Address: h.w.Address(p.Address).String(),
	}
}

func (h *history) outgoing() (out []walletrpc.TransferEntry) {
	for _, sp := range h.w.Spends() {
		if h.height(sp.Height) && h.anyAddress(sp.Account, sp.Indices) {
			out = append(out, h.spend(sp))
		}
	}
	return out
}

func (h *history) spend(sp *wallet.Spend) walletrpc.TransferEntry {
	e := h.sending(sp.TxID, sp.Account, sp.Indices, "out")
	e.Height, e.Timestamp, e.UnlockTime = sp.Height, sp.Timestamp, sp.UnlockTime
	e.Fee, e.Amount = sp.Fee, sp.AmountIn-sp.Fee-min(sp.Change, sp.AmountIn-sp.Fee)
	e.PaymentID = paymentIDText(sp.PaymentID)
	if sent, ok := h.w.SentTx(sp.TxID); ok {
		e.PaymentID = paymentIDText(sent.PaymentID)
		e.Destinations = destinations(sent.Destinations)
	}
	e.Locked = !h.clock.Unlocked(sp.UnlockTime, sp.Height)
	return h.confirmed(e)
}

// unmined lists what was sent and is in no block: what failed, or what has not.
func (h *history) unmined(failed bool) (out []walletrpc.TransferEntry) {
	for _, sent := range h.w.Unmined() {
		if (sent.State == wallet.SendFailed) != failed || !h.anyAddress(sent.Account, sent.Indices) {
			continue
		}
		e := h.sending(sent.TxID, sent.Account, sent.Indices, "pending")
		if failed {
			e.Type = "failed"
		}
		e.Timestamp, e.Fee, e.UnlockTime, e.Locked = sent.SentAt, sent.Fee, sent.UnlockTime, true
		e.Amount = sent.AmountIn - sent.Change - sent.Fee
		e.PaymentID = paymentIDText(sent.PaymentID)
		e.Destinations = destinations(sent.Destinations)
		out = append(out, h.confirmed(e))
	}
	if failed {
		return out
	}
	// Spent by another copy of this wallet and seen in the pool.
	for _, t := range h.w.Pool() {
		if _, ours := h.w.SentTx(t.TxID); ours || t.Spend == nil || !h.anyAddress(t.Spend.Account, t.Spend.Indices) {
			continue
		}
		e := h.spend(t.Spend)
		e.Type, e.Locked, e.Confirmations = "pending", true, 0
		out = append(out, e)
	}
	return out
}

func (h *history) sending(id xmr.Hash, account uint32, minors []uint32, kind string) walletrpc.TransferEntry {
	e := walletrpc.TransferEntry{
		TxID: id.String(), Note: h.w.Note(id), Type: kind, SubaddrIndex: walletrpc.SubaddressIndex{Major: account},
		Address: h.w.Address(keys.Index{Major: account}).String(),
	}
	for _, minor := range minors {
		e.SubaddrIndices = append(e.SubaddrIndices, walletrpc.SubaddressIndex{Major: account, Minor: minor})
	}
	return e
}

// confirmed fills in confirmations and how many are worth waiting for: as many blocks as would earn their miners the
// amount.
// Source: src/wallet/wallet_rpc_server.cpp, set_confirmations.
func (h *history) confirmed(e walletrpc.TransferEntry) walletrpc.TransferEntry {
	waiting := e.Height == 0 && (e.Type == "pending" || e.Type == "pool")
	if e.Height < h.clock.Height && !waiting {
		e.Confirmations = h.clock.Height - e.Height
	}
	if reward := h.w.LastReward(); reward > 0 {
		e.SuggestedConfirmationsThreshold = e.Amount / reward
		if e.Amount%reward != 0 {
			e.SuggestedConfirmationsThreshold++
		}
	}
	wait := uint64(0)
	switch {
	case e.UnlockTime < xmr.MaxHeightUnlock && e.UnlockTime > h.clock.Height:
		wait = e.UnlockTime - h.clock.Height
	case e.UnlockTime >= xmr.MaxHeightUnlock && e.UnlockTime > h.clock.Now:
		wait = (e.UnlockTime - h.clock.Now + xmr.TargetSeconds - 1) / xmr.TargetSeconds
	}
	e.SuggestedConfirmationsThreshold = max(e.SuggestedConfirmationsThreshold, wait)
	return e
}

func destinations(ds []wallet.Destination) []walletrpc.Destination {
	out := make([]walletrpc.Destination, len(ds))
	for i, d := range ds {
		out[i] = walletrpc.Destination{Amount: d.Amount, Address: d.Address}
	}
	return out
}

// paymentIDText writes 16 digits unless the ID is a long one.
func paymentIDText(id xmr.Hash) string {
	if [24]byte(id[8:]) == ([24]byte{}) {
		return hex.EncodeToString(id[:8])
	}
	return id.String()
}

func (s *Service) getTransfers(ctx context.Context, req walletrpc.GetTransfersRequest) (resp walletrpc.GetTransfersResponse, err error) {
	if req.Pool {
		if err := s.refreshPool(ctx); err != nil {
			return resp, err
		}
	}
	f := filter{max: walletrpc.MaxBlockNumber, all: req.AllAccounts, account: req.AccountIndex, minors: req.SubaddrIndices}
	if req.FilterByHeight {
		f.min, f.max = req.MinHeight, min(req.MaxHeight, f.max)
	}
	err = s.view(func(w *wallet.Wallet) error {
		h := s.history(w, f)
		if req.In {
			resp.In = h.incoming()
		}
		if req.Out {
			resp.Out = h.outgoing()
		}
		if req.Pending {
			resp.Pending = h.unmined(false)
		}
		if req.Failed {
			resp.Failed = h.unmined(true)
		}
		if req.Pool {
			resp.Pool = h.pool()
		}
		return nil
	})
	return resp, err
}

func (s *Service) getTransferByTxID(ctx context.Context, req walletrpc.GetTransferByTxIDRequest) (resp walletrpc.GetTransferByTxIDResponse, err error) {
	if _, err := s.current(); err != nil {
		return resp, err
	}
	raw, err := hex.DecodeString(req.TxID)
	if err != nil {
		return resp, walletrpc.Fail(walletrpc.CodeWrongTxID, "Transaction ID has invalid format")
	}
	if len(raw) != len(xmr.Hash{}) {
		return resp, walletrpc.Fail(walletrpc.CodeWrongTxID, "Transaction ID has invalid size: %s", req.TxID)
	}
	id := xmr.Hash(raw).String()
	err = s.view(func(w *wallet.Wallet) error {
		if req.AccountIndex >= w.Accounts() {
			return walletrpc.Fail(walletrpc.CodeAccountIndexOutOfBounds, "Account index is out of bound")
		}
		return nil
	})
	if err != nil {
		return resp, err
	}
	find := func() error {
		return s.view(func(w *wallet.Wallet) error {
			h := s.history(w, filter{max: ^uint64(0), account: req.AccountIndex})
			all := slices.Concat(h.incoming(), h.outgoing(), h.unmined(false), h.unmined(true), h.pool())
			resp.Transfers = slices.DeleteFunc(all, func(e walletrpc.TransferEntry) bool { return e.TxID != id })
			if len(resp.Transfers) == 0 {
				return walletrpc.Fail(walletrpc.CodeWrongTxID, "Transaction not found.")
			}
			resp.Transfer = resp.Transfers[0]
			return nil
		})
	}
	if find() == nil {
		return resp, nil
	}
	if err := s.refreshPool(ctx); err != nil {
		return resp, err
	}
	return resp, find()
}

func (s *Service) incomingTransfers(_ context.Context, req walletrpc.IncomingTransfersRequest) (resp walletrpc.IncomingTransfersResponse, err error) {
	err = s.view(func(w *wallet.Wallet) error {
		switch req.TransferType {
		case "all", "available", "unavailable":
		default:
			return walletrpc.Fail(walletrpc.CodeTransferType, "")
		}
		f := filter{account: req.AccountIndex, minors: req.SubaddrIndices}
		clock := w.Clock(s.config.Now())
		outputs := w.Outputs()
		for i := range outputs {
			o := &outputs[i]
			spent := w.IsSpent(o, false)
			if !f.address(o.Address) || req.TransferType == "available" && spent || req.TransferType == "unavailable" && !spent {
				continue
			}
			t := walletrpc.IncomingTransfer{
				Amount: o.Amount, Spent: spent, GlobalIndex: o.Global, TxHash: o.TxID.String(),
				SubaddrIndex: index(o.Address), PubKey: o.Key.String(), BlockHeight: o.Height,
				Frozen: w.IsFrozen(o), Unlocked: clock.Unlocked(o.UnlockTime, o.Height),
			}
			if o.ImageKnown {
				t.KeyImage = o.Image.String()
			}
			resp.Transfers = append(resp.Transfers, t)
		}
		return nil
	})
	return resp, err
}

func (s *Service) getPayments(_ context.Context, req walletrpc.GetPaymentsRequest) (resp walletrpc.GetPaymentsResponse, err error) {
	err = s.view(func(w *wallet.Wallet) error {
		raw, err := hex.DecodeString(req.PaymentID)
		if err != nil {
			return walletrpc.Fail(walletrpc.CodeWrongPaymentID, "Payment ID has invalid format")
		}
		id, ok := paymentIDOf(raw)
		if !ok {
			return walletrpc.Fail(walletrpc.CodeWrongPaymentID, "Payment ID has invalid size: %s", req.PaymentID)
		}
		resp.Payments = s.payments(w, 0, &id, req.PaymentID)
		return nil
	})
	return resp, err
}

func (s *Service) getBulkPayments(_ context.Context, req walletrpc.GetBulkPaymentsRequest) (resp walletrpc.GetPaymentsResponse, err error) {
	err = s.view(func(w *wallet.Wallet) error {
		if len(req.PaymentIDs) == 0 {
			resp.Payments = s.payments(w, req.MinBlockHeight, nil, "")
		}
		for _, text := range req.PaymentIDs {
			if len(text) != 16 && len(text) != 64 {
				return walletrpc.Fail(walletrpc.CodeWrongPaymentID, "Payment ID has invalid size: %s", text)
			}
			raw, err := hex.DecodeString(text)
			if err != nil {
				return walletrpc.Fail(walletrpc.CodeWrongPaymentID, "Payment ID has invalid format: %s", text)
			}
			id, _ := paymentIDOf(raw)
			resp.Payments = append(resp.Payments, s.payments(w, req.MinBlockHeight, &id, text)...)
		}
		return nil
	})
	return resp, err
}

// paymentIDOf reads a long payment ID or a short one; false for bytes of another number.
func paymentIDOf(raw []byte) (id xmr.Hash, ok bool) {
	copy(id[:], raw)
	return id, len(raw) == 8 || len(raw) == 32
}

// payments lists what came in blocks above min, with payment ID id or with any; text is how the client wrote the ID.
func (s *Service) payments(w *wallet.Wallet, min uint64, id *xmr.Hash, text string) (out []walletrpc.Payment) {
	clock := w.Clock(s.config.Now())
	for i := range w.Payments() {
		p := &w.Payments()[i]
		if p.Height <= min || id != nil && p.PaymentID != *id {
			continue
		}
		written := text
		if id == nil {
			written = p.PaymentID.String()
		}
		out = append(out, walletrpc.Payment{
			PaymentID: written, TxHash: p.TxID.String(), Amount: p.Amount, BlockHeight: p.Height,
			UnlockTime: p.UnlockTime, Locked: !clock.Unlocked(p.UnlockTime, p.Height),
			SubaddrIndex: index(p.Address), Address: w.Address(p.Address).String(),
		})
	}
	return out
}
