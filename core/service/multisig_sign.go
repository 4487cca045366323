package service

import (
	"context"
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	"glim/core/address"
	"glim/core/build"
	"glim/core/coldset"
	"glim/core/daemon"
	"glim/core/decoy"
	"glim/core/fee"
	"glim/core/keys"
	"glim/core/multisig"
	"glim/core/rpc"
	"glim/core/say"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

// group returns the wallet's part in its group of signers; nil for other wallets. CodeDisabled when its owner has not taken the risk.
func (s *Service) group(o *open) (a *multisig.Account, err error) {
	o.View(func(w *wallet.Wallet) { a, err = w.Multisig(), multisigEnabled(w) })
	return a, err
}

// signer returns the open wallet with its part in a group that is made. Errors: CodeNotMultisig, CodeDisabled.
func (s *Service) signer() (*open, *multisig.Account, error) {
	o, err := s.current()
	if err != nil {
		return nil, nil, err
	}
	var a *multisig.Account
	o.View(func(w *wallet.Wallet) { a, err = multisigReady(w) })
	return o, a, err
}

// exportMultisigInfo makes nonces for every output that can still be spent, keeps them, and tells the others of them. Those of the
// last time are void from then on.
// Source: src/wallet/wallet2.cpp, export_multisig.
func (s *Service) exportMultisigInfo(context.Context, empty) (resp walletrpc.ExportMultisigInfoResponse, err error) {
	o, a, err := s.signer()
	if err != nil {
		return resp, err
	}
	o.sending.Lock()
	defer o.sending.Unlock()
	var outputs []wallet.Output
	var spent []bool
	o.View(func(w *wallet.Wallet) {
		outputs = w.Outputs()
		for i := range outputs {
			_, gone := w.SpentBy(&outputs[i])
			spent = append(spent, gone)
		}
	})
	info := &coldset.SharedInfo{Signer: a.Self()}
	var fresh []wallet.OutputNonces
	defer func() { wipeNonces(fresh) }()
	for i := range outputs {
		var nonces []keys.Secret
		if !spent[i] {
			if nonces, err = a.NewNonces(s.config.Random, outputs[i].Key); err != nil {
				return resp, err
			}
			fresh = append(fresh, wallet.OutputNonces{Key: outputs[i].Key, Secrets: nonces})
		}
		told, err := a.Tell(outputs[i].Key, nonces)
		if err != nil {
			return resp, err
		}
		info.Outputs = append(info.Outputs, told)
	}
	if err := o.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
		return w.DecideExport(fresh), nil, nil
	}); err != nil {
		return resp, err
	}
	message, err := o.messages().EncodeSharedInfo(s.config.Random, info)
	resp.Info = hex.EncodeToString(message)
	return resp, err
}

func wipeNonces(list []wallet.OutputNonces) {
	for i := range list {
		clear(list[i].Secrets)
	}
}

// importMultisigInfo takes what the others told of the outputs: key images follow from it, and the outputs can be spent. What
// spent them meanwhile is found by reading the chain again from the first output whose key image was not known.
// Source: src/wallet/wallet_rpc_server.cpp, on_import_multisig; src/wallet/wallet2.cpp, import_multisig.
func (s *Service) importMultisigInfo(ctx context.Context, req walletrpc.ImportMultisigInfoRequest) (resp walletrpc.ImportMultisigInfoResponse, err error) {
	o, a, err := s.signer()
	if err != nil {
		return resp, err
	}
	if len(req.Info)+1 < int(a.Threshold()) {
		return resp, walletrpc.Fail(walletrpc.CodeThresholdNotReached, "Needs multisig export info from more participants")
	}
	if len(req.Info) > multisig.MaxSigners {
		return resp, importFailed(multisig.ErrDuplicate)
	}
	messages := make([][]byte, len(req.Info))
	for i := range req.Info {
		if messages[i], err = say.Unhex(req.Info[i]); err != nil {
			return resp, walletrpc.Fail(walletrpc.CodeBadHex, "")
		}
	}
	infos := make([]*coldset.SharedInfo, len(messages))
	for i := range messages {
		if infos[i], err = o.messages().DecodeSharedInfo(messages[i]); err != nil {
			return resp, importFailed(err)
		}
	}
	o.sending.Lock()
	defer o.sending.Unlock()
	var outputs []wallet.Output
	o.View(func(w *wallet.Wallet) { outputs = w.Outputs() })
	if infos, err = a.CheckInfos(infos, len(outputs)); err != nil {
		return resp, importFailed(err)
	}
	count := len(outputs)
	for _, info := range infos {
		count = min(count, len(info.Outputs))
	}
	told, images, err := together(o, a, outputs[:count], infos)
	if err != nil {
		return resp, importFailed(err)
	}
	again, err := s.learnTogether(o, told, images)
	if err != nil {
		return resp, importFailed(err)
	}
	if again && req.RefreshAfterImport {
		if _, err := s.refresh(ctx, o, 0); err != nil {
			return resp, importFailed(err)
		}
	}
	resp.NOutputs = uint64(count)
	return resp, nil
}

// maxTold is how many nonces one change takes, so that its record is not too large for a log: large groups have very many.
const maxTold = 1 << 17

// learnTogether keeps what was told of the wallet's first outputs, and their key images. again says that an image is news, and that
// the wallet has to read the chain again from its output on: it forgot those blocks in the same step.
func (s *Service) learnTogether(o *open, told []wallet.OutputTold, images []wallet.KnownImage) (again bool, err error) {
	for len(told) > 0 {
		end, nonces := 0, 0
		for end < len(told) && (end == 0 || nonces <= maxTold) {
			for _, by := range told[end].By {
				nonces += len(by.L)
			}
			end++
		}
		if err := o.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
			return w.DecideToldBy(told[:end]), nil, nil
		}); err != nil {
			return false, err
		}
		told = told[end:]
	}
	err = o.ForgetWith(func(w *wallet.Wallet) (c wallet.ChangeSet, _ []wallet.Event, err error) {
		c, again, err = w.DecideParts(images, s.config.Now())
		return c, nil, err
	})
	return again, err
}

func importFailed(err error) error {
	return walletrpc.Fail(walletrpc.CodeUnknown, "Error calling import_multisig: %s", signerSaid(err))
}

// signerSaid is err as text, without the name of the package that found it.
func signerSaid(err error) string {
	var e *rpc.Error
	if errors.As(err, &e) {
		return e.Message
	}
	text := err.Error()
	for _, name := range []string{"multisig: ", "coldset: ", "wallet: ", "build: "} {
		text = strings.TrimPrefix(text, name)
	}
	return text
}

// together returns what infos say of outputs, and their key images.
func together(o *open, a *multisig.Account, outputs []wallet.Output, infos []*coldset.SharedInfo) (told []wallet.OutputTold, images []wallet.KnownImage, err error) {
	for i := range outputs {
		t, parts := wallet.OutputTold{Key: outputs[i].Key}, make([][]xmr.KeyImage, len(infos))
		for n, info := range infos {
			by := wallet.ToldBy{Signer: info.Signer}
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
		told, images = append(told, t), append(images, wallet.KnownImage{Key: outputs[i].Key, Image: image})
	}
	return told, images, nil
}

// propose makes the transaction of plan for the other signers.
// Source: src/wallet/wallet2.cpp, transfer_selected_rct.
func (s *Service) propose(o *open, a *multisig.Account, account uint32, plan build.Plan, rings []decoy.Ring, rate build.Rate) (made, error) {
	plan, err := build.Settle(s.config.Random, o.Keys(), plan, rings, rate)
	if err != nil {
		return made{}, err
	}
	known := make([]multisig.Known, len(plan.Inputs))
	o.View(func(w *wallet.Wallet) {
		for i := range plan.Inputs {
			if out, ok := w.OutputByKey(plan.Inputs[i].Key); ok && out.ImageKnown {
				known[i] = multisig.Known{Image: out.Image, Told: w.Told(out.Key)}
			}
		}
	})
	p, err := a.Propose(s.config.Random, o.Keys(), plan, rings, known, o.positions())
	if errors.Is(err, multisig.ErrImport) {
		return made{}, walletrpc.Fail(walletrpc.CodeGenericTransfer,
			"Not enough multisig data was found to sign: import multisig data from more other participants")
	}
	if err != nil {
		return made{}, err
	}
	sent := wallet.NewSent(&build.Result{
		Tx: p.Shared.Tx, Fee: p.Shared.Fee, Change: p.Shared.Change, Destinations: plan.Destinations, PaymentID: p.Shared.PaymentID,
		Inputs: p.Shared.Inputs, Rings: p.Shared.Rings, Key: p.Shared.Key, AdditionalKeys: p.Shared.AdditionalKeys,
	}, account, s.config.Now())
	return made{sent: sent, weight: p.Shared.Weight, shared: p.Pending}, nil
}

// sharedSet packs what a group's signer made for the others.
func (s *Service) sharedSet(o *open, a *multisig.Account, all []made) (string, error) {
	var list []*coldset.Pending
	for i := range all {
		list = append(list, all[i].shared)
	}
	message, err := o.messages().EncodeSharedSet(s.config.Random, a.NewSet(list))
	return hex.EncodeToString(message), err
}

// sharedTxs reads a set of the open wallet's group and makes its transactions again. bad says why it cannot be read, err why one of
// them is not what it is said to be.
func (s *Service) sharedTxs(o *open, text string) (set *coldset.SharedSet, reviewed []multisig.Reviewed, bad, err error) {
	message, err := say.Unhex(text)
	if err != nil {
		return nil, nil, walletrpc.Fail(walletrpc.CodeBadHex, ""), nil
	}
	if set, err = o.messages().DecodeSharedSet(message); err != nil {
		return nil, nil, walletrpc.Fail(walletrpc.CodeBadMultisigTxData, "Failed to parse multisig tx data."), nil
	}
	reviewed, err = multisig.Review(s.config.Random, o.Keys(), multisig.Knowledge{
		Network: s.config.Network,
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

// signMultisig signs a set. The nonces that takes are used up on disk before the first response is computed.
// Source: src/wallet/wallet_rpc_server.cpp, on_sign_multisig.
func (s *Service) signMultisig(_ context.Context, req walletrpc.SignMultisigRequest) (resp walletrpc.SignMultisigResponse, err error) {
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
		err = s.mayBeSpent(o, reviewed)
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
		if err := o.Change(func(*wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
			return wallet.ChangeSet{User: wallet.UserChange{TxKeys: own}}, nil, nil
		}); err != nil {
			return walletrpc.SignMultisigResponse{}, signFailed(err)
		}
	}
	message, err := o.messages().EncodeSharedSet(s.config.Random, signed)
	resp.TxDataHex = hex.EncodeToString(message)
	return resp, err
}

// respond adds the open wallet's part to a set. Before, the rings are recorded: any of the signers can hand them to a daemon.
// wallet.ErrOtherRing when an output was in another one that this wallet signed or sent.
func (s *Service) respond(o *open, a *multisig.Account, set *coldset.SharedSet, reviewed []multisig.Reviewed) (*coldset.SharedSet, []multisig.Finished, error) {
	taken := map[xmr.PublicKey][]keys.Secret{}
	defer func() {
		for _, list := range taken {
			clear(list)
		}
	}()
	task, err := a.NewTask(set, reviewed, func(output xmr.PublicKey) []keys.Secret {
		o.View(func(w *wallet.Wallet) { taken[output] = w.Nonces(output) })
		return taken[output]
	})
	if err != nil {
		return nil, nil, err
	}
	if err := o.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
		var used []wallet.OutputNonces
		for _, output := range task.Outputs() {
			used = append(used, wallet.OutputNonces{Key: output, Secrets: taken[output]})
		}
		c, err := w.DecideUse(used)
		if err != nil {
			return c, nil, err
		}
		shown, err := w.DecideShown(ringsOf(reviewed))
		c.User.Hidden = shown.User.Hidden
		return c, nil, err
	}); err != nil {
		return nil, nil, err
	}
	return task.Sign(func(output xmr.PublicKey) []keys.Secret { return taken[output] })
}

func signFailed(err error) error {
	text := signerSaid(err)
	if text != "" {
		text = strings.ToUpper(text[:1]) + text[1:]
	}
	return walletrpc.Fail(walletrpc.CodeMultisigSignature, "Failed to sign multisig tx: %s", text)
}

// ringsOf lists the rings of transactions by the outputs they hide.
func ringsOf(list []multisig.Reviewed) (rings []wallet.Hidden) {
	for i := range list {
		for j := range list[i].Inputs {
			rings = append(rings, wallet.Hidden{Key: list[i].Inputs[j].Key, Ring: list[i].Rings[j].Indices()})
		}
	}
	return rings
}

// mayBeSpent refuses transactions of frozen or spent outputs, and fees that nobody needs.
func (s *Service) mayBeSpent(o *open, list []multisig.Reviewed) error {
	ceiling := s.ceiling(o)
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
				case out.Global != r.Inputs[j].Global:
					err = errElsewhere
				}
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Why a set is not signed. Source: src/wallet/wallet2.cpp, sign_multisig_tx.
var (
	errFrozen    = errors.New("will not sign multisig tx containing frozen outputs")
	errUnseen    = errors.New("it spends an output that this wallet has not seen on the chain")
	errElsewhere = errors.New("it was made before the chain took another way: an output is in another place now; make the transaction anew")
)

// submitMultisig sends the transactions of a set that enough signers signed.
// Source: src/wallet/wallet_rpc_server.cpp, on_submit_multisig.
func (s *Service) submitMultisig(ctx context.Context, req walletrpc.SubmitMultisigRequest) (resp walletrpc.SubmitTransferResponse, err error) {
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
		sent, err := s.finished(o, &reviewed[i])
		if err != nil {
			return resp, submitFailed(err)
		}
		all = append(all, sent)
	}
	// A signer who never imported learns the key images now: the signatures hold with them.
	if err := o.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.Event, error) {
		c, err := w.DecideImages(unheard(w, reviewed))
		return c, nil, err
	}); err != nil {
		return resp, submitFailed(err)
	}
	for i := range all {
		if err := s.send(ctx, o, all[i]); err != nil {
			return resp, submitFailed(err)
		}
		resp.TxHashList = append(resp.TxHashList, all[i].TxID.String())
	}
	return resp, nil
}

func submitFailed(err error) error {
	text := signerSaid(err)
	var rejected *daemon.Rejected
	if errors.As(err, &rejected) {
		text = rejected.Error()
	}
	return walletrpc.Fail(walletrpc.CodeMultisigSubmission, "Failed to submit multisig tx: %s", text)
}

// unheard lists the key images of spent outputs that the wallet does not know.
func unheard(w *wallet.Wallet, list []multisig.Reviewed) (images []wallet.KnownImage) {
	for i := range list {
		for j := range list[i].Inputs {
			if out, ok := w.OutputByKey(list[i].Inputs[j].Key); ok && !out.ImageKnown {
				images = append(images, wallet.KnownImage{Key: out.Key, Image: list[i].Tx.Inputs[j].KeyImage})
			}
		}
	}
	return images
}

// finished describes a transaction for the wallet's records.
func (s *Service) finished(o *open, r *multisig.Reviewed) (wallet.Sent, error) {
	id, err := r.Tx.Hash()
	if err != nil {
		return wallet.Sent{}, err
	}
	result := &build.Result{
		Tx: r.Tx, ID: id, Blob: r.Tx.Append(nil), Weight: r.Weight, Fee: r.Fee, Change: r.Change, PaymentID: r.PaymentID,
		Destinations: slices.Clone(r.Destinations), Inputs: r.Inputs, Rings: r.Rings, Key: r.Key, AdditionalKeys: r.AdditionalKeys,
	}
	for i := range result.Destinations {
		d := &result.Destinations[i]
		// The text is another signer's; it counts when it says the same.
		if a, err := address.ParseFor(s.config.Network, d.Text); err != nil || a.Spend != d.Address.Spend || a.View != d.Address.View {
			d.Text = d.Address.String()
		}
	}
	result.Destinations = slices.DeleteFunc(result.Destinations, func(d build.Destination) bool { return d.Amount == 0 })
	return wallet.NewSent(result, r.Inputs[0].Address.Major, s.config.Now()), nil
}

// sharedConstructions returns what the transactions of a multisig set are said to do, each found to be that.
// Source: src/wallet/wallet_rpc_server.cpp, on_describe_transfer.
func (s *Service) sharedConstructions(text string) (list []coldset.Construction, err error) {
	o, err := s.current()
	if err != nil {
		return nil, err
	}
	a, _ := s.group(o) // describing needs no risk taken
	switch {
	case a == nil && !o.Keys().CanSpend():
		return nil, errWatchOnly
	case text == "":
		return nil, walletrpc.Fail(walletrpc.CodeUnknown, "no txset provided")
	}
	set, _, bad, err := s.sharedTxs(o, text)
	var e *rpc.Error
	switch {
	case errors.As(bad, &e) && e.Code == walletrpc.CodeBadHex:
		return nil, bad
	case bad != nil, a == nil:
		return nil, walletrpc.Fail(walletrpc.CodeBadMultisigTxData, "cannot load multisig_txset")
	case err != nil:
		return nil, walletrpc.Fail(walletrpc.CodeBadMultisigTxData, "failed to parse multisig transfers: %s", signerSaid(err))
	}
	for i := range set.Transactions {
		list = append(list, set.Transactions[i].Construction)
	}
	return list, nil
}
