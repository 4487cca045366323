package service

import (
	"context"
	"encoding/hex"
	"errors"
	"math"
	"slices"
	"strings"

	"glim/core/build"
	"glim/core/coldset"
	"glim/core/daemon"
	"glim/core/internal/crypto/ringsig"
	"glim/core/keys"
	"glim/core/say"
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
	o.View(func(w *wallet.Wallet) {
		known = slices.Clone(w.Outputs())
		for i := range known { // what is known for certain needs no proof
			known[i].ImageKnown = known[i].ImageKnown && !w.WantsImage(&known[i])
		}
	})
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
		out := &known[offset+uint64(i)]
		if !(out.ImageKnown && out.Image == list[i].Image) && list[i].Verify(out.Key) != nil {
			return resp, walletrpc.Fail(walletrpc.CodeWrongSignature, "Signature check failed %d/%d, key image %s, signature %s, pubkey %s",
				offset+uint64(i), len(list), list[i].Image, req.SignedKeyImages[i].Signature, out.Key)
		}
		images[i] = wallet.KnownImage{Key: out.Key, Image: list[i].Image, Proved: true}
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
		if err := o.ForgetFrom(from); err != nil {
			return nil, err
		}
	} else {
		o.ForgetPool()
	}
	_, err = s.refresh(ctx, o, 0)
	return spent, err
}
