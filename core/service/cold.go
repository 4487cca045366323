package service

import (
	"context"
	"encoding/hex"
	"errors"
	"math"
	"slices"
	"strings"

	"glim/core/address"
	"glim/core/build"
	"glim/core/coldset"
	"glim/core/crypto/ringsig"
	"glim/core/daemon"
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

// messages returns what seals the messages between a view-only wallet and its signer.
func (o *open) messages() *coldset.Box {
	view := o.Keys().ViewPublic
	o.boxing.Lock()
	defer o.boxing.Unlock()
	if o.box == nil || o.boxView != view {
		o.box, o.boxView = coldset.NewBox(o.Keys(), 1), view
	}
	return o.box
}

// positions returns where in the wallet's list outputs are, as it is now.
func (o *open) positions() coldset.Positions {
	return func(key xmr.PublicKey) (n uint64, ok bool) {
		o.View(func(w *wallet.Wallet) { n, ok = w.Position(key) })
		return n, ok
	}
}

// said is err as text: the reference's where it has one, otherwise without the name of the package that found it.
func said(err error) string {
	switch {
	case errors.Is(err, wallet.ErrHot):
		return "Hot wallets cannot import outputs"
	case errors.Is(err, coldset.ErrGap):
		return "Imported outputs omit more outputs that we know of. Try using export_outputs all."
	}
	return strings.TrimPrefix(strings.TrimPrefix(err.Error(), "coldset: "), "wallet: ")
}

// exported describes the wallet's outputs for its signer: from start on, or from the first whose key image is wanted.
// Source: src/wallet/wallet2.cpp, export_outputs.
func (o *open) exported(all bool, start, count uint32) (*coldset.OutputSet, error) {
	set := &coldset.OutputSet{Offset: uint64(start)}
	var inputs []build.Input
	o.View(func(w *wallet.Wallet) {
		outputs := w.Outputs()
		set.Total = uint64(len(outputs))
		if !all {
			for set.Offset < set.Total && !w.WantsImage(&outputs[set.Offset]) {
				set.Offset++
			}
		}
		for n := set.Offset; n < set.Total && n-set.Offset < uint64(count); n++ {
			out := &outputs[n]
			inputs = append(inputs, out.Input())
			set.Outputs = append(set.Outputs, coldset.Output{
				Spent: w.IsSpent(out, false), Frozen: w.IsFrozen(out),
				ImageKnown: out.ImageKnown, ImageRequested: w.WantsImage(out),
			})
		}
	})
	for i := range inputs {
		flags := set.Outputs[i]
		out, err := coldset.NewOutput(o.Keys(), &inputs[i])
		if err != nil {
			return nil, err
		}
		out.Spent, out.Frozen, out.ImageKnown, out.ImageRequested = flags.Spent, flags.Frozen, flags.ImageKnown, flags.ImageRequested
		set.Outputs[i] = out
	}
	return set, nil
}

func (s *Service) exportOutputs(_ context.Context, req walletrpc.ExportOutputsRequest) (resp walletrpc.ExportOutputsResponse, err error) {
	o, err := s.current()
	if err != nil {
		return resp, err
	}
	switch {
	case req.Count == 0:
		return resp, walletrpc.Fail(walletrpc.CodeUnknown, "Nothing requested")
	case !req.All && req.Start > 0:
		return resp, walletrpc.Fail(walletrpc.CodeUnknown, "Incremental mode is incompatible with non-zero start")
	}
	set, err := o.exported(req.All, req.Start, req.Count)
	if err != nil {
		return resp, err
	}
	message, err := o.messages().EncodeOutputs(s.config.Random, set)
	resp.OutputsDataHex = hex.EncodeToString(message)
	return resp, err
}

func (s *Service) importOutputs(ctx context.Context, req walletrpc.ImportOutputsRequest) (resp walletrpc.ImportOutputsResponse, err error) {
	o, err := s.current()
	if err != nil {
		return resp, err
	}
	message, err := say.Unhex(req.OutputsDataHex)
	if err != nil {
		return resp, walletrpc.Fail(walletrpc.CodeBadHex, "")
	}
	set, err := o.messages().DecodeOutputs(message)
	switch {
	case errors.Is(err, coldset.ErrMagic), errors.Is(err, coldset.ErrDeprecated), errors.Is(err, coldset.ErrVersion):
		return resp, walletrpc.Fail(walletrpc.CodeUnknown, "Bad magic from outputs")
	case errors.Is(err, coldset.ErrSeal):
		return resp, walletrpc.Fail(walletrpc.CodeUnknown, "Failed to decrypt outputs: %s", said(err))
	case errors.Is(err, coldset.ErrAccount):
		return resp, walletrpc.Fail(walletrpc.CodeUnknown, "Outputs from are for a different account")
	case err != nil:
		return resp, walletrpc.Fail(walletrpc.CodeUnknown, "Failed to import outputs: %s", said(err))
	}
	if err := s.learn(ctx, o, set); err != nil {
		return resp, walletrpc.Fail(walletrpc.CodeUnknown, "Failed to import outputs: %s", said(err))
	}
	o.View(func(w *wallet.Wallet) { resp.NumImported = uint64(len(w.Outputs())) })
	return resp, nil
}

// learn takes the outputs that a view-only wallet told of.
// Source: src/wallet/wallet2.cpp, import_outputs.
func (s *Service) learn(ctx context.Context, o *open, set *coldset.OutputSet) error {
	list, err := set.Current()
	if err != nil || len(list) == 0 {
		return err
	}
	return o.ChangeAsking(ctx, func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
		if set.Offset > uint64(len(w.Outputs())) {
			return wallet.ChangeSet{}, nil, coldset.ErrGap
		}
		told := make([]wallet.Output, len(list))
		var freeze []wallet.Freeze
		var wanted keys.WantedError
		for i := range list {
			l := &list[i]
			at, err := l.Own(o.Keys(), w.IndexOf)
			if err != nil {
				return wallet.ChangeSet{}, nil, err
			}
			image, ok, err := o.Keys().KeyImage(at.Derivation, l.Index, at.Address, l.Key)
			if errors.Is(err, keys.ErrWanted) {
				wanted.Outputs = append(wanted.Outputs, keys.Output{Derivation: at.Derivation, Index: l.Index, Address: at.Address, Key: l.Key})
				continue
			}
			if err != nil {
				return wallet.ChangeSet{}, nil, coldset.ErrNotOurs
			}
			if !ok {
				return wallet.ChangeSet{}, nil, build.ErrViewOnly
			}
			told[i] = wallet.Output{
				Index: l.Index, Global: l.Global, Amount: l.Amount, Key: l.Key, Image: image, ImageKnown: true,
				Address: at.Address, Derivation: at.Derivation, RingCT: l.RingCT, Spent: l.Spent,
				Requested: !l.ImageKnown || l.ImageRequested,
			}
			if old, ok := w.OutputByKey(l.Key); l.Frozen != (ok && w.IsFrozen(old)) {
				freeze = append(freeze, wallet.Freeze{Key: l.Key, Thaw: !l.Frozen})
			}
		}
		if len(wanted.Outputs) > 0 {
			return wallet.ChangeSet{}, nil, &wanted
		}
		c, err := w.DecideTold(set.Offset, set.Total, told)
		c.User.Freeze = freeze
		return c, nil, err
	})
}

func (s *Service) exportKeyImages(ctx context.Context, req walletrpc.ExportKeyImagesRequest) (resp walletrpc.ExportKeyImagesResponse, err error) {
	o, err := s.current()
	if err != nil {
		return resp, err
	}
	var list []wallet.Output
	o.View(func(w *wallet.Wallet) { list = w.Outputs() })
	if !o.Keys().CanSpend() && (len(list) > 0 || o.group() == nil) {
		return resp, walletrpc.Fail(walletrpc.CodeUnknown, "Failed to generate key image")
	}
	o.View(func(w *wallet.Wallet) {
		list = w.Outputs()
		if !req.All {
			for int(resp.Offset) < len(list) && !w.WantsImage(&list[resp.Offset]) {
				resp.Offset++
			}
		}
		list = slices.Clone(list[resp.Offset:])
	})
	outputs := make([]keys.Output, len(list))
	for i := range list {
		outputs[i] = keys.Output{Derivation: list[i].Derivation, Index: list[i].Index, Address: list[i].Address, Key: list[i].Key}
	}
	all, err := coldset.SignImages(s.config.Random, o.Keys().Within(ctx), outputs)
	if err != nil {
		return resp, err
	}
	resp.SignedKeyImages = make([]walletrpc.SignedKeyImage, len(list))
	for i, signed := range all {
		resp.SignedKeyImages[i] = walletrpc.SignedKeyImage{
			KeyImage:  signed.Image.String(),
			Signature: hex.EncodeToString(signed.Signature.C[:]) + hex.EncodeToString(signed.Signature.R[:]),
		}
	}
	return resp, nil
}

func parseImages(list []walletrpc.SignedKeyImage) ([]coldset.SignedImage, error) {
	out := make([]coldset.SignedImage, len(list))
	for i, l := range list {
		image, err := xmr.ParseKey(l.KeyImage)
		if err != nil {
			return nil, walletrpc.Fail(walletrpc.CodeWrongKeyImage, "")
		}
		raw, err := say.Unhex(l.Signature)
		if err != nil || len(raw) != 64 {
			return nil, walletrpc.Fail(walletrpc.CodeWrongSignature, "failed to parse signature")
		}
		out[i] = coldset.SignedImage{Image: image, Signature: ringsig.Signature{C: [32]byte(raw), R: [32]byte(raw[32:])}}
	}
	return out, nil
}

func (s *Service) importKeyImages(ctx context.Context, req walletrpc.ImportKeyImagesRequest) (resp walletrpc.ImportKeyImagesResponse, err error) {
	o, err := s.current()
	if err != nil {
		return resp, err
	}
	if err := s.trusted(); err != nil {
		return resp, err
	}
	list, err := parseImages(req.SignedKeyImages)
	if err != nil {
		return resp, err
	}
	offset := uint64(req.Offset)
	var known []wallet.Output
	o.View(func(w *wallet.Wallet) { known = slices.Clone(w.Outputs()) })
	switch {
	case offset > uint64(len(known)):
		return resp, walletrpc.Fail(walletrpc.CodeUnknown, "Offset larger than known outputs")
	case uint64(len(list)) > uint64(len(known))-offset:
		return resp, walletrpc.Fail(walletrpc.CodeUnknown, "The blockchain is out of date compared to the signed key images")
	case len(list) == 0 && offset == 0:
		return resp, nil
	}
	known = known[:offset+uint64(len(list))]
	images := make([]wallet.KnownImage, len(list))
	for i := range list {
		key := known[offset+uint64(i)].Key
		if err := list[i].Verify(key); err != nil {
			return resp, walletrpc.Fail(walletrpc.CodeWrongSignature, "Signature check failed %d/%d, key image %s, signature %s, pubkey %s",
				offset+uint64(i), len(list), list[i].Image, req.SignedKeyImages[i].Signature, key)
		}
		images[i] = wallet.KnownImage{Key: key, Image: list[i].Image, Proved: true}
	}
	if err := o.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
		c, err := w.DecideImages(images)
		return c, nil, err
	}); err != nil {
		return resp, err
	}
	spent, err := s.findSpent(ctx, o)
	if err != nil {
		return resp, err
	}
	o.View(func(w *wallet.Wallet) {
		for i := range known {
			out, ok := w.OutputByKey(known[i].Key)
			switch {
			case !ok || w.IsFrozen(out):
			case w.IsSpent(out, false) || spent[out.Image]:
				resp.Spent += out.Amount
			default:
				resp.Unspent += out.Amount
			}
		}
	})
	resp.Height = known[len(known)-1].Height
	return resp, nil
}

// findSpent asks the daemon which outputs are spent. Where the wallet knows otherwise it reads the chain again from the
// first such output on, for no block before can hold what spends it.
func (s *Service) findSpent(ctx context.Context, o *open) (map[xmr.KeyImage]bool, error) {
	var images []xmr.KeyImage
	var known []bool
	var heights []uint64
	o.View(func(w *wallet.Wallet) {
		outputs := w.Outputs()
		for i := range outputs {
			if out := &outputs[i]; out.ImageKnown {
				_, spent := w.SpentBy(out)
				images, known, heights = append(images, out.Image), append(known, spent), append(heights, w.FirstSeen(out))
			}
		}
	})
	status, err := s.daemon().KeyImagesSpent(ctx, images)
	if err != nil {
		return nil, err
	}
	spent := make(map[xmr.KeyImage]bool, len(images))
	from, again := uint64(math.MaxUint64), false
	for i := range status {
		spent[images[i]] = status[i] != daemon.Unspent
		if (status[i] == daemon.SpentInChain) != known[i] {
			from, again = min(from, heights[i]), true
		}
	}
	if again {
		err = o.ForgetFrom(from)
	} else {
		err = o.ForgetPool()
	}
	if err != nil {
		return nil, err
	}
	_, err = s.refresh(ctx, o, 0)
	return spent, err
}

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
			var indices []uint64
			if indices, err = tx.AbsoluteOffsets(in.KeyOffsets); err != nil {
				return
			}
			sent.Rings = append(sent.Rings, wallet.Ring{Image: in.KeyImage, Indices: indices})
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
