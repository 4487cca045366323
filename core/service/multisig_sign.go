package service

import (
	"context"
	"encoding/hex"
	"errors"
	"io"
	"slices"
	"strings"

	"glim/core/address"
	"glim/core/coldset"
	"glim/core/daemon"
	"glim/core/fee"
	"glim/core/keys"
	"glim/core/multisig"
	"glim/core/rpc"
	"glim/core/smallfmt"
	"glim/core/txbuild"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// multisigSigning exchanges multisig infos and signs transactions with the other signers.
type multisigSigning struct {
	active    *active
	refresher *refresher
	relayer   *relayer
	fees      *feeRates
	network   xmr.Network
	random    io.Reader
	now       func() uint64
}

func wipeNonces(list []wallet.OutputNonces) {
	for i := range list {
		clear(list[i].Secrets)
	}
}

// maxNoncesPerChange limits the nonces in one change, so that its record fits into a log: large groups have very many
// nonces.
const maxNoncesPerChange = 1 << 17

func importFailed(err error) error {
	return walletrpc.Fail(walletrpc.CodeUnknown, "Error calling import_multisig: %s", signerErrorText(err))
}

// signerErrorText returns err without the package prefix.
func signerErrorText(err error) string {
	var e *rpc.Error
	if errors.As(err, &e) {
		return e.Message
	}
	text := err.Error()
	for _, name := range []string{"multisig: ", "coldset: ", "wallet: ", "txbuild: "} {
		text = strings.TrimPrefix(text, name)
	}
	return text
}

// combineInfos returns the nonces that infos contain for outputs, and the outputs' key images.
func combineInfos(
	o *openWallet, a *multisig.Account, outputs []wallet.OwnedOutput, infos []*multisig.Info,
) (received []wallet.CosignerNonces, images []wallet.KnownImage, err error) {
	for i := range outputs {
		t, parts := wallet.CosignerNonces{Key: outputs[i].Key}, make([][]xmr.KeyImage, len(infos))
		for n, info := range infos {
			by := wallet.SignerNonces{Signer: info.Signer}
			for _, pair := range info.Outputs[i].Nonces {
				by.L, by.R = append(by.L, pair.L), append(by.R, pair.R)
			}
			t.By, parts[n] = append(t.By, by), info.Outputs[i].Images
		}
		in := outputs[i].Input()
		image, err := a.KeyImage(o.Keys(), &in, parts)
		if err != nil {
			return nil, nil, err
		}
		received, images = append(received, t), append(images, wallet.KnownImage{Key: outputs[i].Key, Image: image})
	}
	return received, images, nil
}

func signFailed(err error) error {
	text := signerErrorText(err)
	if text != "" {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	return walletrpc.Fail(walletrpc.CodeMultisigSignature, "Failed to sign multisig tx: %s", text)
}

// ringsOf lists the rings of transactions by the real outputs in them.
func ringsOf(list []multisig.Reviewed) (rings []wallet.RingRecord) {
	for i := range list {
		for j := range list[i].Inputs {
			rings = append(rings, wallet.RingRecord{Key: list[i].Inputs[j].Key, Ring: list[i].Rings[j].Indices()})
		}
	}
	return rings
}

// Reasons not to sign a set. Source: src/wallet/wallet2.cpp, sign_multisig_tx.
var (
	errFrozen      = errors.New("will not sign multisig tx containing frozen outputs")
	errUnseen      = errors.New("it spends an output that this wallet has not seen on the chain")
	errOutputMoved = errors.New("it was made before a reorganisation that moved one of its outputs; " +
		"make the transaction again")
)

func submitFailed(err error) error {
	text := signerErrorText(err)
	var rejected *daemon.Rejected
	if errors.As(err, &rejected) {
		text = rejected.Error()
	}
	return walletrpc.Fail(walletrpc.CodeMultisigSubmission, "Failed to submit multisig tx: %s", text)
}

// unknownImages lists the key images of spent outputs that the wallet does not know.
func unknownImages(w *wallet.Wallet, list []multisig.Reviewed) (images []wallet.KnownImage) {
	for i := range list {
		for j := range list[i].Inputs {
			if out, ok := w.OutputByKey(list[i].Inputs[j].Key); ok && !out.ImageKnown {
				images = append(images, wallet.KnownImage{Key: out.Key, Image: list[i].Tx.Inputs[j].KeyImage})
			}
		}
	}
	return images
}

// signer returns the open wallet with its complete multisig account. It returns CodeNotMultisig or CodeDisabled.
func (s *multisigSigning) signer() (*openWallet, *multisig.Account, error) {
	o, err := s.active.current()
	if err != nil {
		return nil, nil, err
	}
	var a *multisig.Account
	o.View(func(w *wallet.Wallet) { a, err = multisigReady(w) })
	return o, a, err
}

// exportMultisigInfo makes and stores nonces for every spendable output, and encodes them for the other signers. It
// invalidates earlier nonces.
// Source: src/wallet/wallet2.cpp, export_multisig.
func (s *multisigSigning) exportMultisigInfo(
	context.Context, empty,
) (resp walletrpc.ExportMultisigInfoResponse, err error) {
	o, a, err := s.signer()
	if err != nil {
		return resp, err
	}
	o.sending.Lock()
	defer o.sending.Unlock()
	var outputs []wallet.OwnedOutput
	var spent []bool
	o.View(func(w *wallet.Wallet) {
		outputs = w.Outputs()
		for i := range outputs {
			_, gone := w.SpentBy(&outputs[i])
			spent = append(spent, gone)
		}
	})
	if err := withoutCarrot(o.Keys(), outputs); err != nil {
		return resp, err
	}
	info := &multisig.Info{Signer: a.Self()}
	var fresh []wallet.OutputNonces
	defer func() { wipeNonces(fresh) }()
	for i := range outputs {
		var nonces []keys.Secret
		if !spent[i] {
			if nonces, err = a.NewNonces(s.random, outputs[i].Key); err != nil {
				return resp, err
			}
			fresh = append(fresh, wallet.OutputNonces{Key: outputs[i].Key, Secrets: nonces})
		}
		outputInfo, err := a.NewOutputInfo(outputs[i].Key, nonces)
		if err != nil {
			return resp, err
		}
		info.Outputs = append(info.Outputs, outputInfo)
	}
	if err := o.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
		return w.DecideNewNonces(fresh), nil, nil
	}); err != nil {
		return resp, err
	}
	message, err := info.Encode(s.random, o.messages())
	resp.Info = hex.EncodeToString(message)
	return resp, err
}

// importMultisigInfo imports the infos of other signers. They determine the key images, and make the outputs
// spendable. Spends since then are found by scanning again from the first output whose key image was unknown.
// Source: src/wallet/wallet_rpc_server.cpp, on_import_multisig; src/wallet/wallet2.cpp, import_multisig.
func (s *multisigSigning) importMultisigInfo(
	ctx context.Context, req walletrpc.ImportMultisigInfoRequest,
) (resp walletrpc.ImportMultisigInfoResponse, err error) {
	o, a, err := s.signer()
	if err != nil {
		return resp, err
	}
	if len(req.Info)+1 < int(a.Threshold()) {
		return resp, walletrpc.Fail(walletrpc.CodeThresholdNotReached,
			"Needs multisig export info from more participants")
	}
	if len(req.Info) > multisig.MaxSigners {
		return resp, importFailed(multisig.ErrDuplicate)
	}
	messages := make([][]byte, len(req.Info))
	for i := range req.Info {
		if messages[i], err = smallfmt.Unhex(req.Info[i]); err != nil {
			return resp, walletrpc.Fail(walletrpc.CodeBadHex, "")
		}
	}
	infos := make([]*multisig.Info, len(messages))
	for i := range messages {
		if infos[i], err = multisig.DecodeInfo(o.messages(), messages[i]); err != nil {
			return resp, importFailed(err)
		}
	}
	o.sending.Lock()
	defer o.sending.Unlock()
	var outputs []wallet.OwnedOutput
	o.View(func(w *wallet.Wallet) { outputs = w.Outputs() })
	if infos, err = a.CheckInfos(infos, len(outputs)); err != nil {
		return resp, importFailed(err)
	}
	count := len(outputs)
	for _, info := range infos {
		count = min(count, len(info.Outputs))
	}
	if err := withoutCarrot(o.Keys(), outputs[:count]); err != nil {
		return resp, err
	}
	received, images, err := combineInfos(o, a, outputs[:count], infos)
	if err != nil {
		return resp, importFailed(err)
	}
	again, err := s.recordInfos(o, received, images)
	if err != nil {
		return resp, importFailed(err)
	}
	if again && req.RefreshAfterImport {
		if _, err := s.refresher.refresh(ctx, o, 0); err != nil {
			return resp, importFailed(err)
		}
	}
	resp.NOutputs = uint64(count)
	return resp, nil
}

// recordInfos stores the infos of the wallet's first outputs, and their key images. again reports that a key image is
// new, so that the wallet must scan again from its output; it discarded those blocks in the same step.
func (s *multisigSigning) recordInfos(
	o *openWallet, received []wallet.CosignerNonces, images []wallet.KnownImage,
) (again bool, err error) {
	for len(received) > 0 {
		end, nonces := 0, 0
		for end < len(received) && (end == 0 || nonces <= maxNoncesPerChange) {
			for _, by := range received[end].By {
				nonces += len(by.L)
			}
			end++
		}
		if err := o.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
			return w.DecideCosignerNonces(received[:end]), nil, nil
		}); err != nil {
			return false, err
		}
		received = received[end:]
	}
	err = o.ChangeForgetting(func(w *wallet.Wallet) (c wallet.ChangeSet, _ []wallet.HostEvent, err error) {
		c, again, err = w.DecideMultisigImages(images, s.now())
		return c, nil, err
	})
	return again, err
}

// sharedTxs decodes a set of the open wallet's group and reconstructs its transactions. bad is set if the set cannot
// be decoded, err if one of them differs from its description.
func (s *multisigSigning) sharedTxs(
	o *openWallet, text string,
) (set *multisig.TxSet, reviewed []multisig.Reviewed, bad, err error) {
	message, err := smallfmt.Unhex(text)
	if err != nil {
		return nil, nil, walletrpc.Fail(walletrpc.CodeBadHex, ""), nil
	}
	if set, err = multisig.DecodeTxSet(o.messages(), message); err != nil {
		return nil, nil, walletrpc.Fail(walletrpc.CodeBadMultisigTxData, "Failed to parse multisig tx data."), nil
	}
	reviewed, err = multisig.Review(s.random, o.Keys(), multisig.ReviewContext{
		Network: s.network,
		Addresses: func(spend xmr.PublicKey) (at keys.Index, ok bool) {
			o.View(func(w *wallet.Wallet) { at, ok = w.IndexOf(spend) })
			return at, ok
		},
		Image: func(output xmr.PublicKey) (image xmr.KeyImage, ok bool) {
			o.View(func(w *wallet.Wallet) {
				if out, found := w.OutputByKey(output); found && out.ImageKnown {
					image, ok = out.Image, true
				}
			})
			return image, ok
		},
	}, set)
	return set, reviewed, nil, err
}

// signMultisig signs a set. The nonces it needs are discarded durably before the first response is computed.
// Source: src/wallet/wallet_rpc_server.cpp, on_sign_multisig.
func (s *multisigSigning) signMultisig(
	_ context.Context, req walletrpc.SignMultisigRequest,
) (resp walletrpc.SignMultisigResponse, err error) {
	o, a, err := s.signer()
	if err != nil {
		return resp, err
	}
	o.sending.Lock()
	defer o.sending.Unlock()
	set, reviewed, bad, err := s.sharedTxs(o, req.TxDataHex)
	if bad != nil {
		return resp, bad
	}
	if err == nil {
		err = s.checkSpendable(o, reviewed)
	}
	if err != nil {
		return resp, signFailed(err)
	}
	signed, finished, err := s.respond(o, a, set, reviewed)
	if err != nil {
		return resp, signFailed(err)
	}
	var own []wallet.TxKey
	for i := range finished {
		f := &finished[i]
		own = append(own, wallet.TxKey{TxID: f.ID, Key: f.Key, Additional: f.AdditionalKeys})
		resp.TxHashList = append(resp.TxHashList, f.ID.String())
	}
	if len(own) > 0 {
		if err := o.Change(func(*wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
			return wallet.ChangeSet{User: wallet.UserChange{TxKeys: own}}, nil, nil
		}); err != nil {
			return walletrpc.SignMultisigResponse{}, signFailed(err)
		}
	}
	message, err := signed.Encode(s.random, o.messages())
	resp.TxDataHex = hex.EncodeToString(message)
	return resp, err
}

// respond adds the wallet's partial signatures to a set. It records the rings first, because any signer can relay
// them. It returns wallet.ErrOtherRing if an output was in another ring that this wallet signed or sent.
func (s *multisigSigning) respond(
	o *openWallet, a *multisig.Account, set *multisig.TxSet, reviewed []multisig.Reviewed,
) (*multisig.TxSet, []multisig.Finished, error) {
	taken := map[xmr.PublicKey][]keys.Secret{}
	defer func() {
		for _, list := range taken {
			clear(list)
		}
	}()
	task, err := a.NewSigningTask(set, reviewed, func(output xmr.PublicKey) []keys.Secret {
		o.View(func(w *wallet.Wallet) { taken[output] = w.Nonces(output) })
		return taken[output]
	})
	if err != nil {
		return nil, nil, err
	}
	if err := o.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
		var used []wallet.OutputNonces
		for _, output := range task.Outputs() {
			used = append(used, wallet.OutputNonces{Key: output, Secrets: taken[output]})
		}
		c, err := w.DecideUseNonces(used)
		if err != nil {
			return c, nil, err
		}
		shown, err := w.DecideShownRings(ringsOf(reviewed))
		c.User.RingRecords = shown.User.RingRecords
		return c, nil, err
	}); err != nil {
		return nil, nil, err
	}
	return task.Sign(func(output xmr.PublicKey) []keys.Secret { return taken[output] })
}

// checkSpendable refuses transactions of frozen or spent outputs, and excessive fees.
func (s *multisigSigning) checkSpendable(o *openWallet, list []multisig.Reviewed) error {
	ceiling := s.fees.ceiling(o)
	for i := range list {
		r := &list[i]
		if err := ceiling.Check(r.Fee, fee.Fastest, r.Weight); err != nil {
			return err
		}
		var err error
		o.View(func(w *wallet.Wallet) {
			for j := range r.Inputs {
				out, ok := w.OutputByKey(r.Inputs[j].Key)
				switch {
				case !ok:
					err = errUnseen
				case w.IsFrozen(out):
					err = errFrozen
				case w.IsSpent(out, true):
					err = wallet.ErrInputs
				case out.GlobalIndex != r.Inputs[j].GlobalIndex:
					err = errOutputMoved
				}
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// submitMultisig relays the transactions of a set that enough signers have signed.
// Source: src/wallet/wallet_rpc_server.cpp, on_submit_multisig.
func (s *multisigSigning) submitMultisig(
	ctx context.Context, req walletrpc.SubmitMultisigRequest,
) (resp walletrpc.SubmitTransferResponse, err error) {
	o, a, err := s.signer()
	if err != nil {
		return resp, err
	}
	o.sending.Lock()
	defer o.sending.Unlock()
	set, reviewed, bad, err := s.sharedTxs(o, req.TxDataHex)
	switch {
	case bad != nil:
		return resp, bad
	case len(set.Signers) < int(a.Threshold()):
		return resp, walletrpc.Fail(walletrpc.CodeThresholdNotReached, "Not enough signers signed this transaction.")
	case err != nil:
		return resp, submitFailed(err)
	}
	var all []wallet.Sent
	for i := range reviewed {
		if err := reviewed[i].Verify(); err != nil {
			return resp, submitFailed(err)
		}
		sent, err := s.sentOf(o, &reviewed[i])
		if err != nil {
			return resp, submitFailed(err)
		}
		all = append(all, sent)
	}
	// A signer that never imported infos gets the key images here: the signatures verify with them.
	if err := o.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
		c, err := w.DecideImages(unknownImages(w, reviewed))
		return c, nil, err
	}); err != nil {
		return resp, submitFailed(err)
	}
	for i := range all {
		if err := s.relayer.send(ctx, o, all[i]); err != nil {
			return resp, submitFailed(err)
		}
		resp.TxHashList = append(resp.TxHashList, all[i].TxID.String())
	}
	return resp, nil
}

// sentOf converts a transaction to a record of the wallet.
func (s *multisigSigning) sentOf(o *openWallet, r *multisig.Reviewed) (wallet.Sent, error) {
	id, err := r.Tx.Hash()
	if err != nil {
		return wallet.Sent{}, err
	}
	result := &txbuild.Result{
		Tx: r.Tx, ID: id, Blob: r.Tx.Append(nil), Weight: r.Weight, Fee: r.Fee, Change: r.Change,
		PaymentID:    r.PaymentID,
		Destinations: slices.Clone(r.Destinations), Inputs: r.Inputs, Rings: r.Rings, Key: r.Key,
		AdditionalKeys: r.AdditionalKeys,
	}
	for i := range result.Destinations {
		d := &result.Destinations[i]
		// The text comes from another signer; use it only if it encodes the same address.
		a, err := address.ParseFor(s.network, d.Text)
		if err != nil || a.Spend != d.Address.Spend || a.View != d.Address.View {
			d.Text = d.Address.String()
		}
	}
	result.Destinations = slices.DeleteFunc(result.Destinations,
		func(d txbuild.Destination) bool { return d.Amount == 0 })
	return wallet.NewSent(result, r.Inputs[0].Address.Major, s.now()), nil
}

// sharedConstructions returns the verified descriptions of the transactions of a multisig set.
// Source: src/wallet/wallet_rpc_server.cpp, on_describe_transfer.
func (s *multisigSigning) sharedConstructions(text string) (list []coldset.Construction, weights []uint64, err error) {
	o, err := s.active.current()
	if err != nil {
		return nil, nil, err
	}
	a, _ := signersGroup(o) // describing does not require multisig to be enabled
	switch {
	case a == nil && !o.Keys().CanSpend():
		return nil, nil, errWatchOnly
	case text == "":
		return nil, nil, walletrpc.Fail(walletrpc.CodeUnknown, "no txset provided")
	}
	set, _, bad, err := s.sharedTxs(o, text)
	var e *rpc.Error
	switch {
	case errors.As(bad, &e) && e.Code == walletrpc.CodeBadHex:
		return nil, nil, bad
	case bad != nil, a == nil:
		return nil, nil, walletrpc.Fail(walletrpc.CodeBadMultisigTxData, "cannot load multisig_txset")
	case err != nil:
		return nil, nil, walletrpc.Fail(walletrpc.CodeBadMultisigTxData, "failed to parse multisig transfers: %s",
			signerErrorText(err))
	}
	for i := range set.Transactions {
		list = append(list, set.Transactions[i].Construction)
		weights = append(weights, set.Transactions[i].Tx.Weight())
	}
	return list, weights, nil
}
