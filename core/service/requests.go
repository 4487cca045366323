//go:build !js

package service

import (
	"context"
	"errors"
	"strings"

	"glim/core/address"
	"glim/core/internal/crypto/dleq"
	"glim/core/internal/proof"
	"glim/core/internal/uri"
	"glim/core/rpc"
	"glim/core/walletrpc"
)

// paymentRequests makes and reads payment links with several recipients, and receipts.
type paymentRequests struct{ proofs *proofs }

// registerPaymentRequests lists these operations.
func registerPaymentRequests(r *rpc.Registry, p *proofs) {
	s := &paymentRequests{p}
	rpc.Handle(r, walletrpc.MakePaymentLink, s.makePaymentLink)
	rpc.Handle(r, walletrpc.ParsePaymentLink, s.parsePaymentLink)
	rpc.Handle(r, walletrpc.MakeReceipt, s.makeReceipt)
	rpc.Handle(r, walletrpc.CheckReceipt, s.checkReceipt)
}

func (s *paymentRequests) makePaymentLink(
	_ context.Context, req walletrpc.PaymentLink,
) (resp walletrpc.MakeURIResponse, err error) {
	if _, err := s.proofs.active.current(); err != nil {
		return resp, err
	}
	l := uri.Link{Description: req.TxDescription}
	for _, r := range req.Recipients {
		l.Recipients = append(l.Recipients, uri.Recipient(r))
	}
	resp.URI, err = uri.MakeLink(s.proofs.network, l)
	if err != nil {
		return resp, walletrpc.Fail(walletrpc.CodeWrongURI, "Cannot make URI from supplied parameters: %v", err)
	}
	return resp, nil
}

func (s *paymentRequests) parsePaymentLink(
	_ context.Context, req walletrpc.ParseURIRequest,
) (resp walletrpc.ParsePaymentLinkResponse, err error) {
	l, unknown, err := s.link(req.URI)
	if err != nil {
		return resp, err
	}
	resp.TxDescription, resp.UnknownParameters = l.Description, unknown
	for _, r := range l.Recipients {
		resp.Recipients = append(resp.Recipients, walletrpc.LinkRecipient(r))
	}
	return resp, nil
}

// link reads a link of either form. It returns CodeNotOpen if no wallet is open, and CodeWrongURI.
func (s *paymentRequests) link(text string) (l uri.Link, unknown []string, err error) {
	if _, err := s.proofs.active.current(); err != nil {
		return l, nil, err
	}
	l, unknown, err = uri.ParseLink(s.proofs.network, text)
	if err != nil {
		return l, nil, walletrpc.Fail(walletrpc.CodeWrongURI, "Error parsing URI: %v", err)
	}
	return l, unknown, nil
}

// due is an address of a link with what was requested for it, and what it received.
type due struct {
	address address.Address
	walletrpc.ReceiptRecipient
}

// dues returns the addresses of a link. An output pays keys, so that all recipients with the same keys, such as an
// address and an integrated form of it, are one.
func (s *paymentRequests) dues(l *uri.Link) (all []due, err error) {
next:
	for _, r := range l.Recipients {
		a, err := s.proofs.anyAddress(r.Address)
		if err != nil {
			return nil, err
		}
		for i := range all {
			if d := &all[i]; d.address.Spend == a.Spend && d.address.View == a.View {
				d.Amount += r.Amount
				continue next
			}
		}
		all = append(all, due{a, walletrpc.ReceiptRecipient{Address: r.Address, Amount: r.Amount}})
	}
	return all, nil
}

func (s *paymentRequests) makeReceipt(
	ctx context.Context, req walletrpc.MakeReceiptRequest,
) (resp walletrpc.MakeReceiptResponse, err error) {
	l, _, err := s.link(req.URI)
	if err != nil {
		return resp, err
	}
	if strings.ContainsAny(req.URI, "\r\n") {
		return resp, walletrpc.Fail(walletrpc.CodeWrongURI, "Error parsing URI: it has several lines")
	}
	all, err := s.dues(&l)
	if err != nil {
		return resp, err
	}
	o, err := s.proofs.active.current()
	if err != nil {
		return resp, err
	}
	done := o.HoldSpendKey() // as for get_tx_proof
	defer done()
	if err := o.checkSpendKey(); err != nil {
		return resp, err
	}
	r := proof.Receipt{Link: req.URI, TxID: req.TxID}
	for i := range all {
		p, err := s.proofs.getTxProof(ctx, walletrpc.GetTxProofRequest{
			TxID: req.TxID, Address: all[i].Address, Message: req.URI})
		if err != nil {
			return resp, err
		}
		r.Proofs = append(r.Proofs, proof.AddressProof{Address: all[i].Address, Signature: p.Signature})
	}
	resp.Receipt = r.Text()
	return resp, nil
}

func (s *paymentRequests) checkReceipt(
	ctx context.Context, req walletrpc.CheckReceiptRequest,
) (resp walletrpc.CheckReceiptResponse, err error) {
	l, _, err := s.link(req.URI)
	if err != nil {
		return resp, err
	}
	r, err := proof.ParseReceipt(req.Receipt)
	if err != nil {
		return resp, refuse("the receipt is malformed")
	}
	all, err := s.dues(&l)
	if err != nil || r.Link != req.URI || len(r.Proofs) != len(all) {
		return resp, err
	}
	t, _, err := s.proofs.payment(ctx, r.TxID, l.Recipients[0].Address)
	if err != nil {
		return resp, err
	}
	result := walletrpc.CheckReceiptResponse{Good: true, Paid: t.UnlockTime == 0, TxID: t.ID.String(), InPool: t.InPool}
	for i := range all {
		d := &all[i]
		if r.Proofs[i].Address != d.Address {
			return resp, nil
		}
		p, err := proof.CheckPayment(t.ID, t.Transaction, d.address, req.URI, r.Proofs[i].Signature)
		switch {
		case errors.Is(err, proof.ErrInvalid) || err == nil && p.Version != dleq.V2:
			return resp, nil
		case errors.Is(err, proof.ErrMalformed):
			return resp, paymentFlaw(r.Proofs[i].Signature)
		case err != nil:
			return resp, refusalFor(err, map[error]string{proof.ErrTransaction: "Tx pubkey was not found"})
		}
		d.Received = p.Amount
		result.Paid = result.Paid && p.Amount > 0 && p.Amount >= d.Amount
		result.Recipients = append(result.Recipients, d.ReceiptRecipient)
	}
	result.Confirmations, err = s.proofs.confirmations(ctx, t)
	if err != nil {
		return resp, err
	}
	return result, nil
}
