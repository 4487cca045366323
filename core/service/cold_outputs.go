package service

import (
	"context"
	"encoding/hex"
	"errors"
	"io"
	"strings"

	"glim/core/coldset"
	"glim/core/keys"
	"glim/core/smallfmt"
	"glim/core/txbuild"
	"glim/core/wallet"
	"glim/core/walletrpc"
)

// exportedOutputs describes the wallet's outputs for its cold signer, from start, or from the first one whose key
// image is unknown.
// Source: src/wallet/wallet2.cpp, export_outputs.
func (o *openWallet) exportedOutputs(all bool, start, count uint32) (*coldset.OutputSet, error) {
	set := &coldset.OutputSet{Offset: uint64(start)}
	var inputs []txbuild.Input
	var err error
	o.View(func(w *wallet.Wallet) {
		outputs := w.Outputs()
		set.Total = uint64(len(outputs))
		if !all {
			for set.Offset < set.Total && !w.WantsImage(&outputs[set.Offset]) {
				set.Offset++
			}
		}
		for n := set.Offset; n < set.Total && n-set.Offset < uint64(count) && err == nil; n++ {
			out := &outputs[n]
			err = withoutCarrot(w.Keys(), outputs[n:n+1])
			inputs = append(inputs, out.Input())
			set.Outputs = append(set.Outputs, coldset.ExportedOutput{
				Spent: w.IsSpent(out, false), Frozen: w.IsFrozen(out),
				ImageKnown: out.ImageKnown, ImageRequested: w.WantsImage(out),
			})
		}
	})
	if err != nil {
		return nil, err
	}
	for i := range inputs {
		flags := set.Outputs[i]
		out, err := coldset.NewExportedOutput(o.Keys(), &inputs[i])
		if err != nil {
			return nil, err
		}
		out.Spent, out.Frozen = flags.Spent, flags.Frozen
		out.ImageKnown, out.ImageRequested = flags.ImageKnown, flags.ImageRequested
		set.Outputs[i] = out
	}
	return set, nil
}

// coldOutputs exchanges outputs and key images between a view-only wallet and its cold signer.
type coldOutputs struct {
	active    *active
	refresher *refresher
	random    io.Reader
}

// errorText returns the reference's text for err if there is one, otherwise err without the package prefix.
func errorText(err error) string {
	switch {
	case errors.Is(err, wallet.ErrScanned):
		return "Hot wallets cannot import outputs"
	case errors.Is(err, coldset.ErrGap):
		return "Imported outputs omit more outputs that we know of. Try using export_outputs all."
	}
	return strings.TrimPrefix(strings.TrimPrefix(err.Error(), "coldset: "), "wallet: ")
}

func (s *coldOutputs) exportOutputs(
	_ context.Context, req walletrpc.ExportOutputsRequest,
) (resp walletrpc.ExportOutputsResponse, err error) {
	o, err := s.active.current()
	if err != nil {
		return resp, err
	}
	switch {
	case req.Count == 0:
		return resp, walletrpc.Fail(walletrpc.CodeUnknown, "Nothing requested")
	case !req.All && req.Start > 0:
		return resp, walletrpc.Fail(walletrpc.CodeUnknown, "Incremental mode is incompatible with non-zero start")
	}
	set, err := o.exportedOutputs(req.All, req.Start, req.Count)
	if err != nil {
		return resp, err
	}
	message, err := o.messages().EncodeOutputs(s.random, set)
	resp.OutputsDataHex = hex.EncodeToString(message)
	return resp, err
}

func (s *coldOutputs) importOutputs(
	ctx context.Context, req walletrpc.ImportOutputsRequest,
) (resp walletrpc.ImportOutputsResponse, err error) {
	o, err := s.active.current()
	if err != nil {
		return resp, err
	}
	message, err := smallfmt.Unhex(req.OutputsDataHex)
	if err != nil {
		return resp, walletrpc.Fail(walletrpc.CodeBadHex, "")
	}
	set, err := o.messages().DecodeOutputs(message)
	switch {
	case errors.Is(err, coldset.ErrMagic), errors.Is(err, coldset.ErrDeprecated), errors.Is(err, coldset.ErrVersion):
		return resp, walletrpc.Fail(walletrpc.CodeUnknown, "Bad magic from outputs")
	case errors.Is(err, coldset.ErrSeal):
		return resp, walletrpc.Fail(walletrpc.CodeUnknown, "Failed to decrypt outputs: %s", errorText(err))
	case errors.Is(err, coldset.ErrAccount):
		return resp, walletrpc.Fail(walletrpc.CodeUnknown, "Outputs from are for a different account")
	case err != nil:
		return resp, walletrpc.Fail(walletrpc.CodeUnknown, "Failed to import outputs: %s", errorText(err))
	}
	if err := s.importSet(ctx, o, set); err != nil {
		return resp, refuseFor("Failed to import outputs: "+errorText(err), err)
	}
	o.View(func(w *wallet.Wallet) { resp.NumImported = uint64(len(w.Outputs())) })
	return resp, nil
}

// importSet imports the outputs of a view-only wallet.
// Source: src/wallet/wallet2.cpp, import_outputs.
func (s *coldOutputs) importSet(ctx context.Context, o *openWallet, set *coldset.OutputSet) error {
	list, err := set.Exported()
	if err != nil || len(list) == 0 {
		return err
	}
	return o.ChangeRetrying(ctx, func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
		if set.Offset > uint64(len(w.Outputs())) {
			return wallet.ChangeSet{}, nil, coldset.ErrGap
		}
		owned := make([]wallet.OwnedOutput, len(list))
		var freeze []wallet.Freeze
		var wanted keys.UnknownKeyImagesError
		for i := range list {
			l := &list[i]
			at, err := l.Owned(o.Keys(), w.IndexOf)
			if err != nil {
				return wallet.ChangeSet{}, nil, err
			}
			image, ok, err := o.Keys().KeyImage(at.Derivation, l.Index, at.Address, l.Key)
			if errors.Is(err, keys.ErrUnknownKeyImage) {
				wanted.Outputs = append(wanted.Outputs,
					keys.OwnOutput{Derivation: at.Derivation, Index: l.Index, Address: at.Address, Key: l.Key})
				continue
			}
			if err != nil {
				return wallet.ChangeSet{}, nil, coldset.ErrNotOurs
			}
			if !ok {
				return wallet.ChangeSet{}, nil, txbuild.ErrViewOnly
			}
			owned[i] = wallet.OwnedOutput{
				Index: l.Index, GlobalIndex: l.GlobalIndex, Amount: l.Amount, Key: l.Key, Image: image,
				ImageKnown: true,
				Address:    at.Address, Derivation: at.Derivation, RingCT: l.RingCT, Spent: l.Spent,
				ImageRequested: !l.ImageKnown || l.ImageRequested,
			}
			if old, ok := w.OutputByKey(l.Key); l.Frozen != (ok && w.IsFrozen(old)) {
				freeze = append(freeze, wallet.Freeze{Key: l.Key, Thaw: !l.Frozen})
			}
		}
		if len(wanted.Outputs) > 0 {
			return wallet.ChangeSet{}, nil, &wanted
		}
		c, err := w.DecideImportOutputs(set.Offset, set.Total, owned)
		c.User.Freeze = freeze
		return c, nil, err
	})
}
