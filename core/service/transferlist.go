package service

import (
	"cmp"

	"glim/core/internal/smallsort"
	"glim/core/keys"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// filter selects transfers by height, account and address.
type filter struct {
	min, max uint64 // block indices above min, up to max
	all      bool   // every account
	account  uint32
	indices  selection
	id       *xmr.Hash // only this transaction; nil for all
}

func (f *filter) tx(id xmr.Hash) bool { return f.id == nil || *f.id == id }

func (f *filter) address(i keys.Index) bool {
	return f.all || i.Major == f.account && f.indices.has(i.Minor)
}

func (f *filter) anyAddress(account uint32, indices []uint32) bool {
	return f.all || account == f.account && f.indices.hasAny(indices)
}

// transferList lists transfers for the owner. Rows are selected under the lock of the wallet and encoded after it is
// released, so that encoding does not delay changes.
type transferList struct {
	w      *wallet.Wallet // valid only under its lock
	texts  *wallet.Texts
	clock  wallet.Clock
	reward uint64
	filter
}

// row is one transfer: a payment, a spending transaction in the chain or the pool, or a transaction that was sent.
type row struct {
	kind    string
	note    string
	payment *wallet.Payment
	spend   *wallet.Spend
	sent    *wallet.Sent // also set for a spend that this wallet made
}

func (h *transferList) incoming() (rows []row) {
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

// latest returns 0 to n-1 in the order in which items with these transaction IDs are listed: transactions from last
// to first, the items of each from first to last. wallet2 keeps payments in a std::unordered_multimap, which puts a
// new one before those of the same payment ID; this is how a reference wallet lists what it found since it was
// opened. What it read from its file is in reverse order after every second opening.
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

// seenAt returns the POSIX time at which a payment was first seen in the pool; 0 if the transaction pays nothing.
func seenAt(t *wallet.PoolTx) uint64 {
	if len(t.Payments) == 0 {
		return 0
	}
	return t.Payments[0].Timestamp
}

func (h *transferList) pool() (rows []row) {
	seen := h.w.Pool()
	smallsort.Stable(seen, func(a, b *wallet.PoolTx) int { return cmp.Compare(seenAt(b), seenAt(a)) })
	for _, t := range seen {
		for i := range t.Payments {
			if p := &t.Payments[i]; h.tx(p.TxID) && h.address(p.Address) {
				rows = append(rows, row{kind: "pool", note: h.w.Note(p.TxID), payment: p})
			}
		}
	}
	return rows
}

func (h *transferList) outgoing() (rows []row) {
	spends := h.w.SpendsIn(h.min, h.max)
	for i := len(spends) - 1; i >= 0; i-- {
		sp := spends[i]
		if h.tx(sp.TxID) && h.anyAddress(sp.Account, sp.Indices) {
			rows = append(rows, h.spent("out", sp))
		}
	}
	return rows
}

func (h *transferList) spent(kind string, sp *wallet.Spend) row {
	sent, _ := h.w.SentTx(sp.TxID)
	return row{kind: kind, note: h.w.Note(sp.TxID), spend: sp, sent: sent}
}

// unmined lists transactions that were sent and are in no block: either the failed or the pending ones.
func (h *transferList) unmined(failed bool) (rows []row) {
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
	// Sent by another copy of this wallet and seen in the pool.
	for _, t := range h.w.Pool() {
		if _, ours := h.w.SentTx(t.TxID); !ours && t.Spend != nil && h.tx(t.TxID) &&
			h.anyAddress(t.Spend.Account, t.Spend.Indices) {
			rows = append(rows, h.spent(kind, t.Spend))
		}
	}
	return rows
}

// write converts rows to entries.
// Source: src/wallet/wallet_rpc_server.cpp, fill_transfer_entry.
func (h *transferList) write(rows []row, workers int) []walletrpc.TransferEntry {
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

func (h *transferList) payment(e *walletrpc.TransferEntry, r *row) {
	p := r.payment
	e.TxID, e.PaymentID, e.Height, e.Timestamp = p.TxID.String(), paymentIDText(p.PaymentID), p.Height, p.Timestamp
	e.Amount, e.Amounts, e.Fee, e.UnlockTime = p.Amount, p.Amounts, p.Fee, p.UnlockTime
	e.SubaddrIndices = []walletrpc.SubaddressIndex{index(p.Address)}
	e.Locked = r.kind == "pool" || !h.clock.Unlocked(p.UnlockTime, p.Height)
	e.DoubleSpendSeen = r.kind == "pool" && p.DoubleSpendSeen
}

func (h *transferList) spend(e *walletrpc.TransferEntry, r *row) {
	sp := r.spend
	e.TxID, e.PaymentID = sp.TxID.String(), paymentIDText(sp.PaymentID)
	e.SubaddrIndices = indices(sp.Account, sp.Indices)
	e.Height, e.Timestamp, e.UnlockTime = sp.Height, sp.Timestamp, sp.UnlockTime
	e.Fee, e.Amount = sp.Fee, h.w.AmountPaid(sp.TxID, less(sp.AmountIn, sp.Fee, sp.Change))
	e.ChangeAmount = less(sp.AmountIn, sp.Fee, e.Amount)
	if r.sent != nil {
		e.PaymentID = paymentIDText(r.sent.PaymentID)
		e.Destinations = destinations(r.sent.Destinations)
	}
	e.Locked = r.kind == "pending" || !h.clock.Unlocked(sp.UnlockTime, sp.Height)
}

func (h *transferList) sent(e *walletrpc.TransferEntry, r *row) {
	sent := r.sent
	e.TxID, e.PaymentID = sent.TxID.String(), paymentIDText(sent.PaymentID)
	e.SubaddrIndices = indices(sent.Account, sent.Indices)
	e.Timestamp, e.Fee, e.UnlockTime, e.Locked = sent.SentAt, sent.Fee, sent.UnlockTime, true
	e.Amount, e.ChangeAmount = less(sent.AmountIn, sent.Fee, sent.Change), sent.Change
	e.Destinations = destinations(sent.Destinations)
}

// confirm sets the number of confirmations and the suggested threshold: the blocks whose rewards add up to the
// amount.
// Source: src/wallet/wallet_rpc_server.cpp, set_confirmations.
func (h *transferList) confirm(e *walletrpc.TransferEntry) {
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
	case keys.HasHierarchies && h.clock.Forked && e.UnlockTime >= xmr.MaxHeightUnlock:
		wait, _ = h.clock.LockedFor(e.UnlockTime, e.Height)
	case e.UnlockTime >= xmr.MaxHeightUnlock && e.UnlockTime > h.clock.Now:
		wait = (e.UnlockTime - h.clock.Now + xmr.TargetSeconds - 1) / xmr.TargetSeconds
	}
	e.SuggestedConfirmationsThreshold = max(e.SuggestedConfirmationsThreshold, wait)
}

func newTransferList(now uint64, w *wallet.Wallet, f filter) *transferList {
	return &transferList{w, w.Texts(), w.Clock(now), w.LastReward(), f}
}
