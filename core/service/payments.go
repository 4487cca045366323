package service

import (
	"bytes"
	"context"
	"slices"

	"glim/core/internal/smallsort"
	"glim/core/keys"
	"glim/core/smallfmt"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// paymentQueries lists incoming payments by payment ID.
type paymentQueries struct {
	active  *active
	now     func() uint64
	workers int
}

func (s *paymentQueries) getPayments(
	_ context.Context, req walletrpc.GetPaymentsRequest,
) (resp walletrpc.GetPaymentsResponse, err error) {
	if _, err := s.active.current(); err != nil {
		return resp, err
	}
	raw, err := smallfmt.Unhex(req.PaymentID)
	if err != nil {
		return resp, walletrpc.Fail(walletrpc.CodeWrongPaymentID, "Payment ID has invalid format")
	}
	if len(raw) != 8 && len(raw) != 32 {
		return resp, walletrpc.Fail(walletrpc.CodeWrongPaymentID, "Payment ID has invalid size: %s", req.PaymentID)
	}
	resp.Payments, err = s.payments(0, []string{req.PaymentID})
	return resp, err
}

func (s *paymentQueries) getBulkPayments(
	_ context.Context, req walletrpc.GetBulkPaymentsRequest,
) (resp walletrpc.GetPaymentsResponse, err error) {
	if _, err := s.active.current(); err != nil {
		return resp, err
	}
	if err := checkListed(len(req.PaymentIDs)); err != nil {
		return resp, err
	}
	for _, text := range req.PaymentIDs {
		if len(text) != 16 && len(text) != 64 {
			return resp, walletrpc.Fail(walletrpc.CodeWrongPaymentID, "Payment ID has invalid size: %s", text)
		}
		var id xmr.Hash
		if err := smallfmt.UnhexTo(id[:len(text)/2], text); err != nil {
			return resp, walletrpc.Fail(walletrpc.CodeWrongPaymentID, "Payment ID has invalid format: %s", text)
		}
	}
	resp.Payments, err = s.payments(req.MinBlockHeight, req.PaymentIDs)
	return resp, err
}

// payments lists incoming payments in blocks above minHeight: those of each payment ID in texts, in that order, or all
// payments if texts is empty. A payment ID has 16 or 64 hexadecimal digits. It allocates memory only for payments that
// it finds, because a list may repeat one ID very often.
func (s *paymentQueries) payments(minHeight uint64, texts []string) ([]walletrpc.Payment, error) {
	var payments []wallet.Payment
	var clock wallet.Clock
	var addresses *wallet.Texts
	if err := s.active.view(func(w *wallet.Wallet) error {
		payments, clock, addresses = w.PaymentsIn(minHeight, ^uint64(0)), w.Clock(s.now()), w.Texts()
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
		sorted := make([]int, len(payments)) // positions in order, sorted by payment ID; stable
		for i := range sorted {
			sorted[i] = i
		}
		smallsort.Sort(sorted, func(a, b int) int {
			if c := compareHashes(payments[order[a]].PaymentID, payments[order[b]].PaymentID); c != 0 {
				return c
			}
			return a - b
		})
		with := func(text string) []int {
			var id xmr.Hash
			_ = smallfmt.UnhexTo(id[:len(text)/2], text) // the caller has validated it
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
			// A repeated ID repeats its payments, up to a limit.
			if n += len(with(text)); n > max(maxListed, len(payments)) {
				return nil, checkListed(n)
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
	for n, text := range addresses.All(list, s.workers) {
		p := found[n]
		out[n] = walletrpc.Payment{
			PaymentID: written[n], TxHash: p.TxID.String(), Amount: p.Amount, BlockHeight: p.Height,
			UnlockTime: p.UnlockTime, Locked: !clock.Unlocked(p.UnlockTime, p.Height),
			SubaddrIndex: index(p.Address), Address: text,
		}
	}
	return out, nil
}

func compareHashes(a, b xmr.Hash) int { return bytes.Compare(a[:], b[:]) }
