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

// outputsToExport returns the wallet's outputs from start, or from the first one whose key image is unknown, and what a
// cold signer is told of them: only flags are set.
// Source: src/wallet/wallet2.cpp, export_outputs.
func (o *openWallet) outputsToExport(all bool, start, count uint32) (*coldset.OutputSet, []wallet.OwnedOutput) {
	set := &coldset.OutputSet{Offset: uint64(start)}
	var list []wallet.OwnedOutput
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
			list = append(list, *out)
			set.Outputs = append(set.Outputs, coldset.ExportedOutput{
				Spent: w.IsSpent(out, false), Frozen: w.IsFrozen(out),
				ImageKnown: out.ImageKnown, ImageRequested: w.WantsImage(out),
			})
		}
	})
	return set, list
}

// exportedOutputs describes the wallet's outputs for its cold signer in the reference's form. It returns
// errCarrotSigner for outputs that have no place there.
func (o *openWallet) exportedOutputs(all bool, start, count uint32) (*coldset.OutputSet, error) {
	set, list := o.outputsToExport(all, start, count)
	if err := withoutCarrot(o.Keys(), list); err != nil {
		return nil, err
	}
	for i := range list {
		if err := o.describeOutput(&set.Outputs[i], &list[i]); err != nil {
			return nil, err
		}
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
	message, err := s.encodeOutputs(o, req)
	resp.OutputsDataHex = hex.EncodeToString(message)
	return resp, err
}

// encodeOutputs returns the message of export_outputs, in the reference's form if that has a place for all outputs.
func (s *coldOutputs) encodeOutputs(o *openWallet, req walletrpc.ExportOutputsRequest) ([]byte, error) {
	set, list := o.outputsToExport(req.All, req.Start, req.Count)
	if keys.HasHierarchies && hasNext(o.Keys(), list) {
		return encodeNextOutputs(s.random, o, set, list)
	}
	set, err := o.exportedOutputs(req.All, req.Start, req.Count)
	if err != nil {
		return nil, err
	}
	return o.messages().EncodeOutputs(s.random, set)
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
	set, err := decodeOutputs(o, message)
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

// decodeOutputs decodes a message of export_outputs. It returns the errors of coldset.Cipher.DecodeOutputs.
func decodeOutputs(o *openWallet, message []byte) (*coldset.OutputSet, error) {
	if keys.HasHierarchies {
		if set, err := decodeNextOutputs(o, message); !errors.Is(err, coldset.ErrMagic) {
			return set, err
		}
	}
	return o.messages().DecodeOutputs(message)
}

// importedOutput returns an output of a view-only wallet, which the keys of o must open, with its key image. It returns
// a *keys.UnknownKeyImagesError if only an external signer can compute that, coldset.ErrNotOurs and
// txbuild.ErrViewOnly.
func importedOutput(o *openWallet, w *wallet.Wallet, l *coldset.ExportedOutput) (out wallet.OwnedOutput, err error) {
	if keys.HasHierarchies && l.Carrot != nil {
		out, err = importedNext(o.Keys(), l)
	} else {
		out, err = importedToday(o.Keys(), w, l)
	}
	out.Index, out.GlobalIndex, out.Amount, out.Key, out.RingCT = l.Index, l.GlobalIndex, l.Amount, l.Key, l.RingCT
	out.ImageKnown, out.Spent, out.ImageRequested = true, l.Spent, !l.ImageKnown || l.ImageRequested
	return out, err
}

// importedToday returns address, derivation and key image of an output from before the next hard fork.
func importedToday(k *keys.Keys, w *wallet.Wallet, l *coldset.ExportedOutput) (out wallet.OwnedOutput, err error) {
	at, err := l.Owned(k, w.IndexOf)
	if err != nil {
		return out, err
	}
	out.Address, out.Derivation = at.Address, at.Derivation
	image, ok, err := k.KeyImage(at.Derivation, l.Index, at.Address, l.Key)
	switch {
	case errors.Is(err, keys.ErrUnknownKeyImage):
		return out, err
	case err != nil:
		return out, coldset.ErrNotOurs
	case !ok:
		return out, txbuild.ErrViewOnly
	}
	out.Image = image
	return out, nil
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
		var wanted, one *keys.UnknownKeyImagesError
		for i := range list {
			l := &list[i]
			out, err := importedOutput(o, w, l)
			if errors.As(err, &one) {
				if wanted == nil {
					wanted = new(keys.UnknownKeyImagesError)
				}
				wanted.Outputs = append(wanted.Outputs, one.Outputs...)
				continue
			}
			if err != nil {
				return wallet.ChangeSet{}, nil, err
			}
			owned[i] = out
			if old, ok := w.OutputByKey(l.Key); l.Frozen != (ok && w.IsFrozen(old)) {
				freeze = append(freeze, wallet.Freeze{Key: l.Key, Thaw: !l.Frozen})
			}
		}
		if wanted != nil {
			return wallet.ChangeSet{}, nil, wanted
		}
		c, err := w.DecideImportOutputs(set.Offset, set.Total, owned)
		c.User.Freeze = freeze
		return c, nil, err
	})
}
