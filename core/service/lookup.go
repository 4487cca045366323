package service

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"slices"

	sorting "glim/core/internal/order"
	"glim/core/keys"
	"glim/core/say"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// filter chooses transfers by height, account and address.
type filter struct {
	min, max uint64 // block indices above min, up to max
	all      bool   // every account
	account  uint32
	minors   chosen
	id       *xmr.Hash // one transaction alone; nil for all
}

func (f *filter) tx(id xmr.Hash) bool { return f.id == nil || *f.id == id }

func (f *filter) address(i keys.Index) bool {
	return f.all || i.Major == f.account && f.minors.has(i.Minor)
}

func (f *filter) anyAddress(account uint32, minors []uint32) bool {
	return f.all || account == f.account && f.minors.hasAny(minors)
}

// history lists transfers as the owner sees them: rows are chosen while the wallet is at hand, and written when it no longer is,
// for nothing can change while somebody looks.
type history struct {
	w      *wallet.Wallet // while it is at hand
	texts  *wallet.Texts
	clock  wallet.Clock
	reward uint64
	filter
}

// row is one transfer: a payment, a transaction on the chain or in the pool that spent, or one that was sent.
type row struct {
	kind    string
	note    string
	payment *wallet.Payment
	spend   *wallet.Spend
	sent    *wallet.Sent // beside spend, what is known of it because this wallet made it
}

func (s *Service) history(w *wallet.Wallet, f filter) *history {
	return &history{w, w.Texts(), w.Clock(s.config.Now()), w.LastReward(), f}
}

func (h *history) incoming() (rows []row) {
	payments := h.w.PaymentsIn(h.min, h.max)
	for _, i := range latest(len(payments), func(i int) xmr.Hash { return payments[i].TxID }) {
		p := &payments[i]
		if h.tx(p.TxID) && h.address(p.Address) {
			kind := "in"
			if p.Coinbase {
				kind = "block"
			}
			rows = append(rows, row{kind: kind, note: h.w.Note(p.TxID), payment: p})
		}
	}
	return rows
}

// latest returns 0 to n-1 in the order in which what has these transaction IDs is listed: transactions from last to
// first, what one has from first to last. wallet2 keeps payments in a std::unordered_multimap, which puts a new one
// before those of the same payment ID; so a wallet of the reference lists what it found since it was opened. What it
// read from its file is the other way round after every second opening.
func latest(n int, id func(int) xmr.Hash) []int {
	list := make([]int, 0, n)
	for end := n; end > 0; {
		first := end - 1
		for first > 0 && id(first-1) == id(end-1) {
			first--
		}
		for i := first; i < end; i++ {
			list = append(list, i)
		}
		end = first
	}
	return list
}

// seenAt returns the POSIX time at which a payment was first seen in the pool; 0 for what pays nothing.
func seenAt(t *wallet.PoolTx) uint64 {
	if len(t.Payments) == 0 {
		return 0
	}
	return t.Payments[0].Timestamp
}

func (h *history) pool() (rows []row) {
	seen := h.w.Pool()
	sorting.Stable(seen, func(a, b *wallet.PoolTx) int { return cmp.Compare(seenAt(b), seenAt(a)) })
	for _, t := range seen {
		for i := range t.Payments {
			if p := &t.Payments[i]; h.tx(p.TxID) && h.address(p.Address) {
				rows = append(rows, row{kind: "pool", note: h.w.Note(p.TxID), payment: p})
			}
		}
	}
	return rows
}

func (h *history) outgoing() (rows []row) {
	spends := h.w.SpendsIn(h.min, h.max)
	for i := len(spends) - 1; i >= 0; i-- {
		sp := spends[i]
		if h.tx(sp.TxID) && h.anyAddress(sp.Account, sp.Indices) {
			rows = append(rows, h.spent("out", sp))
		}
	}
	return rows
}

func (h *history) spent(kind string, sp *wallet.Spend) row {
	sent, _ := h.w.SentTx(sp.TxID)
	return row{kind: kind, note: h.w.Note(sp.TxID), spend: sp, sent: sent}
}

// unmined lists what was sent and is in no block: what failed, or what has not.
func (h *history) unmined(failed bool) (rows []row) {
	kind := "pending"
	if failed {
		kind = "failed"
	}
	unmined := h.w.Unmined()
	for i := len(unmined) - 1; i >= 0; i-- {
		sent := unmined[i]
		if (sent.State == wallet.SendFailed) == failed && h.tx(sent.TxID) && h.anyAddress(sent.Account, sent.Indices) {
			rows = append(rows, row{kind: kind, note: h.w.Note(sent.TxID), sent: sent})
		}
	}
	if failed {
		return rows
	}
	// Spent by another copy of this wallet and seen in the pool.
	for _, t := range h.w.Pool() {
		if _, ours := h.w.SentTx(t.TxID); !ours && t.Spend != nil && h.tx(t.TxID) && h.anyAddress(t.Spend.Account, t.Spend.Indices) {
			rows = append(rows, h.spent(kind, t.Spend))
		}
	}
	return rows
}

// write makes the entries of rows.
// Source: src/wallet/wallet_rpc_server.cpp, fill_transfer_entry.
func (h *history) write(rows []row, workers int) []walletrpc.TransferEntry {
	if len(rows) == 0 {
		return nil
	}
	list := make([]keys.Index, len(rows))
	for n := range rows {
		list[n] = rows[n].address()
	}
	texts := h.texts.All(list, workers)
	out := make([]walletrpc.TransferEntry, len(rows))
	for n := range rows {
		r, e := &rows[n], &out[n]
		e.Type, e.Note, e.Address, e.SubaddrIndex = r.kind, r.note, texts[n], index(list[n])
		switch {
		case r.payment != nil:
			h.payment(e, r)
		case r.spend != nil:
			h.spend(e, r)
		default:
			h.sent(e, r)
		}
		h.confirm(e)
	}
	return out
}

func (r *row) address() keys.Index {
	switch {
	case r.payment != nil:
		return r.payment.Address
	case r.spend != nil:
		return keys.Index{Major: r.spend.Account}
	}
	return keys.Index{Major: r.sent.Account}
}

func (h *history) payment(e *walletrpc.TransferEntry, r *row) {
	p := r.payment
	e.TxID, e.PaymentID, e.Height, e.Timestamp = p.TxID.String(), paymentIDText(p.PaymentID), p.Height, p.Timestamp
	e.Amount, e.Amounts, e.Fee, e.UnlockTime = p.Amount, p.Amounts, p.Fee, p.UnlockTime
	e.SubaddrIndices = []walletrpc.SubaddressIndex{index(p.Address)}
	e.Locked = r.kind == "pool" || !h.clock.Unlocked(p.UnlockTime, p.Height)
	e.DoubleSpendSeen = r.kind == "pool" && p.DoubleSpendSeen
}

func (h *history) spend(e *walletrpc.TransferEntry, r *row) {
	sp := r.spend
	e.TxID, e.PaymentID, e.SubaddrIndices = sp.TxID.String(), paymentIDText(sp.PaymentID), indices(sp.Account, sp.Indices)
	e.Height, e.Timestamp, e.UnlockTime = sp.Height, sp.Timestamp, sp.UnlockTime
	e.Fee, e.Amount = sp.Fee, less(sp.AmountIn, sp.Fee, sp.Change)
	if r.sent != nil {
		e.PaymentID = paymentIDText(r.sent.PaymentID)
		e.Destinations = destinations(r.sent.Destinations)
	}
	e.Locked = r.kind == "pending" || !h.clock.Unlocked(sp.UnlockTime, sp.Height)
}

func (h *history) sent(e *walletrpc.TransferEntry, r *row) {
	sent := r.sent
	e.TxID, e.PaymentID, e.SubaddrIndices = sent.TxID.String(), paymentIDText(sent.PaymentID), indices(sent.Account, sent.Indices)
	e.Timestamp, e.Fee, e.UnlockTime, e.Locked = sent.SentAt, sent.Fee, sent.UnlockTime, true
	e.Amount = less(sent.AmountIn, sent.Fee, sent.Change)
	e.Destinations = destinations(sent.Destinations)
}

// less takes amounts away; what a daemon that lies says may leave less than nothing, which is nothing.
func less(amount uint64, taken ...uint64) uint64 {
	for _, t := range taken {
		amount -= min(t, amount)
	}
	return amount
}

func indices(account uint32, minors []uint32) (out []walletrpc.SubaddressIndex) {
	for _, minor := range minors {
		out = append(out, walletrpc.SubaddressIndex{Major: account, Minor: minor})
	}
	return out
}

// confirm fills in confirmations and how many are worth waiting for: as many blocks as would earn their miners the
// amount.
// Source: src/wallet/wallet_rpc_server.cpp, set_confirmations.
func (h *history) confirm(e *walletrpc.TransferEntry) {
	waiting := e.Height == 0 && (e.Type == "pending" || e.Type == "pool")
	if e.Height < h.clock.Height && !waiting {
		e.Confirmations = h.clock.Height - e.Height
	}
	if reward := h.reward; reward > 0 {
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
	minors, err := choose(req.SubaddrIndices)
	if err != nil {
		return resp, err
	}
	f := filter{max: walletrpc.MaxBlockNumber, all: req.AllAccounts, account: req.AccountIndex, minors: minors}
	if req.FilterByHeight {
		f.min, f.max = req.MinHeight, min(req.MaxHeight, f.max)
	}
	var h *history
	var in, out, pending, failed, pool []row
	err = s.view(func(w *wallet.Wallet) error {
		h = s.history(w, f)
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
		*kind.to = h.write(kind.rows, s.config.Workers)
	}
	return resp, nil
}

func (s *Service) getTransferByTxID(ctx context.Context, req walletrpc.GetTransferByTxIDRequest) (resp walletrpc.GetTransferByTxIDResponse, err error) {
	if _, err := s.current(); err != nil {
		return resp, err
	}
	raw, err := say.Unhex(req.TxID)
	if err != nil {
		return resp, walletrpc.Fail(walletrpc.CodeWrongTxID, "Transaction ID has invalid format")
	}
	if len(raw) != len(xmr.Hash{}) {
		return resp, walletrpc.Fail(walletrpc.CodeWrongTxID, "Transaction ID has invalid size: %s", req.TxID)
	}
	id := xmr.Hash(raw)
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
		var h *history
		var rows []row
		if err := s.view(func(w *wallet.Wallet) error {
			h = s.history(w, filter{max: ^uint64(0), account: req.AccountIndex, minors: chosen{all: true}, id: &id})
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
	if find() == nil {
		return resp, nil
	}
	if err := s.refreshPool(ctx); err != nil {
		return resp, err
	}
	return resp, find()
}

func (s *Service) incomingTransfers(_ context.Context, req walletrpc.IncomingTransfersRequest) (resp walletrpc.IncomingTransfersResponse, err error) {
	minors, err := choose(req.SubaddrIndices)
	if err != nil {
		return resp, err
	}
	type found struct {
		*wallet.Output
		spent, frozen bool
	}
	var list []found
	var clock wallet.Clock
	err = s.view(func(w *wallet.Wallet) error {
		switch req.TransferType {
		case "all", "available", "unavailable":
		default:
			return walletrpc.Fail(walletrpc.CodeTransferType, "")
		}
		f := filter{account: req.AccountIndex, minors: minors}
		clock = w.Clock(s.config.Now())
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
			Amount: o.Amount, Spent: o.spent, GlobalIndex: o.Global, TxHash: o.TxID.String(),
			SubaddrIndex: index(o.Address), PubKey: o.Key.String(), BlockHeight: o.Height,
			Frozen: o.frozen, Unlocked: clock.Unlocked(o.UnlockTime, o.Height),
		}
		if o.ImageKnown {
			resp.Transfers[n].KeyImage = o.Image.String()
		}
	}
	return resp, nil
}

func (s *Service) getPayments(_ context.Context, req walletrpc.GetPaymentsRequest) (resp walletrpc.GetPaymentsResponse, err error) {
	if _, err := s.current(); err != nil {
		return resp, err
	}
	raw, err := say.Unhex(req.PaymentID)
	if err != nil {
		return resp, walletrpc.Fail(walletrpc.CodeWrongPaymentID, "Payment ID has invalid format")
	}
	if len(raw) != 8 && len(raw) != 32 {
		return resp, walletrpc.Fail(walletrpc.CodeWrongPaymentID, "Payment ID has invalid size: %s", req.PaymentID)
	}
	resp.Payments, err = s.payments(0, []string{req.PaymentID})
	return resp, err
}

func (s *Service) getBulkPayments(_ context.Context, req walletrpc.GetBulkPaymentsRequest) (resp walletrpc.GetPaymentsResponse, err error) {
	if _, err := s.current(); err != nil {
		return resp, err
	}
	if err := fits(len(req.PaymentIDs)); err != nil {
		return resp, err
	}
	for _, text := range req.PaymentIDs {
		if len(text) != 16 && len(text) != 64 {
			return resp, walletrpc.Fail(walletrpc.CodeWrongPaymentID, "Payment ID has invalid size: %s", text)
		}
		var id xmr.Hash
		if err := say.UnhexTo(id[:len(text)/2], text); err != nil {
			return resp, walletrpc.Fail(walletrpc.CodeWrongPaymentID, "Payment ID has invalid format: %s", text)
		}
	}
	resp.Payments, err = s.payments(req.MinBlockHeight, req.PaymentIDs)
	return resp, err
}

func compareHashes(a, b xmr.Hash) int { return bytes.Compare(a[:], b[:]) }

// payments lists what came in blocks above min, with each of the payment IDs in turn, or with any when none is given. texts are payment IDs of
// 16 or 64 hexadecimal digits. Nothing is kept for each of them but what is found: a list may name one ID very often.
func (s *Service) payments(min uint64, texts []string) ([]walletrpc.Payment, error) {
	var payments []wallet.Payment
	var clock wallet.Clock
	var addresses *wallet.Texts
	if err := s.view(func(w *wallet.Wallet) error {
		payments, clock, addresses = w.PaymentsIn(min, ^uint64(0)), w.Clock(s.config.Now()), w.Texts()
		return nil
	}); err != nil {
		return nil, err
	}
	var found []*wallet.Payment
	var written []string
	order := latest(len(payments), func(i int) xmr.Hash { return payments[i].TxID })
	if len(texts) == 0 {
		for _, i := range order {
			found, written = append(found, &payments[i]), append(written, payments[i].PaymentID.String())
		}
	} else {
		sorted := make([]int, len(payments)) // places in order by payment ID, those of one as they are
		for i := range sorted {
			sorted[i] = i
		}
		sorting.Sort(sorted, func(a, b int) int {
			if c := compareHashes(payments[order[a]].PaymentID, payments[order[b]].PaymentID); c != 0 {
				return c
			}
			return a - b
		})
		with := func(text string) []int {
			var id xmr.Hash
			_ = say.UnhexTo(id[:len(text)/2], text) // the caller has read it
			first, _ := slices.BinarySearchFunc(sorted, id, func(i int, id xmr.Hash) int {
				return compareHashes(payments[order[i]].PaymentID, id)
			})
			end := first
			for end < len(sorted) && payments[order[sorted[end]]].PaymentID == id {
				end++
			}
			return sorted[first:end]
		}
		n := 0
		for _, text := range texts {
			// An ID that is named again gets its payments again, within reason.
			if n += len(with(text)); n > max(maxListed, len(payments)) {
				return nil, fits(n)
			}
		}
		found, written = make([]*wallet.Payment, 0, n), make([]string, 0, n)
		for _, text := range texts {
			for _, i := range with(text) {
				found, written = append(found, &payments[order[i]]), append(written, text)
			}
		}
	}
	if len(found) == 0 {
		return nil, nil
	}
	list := make([]keys.Index, len(found))
	for n, p := range found {
		list[n] = p.Address
	}
	out := make([]walletrpc.Payment, len(found))
	for n, text := range addresses.All(list, s.config.Workers) {
		p := found[n]
		out[n] = walletrpc.Payment{
			PaymentID: written[n], TxHash: p.TxID.String(), Amount: p.Amount, BlockHeight: p.Height,
			UnlockTime: p.UnlockTime, Locked: !clock.Unlocked(p.UnlockTime, p.Height),
			SubaddrIndex: index(p.Address), Address: text,
		}
	}
	return out, nil
}
