package service

import (
	"context"
	"encoding/hex"
	"io"

	"glim/core/address"
	"glim/core/smallfmt"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// integratedAddresses makes and splits addresses with a payment ID.
type integratedAddresses struct {
	active  *active
	network xmr.Network
	random  io.Reader
}

func (s *integratedAddresses) makeIntegratedAddress(
	_ context.Context, req walletrpc.MakeIntegratedAddressRequest,
) (resp walletrpc.MakeIntegratedAddressResponse, err error) {
	err = s.active.view(func(w *wallet.Wallet) error {
		var id [8]byte
		if req.PaymentID == "" {
			if _, err := s.random.Read(id[:]); err != nil {
				return err
			}
		} else if smallfmt.UnhexTo(id[:], req.PaymentID) != nil {
			return walletrpc.Fail(walletrpc.CodeWrongPaymentID, "Invalid payment ID")
		}
		text := req.StandardAddress
		if text == "" {
			text = primary(w.Identity())
		}
		a, err := address.ParseFor(s.network, text)
		switch {
		case err != nil:
			return walletrpc.Fail(walletrpc.CodeWrongAddress, "Invalid address")
		case a.Kind == address.Subaddress:
			return walletrpc.Fail(walletrpc.CodeWrongAddress, "Subaddress shouldn't be used")
		case a.Kind == address.Integrated:
			return walletrpc.Fail(walletrpc.CodeWrongAddress, "Already integrated address")
		}
		if a, err = a.WithPaymentID(id); err != nil {
			return err
		}
		resp.IntegratedAddress, resp.PaymentID = a.String(), hex.EncodeToString(id[:])
		return nil
	})
	return resp, err
}

func (s *integratedAddresses) splitIntegratedAddress(
	_ context.Context, req walletrpc.SplitIntegratedAddressRequest,
) (resp walletrpc.SplitIntegratedAddressResponse, err error) {
	err = s.active.view(func(*wallet.Wallet) error {
		a, err := address.ParseFor(s.network, req.IntegratedAddress)
		if err != nil {
			return walletrpc.Fail(walletrpc.CodeWrongAddress, "Invalid address")
		}
		if a.Kind != address.Integrated {
			return walletrpc.Fail(walletrpc.CodeWrongAddress, "Address is not an integrated address")
		}
		resp.StandardAddress, resp.PaymentID = a.Standard().String(), hex.EncodeToString(a.PaymentID[:])
		return nil
	})
	return resp, err
}
