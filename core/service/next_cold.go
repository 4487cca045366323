//go:build !nocarrot

package service

import (
	"bytes"
	"context"
	"encoding/hex"
	"io"

	"glim/core/fcmpbuild"
	"glim/core/keys"
	"glim/core/smallfmt"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// Magic words of the sets of transactions of the next hard fork, for which the reference has no form yet. The last byte
// is the version of what follows: the wallet's address and a set of fcmpbuild, encrypted with the view key.
const (
	nextSet         = "glim cold "
	nextUnsignedSet = nextSet + "unsigned\x02"
	nextSignedSet   = nextSet + "signed\x02"
)

// nextCold describes, signs and submits the transactions of a view-only wallet after the next hard fork.
type nextCold struct {
	active  *active
	relayer *relayer
	network xmr.Network
	random  io.Reader
}

// isNextSet reports whether text in hexadecimal is a set of transactions of the next hard fork.
func isNextSet(text string) bool {
	n := min(len(text), 2*len(nextSet))
	b, err := smallfmt.Unhex(text[:n])
	return err == nil && bytes.Equal(b, []byte(nextSet))
}

// unsignedNext encodes the transactions of a view-only wallet for its cold signer.
func unsignedNext(random io.Reader, o *openWallet, all []builtTx) (string, error) {
	set := fcmpbuild.UnsignedSet{}
	for i := range all {
		one, err := fcmpbuild.ParseUnsignedSet(all[i].cold)
		if err != nil {
			return "", err
		}
		set.Network, set.Height = one.Network, one.Height
		set.Transactions = append(set.Transactions, one.Transactions...)
	}
	return o.sealNext(random, nextUnsignedSet, set.Append(nil))
}

// sealNext encrypts a set, which it wipes.
func (o *openWallet) sealNext(random io.Reader, magic string, set []byte) (string, error) {
	plain := append(o.messages().Header(), set...)
	defer clear(plain)
	clear(set)
	message, err := o.messages().EncryptMessage(random, magic, plain)
	return hex.EncodeToString(message), err
}

// openNext decrypts a set. It returns CodeBadHex, and fault for other bytes.
func (o *openWallet) openNext(text, magic string, fault error) ([]byte, error) {
	message, err := smallfmt.Unhex(text)
	if err != nil {
		return nil, walletrpc.Fail(walletrpc.CodeBadHex, "")
	}
	plain, err := o.messages().DecryptAddressed(message, magic)
	if err != nil {
		return nil, fault
	}
	return plain, nil
}

// unsigned decodes a set for the open wallet, which must have the spend key. forget wipes copies of that.
func (s *nextCold) unsigned(text string) (
	o *openWallet, spender fcmpbuild.Spender, forget func(), set *fcmpbuild.UnsignedSet, err error,
) {
	if o, err = s.active.current(); err != nil {
		return nil, nil, nil, nil, err
	}
	fault := walletrpc.Fail(walletrpc.CodeBadUnsignedTxData, "cannot load unsigned_txset")
	plain, err := o.openNext(text, nextUnsignedSet, fault)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	set, err = fcmpbuild.ParseUnsignedSet(plain)
	clear(plain)
	if err != nil || set.Network != s.network {
		return nil, nil, nil, nil, fault
	}
	if spender, forget, err = fcmpbuild.SpenderOf(o.Keys()); err != nil {
		return nil, nil, nil, nil, errWatchOnly
	}
	return o, spender, forget, set, nil
}

// describe describes what the wallet would sign. It computes change, fees and payment IDs itself.
func (s *nextCold) describe(text string) (resp walletrpc.DescribeTransferResponse, err error) {
	o, spender, forget, set, err := s.unsigned(text)
	if err != nil {
		return resp, err
	}
	defer forget()
	all, paid := &resp.Summary, map[string]int{}
	for i := range set.Transactions {
		u := &set.Transactions[i]
		desc, err := s.describeOne(o, spender, u)
		u.Wipe()
		if err != nil {
			return walletrpc.DescribeTransferResponse{},
				walletrpc.Fail(walletrpc.CodeBadUnsignedTxData, "failed to parse unsigned transfers: %v", err)
		}
		resp.Desc = append(resp.Desc, desc)
		sums := []struct {
			sum  *uint64
			more uint64
		}{
			{&all.AmountIn, desc.AmountIn}, {&all.AmountOut, desc.AmountOut}, {&all.Fee, desc.Fee},
			{&all.ChangeAmount, desc.ChangeAmount},
		}
		for _, r := range desc.Recipients {
			n, known := paid[r.Address]
			if !known {
				n = len(all.Recipients)
				paid[r.Address] = n
				all.Recipients = append(all.Recipients, walletrpc.Recipient{Address: r.Address})
			}
			all.Recipients[n].Amount += r.Amount // at most the sum of the amounts, which is checked below
		}
		for _, x := range sums {
			if *x.sum, err = xmr.Sum(*x.sum, x.more); err != nil {
				return walletrpc.DescribeTransferResponse{},
					walletrpc.Fail(walletrpc.CodeBadUnsignedTxData, "failed to parse unsigned transfers: %v", err)
			}
		}
		all.ChangeAddress = desc.ChangeAddress
	}
	return resp, nil
}

// describeOne describes a transaction. ring_size is 0: there is no ring.
func (s *nextCold) describeOne(
	o *openWallet, spender fcmpbuild.Spender, u *fcmpbuild.Unsigned,
) (d walletrpc.TxDescription, err error) {
	p, err := u.Proposal(spender)
	if err != nil {
		return d, err
	}
	defer p.Wipe()
	extra, err := p.Extra(spender)
	if err != nil {
		return d, err
	}
	d.Extra, d.Fee, d.ChangeAmount, d.Weight = hex.EncodeToString(extra), p.Fee, p.ChangeAmount, p.Weight()
	for i := range p.Inputs {
		in := &p.Inputs[i].Received
		d.AmountIn += in.Amount // Propose has checked the sums
		d.Sources = append(d.Sources, walletrpc.DescribedSource{Amount: in.Amount, Rct: true, PubKey: in.Key.String()})
	}
	d.AmountOut = d.AmountIn - d.Fee
	for i := range p.Payments {
		to := p.Payments[i].To
		d.Recipients = append(d.Recipients, walletrpc.Recipient{Address: to.String(), Amount: p.Payments[i].Amount})
		if to.PaymentID != ([8]byte{}) {
			d.PaymentID = hex.EncodeToString(to.PaymentID[:])
		}
	}
	if d.ChangeAmount > 0 {
		o.View(func(w *wallet.Wallet) { d.ChangeAddress = w.Address(p.Change).String() })
	} else {
		d.DummyOutputs = 1 // the change of zero that every transaction has
	}
	return d, nil
}

// sign signs a set. The IDs and bytes of the transactions follow from the membership proofs, which the view-only
// wallet makes, so it does not return them.
func (s *nextCold) sign(
	req walletrpc.SignTransferRequest,
) (resp walletrpc.SignTransferResponse, err error) {
	o, spender, forget, set, err := s.unsigned(req.UnsignedTxSet)
	if err != nil {
		return resp, err
	}
	defer forget()
	failed := func(err error) (walletrpc.SignTransferResponse, error) {
		return walletrpc.SignTransferResponse{},
			walletrpc.Fail(walletrpc.CodeSignUnsigned, "Failed to sign unsigned tx: %s", errorText(err))
	}
	if req.ExportRaw {
		return failed(errNextRaw)
	}
	var signed fcmpbuild.SignedSet
	network := feeNetwork(s.network, max(o.height(), set.Height))
	for i := range set.Transactions {
		u := &set.Transactions[i]
		defer u.Wipe()
		one, ephemerals, err := u.Sign(s.random, spender, network)
		if err != nil {
			return failed(err)
		}
		signed.Transactions = append(signed.Transactions, *one)
		if !req.GetTxKeys {
			continue
		}
		if len(ephemerals) == 1 {
			resp.TxKeyList = append(resp.TxKeyList, txKeyText(ephemerals[0], nil))
		} else {
			resp.TxKeyList = append(resp.TxKeyList, txKeyText(keys.Secret{}, ephemerals))
		}
	}
	if resp.SignedTxSet, err = o.sealNext(s.random, nextSignedSet, signed.Append(nil, s.network)); err != nil {
		return failed(err)
	}
	return resp, nil
}

var errNextRaw = refuse("export_raw: the view-only wallet finishes transactions of the next hard fork")

// submit finishes the transactions of a signed set, all of them before it sends the first, and sends them.
func (s *nextCold) submit(
	ctx context.Context, o *openWallet, text string,
) (resp walletrpc.SubmitTransferResponse, err error) {
	fault := walletrpc.Fail(walletrpc.CodeBadSignedTxData, "Failed to parse signed tx data.")
	plain, err := o.openNext(text, nextSignedSet, fault)
	if err != nil {
		return resp, err
	}
	set, err := fcmpbuild.ParseSignedSet(plain, s.network)
	if err != nil {
		return resp, fault
	}
	failed := func(err error) (walletrpc.SubmitTransferResponse, error) {
		return resp, walletrpc.Fail(walletrpc.CodeSignedSubmission, "Failed to submit signed tx: %s", err)
	}
	next, err := o.afterFork()
	if err == nil && next == nil {
		err = errTooEarly
	}
	if err != nil {
		return failed(err)
	}
	var all []wallet.Sent
	var known []wallet.KnownImage
	defer o.SetProving(0)
	for i := range set.Transactions {
		one := fcmpbuild.SignedSet{Transactions: set.Transactions[i : i+1]}
		sent, images, err := next.Complete(ctx, o.View, o.Keys(), one.Append(nil, s.network), o.SetProving)
		if err != nil {
			return failed(err)
		}
		sent.SentAt = s.relayer.now()
		all, known = append(all, sent), append(known, images...)
	}
	err = o.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
		var missing []wallet.KnownImage
		for _, k := range known {
			if out, ok := w.OutputByKey(k.Key); ok && !out.ImageKnown {
				missing = append(missing, k)
			}
		}
		c, err := w.DecideImages(missing)
		return c, nil, err
	})
	if err != nil {
		return failed(err)
	}
	for i := range all {
		if err := s.relayer.send(ctx, o, all[i]); err != nil {
			return failed(err)
		}
		resp.TxHashList = append(resp.TxHashList, all[i].TxID.String())
	}
	return resp, nil
}
