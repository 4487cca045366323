package service

import (
	"context"
	"encoding/hex"
	"errors"
	"io"

	"glim/core/address"
	"glim/core/coldset"
	"glim/core/fee"
	"glim/core/keys"
	"glim/core/rpc"
	"glim/core/smallfmt"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// coldTransfers describes, signs and submits the transactions of a view-only wallet.
type coldTransfers struct {
	active  *active
	outputs *coldOutputs
	signers *multisigSigning
	relayer *relayer
	fees    *feeRates
	network xmr.Network
	random  io.Reader
}

// next returns what treats the sets of the next hard fork.
func (s *coldTransfers) next() *nextCold { return &nextCold{s.active, s.relayer, s.network, s.random} }

func recipients(list []coldset.Recipient) (out []walletrpc.Recipient) {
	for _, r := range list {
		out = append(out, walletrpc.Recipient{Address: r.Address.String(), Amount: r.Amount})
	}
	return out
}

func changeText(has bool, a address.Address) string {
	if !has {
		return ""
	}
	return a.String()
}

// privateChain is a number of outputs that private test chains do not reach and mainnet exceeded long ago.
const privateChain = 1 << 20

// newImages lists the key images of a signed set that the wallet does not know yet: those of its own outputs and of
// future ones.
// Source: src/wallet/wallet2.cpp, parse_tx_from_str.
func newImages(w *wallet.Wallet, set *coldset.SignedSet) (list []wallet.KnownImage) {
	outputs := w.Outputs()
	for i, image := range set.KeyImages {
		if i < len(outputs) && image != (xmr.KeyImage{}) && !outputs[i].ImageKnown {
			list = append(list, wallet.KnownImage{Key: outputs[i].Key, Image: image})
		}
	}
	for _, r := range set.Received {
		list = append(list, wallet.KnownImage{Key: r.Key, Image: r.Image})
	}
	return list
}

// unsigned decodes a set for the open wallet, which must have the spend key.
func (s *coldTransfers) unsigned(text string) (*openWallet, *coldset.UnsignedSet, error) {
	o, err := s.active.current()
	if err != nil {
		return nil, nil, err
	}
	if !o.Keys().CanSpend() && o.group() == nil {
		return nil, nil, errWatchOnly
	}
	message, err := smallfmt.Unhex(text)
	if err != nil {
		return nil, nil, walletrpc.Fail(walletrpc.CodeBadHex, "")
	}
	set, err := o.messages().DecodeUnsigned(message)
	if err != nil {
		return nil, nil, walletrpc.Fail(walletrpc.CodeBadUnsignedTxData, "cannot load unsigned_txset")
	}
	return o, set, nil
}

func (s *coldTransfers) describeTransfer(
	_ context.Context, req walletrpc.DescribeTransferRequest,
) (resp walletrpc.DescribeTransferResponse, err error) {
	if req.UnsignedTxSet == "" {
		list, weights, err := s.signers.sharedConstructions(req.MultisigTxSet)
		if err != nil {
			return resp, err
		}
		resp, err = s.describe(list, walletrpc.CodeBadMultisigTxData, "failed to parse multisig transfers")
		for i := range resp.Desc {
			resp.Desc[i].Weight = weights[i]
		}
		return resp, err
	}
	if keys.HasHierarchies && isNextSet(req.UnsignedTxSet) {
		return s.next().describe(req.UnsignedTxSet)
	}
	_, set, err := s.unsigned(req.UnsignedTxSet)
	if err != nil {
		return resp, err
	}
	return s.describe(set.Transactions, walletrpc.CodeBadUnsignedTxData, "failed to parse unsigned transfers")
}

// describe converts descriptions of transactions for the response.
func (s *coldTransfers) describe(
	constructions []coldset.Construction, code int, failed string,
) (resp walletrpc.DescribeTransferResponse, err error) {
	list, all, err := coldset.Describe(s.network, constructions)
	if errors.Is(err, coldset.ErrChange) {
		return resp, walletrpc.Fail(code, "Claimed change does not go to a paid address")
	}
	if err != nil {
		return resp, walletrpc.Fail(code, "%s", failed)
	}
	resp.Summary = walletrpc.TxSetSummary{
		AmountIn: all.AmountIn, AmountOut: all.AmountOut, Recipients: recipients(all.Recipients),
		ChangeAmount: all.ChangeAmount, ChangeAddress: changeText(all.HasChange, all.ChangeAddress), Fee: all.Fee,
	}
	for i := range list {
		d := &list[i]
		desc := walletrpc.TxDescription{
			AmountIn: d.AmountIn, AmountOut: d.AmountOut, RingSize: d.RingSize, UnlockTime: d.UnlockTime,
			Recipients: recipients(d.Recipients), PaymentID: d.PaymentID, ChangeAmount: d.ChangeAmount,
			ChangeAddress: changeText(d.HasChange, d.ChangeAddress), Fee: d.Fee, DummyOutputs: d.DummyOutputs,
			Extra: hex.EncodeToString(d.Extra),
		}
		for _, x := range d.Sources {
			desc.Sources = append(desc.Sources, walletrpc.DescribedSource{
				Amount: x.Amount, GlobalIndex: x.GlobalIndex, Rct: x.RingCT, PubKey: x.Key.String(),
			})
		}
		resp.Desc = append(resp.Desc, desc)
	}
	return resp, nil
}

func (s *coldTransfers) signTransfer(
	ctx context.Context, req walletrpc.SignTransferRequest,
) (resp walletrpc.SignTransferResponse, err error) {
	if keys.HasHierarchies && isNextSet(req.UnsignedTxSet) {
		return s.next().sign(req)
	}
	o, set, err := s.unsigned(req.UnsignedTxSet)
	if err != nil {
		return resp, err
	}
	failed := func(err error) (walletrpc.SignTransferResponse, error) {
		return walletrpc.SignTransferResponse{}, walletrpc.Fail(
			walletrpc.CodeSignUnsigned, "Failed to sign unsigned tx: %s", errorText(err),
		)
	}
	begun := false
	signer := coldset.ColdSigner{Network: s.network, Keys: o.Keys().WithContext(ctx), Ceiling: s.signersCeiling(o, set)}
	o.View(func(w *wallet.Wallet) {
		_, begun = w.Tip()
		for _, out := range w.Outputs() {
			signer.Images = append(signer.Images, out.Image)
		}
		signer.Addresses = func(spend xmr.PublicKey) (at keys.Index, ok bool) {
			o.View(func(w *wallet.Wallet) { at, ok = w.IndexOf(spend) })
			return at, ok
		}
	})
	signed, results, err := signer.Sign(s.random, set)
	if err != nil {
		return failed(err)
	}
	// A wallet that scans the chain finds its outputs itself; any other wallet imports them.
	if !begun {
		if err := s.outputs.importSet(ctx, o, &set.Outputs); err != nil {
			return failed(err)
		}
	}
	var signedKeys []wallet.TxKey
	for _, r := range results {
		k := wallet.TxKey{TxID: r.ID, Key: r.Key, Additional: r.AdditionalKeys}
		signedKeys = append(signedKeys, k)
		resp.TxHashList = append(resp.TxHashList, r.ID.String())
		if req.GetTxKeys {
			resp.TxKeyList = append(resp.TxKeyList, txKeyText(k.Key, k.Additional))
		}
		if req.ExportRaw {
			resp.TxRawList = append(resp.TxRawList, hex.EncodeToString(r.Blob))
		}
	}
	message, err := o.messages().EncodeSigned(s.random, signed)
	if err != nil {
		return failed(err)
	}
	resp.SignedTxSet = hex.EncodeToString(message)
	// The view-only wallet does not get the keys, so they would be lost if not stored here.
	err = o.Change(func(*wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
		return wallet.ChangeSet{User: wallet.UserChange{TxKeys: signedKeys}}, nil, nil
	})
	return resp, err
}

// signersCeiling returns the fee ceiling for a set. A signer without a chain recognises by the global indices of the
// spent outputs that they are not on a short private chain.
func (s *coldTransfers) signersCeiling(o *openWallet, set *coldset.UnsignedSet) fee.Ceiling {
	for i := range set.Transactions {
		for _, x := range set.Transactions[i].Sources {
			if x.Ring[x.Real].Index >= privateChain {
				return fee.CeilingFor(s.network)
			}
		}
	}
	return s.fees.ceiling(o)
}

func (s *coldTransfers) submitTransfer(
	ctx context.Context, req walletrpc.SubmitTransferRequest,
) (resp walletrpc.SubmitTransferResponse, err error) {
	o, err := s.active.current()
	if err != nil {
		return resp, err
	}
	o.sending.Lock()
	defer o.sending.Unlock()
	if keys.HasHierarchies && isNextSet(req.TxDataHex) {
		return s.next().submit(ctx, o, req.TxDataHex)
	}
	message, err := smallfmt.Unhex(req.TxDataHex)
	if err != nil {
		return resp, walletrpc.Fail(walletrpc.CodeBadHex, "")
	}
	set, err := o.messages().DecodeSigned(message)
	if err != nil {
		return resp, walletrpc.Fail(walletrpc.CodeBadSignedTxData, "Failed to parse signed tx data.")
	}
	failed := func(err error) (walletrpc.SubmitTransferResponse, error) {
		text := err.Error()
		var e *rpc.Error
		if errors.As(err, &e) {
			text = e.Message
		}
		return resp, walletrpc.Fail(walletrpc.CodeSignedSubmission, "Failed to submit signed tx: %s", text)
	}
	for i := range set.Transactions {
		if err := coldset.CheckSigned(o.Keys(), &set.Transactions[i].Construction, &set.Transactions[i]); err != nil {
			return failed(err)
		}
	}
	if err := o.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
		c, err := w.DecideImages(newImages(w, set))
		return c, nil, err
	}); err != nil {
		return resp, walletrpc.Fail(walletrpc.CodeBadSignedTxData, "Failed to parse signed tx data.")
	}
	for i := range set.Transactions {
		sent, err := s.relayer.sentOf(o, &set.Transactions[i])
		if err == nil {
			err = s.relayer.send(ctx, o, sent)
		}
		if err != nil {
			return failed(err)
		}
		resp.TxHashList = append(resp.TxHashList, sent.TxID.String())
	}
	return resp, nil
}
