package service

import (
	"context"

	"glim/core/internal/uri"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// uris makes and parses payment URIs.
// Source: src/wallet/wallet_rpc_server.cpp, on_make_uri and on_parse_uri.
type uris struct {
	active  *active
	network xmr.Network
}

func (s *uris) makeURI(_ context.Context, req walletrpc.URISpec) (resp walletrpc.MakeURIResponse, err error) {
	err = s.active.view(func(*wallet.Wallet) error {
		text, err := uri.Make(s.network, uri.Payment{Address: req.Address, PaymentID: req.PaymentID, Amount: req.Amount,
			RecipientName: req.RecipientName, Description: req.TxDescription})
		if err != nil {
			return walletrpc.Fail(walletrpc.CodeWrongURI, "Cannot make URI from supplied parameters: %v", err)
		}
		resp.URI = text
		return nil
	})
	return resp, err
}

func (s *uris) parseURI(_ context.Context, req walletrpc.ParseURIRequest) (resp walletrpc.ParseURIResponse, err error) {
	err = s.active.view(func(*wallet.Wallet) error {
		p, unknown, err := uri.Parse(s.network, req.URI)
		if err != nil {
			return walletrpc.Fail(walletrpc.CodeWrongURI, "Error parsing URI: %v", err)
		}
		resp.UnknownParameters = unknown
		resp.URI = walletrpc.URISpec{Address: p.Address, PaymentID: p.PaymentID, Amount: p.Amount,
			TxDescription: p.Description, RecipientName: p.RecipientName}
		return nil
	})
	return resp, err
}
