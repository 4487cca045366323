package service

import (
	"context"
	"encoding/hex"
	"errors"
	"io"
	"math"
	"slices"

	"glim/core/coldset"
	"glim/core/daemon"
	"glim/core/internal/crypto/ringsig"
	"glim/core/keys"
	"glim/core/smallfmt"
	"glim/core/wallet"
	"glim/core/walletrpc"
	"glim/core/xmr"
)

func parseImages(list []walletrpc.SignedKeyImage) ([]coldset.SignedImage, error) {
	out := make([]coldset.SignedImage, len(list))
	for i, l := range list {
		image, err := xmr.ParseKey(l.KeyImage)
		if err != nil {
			return nil, walletrpc.Fail(walletrpc.CodeWrongKeyImage, "")
		}
		out[i].Image = image
		raw, err := smallfmt.Unhex(l.Signature)
		switch {
		case err == nil && len(raw) == 64:
			out[i].Signature = ringsig.Signature{C: [32]byte(raw), R: [32]byte(raw[32:])}
		case keys.HasHierarchies && err == nil && len(raw) == 1+coldset.OpeningSize && raw[0] == openingVersion:
			out[i].Opening = (*[coldset.OpeningSize]byte)(raw[1:])
		default:
			return nil, walletrpc.Fail(walletrpc.CodeWrongSignature, "failed to parse signature")
		}
	}
	return out, nil
}

// openingVersion is the first byte of signature for outputs of the next hard fork. A coldset.SignedImage.Opening
// follows, so the length tells it from a signature of today.
const openingVersion = 1

// signatureText returns signature of a key image.
func signatureText(s *coldset.SignedImage) string {
	if keys.HasHierarchies && s.Opening != nil {
		return hex.EncodeToString(append([]byte{openingVersion}, s.Opening[:]...))
	}
	return hex.EncodeToString(s.Signature.C[:]) + hex.EncodeToString(s.Signature.R[:])
}

// signImages returns the open wallet, and the key images of all its outputs, or from the first one on that was not
// exported yet.
// Source: src/wallet/wallet2.cpp, export_key_images.
func (s *coldOutputs) signImages(ctx context.Context, all bool) (*openWallet, *coldset.ImageSet, error) {
	o, err := s.active.current()
	if err != nil {
		return nil, nil, err
	}
	var list []wallet.OwnedOutput
	o.View(func(w *wallet.Wallet) { list = w.Outputs() })
	switch group := o.group() != nil; {
	case group && len(list) > 0: // a signer alone cannot prove that a key image is right
		return nil, nil, refuse("key_image generated not matched with cached key image")
	case !group && !provesImages(o.Keys()):
		return nil, nil, refuse("Failed to generate key image")
	}
	set := &coldset.ImageSet{}
	o.View(func(w *wallet.Wallet) {
		list = w.Outputs()
		if !all {
			for int(set.Offset) < len(list) && !w.WantsImage(&list[set.Offset]) {
				set.Offset++
			}
		}
		list = slices.Clone(list[set.Offset:])
	})
	if hasNext(o.Keys(), list) {
		set.Images, err = proveNextImages(ctx, s.random, o, list)
	} else {
		set.Images, err = signToday(ctx, s.random, o, list)
	}
	return o, set, err
}

func (s *coldOutputs) exportKeyImages(
	ctx context.Context, req walletrpc.ExportKeyImagesRequest,
) (resp walletrpc.ExportKeyImagesResponse, err error) {
	_, set, err := s.signImages(ctx, req.All)
	if err != nil {
		return resp, err
	}
	resp.Offset = set.Offset
	resp.SignedKeyImages = make([]walletrpc.SignedKeyImage, len(set.Images))
	for i := range set.Images {
		resp.SignedKeyImages[i] = walletrpc.SignedKeyImage{
			KeyImage: set.Images[i].Image.String(), Signature: signatureText(&set.Images[i]),
		}
	}
	return resp, nil
}

func (s *coldOutputs) exportKeyImagesData(
	ctx context.Context, req walletrpc.ExportKeyImagesDataRequest,
) (resp walletrpc.ExportKeyImagesDataResponse, err error) {
	o, set, err := s.signImages(ctx, req.All)
	if err != nil {
		return resp, err
	}
	message, err := encodeImages(s.random, o, set)
	resp.KeyImagesDataHex = hex.EncodeToString(message)
	return resp, err
}

func (s *coldOutputs) importKeyImages(
	ctx context.Context, req walletrpc.ImportKeyImagesRequest,
) (resp walletrpc.ImportKeyImagesResponse, err error) {
	o, err := s.active.current()
	if err != nil {
		return resp, err
	}
	if err := s.active.trusted(); err != nil {
		return resp, err
	}
	list, err := parseImages(req.SignedKeyImages)
	if err != nil {
		return resp, err
	}
	return s.importImages(ctx, o, &coldset.ImageSet{Offset: req.Offset, Images: list})
}

func (s *coldOutputs) importKeyImagesData(
	ctx context.Context, req walletrpc.ImportKeyImagesDataRequest,
) (resp walletrpc.ImportKeyImagesResponse, err error) {
	o, err := s.active.current()
	if err != nil {
		return resp, err
	}
	if err := s.active.trusted(); err != nil {
		return resp, err
	}
	message, err := smallfmt.Unhex(req.KeyImagesDataHex)
	if err != nil {
		return resp, walletrpc.Fail(walletrpc.CodeBadHex, "")
	}
	set, err := decodeImages(o, message)
	switch {
	case errors.Is(err, coldset.ErrMagic), errors.Is(err, coldset.ErrDeprecated), errors.Is(err, coldset.ErrVersion):
		return resp, walletrpc.Fail(walletrpc.CodeUnknown, "Bad magic from key images")
	case errors.Is(err, coldset.ErrSeal):
		return resp, walletrpc.Fail(walletrpc.CodeUnknown, "Failed to decrypt key images: %s", errorText(err))
	case errors.Is(err, coldset.ErrAccount):
		return resp, walletrpc.Fail(walletrpc.CodeUnknown, "Key images are for a different account")
	case err != nil:
		return resp, walletrpc.Fail(walletrpc.CodeUnknown, "Failed to import key images: %s", errorText(err))
	}
	return s.importImages(ctx, o, set)
}

// importImages verifies key images and stores them, and then asks the daemon which of them are spent.
// Source: src/wallet/wallet2.cpp, import_key_images.
func (s *coldOutputs) importImages(
	ctx context.Context, o *openWallet, set *coldset.ImageSet,
) (resp walletrpc.ImportKeyImagesResponse, err error) {
	offset, list := uint64(set.Offset), set.Images
	var known []wallet.OwnedOutput
	o.View(func(w *wallet.Wallet) {
		known = slices.Clone(w.Outputs())
		for i := range known { // certain key images need no proof
			known[i].ImageKnown = known[i].ImageKnown && !w.WantsImage(&known[i])
		}
	})
	switch {
	case offset > uint64(len(known)):
		return resp, walletrpc.Fail(walletrpc.CodeUnknown, "Offset larger than known outputs")
	case uint64(len(list)) > uint64(len(known))-offset:
		return resp, walletrpc.Fail(walletrpc.CodeUnknown, "The blockchain is out of date compared to the signed key "+
			"images")
	case len(list) == 0 && offset == 0:
		return resp, nil
	}
	known = known[:offset+uint64(len(list))]
	images := make([]wallet.KnownImage, len(list))
	for i := range list {
		out := &known[offset+uint64(i)]
		if !(out.ImageKnown && out.Image == list[i].Image) && verifyImage(o.Keys(), out, &list[i]) != nil {
			return resp, walletrpc.Fail(walletrpc.CodeWrongSignature, "Signature check failed %d/%d, key image %s, "+
				"signature %s, pubkey %s",
				offset+uint64(i), len(list), list[i].Image, signatureText(&list[i]), out.Key)
		}
		images[i] = wallet.KnownImage{Key: out.Key, Image: list[i].Image, Proved: true}
	}
	if err := o.Change(func(w *wallet.Wallet) (wallet.ChangeSet, []wallet.HostEvent, error) {
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

// verifyImage returns an error unless image is proven to be the key image of out: by a signature, or if its key has a
// part of T, by a proof of the next hard fork.
func verifyImage(k *keys.Keys, out *wallet.OwnedOutput, image *coldset.SignedImage) error {
	if out.Carrot || keys.HasHierarchies && (k.Hierarchy() != nil || image.Opening != nil) {
		return verifyNextImage(out, image)
	}
	return image.Verify(out.Key)
}

// encodeImages returns the message of export_key_images_data, in the reference's form if that has a place for all
// proofs.
func encodeImages(random io.Reader, o *openWallet, set *coldset.ImageSet) ([]byte, error) {
	for i := range set.Images {
		if keys.HasHierarchies && set.Images[i].Opening != nil {
			return encodeNextImages(random, o, set)
		}
	}
	return o.messages().EncodeImages(random, set)
}

// decodeImages decodes a message of export_key_images_data. It returns the errors of coldset.Cipher.DecodeImages.
func decodeImages(o *openWallet, message []byte) (*coldset.ImageSet, error) {
	if keys.HasHierarchies {
		if set, err := decodeNextImages(o, message); !errors.Is(err, coldset.ErrMagic) {
			return set, err
		}
	}
	return o.messages().DecodeImages(message)
}

// keyImageStatus is what the wallet and the daemon know of a key image.
type keyImageStatus struct {
	output wallet.OwnedOutput
	spent  bool // on the chain, according to the wallet
	status daemon.SpentStatus
}

// disputed reports whether the daemon and the wallet disagree on whether the chain spends the output.
func (k *keyImageStatus) disputed() bool { return (k.status == daemon.SpentInChain) != k.spent }

// keyImages requests from the daemon which of the wallet's known key images are spent.
func (a *active) keyImages(ctx context.Context, o *openWallet) (list []keyImageStatus, err error) {
	var images []xmr.KeyImage
	o.View(func(w *wallet.Wallet) {
		outputs := w.Outputs()
		for i := range outputs {
			if out := &outputs[i]; out.ImageKnown {
				_, spent := w.SpentBy(out)
				images = append(images, out.Image)
				list = append(list, keyImageStatus{output: *out, spent: spent})
			}
		}
	})
	status, err := a.client().KeyImagesSpent(ctx, images)
	if err != nil {
		return nil, err
	}
	for i := range list {
		list[i].status = status[i]
	}
	return list, nil
}

// findSpent requests from the daemon which key images are spent. If the wallet disagrees, it scans again from the first
// such output, because no earlier block can spend it.
func (s *coldOutputs) findSpent(ctx context.Context, o *openWallet) (map[xmr.KeyImage]bool, error) {
	list, err := s.active.keyImages(ctx, o)
	if err != nil {
		return nil, err
	}
	spent := make(map[xmr.KeyImage]bool, len(list))
	from, again := uint64(math.MaxUint64), false
	o.View(func(w *wallet.Wallet) {
		for i := range list {
			k := &list[i]
			spent[k.output.Image] = k.status != daemon.Unspent
			if k.disputed() {
				from, again = min(from, w.FirstSeen(&k.output)), true
			}
		}
	})
	if again {
		if err := o.ForgetFrom(from); err != nil {
			return nil, err
		}
	} else {
		o.ForgetPool()
	}
	_, err = s.refresher.refresh(ctx, o, 0)
	return spent, err
}
