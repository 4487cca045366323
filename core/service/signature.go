package service

import (
	"context"
	"errors"
	"io"

	"glim/core/address"
	"glim/core/internal/proof"
	"glim/core/keys"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// signatures signs texts with a wallet's keys, and verifies signatures.
type signatures struct {
	active  *active
	aliases *aliases
	network xmr.Network
	random  io.Reader
}

// sign signs a text.
// Source: src/wallet/wallet_rpc_server.cpp, on_sign.
func (s *signatures) sign(ctx context.Context, req walletrpc.SignRequest) (resp walletrpc.SignResponse, err error) {
	var k *keys.Keys
	group := false
	err = s.active.view(func(w *wallet.Wallet) error {
		k, group = w.Keys(), w.Multisig() != nil
		return nil
	})
	if err != nil {
		return resp, err
	}
	kind := proof.SpendKey
	switch req.SignatureType {
	case "", "spend":
	case "view":
		kind = proof.ViewKey
	default:
		return resp, walletrpc.Fail(walletrpc.CodeInvalidSignatureType, "")
	}
	resp.Signature, err = proof.SignMessage(s.random, k.WithContext(ctx),
		keys.Index{Major: req.AccountIndex, Minor: req.AddressIndex}, kind, req.Data)
	if errors.Is(err, proof.ErrViewOnly) {
		if group {
			return resp, refuse("No signer of a multisig wallet has this key. Cannot sign with it.")
		}
		return resp, walletrpc.Fail(walletrpc.CodeWatchOnly, "The wallet is watch-only. Cannot sign with this key.")
	}
	return resp, err
}

// verify verifies a signature.
// Source: src/wallet/wallet_rpc_server.cpp, on_verify.
func (s *signatures) verify(
	ctx context.Context, req walletrpc.VerifyRequest,
) (resp walletrpc.VerifyResponse, err error) {
	if req.Address, err = s.aliases.address(ctx, req.Address); err != nil {
		return resp, err
	}
	err = s.active.view(func(*wallet.Wallet) error {
		a, err := address.ParseFor(s.network, req.Address)
		if err != nil {
			return walletrpc.Fail(walletrpc.CodeWrongAddress, "WALLET_RPC_ERROR_CODE_WRONG_ADDRESS: %s", req.Address)
		}
		signed, err := proof.VerifyMessage(req.Data, a, req.Signature)
		if err != nil { // malformed and wrong signatures get the same response
			resp.SignatureType = proof.SpendKey.String()
			return nil
		}
		resp = walletrpc.VerifyResponse{Good: true, Version: uint32(signed.Version), Old: signed.Old,
			SignatureType: signed.Key.String()}
		return nil
	})
	return resp, err
}
