package service

import (
	"context"
	"encoding/hex"
	"errors"
	"math"
	"slices"

	"glim/core/address"
	"glim/core/build"
	"glim/core/coldset"
	"glim/core/decoy"
	"glim/core/fee"
	"glim/core/keys"
	"glim/core/rpc"
	"glim/core/say"
	"glim/core/tx"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// prepare describes the transaction of plan for the wallet that signs.
func (s *Service) prepare(o *open, account uint32, plan build.Plan, rings []decoy.Ring, rate build.Rate) (made, error) {
	plan, err := build.Settle(s.config.Random, o.Keys(), plan, rings, rate)
	if err != nil {
		return made{}, err
	}
	weight, err := build.Weigh(s.config.Random, o.Keys(), plan, rings)
	if err != nil {
		return made{}, err
	}
	c, err := coldset.NewConstruction(s.config.Random, o.Keys(), plan, rings, o.positions())
	if err != nil {
		return made{}, err
	}
	sent := wallet.Sent{Account: account, Fee: plan.Fee, Change: c.Change.Amount}
	for _, d := range plan.Destinations {
		sent.Destinations = append(sent.Destinations, wallet.Destination{Address: d.Text, Amount: d.Amount})
	}
	o.View(func(w *wallet.Wallet) {
		for i := range plan.Inputs {
			ring := wallet.Ring{} // clients count on an entry an input: an image not known yet reads as zeros
			if out, ok := w.OutputByKey(plan.Inputs[i].Key); ok && out.ImageKnown {
				ring.Image = out.Image
			}
			sent.Rings = append(sent.Rings, ring)
		}
	})
	return made{sent: sent, weight: weight, unsigned: &c}, nil
}

// unsignedSet packs what a view-only wallet made for its signer; empty when there is nothing unsigned.
// Source: src/wallet/wallet2.cpp, dump_tx_to_str.
func (s *Service) unsignedSet(o *open, all []made) (string, error) {
	var list []coldset.Construction
	for i := range all {
		if all[i].unsigned != nil {
			list = append(list, *all[i].unsigned)
		}
	}
	if len(list) == 0 {
		return "", nil
	}
	outputs, err := o.exported(false, 0, math.MaxUint32)
	if err != nil {
		return "", err
	}
	message, err := o.messages().EncodeUnsigned(s.config.Random, coldset.NewUnsignedSet(list, *outputs))
	return hex.EncodeToString(message), err
}

var errWatchOnly = walletrpc.Fail(walletrpc.CodeWatchOnly, "command not supported by watch-only wallet")

// unsigned reads a set for the open wallet, which must have the spend key.
func (s *Service) unsigned(text string) (*open, *coldset.UnsignedSet, error) {
	o, err := s.current()
	if err != nil {
		return nil, nil, err
	}
	if !o.Keys().CanSpend() && o.group() == nil {
		return nil, nil, errWatchOnly
	}
	message, err := say.Unhex(text)
	if err != nil {
		return nil, nil, walletrpc.Fail(walletrpc.CodeBadHex, "")
	}
	set, err := o.messages().DecodeUnsigned(message)
	if err != nil {
		return nil, nil, walletrpc.Fail(walletrpc.CodeBadUnsignedTxData, "cannot load unsigned_txset")
	}
	return o, set, nil
}

func (s *Service) describeTransfer(_ context.Context, req walletrpc.DescribeTransferRequest) (resp walletrpc.DescribeTransferResponse, err error) {
	if req.UnsignedTxSet == "" {
		list, err := s.sharedConstructions(req.MultisigTxSet)
		if err != nil {
			return resp, err
		}
		return s.described(list, walletrpc.CodeBadMultisigTxData, "failed to parse multisig transfers")
	}
	_, set, err := s.unsigned(req.UnsignedTxSet)
	if err != nil {
		return resp, err
	}
	return s.described(set.Transactions, walletrpc.CodeBadUnsignedTxData, "failed to parse unsigned transfers")
}

// described writes what transactions would do.
func (s *Service) described(constructions []coldset.Construction, code int, failed string) (resp walletrpc.DescribeTransferResponse, err error) {
	list, all, err := coldset.Describe(s.config.Network, constructions)
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
				Amount: x.Amount, GlobalIndex: x.Global, Rct: x.RingCT, PubKey: x.Key.String(),
			})
		}
		resp.Desc = append(resp.Desc, desc)
	}
	return resp, nil
}

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

func (s *Service) signTransfer(ctx context.Context, req walletrpc.SignTransferRequest) (resp walletrpc.SignTransferResponse, err error) {
	o, set, err := s.unsigned(req.UnsignedTxSet)
	if err != nil {
		return resp, err
	}
	failed := func(err error) (walletrpc.SignTransferResponse, error) {
		return walletrpc.SignTransferResponse{}, walletrpc.Fail(walletrpc.CodeSignUnsigned, "Failed to sign unsigned tx: %s", said(err))
	}
	begun := false
	signer := coldset.Signer{Network: s.config.Network, Keys: o.Keys().Within(ctx), Ceiling: s.signersCeiling(o, set)}
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
	signed, results, err := signer.Sign(s.config.Random, set)
	if err != nil {
		return failed(err)
	}
	// A wallet with a chain of its own knows its outputs; the other one learns.
	if !begun {
		if err := s.learn(ctx, o, &set.Outputs); err != nil {
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
	message, err := o.messages().EncodeSigned(s.config.Random, signed)
	if err != nil {
		return failed(err)
	}
	resp.SignedTxSet = hex.EncodeToString(message)
	// The view-only wallet is not told the keys, so what is not kept here is lost.
	err = o.Change(func(*wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
		return wallet.ChangeSet{User: wallet.UserChange{TxKeys: signedKeys}}, nil, nil
	})
	return resp, err
}

// privateChain is how many outputs a chain that people make for trying things out stays below, and mainnet is long beyond.
const privateChain = 1 << 20

// signersCeiling returns what fees of a set may be. A signer without a network sees by the numbers of its own outputs that
// they are not on a short private chain.
func (s *Service) signersCeiling(o *open, set *coldset.UnsignedSet) fee.Ceiling {
	for i := range set.Transactions {
		for _, x := range set.Transactions[i].Sources {
			if x.Ring[x.Real].Index >= privateChain {
				return fee.CeilingFor(s.config.Network)
			}
		}
	}
	return s.ceiling(o)
}

func (s *Service) submitTransfer(ctx context.Context, req walletrpc.SubmitTransferRequest) (resp walletrpc.SubmitTransferResponse, err error) {
	o, err := s.current()
	if err != nil {
		return resp, err
	}
	o.sending.Lock()
	defer o.sending.Unlock()
	message, err := say.Unhex(req.TxDataHex)
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
		if err := coldset.CheckReturned(o.Keys(), &set.Transactions[i].Construction, &set.Transactions[i]); err != nil {
			return failed(err)
		}
	}
	if err := o.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
		c, err := w.DecideImages(heard(w, set))
		return c, nil, err
	}); err != nil {
		return resp, walletrpc.Fail(walletrpc.CodeBadSignedTxData, "Failed to parse signed tx data.")
	}
	for i := range set.Transactions {
		sent, err := s.pending(o, &set.Transactions[i])
		if err == nil {
			err = s.send(ctx, o, sent)
		}
		if err != nil {
			return failed(err)
		}
		resp.TxHashList = append(resp.TxHashList, sent.TxID.String())
	}
	return resp, nil
}

// heard lists the key images of a signed set that are news: those of outputs the wallet has, and of what is to come.
// Source: src/wallet/wallet2.cpp, parse_tx_from_str.
func heard(w *wallet.Wallet, set *coldset.SignedSet) (list []wallet.KnownImage) {
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

// pending describes a transaction from a message for the wallet's records. What the chain will show is taken from the
// transaction itself.
func (s *Service) pending(o *open, p *coldset.Pending) (wallet.Sent, error) {
	id, err := p.ID()
	if err != nil {
		return wallet.Sent{}, err
	}
	sent := wallet.Sent{
		TxID: id, Blob: p.Blob(), Fee: p.Tx.RingCT.Fee, Change: p.Change.Amount, UnlockTime: p.Tx.UnlockTime,
		Key: p.Key, AdditionalKeys: p.AdditionalKeys, SentAt: s.config.Now(),
	}
	if extra, ok := tx.ParseExtra(p.Construction.Extra); ok && extra.PaymentID != nil {
		sent.PaymentID = *extra.PaymentID
	}
	for _, d := range p.Payments {
		text := d.Original
		if text == "" {
			a := address.Address{Network: s.config.Network, Spend: d.Spend, View: d.View}
			if d.Subaddress {
				a.Kind = address.Subaddress
			}
			text = a.String()
		}
		if a, err := address.ParseFor(s.config.Network, text); err == nil && a.Kind == address.Integrated {
			copy(sent.PaymentID[:], a.PaymentID[:])
		}
		sent.Destinations = append(sent.Destinations, wallet.Destination{Address: text, Amount: d.Amount})
	}
	o.View(func(w *wallet.Wallet) {
		for i := range p.Tx.Inputs {
			in := &p.Tx.Inputs[i]
			sent.Rings = append(sent.Rings, wallet.Ring{Image: in.KeyImage, Indices: tx.AbsoluteOffsets(in.KeyOffsets)})
			out, ok := w.OutputByImage(in.KeyImage)
			if !ok {
				err = wallet.ErrInputs
				return
			}
			sent.AmountIn += out.Amount
			sent.Account = out.Address.Major
			if !slices.Contains(sent.Indices, out.Address.Minor) {
				sent.Indices = append(sent.Indices, out.Address.Minor)
			}
		}
	})
	slices.Sort(sent.Indices)
	return sent, err
}
